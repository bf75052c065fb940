//! Which iteration of a run a rollouts file comes from.

use hgpo_core::read_json;

/// The iteration that a file names: in its first line, as traces do, or in its name, such as
/// `iteration_000120.rollouts.jsonl`.
pub(crate) fn iteration(name: &str, beginning: &str) -> Option<u64> {
    let first =
        beginning.trim_start_matches('\u{feff}').lines().find(|line| !line.trim().is_empty());
    let said = first.and_then(|line| read_json(line).ok());
    let said = said.and_then(|line| line.get("iteration")?.as_u64());
    said.or_else(|| named(name))
}

/// The digits after `iteration`, without what stands between.
fn named(name: &str) -> Option<u64> {
    let (_, after) = name.rsplit_once("iteration")?;
    let digits = after.trim_start_matches(['_', '-', ' ', '=']);
    let end = digits.find(|it: char| !it.is_ascii_digit()).unwrap_or(digits.len());
    digits[..end].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::iteration;

    #[test]
    fn the_first_line_tells_and_else_the_name() {
        let line = "\u{feff}\n{\"environment\":\"chores\",\"iteration\":30}\n{\"task\":\"g\"}";
        assert_eq!(iteration("iteration_000010.rollouts.jsonl", line), Some(30));
        assert_eq!(iteration("iteration_000010.rollouts.jsonl", "{\"task\":\"g"), Some(10));
        assert_eq!(iteration("run iteration-7.jsonl", ""), Some(7));
        assert_eq!(iteration("rollouts 12.jsonl", "task,trajectory"), None);
    }
}
