//! Commands in a conversation: lines that begin with a slash.

/// What is said of them.
pub(super) const HELP: &str = "\
/help            this list
/reset           forget the conversation; the system message stays
/system TEXT     begin anew with this system message; without TEXT, with that of the chat template
/think on|off    have the model think before it answers, or not, if its chat template supports it
/exit            end (so does Ctrl-D)
//TEXT           send a message that begins with a slash";

/// A line of what is typed.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line<'a> {
    /// What is sent to the model.
    Message(&'a str),
    /// The list of commands is asked for.
    Help,
    /// The conversation is to be forgotten.
    Reset,
    /// The conversation is to begin anew, with this system message or with none.
    System(Option<&'a str>),
    /// Whether the model is to think.
    Think(bool),
    /// The end.
    Exit,
}

impl<'a> Line<'a> {
    /// Reads a line.
    ///
    /// # Errors
    /// A slash before what is no command, or a command with something else than it takes; the error says what to type.
    pub(super) fn read(line: &'a str) -> Result<Self, String> {
        let Some(command) = line.strip_prefix('/') else { return Ok(Self::Message(line)) };
        if command.starts_with('/') {
            return Ok(Self::Message(command));
        }
        let (name, rest) = command.split_once(char::is_whitespace).unwrap_or((command, ""));
        match (name, rest.trim()) {
            ("help", "") => Ok(Self::Help),
            ("reset", "") => Ok(Self::Reset),
            ("exit", "") => Ok(Self::Exit),
            ("system", text) => Ok(Self::System(Some(text).filter(|text| !text.is_empty()))),
            ("think", "on") => Ok(Self::Think(true)),
            ("think", "off") => Ok(Self::Think(false)),
            ("think", _) => Err("/think: type /think on or /think off".to_owned()),
            ("help" | "reset" | "exit", _) => Err(format!("/{name}: type it alone")),
            _ => Err(format!(
                "/{name} is no command: /help lists them; to send the line as a message, type //{command}"
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_with_a_slash_are_commands_and_two_slashes_begin_a_message() {
        for (line, read) in [
            ("hello /reset", Line::Message("hello /reset")),
            (" /reset", Line::Message(" /reset")),
            ("//etc/hosts?", Line::Message("/etc/hosts?")),
            ("", Line::Message("")),
            ("/help", Line::Help),
            ("/reset ", Line::Reset),
            ("/system  Answer in Korean. ", Line::System(Some("Answer in Korean."))),
            ("/system", Line::System(None)),
            ("/think on", Line::Think(true)),
            ("/think  off", Line::Think(false)),
            ("/exit", Line::Exit),
        ] {
            assert_eq!(Line::read(line), Ok(read), "{line}");
        }
        for (line, told) in [
            ("/", "/ is no command"),
            ("/rest", "type //rest"),
            ("/think", "/think on or"),
            ("/think maybe", "/think on or"),
            ("/exit now", "/exit: type it alone"),
        ] {
            let refused = Line::read(line).unwrap_err();
            assert!(refused.contains(told), "{refused}");
        }
    }

    #[test]
    fn every_command_is_in_the_help() {
        for name in ["/help", "/reset", "/system", "/think", "/exit", "//TEXT"] {
            assert!(HELP.lines().any(|line| line.starts_with(name)), "{name}");
        }
    }
}
