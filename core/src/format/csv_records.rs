//! CSV records: values between commas, which quotes may hold together, over several lines too.

use std::borrow::Cow;

use crate::error::{Error, Place, Problem};

/// What is wrong with a quote that neither opens a value nor closes one: if the one that opens was lost, it would
/// become part of the value.
const BARE_QUOTE: &str = "a quote in a value that does not begin with one";

/// Whether a line is one that Excel writes and reads before the header: `sep=,`.
pub(super) fn names_separator(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    let line = line.strip_prefix(b"\"").and_then(|it| it.strip_suffix(b"\"")).unwrap_or(line);
    line.len() == 5 && line[..4].eq_ignore_ascii_case(b"sep=")
}

/// A value of a CSV record as it is written: in quotes if it would not be read back otherwise.
#[must_use]
pub fn csv_value(value: &str) -> Cow<'_, str> {
    if value.contains([',', '"', '\r', '\n']) {
        Cow::Owned(format!("\"{}\"", value.replace('"', "\"\"")))
    } else {
        Cow::Borrowed(value)
    }
}

/// Records with the lines that they begin on; blank lines are none.
pub(super) struct Records<'a> {
    rest: &'a str,
    line: usize,
    /// The line of the first quote that is not closed where it should be, and what is wrong with it.
    odd_quote: Option<(usize, &'static str)>,
    /// Whether the text ended in the record, after a value that no quote ended.
    pub(super) is_open: bool,
}

impl<'a> Records<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { rest: text, line: 1, odd_quote: None, is_open: false }
    }

    /// How many bytes were not taken yet.
    pub(super) fn unread(&self) -> usize {
        self.rest.len()
    }

    /// The names of the columns, and their line.
    pub(super) fn header(&mut self) -> (usize, Vec<String>) {
        let first = self.rest.trim_ascii_start().lines().next().unwrap_or_default();
        if names_separator(first.as_bytes()) {
            self.next();
        }
        self.next().unwrap_or((1, Vec::new()))
    }

    /// Refuses quotes that other readers make something else of, or that swallow the records after them.
    pub(super) fn check(&self) -> Result<(), Error> {
        match self.odd_quote {
            Some((line, problem)) => {
                Err(Place::line(line).error(Problem::InvalidCsv(problem.to_owned())))
            }
            None => Ok(()),
        }
    }

    /// Takes the next character, and counts the line that ends with it.
    fn take(&mut self) -> Option<char> {
        let mut rest = self.rest.chars();
        let next = rest.next()?;
        self.rest = rest.as_str();
        self.line += usize::from(next == '\n');
        Some(next)
    }

    /// Appends what stands in quotes, in which two of them stand for one.
    fn take_quoted(&mut self, field: &mut String) {
        let opened = self.line;
        while let Some(next) = self.take() {
            if next == '"' && !self.rest.starts_with('"') {
                if !self.rest.is_empty() && !self.rest.starts_with([',', '\r', '\n']) {
                    self.odd_quote.get_or_insert((
                        opened,
                        "a quote that opens on this line is closed in the middle of a value",
                    ));
                }
                return;
            }
            if next == '"' {
                self.take();
            }
            field.push(next);
        }
        self.odd_quote.get_or_insert((opened, "a quote that opens on this line is never closed"));
    }
}

impl Iterator for Records<'_> {
    type Item = (usize, Vec<String>);

    fn next(&mut self) -> Option<Self::Item> {
        while self.rest.starts_with(['\r', '\n']) {
            self.take();
        }
        let line = self.line;
        let (mut fields, mut field, mut begins) = (Vec::new(), String::new(), true);
        self.is_open = true;
        let mut next = Some(self.take()?);
        while let Some(character) = next {
            match character {
                '\r' | '\n' => {
                    self.is_open = false;
                    break;
                }
                '"' if begins => {
                    self.take_quoted(&mut field);
                    self.is_open = !self.rest.is_empty();
                }
                ',' => fields.push(std::mem::take(&mut field)),
                '"' => {
                    self.odd_quote.get_or_insert((self.line, BARE_QUOTE));
                    field.push(character);
                }
                _ => field.push(character),
            }
            begins = character == ',';
            next = self.take();
        }
        fields.push(field);
        Some((line, fields))
    }
}

#[cfg(test)]
mod tests {
    use super::{Records, csv_value};
    use proptest::prelude::*;

    /// The records as the crate `csv` reads them.
    fn expected(text: &str) -> Vec<Vec<String>> {
        let mut reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .from_reader(text.as_bytes());
        let fields = |record: csv::StringRecord| record.iter().map(str::to_owned).collect();
        reader.records().map(|record| fields(record.expect("text in memory"))).collect()
    }

    #[test]
    fn a_record_begins_on_its_line() {
        let text = "a,b\r\n\n\"two\nlines\",c\nd";
        let lines: Vec<usize> = Records::new(text).map(|(line, _)| line).collect();
        assert_eq!(lines, [1, 3, 5]);
    }

    #[test]
    fn values_that_would_be_split_are_quoted() {
        assert_eq!(csv_value("plain words; \u{d55c}"), "plain words; \u{d55c}");
        assert_eq!(csv_value("a,b"), "\"a,b\"");
        assert_eq!(csv_value("say \"no\""), "\"say \"\"no\"\"\"");
        assert_eq!(csv_value("two\r\nlines"), "\"two\r\nlines\"");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4096))]

        #[test]
        fn records_are_those_of_the_crate_csv(text in "[ab \u{e9},,\"\"\n\r]{0,40}") {
            let records: Vec<_> =
                Records::new(&text).map(|(_, fields)| fields).collect();
            prop_assert_eq!(records, expected(&text));
        }
    }
}
