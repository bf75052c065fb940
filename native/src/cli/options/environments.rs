//! Environment options: names, games and splits.

use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser};
use hgpo_env::Split;
use hgpo_env::registry::entries;

/// The name of an environment.
pub(crate) fn environment_names() -> PossibleValuesParser {
    let value =
        |it: &'static hgpo_env::registry::Entry| PossibleValue::new(it.name).help(it.summary);
    PossibleValuesParser::new(entries().map(value))
}

/// What `--game` takes.
pub(crate) fn game_help() -> String {
    let games = entries().filter_map(|entry| Some((entry.name, entry.game?.name)));
    let each: Vec<String> = games.map(|(entry, name)| format!("{entry}: {name}")).collect();
    format!("Play a game file, given by its path or its folder ({})", each.join(", "))
}

/// The tasks of an environment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum SplitName {
    /// Training tasks
    #[default]
    Train,
    /// New tasks in known layouts
    Seen,
    /// New tasks in new layouts
    Unseen,
}

impl From<SplitName> for Split {
    fn from(name: SplitName) -> Self {
        match name {
            SplitName::Train => Self::Train,
            SplitName::Seen => Self::Seen,
            SplitName::Unseen => Self::Unseen,
        }
    }
}
