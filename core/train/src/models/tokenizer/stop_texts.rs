//! Stop texts, which end a generation.

/// Where a generated text ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stop {
    /// Which of the stop strings was found.
    pub string: usize,
    /// Byte of the text at which the stop string begins.
    pub start: usize,
    /// Byte of the text at which it ends.
    pub end: usize,
}

/// Finds stop strings in a text that comes in pieces, also across their boundaries.
#[derive(Clone, Debug)]
pub struct StopStrings {
    strings: Vec<String>,
    /// The end of the text, as much as can be the beginning of a stop string.
    tail: String,
    /// Bytes of the text before the tail.
    before: usize,
    stop: Option<Stop>,
}

impl StopStrings {
    /// Looks for these texts; empty ones are left out.
    #[must_use]
    pub fn new<S: Into<String>>(strings: impl IntoIterator<Item = S>) -> Self {
        let strings = strings.into_iter().map(Into::into).filter(|it: &String| !it.is_empty());
        Self { strings: strings.collect(), tail: String::new(), before: 0, stop: None }
    }

    /// Takes the next piece of the text and says whether, and where, the text ends: after the stop
    /// string that is complete first, and of those the longest. After a stop nothing more is taken.
    pub fn push(&mut self, piece: &str) -> Option<Stop> {
        if self.stop.is_some() {
            return self.stop;
        }
        self.tail.push_str(piece);
        let found = self.strings.iter().enumerate().filter_map(|(string, text)| {
            let start = self.before + self.tail.find(text.as_str())?;
            Some(Stop { string, start, end: start + text.len() })
        });
        self.stop = found.min_by_key(|stop| (stop.end, stop.start));
        if self.stop.is_none() {
            let keep = self.held_back();
            let drop = self.tail.len() - keep;
            self.tail.drain(..drop);
            self.before += drop;
        }
        self.stop
    }

    /// Bytes of the text so far that are no part of a stop string and may be shown: all up to what
    /// may yet become one.
    #[must_use]
    pub fn settled(&self) -> usize {
        self.stop.map_or(self.before, |stop| stop.start)
    }

    /// Bytes at the end of the tail that begin a stop string.
    fn held_back(&self) -> usize {
        let begins = |string: &String, length: usize| {
            let start = self.tail.len() - length;
            string.as_bytes().starts_with(&self.tail.as_bytes()[start..])
        };
        let longest = |string: &String| {
            let most = (string.len() - 1).min(self.tail.len());
            // A stop string begins where a character does, so that `length` is a boundary too.
            (1..=most).rev().find(|&length| begins(string, length)).unwrap_or(0)
        };
        self.strings.iter().map(longest).max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stop_string_is_found_across_pieces_and_where_it_is_complete_first() {
        let mut stops = StopStrings::new(["</action>", "", "ion>x", "\n\n"]);
        assert_eq!(stops.push("go </ac"), None);
        assert_eq!(stops.settled(), 3);
        assert_eq!(stops.push("t"), None);
        assert_eq!(stops.settled(), 3);
        assert_eq!(stops.push("s </acti"), None);
        assert_eq!(stops.settled(), 10);
        assert_eq!(stops.push("on>x\n\n"), Some(Stop { string: 0, start: 10, end: 19 }));
        assert_eq!(stops.settled(), 10);
        assert_eq!(stops.push("more"), Some(Stop { string: 0, start: 10, end: 19 }));
    }

    #[test]
    fn stop_texts_that_end_together_give_the_longer() {
        let mut stops = StopStrings::new(["c", "bc"]);
        assert_eq!(stops.push("a"), None);
        assert_eq!(stops.push("bcc"), Some(Stop { string: 1, start: 1, end: 3 }));
    }

    #[test]
    fn characters_of_several_bytes_are_not_cut() {
        let mut stops = StopStrings::new(["éé"]);
        assert_eq!(stops.push("aé"), None);
        assert_eq!(stops.settled(), 1);
        assert_eq!(stops.push("è"), None);
        assert_eq!(stops.settled(), 5);
        assert_eq!(stops.push("éé"), Some(Stop { string: 0, start: 5, end: 9 }));
    }
}
