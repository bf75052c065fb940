//! Names of others in a line of text.

/// A name on one line: one that holds a line break or another control character as it would be written
/// between quotes.
pub(crate) fn unbroken(name: &str) -> String {
    if name.contains(char::is_control) {
        return name.escape_debug().to_string();
    }
    name.to_owned()
}
