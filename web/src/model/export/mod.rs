//! What a reader takes away: rollouts, advantages and the figure, as text.

mod csv;
mod figure;
mod svg;

pub(crate) use csv::csv;
pub(crate) use figure::{Figure, figure};

use super::{Controls, PRESETS, Rollouts, Source};
use hgpo_core::{Batch, Estimate, estimate, format};

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

/// The advantages of all tasks as JSON Lines: what `hgpo advantages` writes.
pub(crate) fn advantages(rollouts: &Rollouts, controls: &Controls) -> Vec<u8> {
    let (batch, estimate) = whole(rollouts, controls);
    let mut text = Vec::new();
    format::write_advantages(&mut text, &batch, &estimate).expect("memory takes all");
    text
}

/// All tasks as one batch.
fn whole(rollouts: &Rollouts, controls: &Controls) -> (Batch, Estimate) {
    let batch = Batch::new(rollouts.all().cloned().collect()).expect("tasks are told apart");
    let estimate = estimate(&batch, &controls.options).expect("controls admit what core admits");
    (batch, estimate)
}

#[cfg(test)]
mod tests {
    use super::{advantages, stem};
    use crate::model::{Controls, PRESETS, Rollouts, Source};

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

    #[test]
    fn advantages_are_written_one_trajectory_a_line() {
        let text = r#"{"task":"g","trajectory":"x","steps":[{"state":"a","reward":4}]}
{"task":"g","trajectory":"y","steps":[{"state":"a","reward":0}]}"#;
        let read = Rollouts::read(text).expect("two attempts");
        let controls = Controls::default().with("scale", "mean").expect("admitted");
        let written = String::from_utf8(advantages(&read, &controls)).expect("text");
        let first = r#"{"task":"g","trajectory":"x","returns":[4.0],"step_rewards":[4.0],"advantages":[2.0]}"#;
        assert_eq!(written.lines().next(), Some(first));
        assert_eq!(written.lines().count(), 2);
    }
}
