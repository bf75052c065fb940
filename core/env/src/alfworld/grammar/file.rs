//! Grammar file: texts of actions, and rules.

use std::collections::HashMap;

use serde::Deserialize;

use super::super::error::{GameError, Part};

/// One way to write a symbol.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Alternative {
    /// When it may be used; empty: always.
    #[serde(default)]
    pub(crate) condition: String,
    /// What is written.
    pub(crate) rhs: String,
}

/// The texts of an action.
#[derive(Clone, Debug)]
pub(crate) struct ActionTexts {
    /// The byte of the grammar where they begin.
    pub(crate) at: usize,
    /// The command.
    pub(crate) template: String,
    /// What the player reads after it.
    pub(crate) feedback: String,
}

/// A grammar as written.
#[derive(Clone, Debug, Default)]
pub(crate) struct Grammar<'a> {
    /// The text it was read from.
    pub(crate) source: &'a str,
    /// Texts by the action's name in lower case.
    pub(crate) actions: HashMap<String, ActionTexts>,
    /// Alternatives by symbol.
    pub(crate) rules: HashMap<String, Vec<Alternative>>,
}

impl<'a> Grammar<'a> {
    /// Reads a grammar.
    ///
    /// # Errors
    /// If it is not in this format.
    pub(crate) fn parse(text: &'a str) -> Result<Self, GameError> {
        let mut reader = Reader { text, at: 0 };
        let mut grammar = Self { source: text, ..Self::default() };
        while let Some(word) = reader.next_word() {
            match word {
                "grammar" => grammar.rules.extend(reader.rules(false)?),
                "action" => reader.action(&mut grammar)?,
                other => {
                    let problem = format!("expected 'grammar' or 'action', found '{other}'");
                    return Err(reader.error(problem));
                }
            }
        }
        reader.skip();
        if reader.at < text.len() {
            return Err(reader.error("expected 'grammar' or 'action'"));
        }
        Ok(grammar)
    }

    /// The byte of the text where a symbol's alternatives begin.
    pub(crate) fn place(&self, symbol: &str) -> Option<usize> {
        let key = format!("\"{symbol}\"");
        let defines =
            |&(at, _): &(usize, &str)| self.source[at + key.len()..].trim_start().starts_with(':');
        self.source.match_indices(&key).find(defines).map(|(at, _)| at)
    }
}

/// The mark at both ends of texts that have lines.
const LONG: &str = "\"\"\"";

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn error(&self, problem: impl Into<String>) -> GameError {
        GameError::at(Part::Grammar, self.text, self.at, problem)
    }

    /// Skips white space and comments.
    fn skip(&mut self) {
        loop {
            let rest = &self.text[self.at..];
            let trimmed = rest.trim_start();
            self.at = self.text.len() - trimmed.len();
            if !trimmed.starts_with('#') {
                return;
            }
            self.at += trimmed.find('\n').unwrap_or(trimmed.len());
        }
    }

    fn next_word(&mut self) -> Option<&'a str> {
        self.skip();
        let rest = &self.text[self.at..];
        let fits = |it: char| it.is_alphanumeric() || "_/-".contains(it);
        let end = rest.find(|it| !fits(it)).unwrap_or(rest.len());
        self.at += end;
        Some(&rest[..end]).filter(|word| !word.is_empty())
    }

    fn expect(&mut self, token: &str) -> Result<(), GameError> {
        self.skip();
        if !self.text[self.at..].starts_with(token) {
            return Err(self.error(format!("expected '{token}'")));
        }
        self.at += token.len();
        Ok(())
    }

    /// What stands between two marks.
    fn between(&mut self, mark: &str) -> Result<(usize, &'a str), GameError> {
        self.expect(mark)?;
        let from = self.at;
        let Some(length) = self.text[from..].find(mark) else {
            return Err(self.error(format!("the text that begins here has no end {mark}")));
        };
        self.at = from + length + mark.len();
        Ok((from, &self.text[from..from + length]))
    }

    /// `:: "...";`, with this mark at both ends of the text.
    fn value(&mut self, mark: &str) -> Result<(usize, &'a str), GameError> {
        self.expect("::")?;
        let value = self.between(mark)?;
        self.expect(";")?;
        Ok(value)
    }

    /// `:: """{...}""";`; inside an action, lines that begin with `#` are comments.
    fn rules(&mut self, comments: bool) -> Result<HashMap<String, Vec<Alternative>>, GameError> {
        let (from, block) = self.value(LONG)?;
        let json: String = if comments && block.contains('#') {
            let kept = |line: &'a str| if line.trim_start().starts_with('#') { "" } else { line };
            block.split('\n').map(kept).collect::<Vec<_>>().join("\n")
        } else {
            block.to_owned()
        };
        serde_json::from_str(&json).map_err(|error| {
            GameError::json(Part::Grammar, self.text[..from].matches('\n').count(), &error)
        })
    }

    /// `NAME { field; ... }`.
    fn action(&mut self, grammar: &mut Grammar<'_>) -> Result<(), GameError> {
        self.skip();
        let at = self.at;
        let Some(name) = self.next_word() else {
            return Err(self.error("an action without a name"));
        };
        self.expect("{")?;
        let (mut template, mut feedback) = (None, None);
        loop {
            match self.next_word() {
                Some("template") if template.is_none() => template = Some(self.value("\"")?.1),
                Some("feedback") if feedback.is_none() => feedback = Some(self.value("\"")?.1),
                Some("grammar") => grammar.rules.extend(self.rules(true)?),
                Some("pddl") => {
                    self.value(LONG)?;
                }
                Some(field) => return Err(self.error(format!("unexpected '{field}'"))),
                None => break,
            }
        }
        self.expect("}")?;
        let [Some(template), Some(feedback)] = [template, feedback] else {
            return Err(self.error(format!("action '{name}' needs a template and a feedback")));
        };
        let texts = ActionTexts { at, template: template.into(), feedback: feedback.into() };
        grammar.actions.insert(name.to_lowercase(), texts);
        Ok(())
    }
}
