//! The worked examples: rollouts files of `assets/presets/`, which `hgpo advantages` reads as well. In Korean their
//! states and actions are those that `korean.json` beside them has.

use super::{Bilingual, Cell, Language, Rollouts, list, spoken};
use hgpo_core::read_json;
use serde_json::Value;
use std::sync::LazyLock;

/// What `presets.json` says of a worked example.
#[derive(Debug)]
pub(crate) struct Preset {
    /// The name of its file, and in links.
    pub(crate) name: String,
    /// What the list of examples calls it.
    pub(crate) title: Bilingual,
    /// What there is to see.
    pub(crate) note: Bilingual,
    /// The step that it opens with: `TRAJECTORY/STEP`.
    select: String,
    /// Whether there is a process that its attempts could come from.
    pub(crate) has_process: bool,
}

/// The worked examples, in the order of the list.
pub(crate) static PRESETS: LazyLock<Vec<Preset>> = LazyLock::new(|| {
    let listed = read_json(list!("presets")).expect("the tests read it");
    let listed = listed.as_array().into_iter().flatten();
    listed.map(|preset| Preset::read(preset).expect("the tests read it")).collect()
});

macro_rules! files {
    ($($name:literal),+) => {
        /// The rollouts file of an example in the language that the page is drawn in.
        fn file(name: &str) -> &'static str {
            match (name, spoken()) {
                $(($name, Language::English) => {
                    include_str!(concat!("../../../assets/presets/", $name, ".rollouts.jsonl"))
                }
                ($name, Language::Korean) => {
                    include_str!(concat!(env!("OUT_DIR"), "/", $name, ".rollouts.jsonl"))
                })+
                _ => "",
            }
        }
    };
}

files! {
    "overview", "anchors", "inconsistent", "key", "streets", "errand", "loop", "alike", "alone", "team", "countdown", "chores"
}

/// The file of the recorded example, which is fetched when it is opened: three updates of a policy, token by token.
pub(crate) const RECORDED: &str = "updates.rollouts.jsonl";

/// The address of that file.
pub(crate) const RECORDED_ADDRESS: &str = "rollouts/updates.rollouts.jsonl";

/// The address of the recorded example, if addresses of the page call it so.
pub(crate) fn recorded(name: &str) -> Option<&'static str> {
    (RECORDED.strip_prefix(name) == Some(".rollouts.jsonl")).then_some(RECORDED_ADDRESS)
}

impl Preset {
    fn read(value: &Value) -> Option<Self> {
        let word = |key: &str| value[key].as_str().map(str::to_owned);
        Some(Self {
            name: word("name")?,
            title: Bilingual::read(&value["title"])?,
            note: Bilingual::read(&value["note"])?,
            select: word("select")?,
            has_process: value["process"] == true,
        })
    }

    /// The position of an example in the list.
    pub(crate) fn position(name: &str) -> Option<usize> {
        PRESETS.iter().position(|preset| preset.name == name)
    }

    /// The example's rollouts, and the step that it opens with.
    pub(crate) fn load(&self) -> (Rollouts, Cell) {
        let rollouts = Rollouts::read(file(&self.name)).expect("the tests read every example");
        let selected = rollouts.tasks[0].find(&self.select).unwrap_or_default();
        (rollouts, selected)
    }
}

#[cfg(test)]
mod tests {
    use super::{Language, PRESETS, Preset};
    use crate::model::{Advantages, Controls, Task, speak};
    use serde_json::Value;
    use std::collections::{BTreeMap, BTreeSet};

    #[test]
    fn every_example_says_whether_it_has_a_process() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../assets/presets/");
        for preset in PRESETS.iter() {
            let file = format!("{folder}{}.process.json", preset.name);
            assert_eq!(
                preset.has_process,
                std::fs::exists(file).expect("readable"),
                "{}",
                preset.name
            );
        }
    }

    #[test]
    fn every_example_opens_with_a_step_of_its_own() {
        for preset in PRESETS.iter() {
            let (rollouts, selected) = preset.load();
            assert_eq!(rollouts.tasks[0].find(&preset.select), Some(selected), "{}", preset.name);
        }
    }

    const KOREAN: &str = include_str!("../../../assets/presets/korean.json");
    /// What a model said and was told stays in its words.
    const IN_ENGLISH: [&str; 2] = ["countdown", "chores"];

    /// An example's task in English and in Korean.
    fn in_both(preset: &Preset) -> [crate::model::Shared<Task>; 2] {
        let tasks = Language::ALL.map(|language| {
            speak(language);
            preset.load().0.tasks[0].clone()
        });
        speak(Language::English);
        tasks
    }

    /// The states and the actions of a task, each with its place.
    fn texts(task: &Task) -> [Vec<String>; 2] {
        let steps = || task.rows().iter().flat_map(|row| &row.steps);
        let actions = steps().filter_map(|step| step.action.clone());
        [steps().map(|step| step.state.clone()).collect(), actions.collect()]
    }

    #[test]
    fn every_word_of_an_example_has_a_korean_one_of_its_own() {
        for preset in PRESETS.iter() {
            let [english, korean] = in_both(preset);
            let stays = IN_ENGLISH.contains(&&*preset.name);
            for (own, other) in texts(&english).into_iter().zip(texts(&korean)) {
                let pairs: BTreeSet<_> = own.iter().zip(&other).collect();
                let of = |text: fn(&(&String, &String)) -> String| {
                    pairs.iter().map(text).collect::<BTreeSet<_>>().len()
                };
                let counts = [of(|(own, _)| (*own).clone()), of(|(_, other)| (*other).clone())];
                assert_eq!(counts, [pairs.len(); 2], "{}: {pairs:?}", preset.name);
                for (own, other) in pairs {
                    let is_number = own.trim_start_matches('s').parse::<u32>().is_ok();
                    assert_eq!(own == other, stays || is_number, "{}: {own}", preset.name);
                }
            }
        }
    }

    #[test]
    fn all_numbers_of_an_example_are_the_same_in_both_languages() {
        let controls = Controls::default();
        for preset in PRESETS.iter() {
            let tasks = in_both(preset);
            let [english, korean] = tasks.each_ref().map(|task| {
                let Advantages { of, returns, .. } = Advantages::new(task, &controls);
                let bits = |all: Vec<std::rc::Rc<[f64]>>| -> Vec<Vec<u64>> {
                    all.iter()
                        .map(|row| row.iter().map(|value| value.to_bits()).collect())
                        .collect()
                };
                let rows = task.rows().iter().map(|row| (row.trajectory.clone(), row.success));
                let rewards = |row: &hgpo_core::Trajectory| -> Vec<(u64, bool)> {
                    row.steps.iter().map(|step| (step.reward.to_bits(), step.valid)).collect()
                };
                let rewards: Vec<_> = task.rows().iter().map(rewards).collect();
                let states: Vec<_> = task.states.iter().map(|state| state.number).collect();
                (
                    bits(of),
                    bits(returns),
                    rows.collect::<Vec<_>>(),
                    rewards,
                    states,
                    task.is_brief(),
                )
            });
            assert_eq!(english, korean, "{}", preset.name);
            assert_eq!(tasks[0].name, tasks[1].name, "addresses name tasks");
        }
    }

    #[test]
    fn the_dictionary_has_the_situations_of_processes_and_nothing_else() {
        let korean: BTreeMap<String, String> =
            serde_json::from_str(KOREAN).expect("pairs of texts");
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../assets/presets/");
        let mut used = BTreeSet::new();
        for preset in PRESETS.iter() {
            let [english, _] = in_both(preset);
            used.extend(texts(&english).concat());
            if !preset.has_process {
                continue;
            }
            let text = std::fs::read_to_string(format!("{folder}{}.process.json", preset.name));
            let process: Value = serde_json::from_str(&text.expect("readable")).expect("JSON");
            let mut own = BTreeMap::new();
            for situation in process["situations"].as_array().expect("a list") {
                let actions = situation["actions"].as_array().expect("a list").iter();
                let actions = actions.map(|action| &action["action"]);
                for word in [&situation["name"], &situation["state"]].into_iter().chain(actions) {
                    let Some(word) = word.as_str() else { continue };
                    let has = korean.contains_key(word)
                        || word.trim_start_matches('s').parse::<u32>().is_ok();
                    assert!(has, "{}: {word}", preset.name);
                    used.insert(word.to_owned());
                }
                let name =
                    situation["name"].as_str().or(situation["state"].as_str()).expect("a name");
                let said = korean.get(name).map_or(name, |word| word);
                assert_eq!(own.insert(said.to_owned(), name), None, "{}: {said}", preset.name);
            }
        }
        let unused: Vec<_> = korean.keys().filter(|word| !used.contains(*word)).collect();
        assert!(unused.is_empty(), "{unused:?}");
    }
}
