//! Incremental decoding: text of tokens as they come, and whether it has come to its end.

use super::Tokenizer;
use super::error::TokenizerError;

/// What stands for bytes that are no character, or not yet one.
const REPLACEMENT: char = '\u{FFFD}';
/// The most replacements that can still become a character: it has at most 4 bytes.
const INCOMPLETE: usize = 3;
/// Tokens after which what is decoded again and again is cut short.
const LONG: usize = 32;

/// Decodes tokens one by one, and gives text only when its characters are complete.
///
/// A token of byte-level BPE may end within a character. The texts that [`IncrementalDecoder::push`] and
/// [`IncrementalDecoder::finish`] give are, put together, the text of all tokens at once. (With byte fallback
/// that holds for valid UTF-8: there, one wrong byte changes the characters in front of it.)
#[derive(Clone, Debug)]
pub struct IncrementalDecoder<'t> {
    tokenizer: &'t Tokenizer,
    skip_specials: bool,
    /// The last tokens: decoders may treat the first token of a text in a way of its own, so that
    /// some that were given already stay in front of new ones.
    window: Vec<u32>,
    /// Tokens at the beginning of the window after which all characters are complete.
    complete: usize,
    /// Bytes of the window's text that were given.
    given: usize,
}

impl<'t> IncrementalDecoder<'t> {
    pub(super) fn new(tokenizer: &'t Tokenizer, skip_specials: bool) -> Self {
        Self { tokenizer, skip_specials, window: Vec::new(), complete: 0, given: 0 }
    }

    /// Takes a token and gives the text that is complete with it; often that is none.
    ///
    /// # Errors
    /// When a part of the tokenizer fails on the tokens.
    pub fn push(&mut self, token: u32) -> Result<String, TokenizerError> {
        if !self.tokenizer.has_text(token, self.skip_specials) {
            return Ok(String::new());
        }
        self.window.push(token);
        let text = self.text(&self.window)?;
        let mut stable = text.as_str();
        for _ in 0..INCOMPLETE {
            stable = stable.strip_suffix(REPLACEMENT).unwrap_or(stable);
        }
        let new = stable.get(self.given..).unwrap_or_default().to_owned();
        self.given = self.given.max(stable.len());
        if stable.len() == text.len() {
            self.advance()?;
        } else if self.window.len() > LONG {
            self.cut(&text)?;
        }
        Ok(new)
    }

    /// The rest: a character that was never completed, as U+FFFD.
    ///
    /// # Errors
    /// When a part of the tokenizer fails on the tokens.
    pub fn finish(self) -> Result<String, TokenizerError> {
        let text = self.text(&self.window)?;
        Ok(text.get(self.given..).unwrap_or_default().to_owned())
    }

    fn text(&self, tokens: &[u32]) -> Result<String, TokenizerError> {
        self.tokenizer.decoded(tokens, self.skip_specials)
    }

    /// All characters are complete: keeps the tokens since they were so before.
    fn advance(&mut self) -> Result<(), TokenizerError> {
        let kept = self.text(&self.window[self.complete..])?;
        // Without any text in front, the decoder would take the next token for a first one.
        if self.complete > 0 && !kept.is_empty() {
            self.window.drain(..self.complete);
            self.given = kept.len();
        }
        self.complete = self.window.len();
        Ok(())
    }

    /// Tokens that are no text go on and on: drops those in front of a place between characters, of
    /// which there is one among four in a row.
    fn cut(&mut self, text: &str) -> Result<(), TokenizerError> {
        for at in self.window.len() - 16..self.window.len() - 12 {
            let (front, back) = (self.text(&self.window[..at])?, self.text(&self.window[at..])?);
            let between = text.strip_prefix(front.as_str()) == Some(back.as_str());
            if between && front.len() <= self.given {
                self.window.drain(..at);
                self.given -= front.len();
                self.complete = 0;
                break;
            }
        }
        Ok(())
    }
}

/// Finds a stop string in a text that comes in pieces, also across their boundaries.
#[derive(Clone, Debug)]
pub struct StopString {
    string: &'static str,
    /// The end of the text, in which the stop string may have begun.
    tail: String,
}

impl StopString {
    /// Looks for this text.
    #[must_use]
    pub fn new(string: &'static str) -> Self {
        Self { string, tail: String::new() }
    }

    /// Takes the next piece of the text and says whether it ends: whether the stop string has come.
    pub fn push(&mut self, piece: &str) -> bool {
        self.tail.push_str(piece);
        if self.tail.contains(self.string) {
            return true;
        }
        let passed = self.tail.len().saturating_sub(self.string.len());
        self.tail.drain(..self.tail.floor_char_boundary(passed));
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stop_string_is_found_across_pieces() {
        let mut stop = StopString::new("</action>");
        let pieces = ["go </ac", "t", "s </acti", "on>x\n\n", "more"];
        assert_eq!(pieces.map(|piece| stop.push(piece)), [false, false, false, true, true]);
    }

    #[test]
    fn characters_of_several_bytes_are_not_cut() {
        let mut stop = StopString::new("éé");
        assert_eq!(["aé", "è", "éé"].map(|piece| stop.push(piece)), [false, false, true]);
    }
}
