//! Provenance of a rollouts file, beside what the command line asks for.

use anyhow::bail;
use hgpo_core::format::Provenance;
use hgpo_core::{Declaration, Error, Options, Problem};
use hgpo_train::config::Config;

use crate::settings::estimator_layer::render_value;

/// What a file says of itself, or why it cannot be understood.
pub(crate) type RecordedProvenance = Result<Option<Provenance>, Error>;

/// Where the options of an estimate come from.
pub(crate) enum OptionsSource {
    /// Nobody named any: the defaults.
    Nothing,
    /// Flags, and the names of those that were given.
    EstimatorFlags(Options, Vec<String>),
    /// The settings of a run.
    Run(Box<Config>, Options),
    /// The file itself.
    Recorded,
}

impl OptionsSource {
    /// The options to estimate with, and a warning if the file says that it was made with others.
    ///
    /// # Errors
    /// A file that cannot be read; one that does not say, if it is asked.
    pub(crate) fn resolve(
        self,
        stated: RecordedProvenance,
    ) -> anyhow::Result<(Options, Option<String>)> {
        let stated = match stated {
            Err(error) if !is_of_first_line(&error) || matches!(self, Self::Recorded) => {
                return Err(error.into());
            }
            stated => stated,
        };
        let unread = stated.as_ref().err().map(ToString::to_string);
        let made = stated.ok().flatten().unwrap_or_default();
        let (options, warning) = match self {
            Self::EstimatorFlags(options, given) => {
                let warning = describe_differences(&made, &options, &given).map(|list| {
                    format!("recorded with {list}; pass these as flags to compare like with like")
                });
                (options, warning)
            }
            Self::Recorded => return Ok((recorded_options(made.options)?, None)),
            Self::Nothing => {
                let options = Options::default();
                let warning = describe_differences(&made, &options, &[]).map(|list| {
                    format!("recorded with {list}; --recorded uses the recorded options")
                });
                (options, warning)
            }
            Self::Run(config, options) => {
                let all =
                    [describe_origin(&made, &config), describe_differences(&made, &options, &[])];
                let all: Vec<String> = all.into_iter().flatten().collect();
                let warning = (!all.is_empty()).then(|| {
                    format!("recorded with {}; is it a trace of this run?", all.join(", "))
                });
                (options, warning)
            }
        };
        Ok((options, unread.or(warning)))
    }
}

fn is_of_first_line(error: &Error) -> bool {
    matches!(error, Error::Rollouts { problem: Problem::Provenance(_), .. })
}

fn recorded_options(made: Option<Options>) -> anyhow::Result<Options> {
    let Some(options) = made else {
        bail!(
            "--recorded: the file does not record its estimator; name the run with --run, or an \
             estimator with --estimator"
        );
    };
    Ok(options)
}

/// What the file says of its estimator and returns, if it is not what is used here; what was `given` is
/// meant to differ.
fn describe_differences(made: &Provenance, used: &Options, given: &[String]) -> Option<String> {
    let made = made.options.as_ref()?;
    let mut names = vec!["estimator"];
    let own: Vec<Declaration> = used.estimator.declarations();
    let same = made.estimator.name() == used.estimator.name();
    let is_shared = |name| made.estimator.declarations().iter().any(|other| other.name == name);
    if same || given.iter().any(|name| name == "estimator") {
        names.extend(own.iter().map(|option| option.name).filter(|name| same || is_shared(*name)));
    }
    let returns = Options::of_returns();
    names.extend(returns.iter().map(|option| option.name));
    let left_to_chance = |name: &&str| !given.iter().any(|given| given == name);
    let differing = names.into_iter().filter(left_to_chance).filter_map(|name| {
        let [made, used] = [made, used].map(|options| options.get(name).unwrap_or_default());
        (made != used)
            .then(|| describe_difference(name, &render_value(&made), &render_value(&used)))
    });
    Some(differing.collect::<Vec<_>>().join(", ")).filter(|list| !list.is_empty())
}

/// Where the file comes from, if it is not the run that is asked for.
fn describe_origin(made: &Provenance, config: &Config) -> Option<String> {
    let used = &config.environment.name;
    let environment = made.environment.as_ref().filter(|made| *made != used);
    let seed = made.seed.filter(|seed| *seed != config.seed);
    let all = [
        environment.map(|made| describe_difference("environment", made, used)),
        seed.map(|made| describe_difference("seed", &made.to_string(), &config.seed.to_string())),
    ];
    let all: Vec<String> = all.into_iter().flatten().collect();
    (!all.is_empty()).then(|| all.join(", "))
}

fn describe_difference(name: &str, made: &str, used: &str) -> String {
    format!("{} {made} (here {used})", name.replace('_', "-"))
}
