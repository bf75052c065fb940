//! A log of any format, taken up whole or piece by piece.

use super::csv::{self, CsvReader};
use super::{
    BYTE_ORDER_MARK, Layout, Reader, RolloutWarnings, file_signature, text_lines::text_of,
};
use crate::error::{Error, Place, Problem};
use crate::rollout::Trajectory;

/// A log that is read piece by piece, for who does something else in between: the same trajectories, warnings and errors
/// as [`read_log`].
///
/// ```
/// use hgpo_core::format::{self, LogReader};
/// let file = b"task,trajectory,state,reward\ng,t,a,1\ng,t,b,0\n";
/// let mut log = LogReader::new(file, &format::Layout::default())?;
/// let mut shares = Vec::new();
/// while let Some(share) = log.advance(1)? {
///     shares.push(share);
/// }
/// assert!(shares.len() == 2 && shares.is_sorted());
/// assert_eq!(log.finish()?.0, format::read(&file[..])?);
/// # Ok::<(), hgpo_core::Error>(())
/// ```
pub struct LogReader<'a> {
    file: &'a [u8],
    body: Body<'a>,
}

/// What is left of a log.
enum Body<'a> {
    Lines(Box<Reader<&'a [u8]>>),
    Table(Box<CsvReader<'a>>),
}

impl<'a> LogReader<'a> {
    /// Begins to read a log of this layout.
    ///
    /// # Errors
    /// A file of another kind or encoding, an empty one, and a header that lacks a column.
    pub fn new(file: &'a [u8], layout: &Layout) -> Result<Self, Error> {
        let text = file.strip_prefix(BYTE_ORDER_MARK).unwrap_or(file);
        let first = text.iter().find(|byte| !byte.is_ascii_whitespace());
        // Line by line, so that what is wrong comes first here if it does for those who read task by task.
        if first == Some(&b'{') {
            let body = Body::Lines(Box::new(Reader::with(file, layout.clone())));
            return Ok(Self { file, body });
        }
        // A file of another encoding is best called so, before anything is made of its bytes.
        text_of(text)?;
        match first {
            None => Err(Place::default().error(Problem::NoTrajectories)),
            Some(b'[') => Err(Place::line(1).error(Problem::JsonArray)),
            Some(_) if csv::has_header(text, &layout.columns) => {
                Ok(Self { file, body: Body::Table(Box::new(CsvReader::new(file, layout)?)) })
            }
            Some(_) => match file_signature::kind(text) {
                Some((kind, remedy)) => {
                    Err(Place::default().error(Problem::Foreign { kind, remedy }))
                }
                None => Err(Place::line(1).error(csv::unknown(text, &layout.columns))),
            },
        }
    }

    /// Reads up to so many further records; the share of the file that was read, none once there are no more.
    ///
    /// # Errors
    /// What is wrong with one of them.
    pub fn advance(&mut self, records: usize) -> Result<Option<f64>, Error> {
        let (are_more, left) = match &mut self.body {
            Body::Lines(lines) => (lines.read_some(records)?, lines.unread()),
            Body::Table(table) => (table.read_some(records)?, table.unread()),
        };
        let share = 1.0 - left as f64 / self.file.len().max(1) as f64;
        Ok(are_more.then_some(share))
    }

    /// The first line, if that says how the file was made.
    #[must_use]
    pub fn provenance_line(&self) -> Option<&'a str> {
        first_line(self.file)
    }

    /// Reads what is left, and gives the trajectories, and warnings.
    ///
    /// # Errors
    /// What is wrong with a record that is left, or with the file as a whole.
    pub fn finish(self) -> Result<(Vec<Trajectory>, RolloutWarnings), Error> {
        match self.body {
            Body::Lines(mut lines) => Ok((lines.read_whole()?, lines.warnings())),
            Body::Table(table) => table.finish(),
        }
    }
}

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
    let log = LogReader::new(file, layout).map_err(|error| error.to_string())?;
    let made = log.provenance_line();
    let (trajectories, noticed) = log.finish().map_err(|error| error.to_string())?;
    Ok((made, trajectories, noticed))
}

/// The first line of a file; none if it is a trajectory or a header already.
fn first_line(file: &[u8]) -> Option<&str> {
    // What it says may be wrong: whoever takes it up tells.
    Reader::new(file).provenance().transpose()?.ok();
    let file = file.strip_prefix(BYTE_ORDER_MARK).unwrap_or(file);
    let mut lines = file.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    std::str::from_utf8(lines.find(|line| !line.is_empty())?).ok()
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
