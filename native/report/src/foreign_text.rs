//! Foreign text made safe to show: names, errors and instructions, which may hold anything.

use hgpo_core::is_control_character;

/// The longest name that is shown whole.
const NAME: usize = 80;

/// A name on one line, its beginning if it is long.
pub(crate) fn display_name(text: &str) -> String {
    let tame = replace_control_characters(text);
    let line = tame.split_whitespace().collect::<Vec<_>>().join(" ");
    truncate(if line.is_empty() { "(without a name)" } else { &line }, NAME)
}

/// A text of several lines, its beginning if it is longer than `most` characters.
pub(crate) fn passage(text: &str, most: usize) -> String {
    truncate(replace_control_characters(text).trim(), most)
}

fn truncate(text: &str, most: usize) -> String {
    let count = text.chars().count();
    if count <= most {
        return text.to_owned();
    }
    let start: String = text.chars().take(most).collect();
    format!("{start}… ({} characters)", crate::number_format::count(count as u64))
}

/// Without what moves cursors or turns the direction of writing around, which no markup keeps in.
fn replace_control_characters(text: &str) -> String {
    let is_wild = |it: char| is_control_character(it) && it != '\n' && it != '\t';
    text.chars().map(|it| if is_wild(it) { '\u{fffd}' } else { it }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_replaced() {
        assert_eq!(display_name("two\n lines\u{202e}\u{7}"), "two lines\u{fffd}\u{fffd}");
        assert_eq!(display_name(" \n"), "(without a name)");
        let long = display_name(&"a".repeat(10_240));
        assert!(long.ends_with("a… (10,240 characters)") && long.len() < 120, "{long}");
        assert_eq!(passage(" one\ntwo ", 100), "one\ntwo");
    }
}
