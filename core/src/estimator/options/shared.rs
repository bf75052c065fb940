//! Option declarations that several estimators share: the same name means the same everywhere.

use super::super::terms::episode_group::EpisodeStatistics;
use crate::option::declaration::{Declared, Kind};
use crate::rollout::REWARD_LIMIT;
use crate::statistics::{Scale, SingletonRule, StdRule};

/// Where options come from that more than one declares.
pub(in crate::estimator) const VERL_AGENT: &str = "verl-agent";
const GIGPO: &str = "arXiv 2505.10978";
pub(in crate::estimator) const HGPO: &str = "arXiv 2602.22817";
pub(in crate::estimator) const HERE: &str = "hgpo-core";

/// Largest K: more states than an episode has.
pub const CONTEXT_LENGTH_LIMIT: usize = 1000;

/// Largest α: at every level up to K = 1000 the weight is still a finite number.
pub const ALPHA_LIMIT: f64 = 100.0;

pub(in crate::estimator) const CONTEXT_LENGTH: Declared = Declared::new(
    Kind::Integer { most: CONTEXT_LENGTH_LIMIT as u64, usual: 16 },
    "Deepest level K of the hierarchy",
    HGPO,
);

pub(in crate::estimator) const ALPHA: Declared = Declared::new(
    Kind::Number { most: ALPHA_LIMIT, usual: 10.0 },
    "Exponent of the level weights",
    HGPO,
);

pub(in crate::estimator) const SCALE: Declared = Declared::new(
    Kind::Choice(Scale::NAMES),
    "mean-std divides by the group's standard deviation, mean does not",
    "arXiv 2402.03300, 2503.20783",
);

pub(in crate::estimator) const STEP_WEIGHT: Declared = Declared::new(
    Kind::Number { most: REWARD_LIMIT, usual: 100.0 },
    "Weight of the step terms",
    GIGPO,
);

pub(in crate::estimator) const VALUE_DISCOUNT: Declared =
    Declared::fraction("Discount of the values of states", "arXiv 2606.22995, 2609.35082");

pub(in crate::estimator) const EPISODE_STATISTICS: Declared = Declared::new(
    Kind::Choice(EpisodeStatistics::NAMES),
    "Statistics of the episode term over steps or trajectories",
    VERL_AGENT,
);

pub(in crate::estimator) const SIMILARITY: Declared = Declared::new(
    Kind::Similarity,
    "Group similar states, by edit distance of their texts or by `embedding`",
    GIGPO,
);

pub(in crate::estimator) const STD: Declared =
    divisor("Divisor of the variance: n (population) or n - 1 (sample)");

pub(in crate::estimator) const STEP_STD: Declared =
    divisor("Divisor of the variance in step groups");

pub(in crate::estimator) const EPISODE_STD: Declared =
    divisor("Divisor of the variance in episode groups");

pub(in crate::estimator) const SINGLETON: Declared =
    alone("Advantage in a group of one: 0 (zero), or the value itself (keep)");

pub(in crate::estimator) const STEP_SINGLETON: Declared =
    alone("Advantage of a step alone in its group: 0 (zero), or the value itself (keep)");

pub(in crate::estimator) const EPISODE_SINGLETON: Declared =
    alone("Advantage in a task of one row: 0 (zero), or its score (keep)");

/// How the variance is divided.
pub(in crate::estimator) const fn divisor(meaning: &'static str) -> Declared {
    Declared::new(Kind::Choice(StdRule::NAMES), meaning, VERL_AGENT)
}

/// What who is alone gets.
pub(in crate::estimator) const fn alone(meaning: &'static str) -> Declared {
    Declared::new(Kind::Choice(SingletonRule::NAMES), meaning, VERL_AGENT)
}
