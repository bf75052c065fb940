//! Estimator flags, made from the declared options of estimators and returns.

use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches, value_parser};
use hgpo_core::{Declaration, Estimator, Kind, Options};
use serde_json::{Map, Value};

use crate::settings::estimator_layer::{problem, render_value};

/// What introduces the default in the help of a flag.
const DEFAULT: &str = " [default: ";

/// Every option as a flag, with the values of those that stand on the command line.
#[derive(Clone, Debug, Default)]
pub(crate) struct EstimatorFlags(Map<String, Value>);

impl EstimatorFlags {
    /// The value that was given.
    pub(crate) fn get(&self, name: &str) -> Option<&Value> {
        self.0.get(name)
    }

    /// Names of the options that were given, in the order of the help.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// The same flags, with a value if none was given.
    pub(crate) fn or(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.0.entry(name).or_insert_with(|| value.into());
        self
    }
}

/// An option as it is typed.
pub(crate) fn flag_name(name: &str) -> String {
    format!("--{}", name.replace('_', "-"))
}

/// A flag with another default than the option has.
pub(crate) fn with_default(arg: Arg, default: &str) -> Arg {
    let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
    let meaning = help.split(DEFAULT).next().unwrap_or_default();
    let help = format!("{meaning}{DEFAULT}{default}]");
    arg.help(help)
}

/// Every option: first those of estimators.
pub(crate) fn declarations() -> Vec<Declaration> {
    Declaration::all().into_iter().chain(Options::of_returns()).collect()
}

fn argument(option: Declaration) -> Arg {
    let arg = Arg::new(option.name).long(option.flag()).help(help(option));
    match option.kind {
        Kind::Flag => arg.action(ArgAction::SetTrue),
        Kind::Integer { .. } => arg.value_name("N").value_parser(value_parser!(u64)),
        Kind::Number { .. } => {
            // What is negative is refused with the range, not taken for a flag.
            arg.value_name("X").value_parser(value_parser!(f64)).allow_negative_numbers(true)
        }
        Kind::Choice(names) => arg
            .value_name(names.join("|"))
            .value_parser(move |text: &str| option.parse(text).map_err(problem)),
        _ => arg.value_name("NAME"),
    }
}

/// What an option does, who has it, and its default.
fn help(option: Declaration) -> String {
    let owners = owners(option).map(|owners| format!(" ({owners})")).unwrap_or_default();
    let default = match (option.kind, default(option)) {
        (Kind::Flag, _) => String::new(),
        (_, absent) if absent.is_empty() => absent,
        (_, default) => format!("{DEFAULT}{default}]"),
    };
    [option.about().meaning, &owners, &default].concat()
}

/// The estimators that have an option; if they are most, those that do not. None for options of
/// the returns.
fn owners(option: Declaration) -> Option<String> {
    let owners = option.owners();
    // One that works inside another has the other's options.
    let is_alone = |name: &&str| {
        Estimator::default_named(name).is_ok_and(|estimator| estimator.get("inside").is_none())
    };
    let others: Vec<&str> = Estimator::NAMES
        .iter()
        .filter(|name| is_alone(name) && !owners.contains(name))
        .copied()
        .collect();
    match owners.as_slice() {
        [] => None,
        owners if others.len() < owners.len() => Some(format!("all but {}", others.join(", "))),
        owners => Some(owners.join(", ")),
    }
}

/// The default of an option; if estimators differ, each default with those that have it.
fn default(option: Declaration) -> String {
    let defaults = option.defaults();
    let mut distinct: Vec<&Value> = Vec::new();
    for (_, value) in &defaults {
        if !distinct.contains(&value) {
            distinct.push(value);
        }
    }
    let each = |value: &&Value| {
        let having = defaults.iter().filter(|(_, other)| other == *value).map(|(name, _)| *name);
        format!("{} of {}", render_value(value), having.collect::<Vec<_>>().join(", "))
    };
    match distinct.as_slice() {
        [] => Options::default().get(option.name).as_ref().map(render_value).unwrap_or_default(),
        [same] => render_value(same),
        _ => distinct.iter().map(each).collect::<Vec<_>>().join("; "),
    }
}

impl FromArgMatches for EstimatorFlags {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let given = |name: &str| matches.value_source(name) == Some(ValueSource::CommandLine);
        let value = |Declaration { name, kind }: Declaration| match kind {
            Kind::Flag => Value::Bool(matches.get_flag(name)),
            Kind::Integer { .. } => matches.get_one::<u64>(name).copied().into(),
            // There is no JSON for what is not finite: it stays a text, which no number is.
            Kind::Number { .. } => matches.get_one::<f64>(name).map_or(Value::Null, |number| {
                if number.is_finite() { (*number).into() } else { number.to_string().into() }
            }),
            Kind::Choice(_) => matches.get_one::<Value>(name).cloned().unwrap_or_default(),
            _ => matches.get_one::<String>(name).cloned().into(),
        };
        let all = declarations().into_iter().filter(|option| given(option.name));
        Ok(Self(all.map(|option| (option.name.to_owned(), value(option))).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        self.0.extend(Self::from_arg_matches(matches)?.0);
        Ok(())
    }
}

impl Args for EstimatorFlags {
    fn augment_args(command: Command) -> Command {
        let similar = |name: &str| ["threshold", "linkage"].contains(&name);
        declarations().into_iter().fold(command, |command, option| {
            let flag = argument(option);
            command.arg(if similar(option.name) { flag.requires("similarity") } else { flag })
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}
