//! The worked examples: rollouts files of `assets/presets/`, which `hgpo advantages` reads as well.

use super::{Cell, Rollouts};
use crate::text::Bilingual;
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
}

/// The worked examples, in the order of the list.
pub(crate) static PRESETS: LazyLock<Vec<Preset>> = LazyLock::new(|| {
    let listed = include_str!("../../../assets/presets/presets.json");
    let listed = read_json(listed).expect("the tests read it");
    let listed = listed.as_array().into_iter().flatten();
    listed.map(|preset| Preset::read(preset).expect("the tests read it")).collect()
});

macro_rules! files {
    ($function:ident, $kind:literal, $what:literal, $($name:literal),+ $(,)?) => {
        #[doc = $what]
        fn $function(name: &str) -> &'static str {
            match name {
                $($name => include_str!(concat!("../../../assets/presets/", $name, $kind)),)+
                _ => "",
            }
        }
    };
}

files!(
    rollouts_file,
    ".rollouts.jsonl",
    "The rollouts file of an example.",
    "overview",
    "anchors",
    "inconsistent",
    "streets",
    "errand",
    "loop",
    "alike",
    "alone",
    "team",
    "chores"
);

// None for `alone`, whose clock never shows the same time again, and for `chores`, which was recorded.
files!(
    process_file,
    ".process.json",
    "The process that an example's attempts are of; empty where there is none.",
    "overview",
    "anchors",
    "inconsistent",
    "streets",
    "errand",
    "loop",
    "alike",
    "team"
);

impl Preset {
    fn read(value: &Value) -> Option<Self> {
        let word = |key: &str| value[key].as_str().map(str::to_owned);
        Some(Self {
            name: word("name")?,
            title: Bilingual::read(&value["title"])?,
            note: Bilingual::read(&value["note"])?,
            select: word("select")?,
        })
    }

    /// The position of an example in the list.
    pub(crate) fn position(name: &str) -> Option<usize> {
        PRESETS.iter().position(|preset| preset.name == name)
    }

    /// The example's rollouts, and the step that it opens with.
    pub(crate) fn load(&self) -> (Rollouts, Cell) {
        let rollouts =
            Rollouts::read(rollouts_file(&self.name)).expect("the tests read every example");
        let selected = rollouts.tasks[0].find(&self.select).unwrap_or_default();
        (rollouts, selected)
    }

    /// The process that the example's attempts are of, as JSON; none where there is no such process.
    #[cfg_attr(not(test), expect(dead_code, reason = "the page does not show true advantages yet"))]
    pub(crate) fn process(&self) -> Option<&'static str> {
        Some(process_file(&self.name)).filter(|text| !text.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::PRESETS;
    use hgpo_core::process::Process;

    #[test]
    fn every_example_opens_with_a_step_of_its_own() {
        for preset in PRESETS.iter() {
            let (rollouts, selected) = preset.load();
            assert_eq!(rollouts.tasks[0].find(&preset.select), Some(selected), "{}", preset.name);
        }
    }

    #[test]
    fn every_process_is_that_of_its_example() {
        let mut found = 0;
        for preset in PRESETS.iter() {
            let Some(text) = preset.process() else { continue };
            let process = Process::read(text).expect("a process");
            for attempt in preset.load().0.tasks[0].batch.trajectories() {
                let located = process.locate(attempt).expect("an attempt of the process");
                assert!(located.iter().all(Option::is_some), "{}", preset.name);
            }
            found += 1;
        }
        assert_eq!(found, 8);
    }
}
