//! Option matching: the options that were chosen against those that are wanted, colours by the known ones.

use std::fmt::Write as _;

use super::super::goals::WantedOption;
use super::{ALIKE, token_set_ratio};

/// How many of the wanted options one of the chosen values meets.
pub(super) fn count_met(chosen: &[&str], wanted: &[WantedOption]) -> usize {
    let is_met = |option: &&WantedOption| {
        let wanted = text(option);
        chosen.iter().any(|it| token_set_ratio(normalized(it), &wanted) > ALIKE)
    };
    wanted.iter().filter(is_met).count()
}

/// What is compared of a wanted option: a colour that is known, else all of it. The original takes the
/// pair of name and value for a text, as Python writes it, when it looks for a colour in a list.
fn text(option: &WantedOption) -> String {
    match option {
        WantedOption::Plain(value) => normalized(value).to_owned(),
        WantedOption::Named(name, value) => colours()
            .find(|colour| name == colour || value == colour)
            .map_or_else(|| format!("({}, {})", quoted(name), quoted(value)), str::to_owned),
    }
}

/// A text as Python's `repr` writes it.
fn quoted(text: &str) -> String {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push(quote);
    for mark in text.chars() {
        match mark {
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            _ if mark == quote => quoted.extend(['\\', mark]),
            _ if is_printed(mark) => quoted.push(mark),
            _ => {
                let code = u32::from(mark);
                // Writing to a text does not fail.
                let _ = match code {
                    0..=0xff => write!(quoted, "\\x{code:02x}"),
                    0x100..=0xffff => write!(quoted, "\\u{code:04x}"),
                    _ => write!(quoted, "\\U{code:08x}"),
                };
            }
        }
    }
    quoted.push(quote);
    quoted
}

/// Whether Python prints a character as it is: no controls, no separators but the space, and none of the
/// marks without a width that occur in texts.
fn is_printed(mark: char) -> bool {
    let formats = matches!(mark, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e000}'..='\u{f8ff}');
    mark == ' ' || !(mark.is_control() || mark.is_whitespace() || formats)
}

/// The colours that WebShop knows (`COLOR_SET` of `web_agent_site/engine/normalize.py`), in its order: the
/// first that is found in a text stands for it.
const COLOURS: &str = "alabaster apricot aqua ash asphalt azure banana beige black blue blush bordeaux \
    bronze brown burgundy camel camo caramel champagne charcoal cheetah chestnut chocolate christmas \
    coffee cognac copper coral cranberry cream crystal dark denim eggplant elephant espresso fuchsia gold \
    granite grape graphite grass gray green grey heather indigo ivory ivy khaki lavender lemon leopard \
    light lilac lime magenta maroon mauve merlot midnight mint mocha multicolor mushroom mustard natural \
    navy nude olive orange peach pewter pink plum purple rainbow red rose royal rust sand sapphire \
    seashell silver skull slate steel stone stonewash sunflower tan taupe teal tiger turquoise violet \
    walnut wheat white wine yellow";

fn colours() -> impl Iterator<Item = &'static str> {
    COLOURS.split_whitespace()
}

/// The first of the known colours that is anywhere in a text; the text itself if none is.
#[must_use]
pub fn normalized(text: &str) -> &str {
    colours().find(|colour| text.contains(colour)).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of `repr` in CPython 3.11.
    #[test]
    fn texts_are_quoted_as_python_quotes_them() {
        assert_eq!(quoted("32\" x 4'"), "'32\" x 4\\''");
        assert_eq!(quoted("men's"), "\"men's\"");
        assert_eq!(quoted("a\u{a0}b\\\n\u{200b}\u{e9}\u{1}"), "'a\\xa0b\\\\\\n\\u200b\u{e9}\\x01'");
    }
}
