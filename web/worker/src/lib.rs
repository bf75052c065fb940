//! The page's work that takes longer than a frame, in Web Workers.
//!
//! The page sends a request as JSON text, and gets an answer as JSON text, in the order of the requests. `start.js`
//! beside this crate is what a worker runs. Each job is a feature and a module of its own.

pub mod process;
pub mod training;

/// The answer to a request, or why it is refused.
#[cfg(any(feature = "process", feature = "training"))]
fn respond<Request: serde::de::DeserializeOwned, Answer: serde::Serialize>(
    request: &str,
    work: impl FnOnce(Request) -> Result<Answer, String>,
    refuse: impl FnOnce(String) -> Answer,
) -> String {
    let read = hgpo_core::read_json(request).and_then(serde_json::from_value);
    let read = read.map_err(|error| format!("not a request: {error}"));
    let answer = read.and_then(work).unwrap_or_else(refuse);
    // There is nothing in an answer that JSON cannot say.
    serde_json::to_string(&answer).unwrap_or_default()
}
