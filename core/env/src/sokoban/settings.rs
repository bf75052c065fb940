//! Settings of `sokoban`.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use super::{MOST_BOXES, Walls};
use crate::SettingError;
use crate::registry::Table;

/// What rooms are like, and what steps cost and earn. The defaults are those of the published runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SokobanSettings {
    /// Lines of a room: 5 to 19; of unseen tasks one more.
    pub height: usize,
    /// Columns of a room: 5 to 19; of unseen tasks one more.
    pub width: usize,
    /// Boxes, and as many targets: 1 to 6.
    pub boxes: usize,
    /// How deep the search is that plays a new room backwards: 2 to 300. Deeper, solutions are longer.
    pub search_depth: usize,
    /// What every step costs: 0 to 1e37.
    pub step_cost: f64,
    /// What a box earns that comes onto a target, and costs when it leaves it: 0 to 1e37.
    pub box_reward: f64,
    /// Tasks of an iteration of the run whose rooms are wanted in its order: 1 to 65,536. The published
    /// runs draw the seeds of their rooms one after the other, 32 an iteration.
    pub tasks_per_iteration: usize,
    /// Whether every seed's room is taken, as in the published runs, whose evaluations repeat rooms of training.
    /// Otherwise one puzzle in eight is held out from training, and seen tasks are of those alone.
    pub published_rooms: bool,
}

impl Default for SokobanSettings {
    fn default() -> Self {
        Self {
            height: 6,
            width: 6,
            boxes: 1,
            search_depth: 30,
            step_cost: 0.1,
            box_reward: 1.0,
            tasks_per_iteration: 32,
            published_rooms: false,
        }
    }
}

impl SokobanSettings {
    /// Lines and columns.
    pub const SIDE: RangeInclusive<usize> = 5..=Walls::MOST - 1;
    /// Costs and rewards: what single precision holds in full, together with a success.
    pub const REWARD: RangeInclusive<f64> = 0.0..=1e37;
}

impl Table for SokobanSettings {
    const NAME: &str = "sokoban";

    fn check(&self) -> Result<(), SettingError> {
        SettingError::within("height", self.height, &Self::SIDE)?;
        SettingError::within("width", self.width, &Self::SIDE)?;
        SettingError::within("boxes", self.boxes, &(1..=MOST_BOXES))?;
        SettingError::within("search_depth", self.search_depth, &(2..=300))?;
        SettingError::within("step_cost", self.step_cost, &Self::REWARD)?;
        SettingError::within("box_reward", self.box_reward, &Self::REWARD)?;
        SettingError::within("tasks_per_iteration", self.tasks_per_iteration, &(1..=1 << 16))
    }
}
