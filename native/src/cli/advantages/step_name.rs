//! Step name of `--explain`, which is looked for task by task.

use std::fmt;
use std::str::FromStr;

use anyhow::bail;
use hgpo_core::{Batch, Explanation, Options, StepAddress, Trajectory, explain};

/// How a step is written.
const FORMS: &str = "write TASK/TRAJECTORY/STEP, with the step from 0, or a JSON list \
                     [\"TASK\",\"TRAJECTORY\",STEP]";

/// How many names an error lists.
const LISTED: usize = 4;

/// A step as it is named on the command line.
#[derive(Clone, Debug)]
pub(crate) enum StepName {
    /// By its parts: a list, or a text that parts in one way only.
    Parts(StepAddress),
    /// By a text whose names hold `/`.
    Text {
        /// Task and trajectory.
        names: String,
        /// The step, from 0.
        step: usize,
    },
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
        let (task, trajectory) = names.split_once('/').ok_or(FORMS)?;
        Ok(if trajectory.contains('/') {
            Self::Text { names: names.to_owned(), step }
        } else {
            Self::Parts(StepAddress::new(task, trajectory, step))
        })
    }
}

impl fmt::Display for StepName {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Parts(address) if address.to_string().matches('/').count() > 2 => {
                out.write_str(&as_json_list(address))
            }
            Self::Parts(address) => write!(out, "{address}"),
            Self::Text { names, step } => write!(out, "{names}/{step}"),
        }
    }
}

/// The way to write a step that nothing else can be meant by.
fn as_json_list(StepAddress { task, trajectory, step }: &StepAddress) -> String {
    serde_json::json!([task, trajectory, step]).to_string()
}

impl StepName {
    /// The step, if it is of this trajectory.
    fn in_trajectory(&self, trajectory: &Trajectory) -> Option<StepAddress> {
        let Trajectory { task, trajectory: name, .. } = trajectory;
        let (is_meant, step) = match self {
            Self::Parts(address) => {
                (address.task == *task && address.trajectory == *name, address.step)
            }
            Self::Text { names, step } => {
                let rest =
                    names.strip_prefix(task.as_str()).and_then(|rest| rest.strip_prefix('/'));
                (rest == Some(name), *step)
            }
        };
        is_meant.then(|| StepAddress::new(task, name, step))
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
        let (mut explained, mut meant) = (None, Vec::new());
        let (mut tasks, mut of_task) = (Vec::new(), Vec::new());
        for batch in batches {
            let batch = batch?;
            for trajectory in batch.trajectories() {
                if let Some(address) = self.in_trajectory(trajectory) {
                    explained.get_or_insert_with(|| explain(&batch, options, &address));
                    meant.push(address);
                }
                let is_of_task =
                    matches!(self, Self::Parts(address) if address.task == trajectory.task);
                if is_of_task && of_task.len() < LISTED {
                    of_task.push(trajectory.trajectory.clone());
                }
            }
            tasks.extend(batch.tasks().iter().take(LISTED - tasks.len()).cloned());
        }
        match (explained, &meant[..]) {
            (Some(explained), [_]) => Ok(explained?),
            (None, _) if of_task.is_empty() => {
                bail!("--explain {self}: no such step; the first tasks are {}", tasks.join(", "))
            }
            (None, _) => bail!(
                "--explain {self}: no such trajectory in this task; the first are {}",
                of_task.join(", ")
            ),
            (Some(_), several) => {
                let several: Vec<String> =
                    several.iter().map(|one| format!("'{}'", as_json_list(one))).collect();
                bail!(
                    "--explain {self}: ambiguous, since names contain '/': write {}",
                    several.join(" or ")
                )
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
        assert_eq!(named(r#"["g", "a", 4]"#), Ok("g/a/4".to_owned()));
        assert_eq!(named(r#"["a/b", "c\n", 0]"#), Ok(r#"["a/b","c\n",0]"#.to_owned()));
        assert_eq!(named("a/b/c/0"), Ok("a/b/c/0".to_owned()));
        for bad in ["", "a", "a/1", "a/b/c", "a/b/-1", "[", r#"["a",0]"#, r#"["a","b","0"]"#] {
            assert!(named(bad).is_err(), "{bad}");
        }
    }
}
