//! The estimators, and the one path on which all of them are evaluated.

mod adaptive;
mod dr_mas;
mod episode_group;
mod g2po;
mod gigpo;
mod graph_gpo;
mod grpo;
mod hgpo;
mod reinforce_plus_plus;
mod rloo;
mod step_groups;
mod term;
mod written;

pub use dr_mas::DrMas;
pub use episode_group::EpisodeStatistics;
pub use g2po::G2po;
pub use gigpo::Gigpo;
pub use graph_gpo::GraphGpo;
pub use grpo::Grpo;
pub use hgpo::{ALPHA_LIMIT, CONTEXT_LENGTH_LIMIT, Hgpo, History};
pub use reinforce_plus_plus::{ReinforcePlusPlus, Whitening};
pub use rloo::Rloo;
pub use step_groups::Baseline;
pub(crate) use step_groups::StepGroups;
pub use term::Skipped;
pub(crate) use term::{Comparison, Term, Terms, sum};

use crate::batch::Batch;
use crate::cohort::Cohort;
use crate::error::Error;
use crate::named::named;
use crate::returns::{Discount, Scores};
use crate::rollout::REWARD_LIMIT;
use crate::similarity::Similarity;
use crate::statistics::Scale;
use crate::weights::Weights;

/// Which estimator, with its options. As JSON: `"name": "hgpo"` beside the options.
#[derive(Debug, Clone, PartialEq)]
pub enum Estimator {
    /// Hierarchical context groups.
    Hgpo(Hgpo),
    /// Episode groups and anchor-state groups.
    Gigpo(Gigpo),
    /// Episode groups.
    Grpo(Grpo),
    /// Episode groups, each score against the others.
    Rloo(Rloo),
    /// Episode scores, whitened over the batch.
    ReinforcePlusPlus(ReinforcePlusPlus),
    /// Episode groups, and anchor-state groups of distances to the goal.
    GraphGpo(GraphGpo),
    /// Episode groups, and values of the states that steps lead to.
    G2po(G2po),
    /// Another estimator within each agent's steps.
    DrMas(DrMas),
}

impl Default for Estimator {
    fn default() -> Self {
        Self::Hgpo(Hgpo::default())
    }
}

impl Estimator {
    /// Every estimator with its default options.
    #[must_use]
    pub fn all() -> Vec<Self> {
        vec![
            Self::Hgpo(Hgpo::default()),
            Self::Gigpo(Gigpo::default()),
            Self::Grpo(Grpo::default()),
            Self::Rloo(Rloo::default()),
            Self::ReinforcePlusPlus(ReinforcePlusPlus::default()),
            Self::GraphGpo(GraphGpo::default()),
            Self::G2po(G2po::default()),
            Self::DrMas(DrMas::default()),
        ]
    }

    /// The estimator of a name, with its default options.
    ///
    /// # Errors
    /// An unknown name; the error lists those known.
    pub fn default_named(name: &str) -> Result<Self, Error> {
        Self::all().into_iter().find(|estimator| estimator.name() == name).ok_or_else(|| {
            let known: Vec<&str> = Self::all().iter().map(Self::name).collect();
            let known = known.join(", ");
            Error::option("estimator", format!("`{name}` is unknown: choose one of {known}"))
        })
    }

    /// The name in files and on the command line.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Hgpo(_) => "hgpo",
            Self::Gigpo(_) => "gigpo",
            Self::Grpo(_) => "grpo",
            Self::Rloo(_) => "rloo",
            Self::ReinforcePlusPlus(_) => "reinforce-plus-plus",
            Self::GraphGpo(_) => "graph-gpo",
            Self::G2po(_) => "g2po",
            Self::DrMas(_) => "dr-mas",
        }
    }

    /// K for estimators with a hierarchy; the longest context compared otherwise, if any.
    #[must_use]
    pub fn context_length(&self) -> Option<usize> {
        match self {
            Self::Hgpo(options) => Some(options.deepest_level()),
            Self::Gigpo(_) | Self::GraphGpo(_) | Self::G2po(_) => Some(0),
            Self::Grpo(_) | Self::Rloo(_) | Self::ReinforcePlusPlus(_) => None,
            Self::DrMas(options) => options.estimator.context_length(),
        }
    }

    /// Whether contexts are the steps' own summaries of the past in place of its last states.
    #[must_use]
    pub fn reads_summaries(&self) -> bool {
        match self {
            Self::Hgpo(options) => options.history == History::Summary,
            Self::DrMas(options) => options.estimator.reads_summaries(),
            _ => false,
        }
    }

    /// What deviations from the mean are divided by.
    #[must_use]
    pub fn scale(&self) -> Scale {
        match self {
            Self::Hgpo(options) => options.scale,
            Self::Gigpo(options) => options.scale,
            Self::Grpo(options) => options.scale,
            Self::GraphGpo(options) => options.scale,
            Self::G2po(options) => options.scale,
            Self::Rloo(_) | Self::ReinforcePlusPlus(_) => Scale::Mean,
            Self::DrMas(options) => options.estimator.scale(),
        }
    }

    /// Whether a step's advantage depends on other tasks, so that a batch cannot be taken task by
    /// task.
    #[must_use]
    pub fn needs_whole_batch(&self) -> bool {
        match self {
            Self::ReinforcePlusPlus(_) => true,
            Self::DrMas(options) => options.estimator.needs_whole_batch(),
            _ => false,
        }
    }

    /// Whether a step's advantage depends on its groups of equal contexts and nothing else, so that
    /// tasks can share a cohort.
    pub(crate) fn compares_contexts_only(&self) -> bool {
        match self {
            Self::Hgpo(options) => {
                let Hgpo { base_group, ref similarity, weights, .. } = *options;
                !base_group && similarity.is_none() && weights != Weights::Adaptive
            }
            _ => false,
        }
    }

    /// Who is compared with whom in a task.
    pub(crate) fn cohorts(&self, batch: &Batch, task: usize) -> Vec<Cohort> {
        match self {
            Self::DrMas(_) => Cohort::of_agents(batch, task),
            _ => vec![Cohort::of_task(batch, task)],
        }
    }

    /// Prepares the groups of a cohort: each row's terms can be asked for then.
    pub(crate) fn prepare(
        &self,
        batch: &Batch,
        cohort: &Cohort,
        scores: &Scores,
    ) -> Box<dyn Terms> {
        match self {
            Self::Hgpo(options) => Box::new(hgpo::HgpoTerms::new(options, batch, cohort, scores)),
            Self::Gigpo(options) => {
                Box::new(gigpo::GigpoTerms::new(options, batch, cohort, scores))
            }
            Self::Grpo(options) => Box::new(grpo::GrpoTerms::new(options, cohort, scores)),
            Self::Rloo(options) => Box::new(rloo::RlooTerms::new(options, cohort, scores)),
            Self::ReinforcePlusPlus(options) => {
                Box::new(reinforce_plus_plus::ReinforcePlusPlusTerms::new(options, cohort, scores))
            }
            Self::GraphGpo(options) => {
                Box::new(graph_gpo::GraphGpoTerms::new(options, batch, cohort, scores))
            }
            Self::G2po(options) => Box::new(g2po::G2poTerms::new(options, batch, cohort, scores)),
            Self::DrMas(options) => options.estimator.prepare(batch, cohort, scores),
        }
    }

    /// What is done to the advantages of the whole batch in the end.
    pub(crate) fn finish(&self, advantages: &mut [f64]) -> Option<Whitening> {
        self.needs_whole_batch().then(|| Whitening::apply(advantages))
    }

    /// Checks that a batch has what the estimator needs.
    pub(crate) fn check(&self, batch: &Batch) -> Result<(), Error> {
        match self {
            Self::Hgpo(Hgpo { similarity: Some(similarity), .. })
            | Self::Gigpo(Gigpo { similarity: Some(similarity), .. }) => similarity.check(batch),
            Self::DrMas(options) => options.estimator.check(batch),
            _ => Ok(()),
        }
    }

    fn validate(&self) -> Result<(), Error> {
        match self {
            Self::Hgpo(options) => options.validate(),
            Self::Gigpo(options) => {
                finite_magnitude("step-weight", options.step_weight)?;
                options.similarity.as_ref().map_or(Ok(()), Similarity::validate)
            }
            Self::G2po(options) => finite_magnitude("step-weight", options.step_weight),
            Self::DrMas(options) if matches!(*options.estimator, Self::DrMas(_)) => {
                let problem = "dr-mas inside dr-mas: choose the estimator of each agent's steps";
                Err(Error::option("estimator", problem))
            }
            Self::DrMas(options) => options.estimator.validate(),
            Self::Grpo(_) | Self::Rloo(_) | Self::ReinforcePlusPlus(_) | Self::GraphGpo(_) => {
                Ok(())
            }
        }
    }
}

/// How rewards become advantages.
///
/// ```
/// use hgpo_core::Options;
/// let options: Options = serde_json::from_str(
///     r#"{"discount": 0.9, "estimator": {"name": "hgpo", "context_length": 4}}"#,
/// ).unwrap();
/// assert_eq!((options.discount.get(), options.invalid_penalty), (0.9, 0.1));
/// assert_eq!(options.estimator.context_length(), Some(4));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// γ of the step returns.
    pub discount: Discount,
    /// Subtracted from the score of an invalid step, at that step only.
    pub invalid_penalty: f64,
    /// The estimator and its options.
    pub estimator: Estimator,
}

named!(Options { discount, invalid_penalty, estimator });

impl Default for Options {
    /// The paper's: γ 0.95, penalty 0.1, HGPO with K = 2.
    fn default() -> Self {
        Self {
            discount: Discount::default(),
            invalid_penalty: 0.1,
            estimator: Estimator::default(),
        }
    }
}

impl Options {
    /// Checks what the types cannot: ranges, and options that exclude each other.
    ///
    /// # Errors
    /// Names the option, its value and what it can be.
    pub fn validate(&self) -> Result<(), Error> {
        finite_magnitude("invalid-penalty", self.invalid_penalty)?;
        self.estimator.validate()
    }

    /// Checks that they make sense, and that a batch has what they need: what is refused here is all
    /// that estimates and explanations refuse.
    ///
    /// # Errors
    /// [`Options::validate`]'s; a batch without embeddings where they are compared.
    pub fn check(&self, batch: &Batch) -> Result<(), Error> {
        self.validate()?;
        self.estimator.check(batch)
    }
}

fn finite_magnitude(option: &'static str, value: f64) -> Result<(), Error> {
    if (0.0..=REWARD_LIMIT).contains(&value) {
        return Ok(());
    }
    Err(Error::option(
        option,
        format!("{value} is not a number from 0 to {REWARD_LIMIT:e}: correct it"),
    ))
}
