//! What the files that a reader takes away are called.

use super::{PRESETS, Source};

/// Endings of files that names of exported files leave out.
const ENDINGS: [&str; 6] = [".jsonl", ".ndjson", ".json", ".csv", ".txt", ".rollouts"];

/// What the names of exported files begin with.
pub(crate) fn stem(source: &Source) -> String {
    let name = match source {
        Source::Preset(index) => &PRESETS[*index].name,
        Source::File(name) => name,
    };
    let mut stem = name.as_str();
    for ending in ENDINGS {
        stem = stem.strip_suffix(ending).unwrap_or(stem);
    }
    stem.to_owned()
}

#[cfg(test)]
mod tests {
    use super::stem;
    use crate::model::{PRESETS, Rollouts, Source};

    #[test]
    fn files_are_named_after_their_source() {
        assert_eq!(stem(&Source::Preset(0)), "overview");
        let of = |name: &str| stem(&Source::File(name.to_owned()));
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
