//! Minimal reader of files that this crate wrote.

use serde_json::Value;

use super::line_diagnosis::on_one_line;
use super::provenance::{Provenance, is_first_line};
use crate::error::{Error, Place, Problem};
use crate::rollout::Trajectory;
use crate::text::json::read_json;

/// Reads rollouts as [`write_jsonl`](super::write_jsonl) writes them, a trajectory a line, and the line
/// before them that says how they were made, if there is one ([`Provenance::from_line`] reads it).
///
/// For programs that must be small: it takes a tenth of the code of [`read`](super::read), but knows no
/// other format, and explains less of what is wrong. A byte order mark and lines of nothing but spaces,
/// which `read` passes over, are refused, as no writer here makes them; empty lines are not.
///
/// A line is read by itself. What lines have to do with each other, and with the limits of this crate, is
/// checked by [`Batch::new`](crate::Batch::new): names that occur twice, trajectories without steps, numbers
/// beyond the range. What it takes of the result, `read` reads to the same trajectories.
///
/// ```
/// use hgpo_core::format;
/// let text = "{\"seed\":1}\n{\"task\":\"g\",\"trajectory\":\"t\",\"steps\":[{\"state\":\"hall\",\"reward\":1.0,\"valid\":true}]}\n";
/// let (made, trajectories) = format::read_written(text)?;
/// assert_eq!((made, trajectories.len()), (Some("{\"seed\":1}"), 1));
/// # Ok::<(), hgpo_core::Error>(())
/// ```
///
/// # Errors
/// A line that is no trajectory; none that is one.
pub fn read_written(text: &str) -> Result<(Option<&str>, Vec<Trajectory>), Error> {
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.is_empty()).peekable();
    let is_made = |line: &str| {
        read_json(line).is_ok_and(|value| value.as_object().is_some_and(is_first_line))
    };
    let made = lines.next_if(|(_, line)| is_made(line)).map(|(_, line)| line);
    let read = |(at, line)| {
        let refused = |error: serde_json::Error| {
            Place::line(at + 1).error(Problem::NotTrajectory(on_one_line(&error)))
        };
        serde_json::from_str(line).map_err(refused)
    };
    let trajectories = lines.map(read).collect::<Result<Vec<_>, _>>()?;
    if trajectories.is_empty() {
        return Err(Place::default().error(Problem::NoTrajectories));
    }
    Ok((made, trajectories))
}

impl Provenance {
    /// What a first line says. Fields of other names mean nothing, as in a file: a line that has nothing
    /// else, a trajectory's too, says nothing, which is the default.
    ///
    /// # Errors
    /// [`Problem::Provenance`]: no object, a field of another kind, an estimator or an option that is not
    /// known.
    pub fn from_line(line: &str) -> Result<Self, Error> {
        let problem = match read_json(line) {
            Ok(Value::Object(fields)) => return Self::read(1, fields),
            Ok(_) => "an object is needed".to_owned(),
            Err(error) => on_one_line(&error),
        };
        Err(Place::line(1).error(Problem::Provenance(problem)))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Provenance, read, read_written};

    const LINE: &str = r#"{"task":"g","trajectory":"t","steps":[{"state":"s","reward":1}]}"#;

    #[test]
    fn what_is_read_is_what_the_whole_reader_reads() {
        let other = LINE.replace("\"t\"", "\"u\"");
        let text = format!("{{\"environment\":\"chores\"}}\n{LINE}\n\n{other}\r\n");
        let (made, trajectories) = read_written(&text).expect("as written");
        assert_eq!(made, Some("{\"environment\":\"chores\"}"));
        assert_eq!(trajectories, read(text.as_bytes()).expect("as written"));
    }

    #[test]
    fn anything_else_is_refused_with_its_line() {
        let refused = |text: &str| read_written(text).expect_err(text).to_string();
        let none = "no trajectories: at least one is needed, with `task`, `trajectory` and `steps`";
        for empty in ["", "\n\r\n", "{\"seed\":1}\n"] {
            assert_eq!(refused(empty), none, "{empty}");
        }
        let wrong = |line: usize, why: &str| {
            format!(
                "line {line}: not a trajectory ({why}): a line is {{\"task\", \"trajectory\", \"steps\": [{{\"state\", \"reward\"}}, ...]}}"
            )
        };
        assert_eq!(refused(" \n\n"), wrong(1, "EOF while parsing a value at column 1"));
        assert_eq!(refused("task,trajectory\n"), wrong(1, "expected ident at column 2"));
        assert_eq!(refused(&format!("\u{feff}{LINE}")), wrong(1, "expected value at column 1"));
        let lines = |last: &str| format!("{LINE}\n\n{last}");
        assert_eq!(
            refused(&lines("{\"task\":\"g\"}")),
            wrong(3, "missing field `trajectory` at column 12")
        );
        assert_eq!(refused(&lines("{\"seed\":1}")), wrong(3, "missing field `task` at column 10"));
    }

    #[test]
    fn what_a_first_line_says_is_an_object() {
        let refused = |line: &str| Provenance::from_line(line).expect_err(line).to_string();
        let wrong = |why: &str| {
            format!("line 1: invalid provenance ({why}): correct it, or delete the line")
        };
        for other in ["[1]", "1", "null", "\"seed\""] {
            assert_eq!(refused(other), wrong("an object is needed"), "{other}");
        }
        assert_eq!(refused("{"), wrong("EOF while parsing an object at column 1"));
        assert_eq!(Provenance::from_line(LINE).expect("an object"), Provenance::default());
    }
}
