//! Misspelt field names: known ones in other letters, such as `Valid`, `is valid`, `stateValue`.
//!
//! Unknown fields are kept and mean nothing. One that is nearly a field of the format, which is absent, would be a value
//! that changes advantages by not being read.

use crate::error::Problem;
use crate::text::escape::unbroken;

/// Names of the flag in other formats.
const VALID: [&str; 2] = ["isactionvalid", "isvalid"];

/// Letters and digits of a name, which tell it from another.
fn letters(name: &str) -> impl Iterator<Item = u8> {
    name.bytes().filter(u8::is_ascii_alphanumeric).map(|byte| byte.to_ascii_lowercase())
}

/// Whether a name is meant as a field's.
fn is_meant(name: &str, field: &str) -> bool {
    let is_flag = || field == "valid" && VALID.iter().any(|other| letters(name).eq(other.bytes()));
    letters(name).eq(letters(field)) || is_flag()
}

/// Refuses a name among those that are not read which is meant as one that is `absent`.
///
/// # Errors
/// The first one.
pub(crate) fn check_spelling<'a>(
    mut unread: impl Iterator<Item = &'a str>,
    absent: &(impl Iterator<Item = &'static str> + Clone),
) -> Result<(), Problem> {
    let meant =
        |found: &'a str| Some((found, absent.clone().find(|field| is_meant(found, field))?));
    match unread.find_map(meant) {
        Some((found, field)) => Err(Problem::MisspelledField { found: unbroken(found), field }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::is_meant;

    #[test]
    fn names_in_other_letters_are_meant_and_other_names_are_not() {
        for (name, field) in [
            ("Valid", "valid"),
            ("is_action_valid", "valid"),
            ("state-value", "state_value"),
            ("StateValue", "state_value"),
            ("reward ", "reward"),
        ] {
            assert!(is_meant(name, field), "{name}");
        }
        for (name, field) in [
            ("rewards", "reward"),
            ("states", "state"),
            ("", "valid"),
            ("\u{c0c1}\u{d0dc}", "state"),
        ] {
            assert!(!is_meant(name, field), "{name}");
        }
    }
}
