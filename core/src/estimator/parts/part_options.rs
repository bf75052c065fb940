//! Option declarations of estimators that are made of parts.

use super::part_choices::Depth;
use crate::estimator::options::shared::ALPHA_LIMIT;
use crate::option::declaration::{Declared, Kind};
use crate::rollout::REWARD_LIMIT;

const CRBC: &str = "arXiv 2609.35082";
const ECPO: &str = "arXiv 2606.05885";

pub(in crate::estimator) const EPISODE_WEIGHT: Declared = Declared::new(
    Kind::Number { most: REWARD_LIMIT, usual: 100.0 },
    "Weight of the episode term",
    CRBC,
);

pub(in crate::estimator) const DEPTH: Declared = Declared::new(
    Kind::Choice(Depth::NAMES),
    "How often Bellman's equation is applied to the values of states",
    CRBC,
);

pub(in crate::estimator) const FLOOR: Declared = Declared::new(
    Kind::Number { most: REWARD_LIMIT, usual: 10.0 },
    "The least that the standard deviation of the step term counts as; 0: none",
    CRBC,
);

pub(in crate::estimator) const LAMBDA: Declared =
    Declared::fraction("Decay \u{3bb} of the generalised advantage", "arXiv 2605.13217");

pub(in crate::estimator) const SHRINKAGE: Declared = Declared::new(
    Kind::Number { most: REWARD_LIMIT, usual: 100.0 },
    "Visits that draw the value of an action toward that of its state",
    ECPO,
);

pub(in crate::estimator) const SATURATION: Declared = Declared::new(
    Kind::Number { most: REWARD_LIMIT, usual: 100.0 },
    "Visits that make the gate of explained variance open three quarters; 0: leave this factor out",
    ECPO,
);

pub(in crate::estimator) const VARIANCE_EPSILON: Declared = Declared::new(
    Kind::Number { most: REWARD_LIMIT, usual: 1.0 },
    "Added to the variance that the explained one is divided by",
    ECPO,
);

pub(in crate::estimator) const FAILURE_EXPONENT: Declared = Declared::new(
    Kind::Number { most: ALPHA_LIMIT, usual: 10.0 },
    "Exponent of the rate of failures that the credit is multiplied by",
    "arXiv 2609.02236",
);
