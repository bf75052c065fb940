//! Provenance of a rollouts file, beside what the command line asks for.

use anyhow::Context as _;
use hgpo_core::format::Provenance;
use hgpo_core::{Error, Options, Problem};
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
        let mut differences = Vec::new();
        let (options, given, advice) = match self {
            Self::Recorded => {
                let options = made.options.context(
                    "--recorded: the file does not record its estimator; name the run with --run, or an \
                     estimator with --estimator",
                )?;
                return Ok((options, None));
            }
            Self::EstimatorFlags(options, given) => {
                (options, given, "pass these as flags to compare like with like")
            }
            Self::Nothing => (Options::default(), vec![], "--recorded uses the recorded options"),
            Self::Run(config, options) => {
                differences = describe_origin(&made, &config);
                (options, vec![], "is it a trace of this run?")
            }
        };
        differences.extend(describe_differences(&made, &options, &given));
        let list = differences.join(", ");
        let warning = (!list.is_empty()).then(|| format!("recorded with {list}; {advice}"));
        Ok((options, unread.or(warning)))
    }
}

fn is_of_first_line(error: &Error) -> bool {
    matches!(error, Error::Rollouts { problem: Problem::Provenance(_), .. })
}

/// What the file says of its estimator and returns, if it is not what is used here; what was `given` is
/// meant to differ.
fn describe_differences(made: &Provenance, used: &Options, given: &[String]) -> Vec<String> {
    let Some(made) = &made.options else { return Vec::new() };
    let mut names = vec!["estimator"];
    let own = used.estimator.declarations();
    let same = made.estimator.name() == used.estimator.name();
    let is_shared = |name| made.estimator.declarations().iter().any(|other| other.name == name);
    if same || given.iter().any(|name| name == "estimator") {
        names.extend(own.iter().map(|option| option.name).filter(|name| same || is_shared(*name)));
    }
    let returns = Options::of_returns();
    names.extend(returns.iter().map(|option| option.name));
    let left_to_chance = |name: &&str| !given.iter().any(|given| given == name);
    let differing = |name| {
        let [made, used] = [made, used].map(|options| options.get(name).unwrap_or_default());
        (made != used)
            .then(|| describe_difference(name, &render_value(&made), &render_value(&used)))
    };
    names.into_iter().filter(left_to_chance).filter_map(differing).collect()
}

/// Where the file comes from, if it is not the run that is asked for.
fn describe_origin(made: &Provenance, config: &Config) -> Vec<String> {
    let used = &config.environment.name;
    let environment = made.environment.as_ref().filter(|made| *made != used);
    let seed = made.seed.filter(|seed| *seed != config.seed);
    let all = [
        environment.map(|made| describe_difference("environment", made, used)),
        seed.map(|made| describe_difference("seed", &made.to_string(), &config.seed.to_string())),
    ];
    all.into_iter().flatten().collect()
}

fn describe_difference(name: &str, made: &str, used: &str) -> String {
    format!("{} {made} (here {used})", name.replace('_', "-"))
}
