//! Names of arms: words that are folders, too.

use toml::Value;

/// What studies and arms can be called, as advice.
pub const RULE: &str =
    "use at most 200 letters, digits and -_.+=,@%, and do not begin with a dot or hyphen";

/// Bytes of a name, at most: file systems take 255, and files beside a folder add to its name.
const LONGEST: usize = 200;

/// Files of a study, and of a run, that no arm's folder may stand in place of.
const TAKEN: [&str; 6] =
    ["base.toml", "checkpoints", "config.toml", "lock", "study.toml", "summary.json"];

/// Whether an arm can be called so: a folder everywhere, and a word of a shell.
#[must_use]
pub fn is_name(name: &str) -> bool {
    let is_plain = |it: char| it.is_alphanumeric() || "-_.+=,@%".contains(it);
    let is_long = name.len() > LONGEST;
    !name.is_empty() && !is_long && !name.starts_with(['.', '-']) && name.chars().all(is_plain)
}

/// Whether a study has a file of this name, in letters of any case: some disks do not tell them apart.
pub(crate) fn is_taken(name: &str) -> bool {
    TAKEN.iter().any(|taken| taken.eq_ignore_ascii_case(name))
}

/// A name in a message, on one line, its beginning if it is long.
#[must_use]
pub fn short_name(name: &str) -> String {
    let most = 60;
    let start: String = name.chars().take(most).collect();
    one_line(&if start.len() == name.len() { start } else { start + "…" })
}

/// A text without what would end its line or steer the terminal.
#[must_use]
pub fn one_line(text: &str) -> String {
    let escaped = |letter: char| letter.is_control().then(|| letter.escape_default().to_string());
    text.chars().map(|letter| escaped(letter).unwrap_or_else(|| letter.to_string())).collect()
}

/// What a value is called in a name: a text without its quotes, a list with hyphens between its parts, and a
/// hyphen in place of what a name cannot hold.
#[must_use]
pub fn name_of_value(value: &Value) -> String {
    match value {
        Value::String(text) => without_special_characters(text),
        Value::Array(values) => values.iter().map(name_of_value).collect::<Vec<_>>().join("-"),
        other => without_special_characters(&other.to_string()),
    }
}

/// What settings are called in a name: the last part of each, unless two end alike.
#[must_use]
pub fn names_of_settings(settings: &[String]) -> Vec<String> {
    let last = |name: &str| name.rsplit('.').next().unwrap_or(name).to_owned();
    let short: Vec<String> = settings.iter().map(|name| last(name)).collect();
    let is_alone = |name: &String| short.iter().filter(|other| *other == name).count() == 1;
    let name = |(whole, short)| if is_alone(short) { short } else { whole };
    settings.iter().zip(&short).map(name).map(|it| without_special_characters(it)).collect()
}

/// A text with a hyphen in place of what a name cannot hold.
#[must_use]
pub fn without_special_characters(text: &str) -> String {
    let plain = |it: char| if is_name(&format!("a{it}")) { it } else { '-' };
    text.chars().map(plain).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_words_and_hold_values() {
        let of = |text: &str| name_of_value(&text.parse::<toml::Table>().unwrap()["v"]);
        assert_eq!(of("v = \"comb\""), "comb");
        assert_eq!(of("v = 0.05"), "0.05");
        assert_eq!(of("v = [1, 2]"), "1-2");
        assert_eq!(of("v = \"a/b c\""), "a-b-c");
        assert_eq!(of("v = true"), "true");
        let settings = ["a.world", "b.size", "c.size"].map(str::to_owned);
        assert_eq!(names_of_settings(&settings), ["world", "b.size", "c.size"]);
        for bad in ["", ".", "..", "-a", "a/b", "a b", "$x", &"a".repeat(201)] {
            assert!(!is_name(bad), "{bad}");
        }
        assert!(is_name(&"a".repeat(200)) && short_name(&"a".repeat(61)).ends_with("a…"));
    }
}
