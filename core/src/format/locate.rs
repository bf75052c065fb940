//! Step locator: the line of a file that a step is on.

use std::io::BufRead;

use super::csv;
use super::jsonl::Records;
use super::trajectory_builder::{Record, TrajectoryBuilder};
use crate::batch::address::StepAddress;
use crate::error::Error;

/// The line that a step stands on in a rollouts file of any of the formats: that of its trajectory,
/// or of its own row. None if the file does not have the step.
///
/// What is wrong between trajectories, as embeddings of different lengths, is found when they have
/// been read, and lines are not kept: the file is read again, JSON Lines without holding it.
///
/// ```
/// use hgpo_core::{format, StepAddress};
/// let rows = "task,trajectory,state,reward\ng,t,hall,0\ng,t,hall,1\n";
/// assert_eq!(format::line_of(rows.as_bytes(), &StepAddress::new("g", "t", 1))?, Some(3));
/// # Ok::<(), hgpo_core::Error>(())
/// ```
///
/// # Errors
/// Those of [`read`](super::read) that are before that line.
pub fn line_of(mut source: impl BufRead, step: &StepAddress) -> Result<Option<usize>, Error> {
    let start = source.fill_buf().map_err(Error::Read)?;
    let mut text = start.iter().filter(|byte| byte.is_ascii_graphic());
    if text.next() != Some(&b'{') {
        return csv::line_of(source, step);
    }
    let mut records = Records::new(source);
    let is_named = |task: &str, name: &str| task == step.task && name == step.trajectory;
    let mut rows = 0;
    while let Some((record, line)) = records.next(&TrajectoryBuilder::default())? {
        let is_there = match record {
            Record::Trajectory(found) => {
                is_named(&found.task, &found.trajectory) && step.step < found.steps.len()
            }
            Record::Step(row) => {
                let is_own = is_named(&row.task, &row.trajectory);
                rows += usize::from(is_own);
                is_own && rows > step.step
            }
        };
        if is_there {
            return Ok(Some(line));
        }
    }
    Ok(None)
}
