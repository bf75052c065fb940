//! Reading back what this crate wrote, in as little code as that takes.

use super::provenance::{Provenance, is_stated};
use crate::error::{Error, Place, Problem};
use crate::json::read_json;
use crate::quoted::unbroken;
use crate::rollout::Trajectory;

/// Reads rollouts as [`write_jsonl`](super::write_jsonl) writes them, a trajectory a line, and the line
/// before them that says how they were made, where there is one ([`Provenance::from_line`] reads it).
///
/// For programs that must be small: it takes a tenth of the code of [`read`](super::read), but knows no
/// other format, and explains less of what is wrong.
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
    let is_made =
        |line: &str| read_json(line).is_ok_and(|value| value.as_object().is_some_and(is_stated));
    let made = lines.next_if(|(_, line)| is_made(line)).map(|(_, line)| line);
    let read = |(at, line)| {
        let refused = |error: serde_json::Error| {
            Place::line(at + 1).error(Problem::NotTrajectory(unbroken(&error.to_string())))
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
    /// What a first line says.
    ///
    /// # Errors
    /// [`Problem::Provenance`]: a field of another kind, an estimator or an option that is not known.
    pub fn from_line(line: &str) -> Result<Self, Error> {
        let fields = read_json(line).map_err(|error| error.to_string());
        fields
            .and_then(|value| Self::from_fields(value.as_object().cloned().unwrap_or_default()))
            .map_err(|problem| Place::line(1).error(Problem::Provenance(problem)))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{read, read_written};

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
        for empty in ["", " \n\n", "{\"seed\":1}\n"] {
            assert!(refused(empty).contains("no"), "{empty}");
        }
        assert!(refused("task,trajectory\n").starts_with("line 1: not a trajectory ("));
        let broken = format!("{LINE}\n{{\"task\":\"g\"}}");
        assert!(refused(&broken).starts_with("line 2: not a trajectory (missing field"));
        let late = format!("{LINE}\n{{\"seed\":1}}");
        assert!(refused(&late).starts_with("line 2: "));
    }
}
