//! The work of the reader.

use super::{Cell, Controls, PRESETS, Rollouts, Shared, Told};

/// Endings of files that names of exported files leave out.
const ENDINGS: [&str; 6] = [".jsonl", ".ndjson", ".json", ".csv", ".txt", ".rollouts"];

/// Where the rollouts on the stage come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// One of [`PRESETS`], by position.
    Preset(usize),
    /// A file, by name.
    File(String),
}

impl Default for Source {
    fn default() -> Self {
        Self::Preset(0)
    }
}

impl Source {
    /// What it is called.
    pub(crate) fn title(&self) -> &str {
        match self {
            Self::Preset(index) => PRESETS[*index].title.text(),
            Self::File(name) => name,
        }
    }

    /// What the names of files made of it begin with.
    pub(crate) fn stem(&self) -> String {
        let mut stem = match self {
            Self::Preset(index) => &PRESETS[*index].name,
            Self::File(name) => name.as_str(),
        };
        for ending in ENDINGS {
            stem = stem.strip_suffix(ending).unwrap_or(stem);
        }
        stem.to_owned()
    }
}

/// What can be undone, shared and kept: everything that belongs to the work of the reader.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Document {
    /// Where the rollouts come from.
    pub(crate) source: Source,
    /// The rollouts.
    pub(crate) rollouts: Shared<Rollouts>,
    /// The setting of every control.
    pub(crate) controls: Controls,
    /// The task on the stage.
    pub(crate) task: usize,
    /// The step that the panel explains.
    pub(crate) selected: Cell,
    /// What who shared it tells about it.
    pub(crate) told: Option<Told>,
}

#[cfg(test)]
mod tests {
    use super::Source;
    use crate::model::{PRESETS, Rollouts};

    #[test]
    fn files_are_named_after_their_source() {
        assert_eq!(Source::Preset(0).stem(), "overview");
        let of = |name: &str| Source::File(name.to_owned()).stem();
        assert_eq!(of("run 3.rollouts.jsonl"), "run 3");
        assert_eq!(of("table.v2.csv"), "table.v2");
        assert_eq!(of("pasted"), "pasted");
    }

    #[test]
    fn written_rollouts_are_read_again_as_they_were() {
        for preset in PRESETS.iter() {
            let before = preset.load().0;
            let after = Rollouts::read(&before.written()).expect("readable");
            assert!(after.all().eq(before.all()), "{}", preset.name);
        }
    }
}
