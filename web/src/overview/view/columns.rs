//! Meaning of the heads of the tables, and how estimators count attempts.

use crate::overview::model::label;
use crate::text::overview as words;
use hgpo_core::Options;

/// A head of a table, and what it means.
pub(super) type Head = (String, String);

/// How often estimators that compare attempts by score count each of them: an estimator does either by its settings,
/// so that two of the same name can differ.
pub(super) fn counts(methods: &[Options]) -> String {
    let counts = |rows: &str, sentence: fn(&str) -> String| {
        let counts_so = |own: &&Options| own.get("episode_statistics") == Some(rows.into());
        let own: Vec<&str> = methods.iter().filter(counts_so).map(label).collect();
        if own.is_empty() { String::new() } else { sentence(&own.join(", ")) + " " }
    };
    counts("steps", words::by_steps) + &counts("trajectories", words::by_attempts)
}

#[cfg(test)]
mod tests {
    use super::counts;
    use crate::overview::model::tests::{both, methods};
    use crate::overview::view::disagreements::heads;
    use crate::overview::view::tasks;

    #[test]
    fn every_head_is_explained() {
        let file = both();
        let told = tasks::heads(&file);
        assert_eq!(told.len(), 10);
        let opposite = told.iter().find(|(name, _)| name == "Opposite in GiGPO");
        assert!(opposite.is_some_and(|(_, meaning)| meaning.starts_with("Steps ")));
        // Task, step, state, three estimators, ranks.
        assert_eq!(heads(&file).len(), 7);
        assert!(told.into_iter().chain(heads(&file)).all(|(_, meaning)| !meaning.is_empty()));
    }

    #[test]
    fn how_attempts_are_counted_follows_the_settings() {
        let mut methods = methods();
        let told = "GRPO, GiGPO: the score of an attempt counts once for each of its steps. ";
        assert_eq!(counts(&methods), told, "HGPO compares no scores");
        methods[1].set("episode_statistics", "trajectories".into()).expect("an option");
        assert_eq!(
            counts(&methods),
            "GiGPO: the score of an attempt counts once for each of its steps. \
             GRPO: the score of every attempt counts once. "
        );
        assert_eq!(counts(&methods[..1]), "");
    }
}
