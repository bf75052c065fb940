//! Growth of texts in the parts of a tokenizer, at most.
//!
//! A part may write more than it reads, and parts are put one behind the other: thirty that double a text
//! make a gigabyte of a letter. What they can do at worst is read off their descriptions, before the
//! `tokenizers` crate runs them (it does so already when it reads the file, on added tokens).

use serde_json::Value;

use super::error::TokenizerError;

/// Fields in which a part has others.
pub(super) const PARTS: [&str; 4] = ["normalizers", "pretokenizers", "processors", "decoders"];
/// Parts of a kind, those within others counted one by one.
const MOST_PARTS: usize = 64;
/// How much longer a part of the tokenizer may make a text, all in all.
const LARGEST_FACTOR: f64 = 256.0;
/// Bytes, or tokens, that may be put around a text, or around the texts between its special tokens.
const MOST_AROUND: f64 = 1024.0;
/// Bytes of a text between the parts of a tokenizer, each of which takes some twenty bytes of memory.
const LONGEST: f64 = (16 << 20) as f64;

/// At worst, n bytes become `factor` n + `around`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TextGrowth {
    factor: f64,
    around: f64,
}

impl TextGrowth {
    const NONE: Self = Self { factor: 1.0, around: 0.0 };

    const fn times(factor: f64) -> Self {
        Self { factor, around: 0.0 }
    }

    /// That of a part, or of a sequence of them.
    pub(super) fn of(name: &'static str, part: Option<&Value>) -> Result<Self, TokenizerError> {
        let mut parts = Vec::new();
        if let Some(part) = part.filter(|part| !part.is_null()) {
            flatten(part, &mut parts);
        }
        if parts.len() > MOST_PARTS {
            return Err(TokenizerError::Growth { part: name });
        }
        Ok(parts.into_iter().fold(Self::NONE, |growth, part| growth.then(of_part(part))))
    }

    /// This, and then another.
    pub(super) fn then(self, next: Self) -> Self {
        let around = self.around * next.factor + next.around;
        Self { factor: self.factor * next.factor, around }
    }

    /// Refuses what no real tokenizer does.
    pub(super) fn bounded(self, part: &'static str) -> Result<Self, TokenizerError> {
        if self.factor <= LARGEST_FACTOR && self.around <= MOST_AROUND {
            return Ok(self);
        }
        Err(TokenizerError::Growth { part })
    }

    /// Refuses a text of this many bytes that could become too long.
    pub(super) fn check(self, bytes: usize) -> Result<(), String> {
        let longest = bytes as f64 * self.factor + self.around;
        if longest <= LONGEST {
            return Ok(());
        }
        Err(format!(
            "its {bytes} bytes can grow to {longest:.0}, more than {LONGEST:.0}; \
             shorten it"
        ))
    }
}

fn flatten<'v>(part: &'v Value, parts: &mut Vec<&'v Value>) {
    match PARTS.iter().find_map(|name| part.get(name)?.as_array()) {
        Some(inner) => inner.iter().for_each(|part| flatten(part, parts)),
        None => parts.push(part),
    }
}

fn of_part(part: &Value) -> TextGrowth {
    let text = |name: &str| part.get(name).and_then(Value::as_str).unwrap_or_default();
    match text("type") {
        "Replace" => replacement_growth(part.get("pattern"), text("content")),
        "Prepend" => TextGrowth { factor: 1.0, around: text("prepend").len() as f64 },
        // Composed characters of two bytes become a letter and marks of two bytes each; the few that
        // become more stand in no text alone.
        "NFC" | "NFD" | "NFKC" | "NFKD" => TextGrowth::times(3.0),
        "Lowercase" => TextGrowth::times(2.0),
        // Every byte becomes a letter of at most two, behind a space if that is asked for.
        "ByteLevel" if part.get("trim_offsets").is_none() => TextGrowth::times(2.0),
        "ByteLevel" => TextGrowth { factor: 2.0, around: 2.0 },
        "Metaspace" => {
            let letter = text("replacement").len().max(1) as f64;
            TextGrowth { factor: letter, around: letter }
        }
        "TemplateProcessing" => template(part),
        _ => TextGrowth::NONE,
    }
}

/// As often as the pattern can be found; between any two bytes, if it is an expression.
fn replacement_growth(pattern: Option<&Value>, content: &str) -> TextGrowth {
    let content = content.len() as f64;
    match pattern.and_then(|pattern| pattern.get("String")).and_then(Value::as_str) {
        Some(found) if !found.is_empty() => {
            TextGrowth::times((content / found.len() as f64).max(1.0))
        }
        _ => TextGrowth { factor: 1.0 + content, around: content },
    }
}

/// Tokens that a template puts around a text, and how often it has the text itself.
fn template(part: &Value) -> TextGrowth {
    let ids = |name: &Value| {
        let token = part.get("special_tokens")?.get(name.as_str()?)?;
        token.get("ids")?.as_array().map(Vec::len)
    };
    let mut growth = TextGrowth { factor: 0.0, around: 0.0 };
    for piece in part.get("single").and_then(Value::as_array).into_iter().flatten() {
        match piece.get("SpecialToken").and_then(|token| token.get("id")) {
            Some(id) => growth.around += ids(id).unwrap_or(1) as f64,
            None => growth.factor += 1.0,
        }
    }
    TextGrowth { factor: growth.factor.max(1.0), ..growth }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn growth_is_that_of_the_worst_text() {
        let replace = |pattern: Value, content: &str| json!({"type": "Replace", "pattern": pattern, "content": content});
        let of = |part: &Value| of_part(part);
        // A space of one byte becomes a mark of three, four bytes never become more than three.
        assert_eq!(of(&replace(json!({"String": " "}), "\u{2581}")), TextGrowth::times(3.0));
        assert_eq!(of(&replace(json!({"String": "abcd"}), "abc")), TextGrowth::times(1.0));
        // Behind and between all of n bytes: n + 2 (n + 1).
        let between = TextGrowth { factor: 3.0, around: 2.0 };
        assert_eq!(of(&replace(json!({"Regex": ""}), "ab")), between);
        assert_eq!(of(&replace(json!({"String": ""}), "ab")), between);
        // 3 (n + 4) = 3 n + 12.
        let prepended = TextGrowth { factor: 1.0, around: 4.0 };
        let both = TextGrowth { factor: 3.0, around: 12.0 };
        assert_eq!(prepended.then(TextGrowth::times(3.0)), both);
        let template = json!({"type": "TemplateProcessing",
            "single": [{"SpecialToken": {"id": "a"}}, {"Sequence": {"id": "A"}}],
            "special_tokens": {"a": {"id": "a", "ids": [1, 2, 3]}}});
        assert_eq!(of(&template), TextGrowth { factor: 1.0, around: 3.0 });
        assert!(TextGrowth::times(4.0).check(4 << 20).is_ok());
        let long = TextGrowth::times(4.0).check((4 << 20) + 1).unwrap_err();
        assert!(long.contains("16777220") && long.contains("16777216"), "{long}");
    }
}
