//! Names of arms: words that are folders, too.

use toml::Value;

/// Whether an arm can be called so: a folder everywhere, and a word of a shell.
#[must_use]
pub fn is_name(name: &str) -> bool {
    let is_plain = |it: char| it.is_alphanumeric() || "-_.+=,@%".contains(it);
    !name.is_empty() && !name.starts_with(['.', '-']) && name.chars().all(is_plain)
}

/// What a value is called in a name: a text without its quotes, a list with hyphens between its parts, and a
/// hyphen in place of what a name cannot hold.
#[must_use]
pub fn of_value(value: &Value) -> String {
    match value {
        Value::String(text) => plain(text),
        Value::Array(values) => values.iter().map(of_value).collect::<Vec<_>>().join("-"),
        other => plain(&other.to_string()),
    }
}

/// What settings are called in a name: the last part of each, unless two end alike.
#[must_use]
pub fn of_settings(settings: &[String]) -> Vec<String> {
    let last = |name: &str| name.rsplit('.').next().unwrap_or(name).to_owned();
    let short: Vec<String> = settings.iter().map(|name| last(name)).collect();
    let is_alone = |name: &String| short.iter().filter(|other| *other == name).count() == 1;
    let names = settings.iter().zip(&short);
    names.map(|(whole, short)| plain(if is_alone(short) { short } else { whole })).collect()
}

fn plain(text: &str) -> String {
    let plain = |it: char| if is_name(&format!("a{it}")) { it } else { '-' };
    text.chars().map(plain).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_words_and_hold_values() {
        let of = |text: &str| of_value(&text.parse::<toml::Table>().unwrap()["v"]);
        assert_eq!(of("v = \"comb\""), "comb");
        assert_eq!(of("v = 0.05"), "0.05");
        assert_eq!(of("v = [1, 2]"), "1-2");
        assert_eq!(of("v = \"a/b c\""), "a-b-c");
        assert_eq!(of("v = true"), "true");
        let settings = ["a.world", "b.size", "c.size"].map(str::to_owned);
        assert_eq!(of_settings(&settings), ["world", "b.size", "c.size"]);
        for bad in ["", ".", "..", "-a", "a/b", "a b", "$x"] {
            assert!(!is_name(bad), "{bad}");
        }
    }
}
