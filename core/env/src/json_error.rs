//! JSON errors with line and column.

/// Line and column, from 1, and the problem without them: the message ends with a place of its own.
#[must_use]
pub fn locate_json_error(error: &serde_json::Error) -> (usize, usize, String) {
    let text = error.to_string();
    let problem = text.rsplit_once(" at line ").map_or(text.as_str(), |(problem, _)| problem);
    (error.line().max(1), error.column(), problem.to_owned())
}
