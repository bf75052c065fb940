//! Estimator options: the estimator that the command line describes.

use anyhow::{Context as _, anyhow, bail};
use clap::Args;
use hgpo_core::{Declaration, Error, Estimator, Kind, Options};
use serde_json::Value;

use super::estimator_flags::{EstimatorFlags, declarations, flag_name};

/// Flags that describe an estimator. One that the chosen estimator does not have is refused.
#[derive(Debug, Args)]
pub(crate) struct EstimatorOptions {
    #[arg(long, value_name = "NAME", help = help())]
    estimator: Option<String>,
    #[command(flatten)]
    flags: EstimatorFlags,
}

fn help() -> String {
    let (names, default) = (Estimator::NAMES.join(", "), Estimator::default());
    format!("Estimator: {names} [default: {}]", default.name())
}

impl EstimatorOptions {
    /// The options as core takes them.
    ///
    /// # Errors
    /// An unknown estimator, a flag that it does not have, a number out of range, options that
    /// exclude each other.
    pub(crate) fn resolve(&self) -> anyhow::Result<Options> {
        let name = self.estimator.as_deref().unwrap_or_else(|| Estimator::default().name());
        let options = self.flags.unchecked(name).and_then(validated);
        let options = options.map_err(|error| by_flag(error, "--estimator"))?;
        self.flags.check(&[&options.estimator], &[])?;
        Ok(options)
    }

    /// Names of the options that stand on the command line.
    pub(crate) fn names_given(&self) -> impl Iterator<Item = &str> {
        let name = self.estimator.as_ref().map(|_| "estimator");
        name.into_iter().chain(self.flags.names())
    }
}

impl EstimatorFlags {
    /// Checks that every flag that was given means something to one of the estimators, or is one
    /// of `used`.
    ///
    /// # Errors
    /// The first flag that does not.
    pub(crate) fn check(&self, estimators: &[&Estimator], used: &[&str]) -> anyhow::Result<()> {
        let mut known: Vec<&str> = used.to_vec();
        known.extend(Options::of_returns().iter().map(|option| option.name));
        for estimator in estimators {
            known.extend(estimator.declarations().iter().map(|option| option.name));
        }
        let Some(name) = self.names().find(|name| !known.contains(name)) else { return Ok(()) };
        let chosen: Vec<&str> = estimators.iter().map(|it| it.name()).collect();
        let all = declarations().into_iter().map(|option| option.name);
        let has: Vec<String> = all.filter(|name| known.contains(name)).map(flag_name).collect();
        bail!(
            "{}: {} does not have this option; leave it out. Available: {}",
            flag_name(name),
            chosen.join(" + "),
            has.join(", ")
        )
    }

    /// The options of `NAME[+WORD]...`, where each word is a value of one of its options. Errors name
    /// the flags; `chooser` is what the text was given by.
    ///
    /// # Errors
    /// An unknown name, a value out of range, options that exclude each other, a word that is no such
    /// value.
    pub(crate) fn variant(&self, text: &str, chooser: &str) -> anyhow::Result<Options> {
        let refused = |error| by_flag(error, chooser);
        let mut words = text.split('+');
        let mut options = self.unchecked(words.next().unwrap_or_default()).map_err(refused)?;
        let mut chosen: Vec<(&str, &str)> = Vec::new();
        for word in words {
            let option = option_of(&options.estimator, word).with_context(|| chooser.to_owned())?;
            if let Some((_, first)) = chosen.iter().find(|(name, _)| *name == option.name) {
                let name = flag_name(option.name);
                bail!("{chooser}: +{first} and +{word} both choose {name}: leave one of them out");
            }
            chosen.push((option.name, word));
            options.set(option.name, word.into()).map_err(refused)?;
        }
        validated(options).map_err(refused)
    }

    /// The options of a named estimator, with those of the flags that it has.
    ///
    /// # Errors
    /// An unknown name, a value out of range.
    fn unchecked(&self, name: &str) -> Result<Options, Error> {
        let estimator = Estimator::default_named(name)?;
        let mut options = Options { estimator, ..Options::default() };
        // What works inside an estimator says which options there are.
        if let Some(inside) = self.get("inside").filter(|_| options.get("inside").is_some()) {
            options.set("inside", inside.clone())?;
        }
        let known = options.estimator.declarations().into_iter().chain(Options::of_returns());
        for option in known.filter(|option| option.name != "inside") {
            match self.get(option.name) {
                Some(Value::String(word)) => options.set(option.name, option.parse(word)?)?,
                Some(value) => options.set(option.name, value.clone())?,
                None => {}
            }
        }
        Ok(options)
    }
}

fn validated(options: Options) -> Result<Options, Error> {
    options.validate()?;
    Ok(options)
}

/// What core refuses of an option, by its flag; `chooser` is what names the estimator.
pub(crate) fn by_flag(error: Error, chooser: &str) -> anyhow::Error {
    match error {
        Error::Option { option: "estimator", problem } => anyhow!("{chooser}: {problem}"),
        Error::Option { option, problem } => anyhow!("{}: {problem}", flag_name(option)),
        other => other.into(),
    }
}

/// The one option of an estimator that a word is a value of.
fn option_of(estimator: &Estimator, word: &str) -> anyhow::Result<Declaration> {
    let words = |option: &Declaration| match option.kind {
        Kind::Choice(words) => words,
        _ => &[],
    };
    let (own, name) = (estimator.declarations(), estimator.name());
    let having = |word: &str| -> Vec<&Declaration> {
        own.iter().filter(|option| words(option).contains(&word)).collect()
    };
    let elsewhere = Declaration::all().into_iter().find(|option| words(option).contains(&word));
    match (having(word).as_slice(), elsewhere) {
        ([option], _) => Ok(**option),
        ([], Some(option)) => {
            let owners = option.owners().join(", ");
            bail!("+{word} is an option of {owners} only, not of {name}: leave it out")
        }
        _ => {
            let all = own.iter().flat_map(words);
            let known: Vec<&str> = all.filter(|word| having(word).len() == 1).copied().collect();
            bail!("unknown word `{word}`: use one of {}", known.join(", "))
        }
    }
}
