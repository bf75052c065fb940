//! Tables of rollouts with their advantages, as files.

use crate::model::Rollouts;
use crate::overview::line;
use hgpo_core::{Batch, Estimate, Options, Step, estimate, format};

/// What a column holds of a step.
type Of = fn(&Step) -> Option<&String>;

/// The columns that every table has.
const HEADER: &str = "task,trajectory,step,state,action,reward,valid,return,advantage";

/// What some rollouts have besides, and what estimators read.
const OPTIONAL: [(&str, Of); 2] =
    [("agent", |step| step.agent.as_ref()), ("context", |step| step.context.as_ref())];

/// All tasks as one batch; none if the estimator does not take them together.
fn whole(rollouts: &Rollouts, options: &Options) -> Option<(Batch, Estimate)> {
    let batch = Batch::new(rollouts.all().cloned().collect()).ok()?;
    let estimate = estimate(&batch, options).ok()?;
    Some((batch, estimate))
}

/// The advantages as JSON Lines: what `hgpo advantages` writes.
pub(super) fn advantages(rollouts: &Rollouts, options: &Options) -> Option<String> {
    let (batch, estimate) = whole(rollouts, options)?;
    let mut text = Vec::new();
    format::write_advantages(&mut text, &batch, &estimate).ok()?;
    String::from_utf8(text).ok()
}

/// A step a line, with a header; core reads it as rollouts again.
pub(super) fn steps(rollouts: &Rollouts, options: &Options) -> Option<String> {
    let (batch, estimate) = whole(rollouts, options)?;
    let has = |of: Of| {
        batch.trajectories().iter().any(|own| own.steps.iter().any(|step| of(step).is_some()))
    };
    let optional: Vec<_> = OPTIONAL.into_iter().filter(|(_, of)| has(*of)).collect();
    let names = std::iter::once(HEADER).chain(optional.iter().map(|(name, _)| *name));
    let mut text = names.collect::<Vec<_>>().join(",") + "\n";
    for (index, own) in batch.trajectories().iter().enumerate() {
        for (at, step) in own.steps.iter().enumerate() {
            let fields = [
                own.task.clone(),
                own.trajectory.clone(),
                at.to_string(),
                step.state.clone(),
                step.action.clone().unwrap_or_default(),
                step.reward.to_string(),
                step.valid.to_string(),
                estimate.step_rewards[index][at].to_string(),
                estimate.advantages[index][at].to_string(),
            ];
            let others = optional.iter().map(|(_, of)| of(step).cloned().unwrap_or_default());
            line(&mut text, fields.into_iter().chain(others));
        }
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::{advantages, steps};
    use crate::model::Rollouts;
    use hgpo_core::{Batch, Estimator, Hgpo, Options, Scale, estimate, format};

    fn mean() -> Options {
        let hgpo = Hgpo { scale: Scale::Mean, ..Hgpo::default() };
        Options { estimator: Estimator::Hgpo(hgpo), ..Options::default() }
    }

    fn read(text: &str) -> Rollouts {
        Rollouts::read(text).expect("readable")
    }

    #[test]
    fn a_table_holds_every_step_with_its_numbers() {
        let text = r#"{"task":"g","trajectory":"x","steps":[{"state":"a, \"b\"","reward":4,"action":"go"}]}
{"task":"g","trajectory":"y","steps":[{"state":"a, \"b\"","reward":0.5,"valid":false,"agent":"m"}]}"#;
        // Returns 4 and 0.5 − 0.1 = 0.4: mean 2.2.
        let expected = "task,trajectory,step,state,action,reward,valid,return,advantage,agent
g,x,0,\"a, \"\"b\"\"\",go,4,true,4,1.7999999999999998,
g,y,0,\"a, \"\"b\"\"\",,0.5,false,0.4,-1.8000000000000003,m
";
        assert_eq!(steps(&read(text), &mean()).as_deref(), Some(expected));
    }

    #[test]
    fn a_table_is_read_again_with_the_same_advantages() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../assets/presets");
        let paths =
            std::fs::read_dir(folder).expect("examples").map(|entry| entry.expect("one").path());
        let lines: Vec<_> =
            paths.filter(|path| path.extension().is_some_and(|it| it == "jsonl")).collect();
        assert!(!lines.is_empty());
        for path in lines {
            let text = std::fs::read_to_string(&path).expect("readable");
            let written = steps(&read(&text), &Options::default()).expect("a table");
            let of = |text: &str| {
                let batch =
                    Batch::new(format::read(text.as_bytes()).expect("readable")).expect("a batch");
                estimate(&batch, &Options::default()).expect("taken").advantages
            };
            assert_eq!(of(&written), of(&text), "{}", path.display());
        }
    }

    #[test]
    fn advantages_are_written_one_trajectory_a_line() {
        let text = r#"{"task":"g","trajectory":"x","steps":[{"state":"a","reward":4}]}
{"task":"g","trajectory":"y","steps":[{"state":"a","reward":0}]}"#;
        let written = advantages(&read(text), &mean()).expect("two attempts");
        let first = r#"{"task":"g","trajectory":"x","returns":[4.0],"step_rewards":[4.0],"advantages":[2.0]}"#;
        assert_eq!(written.lines().next(), Some(first));
        assert_eq!(written.lines().count(), 2);
    }
}
