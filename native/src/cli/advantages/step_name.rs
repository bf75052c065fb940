//! Step name of `--explain`, which is looked for task by task.

use std::fmt;
use std::str::FromStr;

use anyhow::bail;
use hgpo_core::{Batch, Explanation, Options, StepAddress, Trajectory, explain, shortened};

/// How a step is written.
const FORMS: &str = "write TASK/TRAJECTORY/STEP, with the step from 0 (or TRAJECTORY/STEP, if only one task has such \
                     a trajectory), or a JSON list [\"TASK\",\"TRAJECTORY\",STEP]";

/// How many names an error lists.
const LISTED: usize = 4;

/// A step as it is named on the command line.
#[derive(Clone, Debug)]
pub(crate) enum StepName {
    /// By its parts: a list.
    Parts(StepAddress),
    /// By a text, whose names may hold `/`.
    Text {
        /// Task and trajectory, or the trajectory alone.
        names: String,
        /// The step, from 0.
        step: usize,
    },
}

/// How a name means a trajectory.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Match {
    /// By its own name.
    Trajectory,
    /// By that of its task too, which counts first.
    Both,
}

impl FromStr for StepName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.starts_with('[') {
            let (task, trajectory, step): (String, String, usize) =
                serde_json::from_str(text).map_err(|_| FORMS)?;
            return Ok(Self::Parts(StepAddress::new(task, trajectory, step)));
        }
        let (names, step) = text.rsplit_once('/').ok_or(FORMS)?;
        let step = step.parse().map_err(|_| FORMS)?;
        if names.is_empty() {
            return Err(FORMS.to_owned());
        }
        Ok(Self::Text { names: names.to_owned(), step })
    }
}

impl fmt::Display for StepName {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Parts(address) => out.write_str(&as_json_list(address)),
            Self::Text { names, step } => write!(out, "{names}/{step}"),
        }
    }
}

/// The way to write a step that nothing else can be meant by.
fn as_json_list(StepAddress { task, trajectory, step }: &StepAddress) -> String {
    serde_json::json!([task, trajectory, step]).to_string()
}

impl StepName {
    /// The step, if it is of this trajectory, and how that is said.
    fn in_trajectory(&self, trajectory: &Trajectory) -> Option<(Match, StepAddress)> {
        let Trajectory { task, trajectory: name, .. } = trajectory;
        let (is_both, is_name, step) = match self {
            Self::Parts(address) => {
                (address.task == *task && address.trajectory == *name, false, address.step)
            }
            Self::Text { names, step } => {
                let rest =
                    names.strip_prefix(task.as_str()).and_then(|rest| rest.strip_prefix('/'));
                (rest == Some(name), names == name, *step)
            }
        };
        let by = if is_both { Match::Both } else { Match::Trajectory };
        (is_both || is_name).then(|| (by, StepAddress::new(task, name, step)))
    }

    /// Whether it may be meant for a trajectory of this task.
    fn is_of_task(&self, task: &str) -> bool {
        match self {
            Self::Parts(address) => address.task == task,
            Self::Text { names, .. } => {
                let names = names.split_once('/').filter(|(_, rest)| !rest.contains('/'));
                names.is_some_and(|(own, _)| own == task)
            }
        }
    }

    /// Explains the step, whichever task it is of.
    ///
    /// # Errors
    /// Those of the batches and of the estimator; there is no such step, or there are several.
    pub(crate) fn explain(
        &self,
        batches: impl Iterator<Item = anyhow::Result<Batch>>,
        options: &Options,
    ) -> anyhow::Result<Explanation> {
        // The first step that is meant most closely, and all that are meant so.
        let (mut explained, mut meant) = (None, Vec::new());
        let (mut tasks, mut of_task) = (Vec::new(), Vec::new());
        let is_trajectory = matches!(self, Self::Text { names, .. } if !names.contains('/'));
        for batch in batches {
            let batch = batch?;
            for trajectory in batch.trajectories() {
                if let Some((by, address)) = self.in_trajectory(trajectory) {
                    let before = meant.first().map(|(before, _)| *before);
                    if before < Some(by) {
                        meant.clear();
                        explained = Some(explain(&batch, options, &address));
                    }
                    if before <= Some(by) {
                        meant.push((by, address));
                    }
                }
                if (is_trajectory || self.is_of_task(&trajectory.task)) && of_task.len() < LISTED {
                    of_task.push(shortened(&trajectory.trajectory));
                }
            }
            tasks.extend(
                batch.tasks().iter().take(LISTED - tasks.len()).map(|task| shortened(task)),
            );
        }
        match (explained, &meant[..]) {
            (Some(explained), [_]) => Ok(explained?),
            (None, _) if of_task.is_empty() => {
                bail!("--explain {self}: no such step; the first tasks are {}", tasks.join(", "))
            }
            (None, _) if is_trajectory => {
                bail!("--explain {self}: no such trajectory; the first are {}", of_task.join(", "))
            }
            (None, _) => bail!(
                "--explain {self}: no such trajectory in this task; the first are {}",
                of_task.join(", ")
            ),
            (Some(_), several) => {
                let listed = several.iter().take(LISTED);
                let listed: Vec<String> =
                    listed.map(|(_, one)| format!("'{}'", as_json_list(one))).collect();
                let others = if several.len() > LISTED { " or others" } else { "" };
                bail!("--explain {self}: ambiguous: write {}{others}", listed.join(" or "))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::StepName;

    #[test]
    fn step_names_have_two_forms() {
        let named = |text: &str| text.parse::<StepName>().map(|name| name.to_string());
        assert_eq!(named("g/a/4"), Ok("g/a/4".to_owned()));
        assert_eq!(named(r#"["g", "a", 4]"#), Ok(r#"["g","a",4]"#.to_owned()));
        assert_eq!(named(r#"["a/b", "c\n", 0]"#), Ok(r#"["a/b","c\n",0]"#.to_owned()));
        assert_eq!(named("a/b/c/0"), Ok("a/b/c/0".to_owned()));
        assert_eq!(named("a/1"), Ok("a/1".to_owned()));
        for bad in ["", "a", "/1", "a/b/c", "a/b/-1", "[", r#"["a",0]"#, r#"["a","b","0"]"#] {
            assert!(named(bad).is_err(), "{bad}");
        }
    }
}
