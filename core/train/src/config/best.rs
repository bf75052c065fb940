//! Best evaluation: what it is judged by.

use serde::{Deserialize, Serialize};

use super::Config;

/// The mean by which one evaluation is better than another, over the seeds and the seen tasks. Unseen tasks have no part
/// in the choice: what is chosen by them would have to be reported on others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BestBy {
    /// None is looked for.
    #[default]
    None,
    /// The share of episodes that were won.
    Success,
    /// How much of its task an episode did.
    Score,
}

impl Config {
    /// By what evaluations are judged where one has to be the best: `checkpoint.best`, or success, if that is none.
    #[must_use]
    pub fn best_by(&self) -> BestBy {
        match self.checkpoint.best {
            BestBy::None => BestBy::Success,
            by => by,
        }
    }
}
