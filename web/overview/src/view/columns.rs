//! What the heads of the tables mean, and how estimators count attempts.

use super::{Markup, disagreements, tasks};
use crate::{
    model::{File, Key, Method},
    text,
};

/// A head of a table, and what it means.
pub(super) type Head = (String, String);

/// What the heads of the table of tasks mean, folded.
pub(crate) fn task_columns(file: &File) -> String {
    let keys = Key::all(file.methods.len());
    meanings(keys.into_iter().map(|key| tasks::named(file, key)))
}

/// What the heads of the table of disagreements mean, folded.
pub(crate) fn step_columns(file: &File) -> String {
    meanings(disagreements::heads(file).into_iter())
}

fn meanings(heads: impl Iterator<Item = Head>) -> String {
    let mut to = Markup::default();
    to.raw("<details class=\"meanings\"><summary>").raw(text::columns_title());
    to.raw("</summary><dl class=\"facts\">");
    for (name, meaning) in heads {
        to.raw("<dt>").text(&name).raw("</dt><dd>").text(&meaning).raw("</dd>");
    }
    to.raw("</dl></details>");
    to.finish()
}

/// How often estimators that compare attempts by score count each of them: an estimator does either by
/// its settings, so that two of the same name can differ.
pub(crate) fn counts(methods: &[Method]) -> String {
    let mut to = Markup::default();
    for (rows, told) in
        [("steps", text::by_steps as fn(&str) -> String), ("trajectories", text::by_attempts)]
    {
        let counts_so =
            |method: &&Method| method.options.get("episode_statistics") == Some(rows.into());
        let own: Vec<&str> = methods.iter().filter(counts_so).map(|it| &*it.label).collect();
        if !own.is_empty() {
            to.text(&told(&own.join(", "))).raw(" ");
        }
    }
    to.finish()
}

#[cfg(test)]
mod tests {
    use super::{counts, step_columns, task_columns};
    use crate::model::tests::{both, methods};

    #[test]
    fn every_head_is_explained() {
        let told = task_columns(&both());
        assert_eq!(told.matches("<dt>").count(), 10);
        assert!(!told.contains("<dd></dd>"), "{told}");
        assert!(told.contains("<dt>Opposite in GiGPO</dt><dd>Steps "));
        let told = step_columns(&both());
        // Task, step, state, three estimators, ranks.
        assert_eq!(told.matches("<dt>").count(), 7);
        assert!(!told.contains("<dd></dd>"), "{told}");
    }

    #[test]
    fn how_attempts_are_counted_follows_the_settings() {
        let mut methods = methods();
        let told = "GRPO, GiGPO: the score of an attempt counts once for each of its steps. ";
        assert_eq!(counts(&methods), told, "HGPO compares no scores");
        methods[1].options.set("episode_statistics", "trajectories".into()).expect("an option");
        assert_eq!(
            counts(&methods),
            "GiGPO: the score of an attempt counts once for each of its steps. \
             GRPO: the score of every attempt counts once. "
        );
        assert_eq!(counts(&methods[..1]), "");
    }
}
