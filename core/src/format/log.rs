//! A log of any format, taken up whole.

use super::{Layout, Reader, RolloutWarnings, read_with};
use crate::rollout::Trajectory;

/// The trajectories of a file of any format and this layout, the first line before them if that says how the file was
/// made, and what was noticed in the file.
///
/// ```
/// use hgpo_core::format;
/// let file = b"task,trajectory,state,reward\ng,t,a,1\n";
/// let (made, trajectories, noticed) = format::read_log(file, &format::Layout::default())?;
/// assert_eq!((made, trajectories.len(), noticed.inactive), (None, 1, 0));
/// # Ok::<(), String>(())
/// ```
///
/// # Errors
/// What is wrong with the file, and where.
pub fn read_log<'a>(
    file: &'a [u8],
    layout: &Layout,
) -> Result<(Option<&'a str>, Vec<Trajectory>, RolloutWarnings), String> {
    let (trajectories, noticed) = read_with(file, layout).map_err(|error| error.to_string())?;
    // It was read, so that it is.
    let file = std::str::from_utf8(file).map_err(|error| error.to_string())?;
    Ok((first_line(file), trajectories, noticed))
}

/// The first line of a file that was read; none if it is a trajectory or a header already.
fn first_line(file: &str) -> Option<&str> {
    // What it says may be wrong: whoever takes it up tells.
    Reader::new(file.as_bytes()).provenance().transpose()?.ok();
    let mut lines = file.trim_start_matches('\u{feff}').lines().map(str::trim_ascii);
    lines.find(|line| !line.is_empty())
}

#[cfg(test)]
mod tests {
    use super::read_log;
    use crate::format::{self, Layout};

    const LINE: &str =
        r#"{"task":"g","trajectory":"t","steps":[{"state":"a","reward":1.0,"valid":true}]}"#;

    /// A file written anew as JSON Lines.
    fn text(file: &str) -> String {
        let (made, read, _) = read_log(file.as_bytes(), &Layout::default()).expect(file);
        let mut text = made.map(|line| line.to_owned() + "\n").unwrap_or_default().into_bytes();
        format::write_jsonl(&mut text, &read).expect("written");
        String::from_utf8(text).expect("text")
    }

    #[test]
    fn every_format_becomes_json_lines() {
        let line = [LINE, "\n"].concat();
        assert_eq!(text(&line), line);
        assert_eq!(text("task,trajectory,state,reward\ng,t,a,1\n"), line);
        assert_eq!(text(r#"{"uid":"g","traj_uid":"t","anchor_obs":"a","rewards":1}"#), line);
        let read = format::read_written(&line).expect("as written").1;
        assert_eq!(read, format::read(line.as_bytes()).expect("as written"));
    }

    #[test]
    fn the_first_line_stays_as_it_was() {
        let first = r#"{"seed":3,  "note":"mine", "estimator":{"name":"none of those"}}"#;
        let file = format!("\u{feff} \r\n {first} \r\n{LINE}");
        assert_eq!(text(&file), format!("{first}\n{LINE}\n"));
    }

    #[test]
    fn padded_rows_are_counted() {
        let row = |active: bool| {
            format!(
                r#"{{"uid":"g","traj_uid":"t","anchor_obs":"a","rewards":1,"active_masks":{active}}}"#
            )
        };
        let file = [row(true), row(false), row(false)].join("\n");
        let (_, read, noticed) = read_log(file.as_bytes(), &Layout::default()).expect("rows");
        assert_eq!((read.len(), noticed.inactive), (1, 2));
    }

    #[test]
    fn what_is_wrong_is_told_with_its_place() {
        let file = b"task,trajectory,state,reward\ng,t,a,much\n";
        let why = read_log(file, &Layout::default()).expect_err("a word");
        assert!(why.starts_with("line 2, task \"g\", trajectory \"t\""), "{why}");
    }
}
