//! Requests as text, and their answers.

use std::cell::RefCell;

use hgpo_env::gridworld::Gridworld;
use wasm_bindgen::prelude::wasm_bindgen;

use super::runner::Runner;
use super::{Lane, look, truth, verdicts, vocabulary};
use crate::respond;
use crate::training::message::{Answer, Request};

thread_local! {
    /// The lane of this worker.
    static LANE: RefCell<Option<Lane>> = const { RefCell::new(None) };
}

/// The answer to a request.
///
/// ```
/// let settings = r#"{"environment": {"name": "gridworld"}, "policy": {"kind": "table"}, "warm_start": {"episodes": 0}}"#;
/// hgpo_worker::training::answer(&format!(r#"{{"start": {{"settings": {settings}, "seeds": [1]}}}}"#));
/// let ran = hgpo_worker::training::answer(r#"{"run": {"iterations": 2, "milliseconds": 1000}}"#);
/// assert!(ran.starts_with(r#"{"ran":{"iteration":2,"lines":[["{\"iteration\":1,\"reward/mean\":"#), "{ran}");
/// let refused = hgpo_worker::training::answer(r#"{"go-back": {"iteration": 5}}"#);
/// assert_eq!(refused, r#"{"error":"go-back.iteration: 5 was not reached, go to one from 0 to 2"}"#);
/// ```
#[wasm_bindgen(js_name = training)]
#[must_use]
pub fn answer(request: &str) -> String {
    let answer = |request| LANE.with_borrow_mut(|it| work(it, request));
    respond(request, answer, |error| Answer::Error(in_one_line(&error)))
}

/// What is said of a refusal, which may quote what was sent: on one line, and long words and texts cut.
fn in_one_line(text: &str) -> String {
    let cut = |text: &str, most: usize| match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    };
    let words: Vec<String> = text.split_whitespace().map(|word| cut(word, 80)).collect();
    cut(&words.join(" "), 500)
}

fn work(place: &mut Option<Lane>, request: Request) -> Result<Answer, String> {
    if let Request::Start { settings, seeds } = request {
        let lane = Lane::start(settings, &seeds)?;
        let started = lane.started()?;
        *place = Some(lane);
        return Ok(started);
    }
    let lane = place.as_mut().ok_or("there is no lane yet: start one")?;
    match request {
        Request::Start { .. } => lane.started(),
        Request::Change { settings } => lane.change(settings),
        Request::Run { iterations, milliseconds } => lane.run(iterations, milliseconds),
        Request::GoBack { iteration } => lane.go_back(iteration),
        Request::Look { seed } => look::look(of(lane, seed)?),
        Request::Cell { seed, row, column } => {
            look::cell(on_map(lane, "cell", seed)?, row, column).map(Answer::Cell)
        }
        Request::Arrows { seed } => look::arrows(on_map(lane, "arrows", seed)?),
        Request::Words { seed } => vocabulary::words(of(lane, seed)?, lane.setup.suite.as_ref()),
        Request::Verdicts { seed, estimators, truth } => {
            verdicts::verdicts(on_map(lane, "verdicts", seed)?, &estimators, truth)
        }
        Request::Process { seed, task } => truth::process(on_map(lane, "process", seed)?, &task),
    }
}

/// The same, if it is played on a map.
fn on_map<'a>(lane: &'a Lane, asked: &str, seed: usize) -> Result<&'a Runner, String> {
    let environment = &lane.setup.config.environment.name;
    if environment == Gridworld::NAME {
        return of(lane, seed);
    }
    Err(format!("{asked}: {environment} has no map; ask for words or look"))
}

/// The training of the seed at a position.
fn of(lane: &Lane, seed: usize) -> Result<&Runner, String> {
    let last = lane.runners.len() - 1;
    let problem = || format!("seed: there is none at position {seed}, choose one from 0 to {last}");
    lane.runners.get(seed).ok_or_else(problem)
}
