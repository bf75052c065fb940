//! Terminal output of foreign text: games, models and files may hold what moves the cursor, changes the window's title
//! or reverses the order of letters.

use std::borrow::Cow;
use std::io::Write as _;
use std::path::Path;
use std::sync::{PoisonError, RwLock};

use hgpo_core::is_control_character;

/// A text whose control characters, but for line breaks and tabs, are written as codes.
pub(crate) fn escape_control_characters(text: &str) -> Cow<'_, str> {
    if !text.contains(is_control) {
        return Cow::Borrowed(text);
    }
    let shown = text.chars().fold(String::new(), |mut shown, it| {
        if is_control(it) {
            shown.extend(it.escape_unicode());
        } else {
            shown.push(it);
        }
        shown
    });
    Cow::Owned(shown)
}

/// Shows a line that is no result on standard error.
pub(crate) fn show_on_stderr(line: &str) {
    // Whoever does not want to know it has closed it.
    let _ = writeln!(std::io::stderr().lock(), "{}", escape_control_characters(line));
}

/// A text on one line, a blank in place of every line break and what is indented after it. Other blanks stay: names are
/// shown as they are.
pub(crate) fn one_line(text: &str) -> String {
    let lines = text.split(['\n', '\r']).map(str::trim).filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join(" ")
}

/// An error and its causes, without causes that the error's own message already ends with.
pub(crate) fn describe_error(error: &anyhow::Error) -> String {
    let mut line = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if !line.ends_with(&cause) {
            line.push_str(if line.is_empty() { "" } else { ": " });
            line.push_str(&cause);
        }
    }
    line
}

/// The same on one line that no terminal obeys.
pub(crate) fn error_line(error: &anyhow::Error) -> String {
    escape_control_characters(&one_line(&describe_error(error))).into_owned()
}

fn is_control(it: char) -> bool {
    is_control_character(it) && it != '\n' && it != '\t'
}

/// A word of a command that is printed for copying, as a shell reads it.
pub(crate) fn quote_word(word: &str) -> Cow<'_, str> {
    // Only a zero byte cannot be quoted, which no argument can hold.
    shlex::try_quote(word).unwrap_or(Cow::Borrowed(word))
}

/// A file or folder in such a command: one whose name begins as a flag does is taken for none.
pub(crate) fn quote_path(path: &Path) -> String {
    let text = path.display().to_string();
    let here = if text.starts_with('-') { "./" } else { "" };
    quote_word(&format!("{here}{text}")).into_owned()
}

/// The command that trains, if this is not the program `hgpo`.
static TRAINER: RwLock<Option<&str>> = RwLock::new(None);

/// Says what command trains, in place of the program, before anything is printed.
pub fn set_trainer_command(command: &'static str) {
    *TRAINER.write().unwrap_or_else(PoisonError::into_inner) = Some(command);
}

fn named_trainer() -> Option<&'static str> {
    *TRAINER.read().unwrap_or_else(PoisonError::into_inner)
}

/// The program as it was called, so that its advice can be copied.
pub(crate) fn program_command() -> String {
    let name = std::env::args_os().next().filter(|_| named_trainer().is_none());
    name.map_or_else(|| "hgpo".into(), |name| quote_word(&name.to_string_lossy()).into_owned())
}

/// What `train` is a command of.
pub(crate) fn trainer_command() -> String {
    named_trainer().map_or_else(program_command, str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joined_lines_keep_the_blanks_of_names() {
        assert_eq!(one_line("task \"a  b\":\r\n\n    no steps\n"), "task \"a  b\": no steps");
    }

    #[test]
    fn control_characters_are_escaped() {
        for plain in ["", "two\nlines\tand a tab", "선반 1", "0 ≤ p ≤ 1"] {
            assert!(
                matches!(escape_control_characters(plain), Cow::Borrowed(same) if same == plain)
            );
        }
        assert_eq!(escape_control_characters("\x1b]0;title\x07"), r"\u{1b}]0;title\u{7}");
        assert_eq!(escape_control_characters("a\rb\u{9b}31m\u{7f}"), r"a\u{d}b\u{9b}31m\u{7f}");
        assert_eq!(escape_control_characters("key\u{202e}fdp"), r"key\u{202e}fdp");
    }

    #[test]
    fn printed_commands_are_quoted_for_copying() {
        assert_eq!(quote_word("runs/chores-hgpo-seed1"), "runs/chores-hgpo-seed1");
        assert_eq!(quote_word("my runs/a"), "'my runs/a'");
        assert_eq!(quote_word("$(reboot)"), "'$(reboot)'");
        assert_eq!(quote_path(Path::new("-x/a b")), "'./-x/a b'");
        assert_eq!(quote_path(Path::new("../-x")), "../-x");
    }
}
