//! The worked examples: rollouts files of `assets/presets/`, which `hgpo advantages` reads as well.

use super::{Bilingual, Cell, Rollouts, list};
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
        /// The rollouts file of an example.
        fn file(name: &str) -> &'static str {
            match name {
                $($name => include_str!(concat!("../../../assets/presets/", $name, ".rollouts.jsonl")),)+
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

/// Whether addresses call the recorded example so.
pub(crate) fn is_recorded(name: &str) -> bool {
    RECORDED.strip_prefix(name) == Some(".rollouts.jsonl")
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
    use super::PRESETS;

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
}
