//! Step order of a trajectory, by the number `step` if its steps have one.

use serde_json::Value;

use super::Step;
use crate::error::Problem;

/// How many agents may act at the same time, at least, for one that acts twice to be found.
const AGENTS: usize = 1000;

/// The number of a step, if it has one.
pub(crate) fn number(step: &Step) -> Option<f64> {
    let number = match step.extra.get("step")? {
        Value::String(text) => crate::text::number::number(text.trim()),
        value => value.as_f64(),
    };
    number.filter(|number| number.is_finite())
}

/// Checks that a step may be the next one of its trajectory, and is not the step of another one of the same name, as
/// when files were put together. In its file, it stands together with the step before it or not; `first_line` is the
/// one that the trajectory begins on.
///
/// Steps without numbers stand together. Numbers go on one by one, but for those of agents that act at the same time.
#[expect(clippy::float_cmp, reason = "numbers that are not exactly one apart are no neighbours")]
pub(crate) fn follow(
    steps: &[Step],
    step: &Step,
    is_together: bool,
    first_line: Option<usize>,
) -> Result<(), Problem> {
    let Some(last) = steps.last() else { return Ok(()) };
    let own = || steps.iter().rev().take(AGENTS).find(|before| before.agent == step.agent);
    let goes_on = match [last, step].map(number) {
        [None, None] if is_together => true,
        [None, None] => return Err(Problem::DuplicateTrajectory { first_line }),
        [Some(before), Some(now)] if is_together && now == before => {
            own().is_none_or(|own| number(own) < Some(now))
        }
        [Some(before), Some(now)] => now == before + 1.0,
        _ => false,
    };
    if goes_on {
        return Ok(());
    }
    let [before, now] = [last, step]
        .map(|step| number(step).map_or("none".to_owned(), |number| number.to_string()));
    Err(Problem::UnorderedRows { before, now, first_line })
}
