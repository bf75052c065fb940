//! Estimates of a step beside the truth of a known process, attempts drawn anew, and studies of estimators against the truth.
//!
//! | request | answer |
//! |---|---|
//! | `{"study": {"process", "options", "attempts", "samples", "seed"}}` | `{"study": …}`, a [`SimulationReport`](hgpo_core::process::simulation::SimulationReport) |
//! | `{"draw": {"process", "task", "attempts", "seed"}}` | `{"draw": […]}`, [trajectories](hgpo_core::Trajectory) |
//! | `{"view": {"process", "options", "attempts", "step", "situation", "samples", "seed", "language"}}` | `{"view": "…"}`, HTML for the page |
//! | anything else | `{"error": "…"}`, one line that says what, where, and what to do |
//!
//! A process is written in the format of [`hgpo_core::process`], options as in traces. The same
//! request has the same answer, byte for byte, on every machine.

pub mod message;
mod random;
mod view;

use hgpo_core::process::simulation::{SimulationPlan, simulate};
use wasm_bindgen::prelude::wasm_bindgen;

use self::message::{Answer, Request};
use self::random::words;
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
        Request::View(request) => view::view(*request).map(Answer::View),
    }
}
