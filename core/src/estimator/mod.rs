//! The estimators, and the one path on which all of them are evaluated.
//!
//! A new one is a file of its own that declares its options and implements [`Method`], and a line in
//! the registry below.

mod adastep;
mod crbc;
mod dr_mas;
mod ecpo;
mod g2po;
mod gagpo;
mod gigpo;
mod graph_gpo;
mod grpo;
mod hgpo;
mod method;
mod options;
mod parts;
mod pgpo;
mod registry;
mod reinforce_plus_plus;
mod rloo;
mod terms;

pub use hgpo::History;
pub use options::Options;
pub use options::shared::{ALPHA_LIMIT, CONTEXT_LENGTH_LIMIT};
pub use parts::{Among, Credit, Depth, Trust, Worth};
pub use reinforce_plus_plus::Whitening;
pub use terms::episode_group::EpisodeStatistics;
pub use terms::mixed_statistics::AgentStatistics;
pub use terms::step_groups::Baseline;
pub(crate) use terms::step_groups::StepGroups;
pub(crate) use terms::term::{Term, Terms, firsts, sum};
pub use terms::turn_groups::TurnGroups;

use method::Method;
use registry::registry;

use crate::error::Error;
use crate::option::declaration::{About, Declaration, OptionValue};
use crate::option::fields::{DeclaredOptions, check_ranges};
use crate::statistics::Scale;

registry! {
    /// Hierarchical context groups.
    "hgpo" => hgpo::Hgpo,
    /// Episode groups and anchor-state groups.
    "gigpo" => gigpo::Gigpo,
    /// Episode groups.
    "grpo" => grpo::Grpo,
    /// Episode groups, each score against the others.
    "rloo" => rloo::Rloo,
    /// Episode scores, whitened over the batch.
    "reinforce-plus-plus" => reinforce_plus_plus::ReinforcePlusPlus,
    /// Episode groups, and anchor-state groups of distances to the goal.
    "graph-gpo" => graph_gpo::GraphGpo,
    /// Episode groups, and values of the states that steps lead to.
    "g2po" => g2po::G2po,
    /// Episode groups, and values of actions in the process of the group's attempts.
    "crbc" => crbc::Crbc,
    /// Anchor-state groups, and progress in value if the task is hard.
    "pgpo" => pgpo::Pgpo,
    /// Episode groups, and anchor-state groups as far as actions explain the returns.
    "adastep" => adastep::AdaStep,
    /// Episode groups, and mean returns of actions behind a gate.
    "ecpo" => ecpo::Ecpo,
    /// Generalised advantages over mean returns of states.
    "gagpo" => gagpo::Gagpo,
    /// The parts of those above, spelled out.
    "composed" => parts::Composed,
    /// Another estimator within each agent's steps.
    "dr-mas" => dr_mas::DrMas,
}

impl Default for Estimator {
    /// HGPO, as in the paper.
    fn default() -> Self {
        Self::Hgpo(each::Hgpo::default())
    }
}

impl Estimator {
    /// The estimator of a name, with its default options.
    ///
    /// # Errors
    /// An unknown name; the error lists those known.
    pub fn default_named(name: &str) -> Result<Self, Error> {
        Self::all().into_iter().find(|estimator| estimator.name() == name).ok_or_else(|| {
            let known = Self::NAMES.join(", ");
            Error::option("estimator", format!("unknown name `{name}`: use one of {known}"))
        })
    }

    /// K for estimators with a hierarchy; the longest context compared otherwise, if any.
    #[must_use]
    pub fn context_length(&self) -> Option<usize> {
        self.innermost().context_length()
    }

    /// What deviations from the mean are divided by.
    #[must_use]
    pub fn scale(&self) -> Scale {
        // By its option, as what follows: most estimators would have the same answer.
        let scale = self.get("scale").and_then(|scale| Scale::read(scale).ok());
        scale.unwrap_or(Scale::Mean)
    }

    /// Options that change nothing as long as the others are what they are.
    ///
    /// ```
    /// use hgpo_core::{Estimator, Hgpo, Weights};
    /// let adaptive = Hgpo { weights: Weights::Adaptive, ..Hgpo::default() };
    /// assert_eq!(Estimator::Hgpo(adaptive).without_effect(), ["alpha", "base_std", "base_singleton"]);
    /// ```
    #[must_use]
    pub fn without_effect(&self) -> Vec<&'static str> {
        let mut idle = self.own_without_effect();
        if self.scale() == Scale::Mean {
            let divisors = ["std", "step_std", "episode_std", "base_std", "floor"];
            let own = divisors.into_iter().filter(|name| self.get(name).is_some());
            idle.extend(own.filter(|name| !idle.contains(name)).collect::<Vec<_>>());
        }
        idle.extend(self.method().inside().map(Self::without_effect).unwrap_or_default());
        idle
    }

    /// Checks that every option that is not at its default has an effect.
    ///
    /// # Errors
    /// The first one that changes nothing beside the others.
    pub fn check_effects(&self) -> Result<(), Error> {
        let idle = self.without_effect();
        match self.changed().iter().find_map(|(name, _)| idle.iter().find(|it| *it == name)) {
            Some(name) => Err(Error::option(
                name,
                format!(
                    "has no effect beside the other options of {}: leave it out, or change what it depends on",
                    self.name()
                ),
            )),
            None => Ok(()),
        }
    }

    /// Whether contexts are the steps' own summaries of the past in place of its last states.
    #[must_use]
    pub fn reads_summaries(&self) -> bool {
        self.get("history").is_some_and(|history| history == "summary")
    }

    /// Whether it matters which agent took a step.
    #[must_use]
    pub fn reads_agents(&self) -> bool {
        self.method().reads_agents()
    }

    /// Whether the steps' embeddings are compared.
    #[must_use]
    pub fn reads_embeddings(&self) -> bool {
        self.get("similarity").is_some_and(|metric| metric == "embedding")
    }

    /// Whether steps must say what their states are worth.
    #[must_use]
    pub fn reads_state_values(&self) -> bool {
        self.get("state_value").is_some_and(|worth| worth == "recorded")
    }

    /// Whether a step's advantage depends on other tasks, so that a batch cannot be taken task by
    /// task.
    #[must_use]
    pub fn needs_whole_batch(&self) -> bool {
        self.innermost().finish(&mut []).is_some()
    }

    /// Whose values a step's value is compared with in its groups.
    pub(crate) fn baseline(&self) -> Baseline {
        let baseline = self.get("baseline").and_then(|baseline| Baseline::read(baseline).ok());
        baseline.unwrap_or_default()
    }

    /// The estimator that does the work: this one, or the one inside.
    pub(crate) fn innermost(&self) -> &dyn Method {
        self.method().inside().map_or_else(|| self.method(), Self::innermost)
    }
}

impl OptionValue for Estimator {
    fn check(&self, _declaration: &Declaration) -> Result<(), Error> {
        check_ranges(self.method())?;
        self.method().validate()
    }
}
