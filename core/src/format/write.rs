//! Writers of rollouts and advantages.

use std::io::{ErrorKind, Write};

use serde::Serialize;

use super::Provenance;
use crate::batch::Batch;
use crate::error::Error;
use crate::estimate::Estimate;
use crate::estimator::Options;
use crate::rollout::Trajectory;

/// Writes one trajectory a line; what [`read_jsonl`](super::read_jsonl) reads back, bit for bit.
///
/// # Errors
/// A trajectory that would not be read back (no steps, a number that is not finite); a sink that
/// fails. Lines before the failure are written.
pub fn write_jsonl(mut sink: impl Write, trajectories: &[Trajectory]) -> Result<(), Error> {
    for trajectory in trajectories {
        trajectory.check()?;
        write_line(&mut sink, trajectory)?;
    }
    sink.flush().map_err(Error::Write)
}

/// Writes the line that says how the rollouts after it were made: the first of a file, before
/// [`write_jsonl`].
///
/// # Errors
/// Options that would not be read back; a sink that fails.
pub fn write_provenance(mut sink: impl Write, provenance: &Provenance) -> Result<(), Error> {
    provenance.options.as_ref().map_or(Ok(()), Options::validate)?;
    write_line(&mut sink, provenance)
}

#[derive(Serialize)]
struct Line<'a> {
    task: &'a str,
    trajectory: &'a str,
    returns: &'a [f64],
    step_rewards: &'a [f64],
    advantages: &'a [f64],
}

/// Writes one line per trajectory, in input order:
/// `{"task","trajectory","returns","step_rewards","advantages"}`.
///
/// ```
/// use hgpo_core::{estimate, format::write_advantages, Batch, Options, Step, Trajectory};
/// let batch = Batch::new(vec![Trajectory::new("g", "t", vec![Step::new("s", 1.0).with_valid(false)])])?;
/// let mut text = Vec::new();
/// write_advantages(&mut text, &batch, &estimate(&batch, &Options::default())?)?;
/// // Alone in its group: 0. The penalty 0.1 shows in the step reward only.
/// let line = r#"{"task":"g","trajectory":"t","returns":[1.0],"step_rewards":[0.9],"advantages":[0.0]}"#;
/// assert_eq!(String::from_utf8(text).unwrap(), format!("{line}\n"));
/// # Ok::<(), hgpo_core::Error>(())
/// ```
///
/// # Errors
/// An estimate of another batch, with other trajectories or numbers of steps ([`Error::OtherBatch`]):
/// nothing is written then; a sink that fails.
pub fn write_advantages(
    mut sink: impl Write,
    batch: &Batch,
    estimate: &Estimate,
) -> Result<(), Error> {
    let numbers = [&estimate.returns, &estimate.step_rewards, &estimate.advantages];
    if !numbers.iter().all(|numbers| batch.is_covered_by(numbers)) {
        return Err(Error::OtherBatch);
    }
    for (index, trajectory) in batch.trajectories().iter().enumerate() {
        let line = Line {
            task: &trajectory.task,
            trajectory: &trajectory.trajectory,
            returns: &estimate.returns[index],
            step_rewards: &estimate.step_rewards[index],
            advantages: &estimate.advantages[index],
        };
        write_line(&mut sink, &line)?;
    }
    sink.flush().map_err(Error::Write)
}

fn write_line(sink: &mut impl Write, line: &impl Serialize) -> Result<(), Error> {
    // `serde_json` refuses keys that are no text alone, which nothing written here has: what it would say
    // of them is not worth the code that says it.
    let mut text =
        serde_json::to_vec(line).map_err(|_| Error::Write(ErrorKind::InvalidData.into()))?;
    text.push(b'\n');
    sink.write_all(&text).map_err(Error::Write)
}
