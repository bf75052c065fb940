//! Requests as text, and their answers.

use hgpo_core::process::simulation::{SimulationPlan, simulate};
use hgpo_core::process::{Decision, Process};
use hgpo_core::{Discount, Step, Trajectory};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng as _};
use wasm_bindgen::prelude::wasm_bindgen;

use super::message::{Answer, Request, Truth};
use crate::respond;

/// Most steps that are drawn: as many as the page is at ease with.
const STEPS_LIMIT: usize = 100_000;

/// The answer to a request.
///
/// ```
/// let coin = r#"{"step_limit": 1, "start": [{"situation": "s"}], "situations": [{"state": "s", "actions": [
///     {"action": "toss", "outcomes": [{"probability": 0.5, "reward": 1}, {"probability": 0.5}]}]}]}"#;
/// let request = format!(r#"{{"draw": {{"process": {coin}, "task": "g", "attempts": 1, "seed": 1}}}}"#);
/// let answer = hgpo_worker::process::answer(&request);
/// assert!(answer.starts_with(r#"{"draw":[{"task":"g","trajectory":"t1","steps":[{"state":"s","action":"toss","#));
/// ```
#[wasm_bindgen(js_name = process)]
#[must_use]
pub fn answer(request: &str) -> String {
    respond(request, work, Answer::Error)
}

fn work(request: Request) -> Result<Answer, String> {
    match request {
        Request::Study { process, options, attempts, samples, seed } => {
            let plan = SimulationPlan { samples, attempts, options };
            let study = simulate(&process, &plan, &mut words(seed));
            study.map(Answer::Study).map_err(|error| error.to_string())
        }
        Request::Draw { process, task, attempts, seed } => {
            let steps = process.step_limit();
            if attempts.saturating_mul(steps) > STEPS_LIMIT {
                return Err(format!(
                    "{attempts} attempts with up to {steps} steps are more than {STEPS_LIMIT}: ask for fewer"
                ));
            }
            Ok(Answer::Draw(process.episodes(&task, attempts, &mut words(seed))))
        }
        Request::Truth { process, discount, attempt, step, situation } => {
            truth(&process, discount, &attempt, step, situation).map(Answer::Truth)
        }
    }
}

/// The stream of words that a seed names.
fn words(seed: u64) -> impl FnMut() -> u64 {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    let mut stream = ChaCha8Rng::from_seed(key);
    move || stream.next_u64()
}

fn truth(
    process: &Process,
    discount: Discount,
    attempt: &Trajectory,
    time: usize,
    situation: Option<usize>,
) -> Result<Truth, String> {
    let step = attempt.steps.get(time).ok_or_else(|| format!("there is no step {time}"))?;
    let located = match process.locate(attempt) {
        Ok(located) => located,
        Err(misfit) => return Ok(Truth::Misfit(misfit.step)),
    };
    let Some(decision) = located[time].or_else(|| seen(process, situation?, step, time)) else {
        return Ok(Truth::Ambiguous);
    };
    let values = process.values(discount);
    Ok(Truth::Known {
        decision,
        action_value: values.action_value(decision),
        value: values.value(decision.situation, decision.steps_left),
        advantage: values.advantage(decision),
    })
}

/// The decision of a step that was seen to be taken in a situation; none if that cannot be.
fn seen(process: &Process, situation: usize, step: &Step, time: usize) -> Option<Decision> {
    let here = process.situations().get(situation).filter(|it| it.state == step.state)?;
    let action = here.actions.iter().position(|it| Some(&it.action) == step.action.as_ref())?;
    Some(Decision { situation, steps_left: process.step_limit() - time, action })
}
