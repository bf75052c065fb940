//! Option declarations that several estimators share: the same name means the same everywhere.

use super::super::parts::Depth;
use super::super::terms::episode_group::EpisodeStatistics;
use crate::option::declaration::{Declared, Kind};
use crate::rollout::REWARD_LIMIT;
use crate::statistics::{Scale, SingletonRule, StdRule};

/// Where options come from that more than one declares.
pub(crate) const VERL_AGENT: &str = "verl-agent";
const GIGPO: &str = "arXiv 2505.10978";
pub(crate) const HGPO: &str = "arXiv 2602.22817";
pub(crate) const HERE: &str = "hgpo-core";
const CRBC: &str = "arXiv 2609.35082";
const ECPO: &str = "arXiv 2606.05885";

/// Largest K: more states than an episode has.
pub const CONTEXT_LENGTH_LIMIT: usize = 1000;

/// Largest α: at every level up to K = 1000 the weight is still a finite number.
pub const ALPHA_LIMIT: f64 = 100.0;

pub(crate) const CONTEXT_LENGTH: Declared = Declared::new(
    Kind::Integer { most: CONTEXT_LENGTH_LIMIT as u64, usual: 16 },
    "Deepest level K of the hierarchy",
    HGPO,
);

pub(crate) const ALPHA: Declared =
    Declared::number(ALPHA_LIMIT, 10.0, "Exponent of the level weights", HGPO);

pub(crate) const SCALE: Declared = Declared::new(
    Kind::Choice(Scale::NAMES),
    "mean-std divides by the group's standard deviation, mean does not",
    "arXiv 2402.03300, 2503.20783",
);

pub(crate) const STEP_WEIGHT: Declared =
    Declared::number(REWARD_LIMIT, 100.0, "Weight of the step terms", GIGPO);

pub(crate) const VALUE_DISCOUNT: Declared =
    Declared::fraction("Discount of the values of states", "arXiv 2606.22995, 2609.35082");

pub(crate) const EPISODE_STATISTICS: Declared = Declared::new(
    Kind::Choice(EpisodeStatistics::NAMES),
    "Statistics of the episode term over steps or trajectories",
    VERL_AGENT,
);

pub(crate) const SIMILARITY: Declared = Declared::new(
    Kind::Similarity,
    "Group similar states, by edit distance of their texts or by `embedding`",
    GIGPO,
);

pub(crate) const STD: Declared =
    divisor("Divisor of the variance: n (population) or n - 1 (sample)");

pub(crate) const STEP_STD: Declared = divisor("Divisor of the variance in step groups");

pub(crate) const EPISODE_STD: Declared = divisor("Divisor of the variance in episode groups");

pub(crate) const SINGLETON: Declared =
    alone("Advantage in a group of one: 0 (zero), or the value itself (keep)");

pub(crate) const STEP_SINGLETON: Declared =
    alone("Advantage of a step alone in its group: 0 (zero), or the value itself (keep)");

pub(crate) const EPISODE_SINGLETON: Declared =
    alone("Advantage in a task of one row: 0 (zero), or its score (keep)");

pub(crate) const EPISODE_WEIGHT: Declared =
    Declared::number(REWARD_LIMIT, 100.0, "Weight of the episode term", CRBC);

pub(crate) const DEPTH: Declared = Declared::new(
    Kind::Choice(Depth::NAMES),
    "Number of times that Bellman's equation is applied to the values of states",
    CRBC,
);

pub(crate) const FLOOR: Declared = Declared::number(
    REWARD_LIMIT,
    10.0,
    "Lower bound of the step term's standard deviation; 0: none",
    CRBC,
);

pub(crate) const LAMBDA: Declared =
    Declared::fraction("Decay \u{3bb} of the generalised advantage", "arXiv 2605.13217");

pub(crate) const SHRINKAGE: Declared = Declared::number(
    REWARD_LIMIT,
    100.0,
    "Number of virtual visits that pull an action's value toward its state's",
    ECPO,
);

pub(crate) const SATURATION: Declared = Declared::number(
    REWARD_LIMIT,
    100.0,
    "Visits at which the gate of explained variance is three quarters open; 0: leave this factor out",
    ECPO,
);

pub(crate) const VARIANCE_EPSILON: Declared = Declared::number(
    REWARD_LIMIT,
    1.0,
    "Added to the variance by which the explained variance is divided",
    ECPO,
);

pub(crate) const FAILURE_EXPONENT: Declared = Declared::number(
    ALPHA_LIMIT,
    10.0,
    "Exponent of the failure rate, by which the credit is multiplied",
    "arXiv 2609.02236",
);

/// How the variance is divided.
pub(crate) const fn divisor(meaning: &'static str) -> Declared {
    Declared::new(Kind::Choice(StdRule::NAMES), meaning, VERL_AGENT)
}

/// What who is alone gets.
pub(crate) const fn alone(meaning: &'static str) -> Declared {
    Declared::new(Kind::Choice(SingletonRule::NAMES), meaning, VERL_AGENT)
}
