//! Escaping of names of unknown origin in one-line messages.

/// A name between quotes, in the escapes of `{:?}`. Fewer letters are escaped than there: spaces of other
/// widths (U+00A0, U+3000) and letters that Unicode has not assigned stay as they are, because the tables
/// that tell them would be a hundredth of the page.
pub(crate) fn quoted(name: &str) -> String {
    ["\"", &escaped(name), "\""].concat()
}

/// A name on one line: one that holds what is not seen, such as a line break, as it would be written
/// between quotes.
pub(crate) fn single_line(name: &str) -> String {
    if name.contains(is_unseen) { escaped(name) } else { name.to_owned() }
}

fn escaped(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    for letter in name.chars() {
        match letter {
            '\0' => text.push_str("\\0"),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            '"' | '\\' => text.extend(['\\', letter]),
            _ if is_unseen(letter) => text.extend(letter.escape_unicode()),
            _ => text.push(letter),
        }
    }
    text
}

/// Whether a character may end a line, move a cursor or turn the direction of writing around, which neither a terminal
/// nor markup keeps in.
///
/// ```
/// use hgpo_core::is_control_character;
/// assert!(['\n', '\u{1b}', '\u{202e}'].into_iter().all(is_control_character));
/// // What joins the parts of a picture is none.
/// assert!(!['a', ' ', '\u{200d}'].into_iter().any(is_control_character));
/// ```
#[must_use]
pub fn is_control_character(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Whether a letter is one of those, or is not seen in its line.
fn is_unseen(letter: char) -> bool {
    is_control_character(letter)
        || matches!(
            letter,
            '\u{ad}' | '\u{180e}' | '\u{200b}'..='\u{200d}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
                | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}'
        )
}

/// A name that may be a whole question, as it is listed among others: its first line, of 60 characters at most.
///
/// ```
/// assert_eq!(hgpo_core::shortened("errand"), "errand");
/// assert_eq!(hgpo_core::shortened("Which road?\nThe left one."), "Which road?…");
/// ```
#[must_use]
pub fn shortened(name: &str) -> String {
    /// The longest that is listed whole, in characters.
    const LONGEST: usize = 60;
    let line = name.lines().next().unwrap_or_default();
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => [&line[..end], "…"].concat(),
        None if line.len() < name.len() => [line, "…"].concat(),
        None => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{quoted, single_line};

    #[test]
    fn names_are_quoted_as_rust_quotes_them() {
        for name in [
            "g00",
            "",
            "say \"no\"",
            "a\\b",
            "a\nb\r\tc",
            "\u{0}\u{1b}[1m",
            "문 ü 🚪",
            "a\u{202e}b\u{200d}",
        ] {
            assert_eq!(quoted(name), format!("{name:?}"));
        }
    }

    #[test]
    fn names_without_anything_unseen_stay_as_they_are() {
        assert_eq!(single_line("a \"b\" \\ c"), "a \"b\" \\ c");
        assert_eq!(single_line("a\n\"b\""), "a\\n\\\"b\\\"");
        assert_eq!(single_line("a\u{202e}"), "a\\u{202e}");
    }
}
