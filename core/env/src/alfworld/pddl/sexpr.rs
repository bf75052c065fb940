//! S-expressions, with the place of everything.

use super::super::error::{GameError, Part};

/// Lists nested deeper are refused.
const DEEPEST: usize = 64;

/// A word or a list, and the byte it starts at.
#[derive(Clone, Debug)]
pub(super) struct Node<'a> {
    pub(super) at: usize,
    pub(super) kind: Kind<'a>,
}

#[derive(Clone, Debug)]
pub(super) enum Kind<'a> {
    Word(&'a str),
    List(Vec<Node<'a>>),
}

/// A text in lower case and the part of the file it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Source<'a> {
    pub(super) part: Part,
    pub(super) text: &'a str,
}

impl Source<'_> {
    /// What is wrong at a node.
    pub(super) fn error(&self, at: usize, problem: impl Into<String>) -> GameError {
        GameError::at(self.part, self.text, at, problem)
    }
}

impl<'a> Node<'a> {
    /// The word.
    pub(super) fn word(&self, source: Source<'_>, what: &str) -> Result<&'a str, GameError> {
        match self.kind {
            Kind::Word(word) => Ok(word),
            Kind::List(_) => Err(source.error(self.at, format!("expected {what}, found a list"))),
        }
    }

    /// The list's nodes.
    pub(super) fn list(&self, source: Source<'_>, what: &str) -> Result<&[Node<'a>], GameError> {
        match &self.kind {
            Kind::List(nodes) => Ok(nodes),
            Kind::Word(word) => {
                Err(source.error(self.at, format!("expected {what}, found '{word}'")))
            }
        }
    }

    /// The first word of a list, and the rest of it.
    pub(super) fn head_and_rest(
        &self,
        source: Source<'_>,
        what: &str,
    ) -> Result<(&'a str, &[Node<'a>]), GameError> {
        match self.list(source, what)?.split_first() {
            Some((head, rest)) => Ok((head.word(source, what)?, rest)),
            None => Err(source.error(self.at, format!("expected {what}, found ()"))),
        }
    }
}

/// Reads the one list that a text is, without comments.
pub(super) fn read<'a>(source: Source<'a>) -> Result<Node<'a>, GameError> {
    let mut open: Vec<(usize, Vec<Node<'a>>)> = Vec::new();
    let mut whole: Option<Node<'a>> = None;
    for (at, token) in tokens(source.text) {
        if let (Some(_), []) = (&whole, open.as_slice()) {
            return Err(source.error(at, format!("unexpected '{token}' after the end")));
        }
        if !token.is_ascii() {
            return Err(source.error(at, format!("'{token}' has a character outside ASCII")));
        }
        let node = match token {
            "(" => {
                open.push((at, Vec::new()));
                if open.len() > DEEPEST {
                    return Err(source.error(at, format!("lists nest deeper than {DEEPEST}")));
                }
                continue;
            }
            ")" => match open.pop() {
                Some((at, nodes)) => Node { at, kind: Kind::List(nodes) },
                None => return Err(source.error(at, "')' without '('")),
            },
            word => Node { at, kind: Kind::Word(word) },
        };
        match open.last_mut() {
            Some((_, nodes)) => nodes.push(node),
            None if matches!(node.kind, Kind::List(_)) => whole = Some(node),
            None => return Err(source.error(at, format!("expected '(', found '{token}'"))),
        }
    }
    match (open.last(), whole) {
        (Some(&(at, _)), _) => Err(source.error(at, "'(' is never closed")),
        (None, None) => Err(source.error(source.text.len(), "the text is empty")),
        (None, Some(node)) => Ok(node),
    }
}

/// Parentheses and words, each with the byte it starts at; `?` begins a new word.
fn tokens(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_space = |byte: u8| byte.is_ascii_whitespace() || byte == 0x0b;
    let ends_word = move |&byte: &u8| is_space(byte) || b"();?".contains(&byte);
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let rest = &bytes[at..];
            let length = match rest.first()? {
                b';' => {
                    at += rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
                    continue;
                }
                &byte if is_space(byte) => {
                    at += 1;
                    continue;
                }
                b'(' | b')' => 1,
                _ => rest[1..].iter().position(ends_word).map_or(rest.len(), |inner| inner + 1),
            };
            at += length;
            return Some((at - length, &text[at - length..at]));
        }
    })
}
