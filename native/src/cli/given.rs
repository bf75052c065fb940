//! Which options stand on the command line, and which have their default.

use clap::parser::ValueSource;
use clap::{ArgMatches, Args, Command, Error, FromArgMatches};

/// Names of the options that were given, as in files: `context_length`.
///
/// As a flattened member it has to stand before the options it shall see: the parser hands every
/// option to one member only.
#[derive(Clone, Debug, Default)]
pub(super) struct Given(Vec<String>);

impl Given {
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }
}

/// An option as it is typed.
pub(super) fn flag(name: &str) -> String {
    format!("--{}", name.replace('_', "-"))
}

impl FromArgMatches for Given {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let given = |name: &str| matches.value_source(name) == Some(ValueSource::CommandLine);
        // Groups have names in capitals; they are no options.
        let options = matches
            .ids()
            .map(clap::Id::as_str)
            .filter(|name| !name.starts_with(char::is_uppercase) && given(name));
        Ok(Self(options.map(str::to_owned).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for Given {
    fn augment_args(command: Command) -> Command {
        command
    }

    fn augment_args_for_update(command: Command) -> Command {
        command
    }
}
