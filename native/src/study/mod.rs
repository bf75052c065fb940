//! Studies on this machine: every arm with every seed, each run a process of its own.

mod child;
mod claim;
mod folder;
mod forecast;
mod found;
mod plan;
mod presets;
mod progress;
mod queue;
mod state;

pub use self::claim::Claim;
pub use self::folder::StudyFolder;
pub use self::forecast::Forecast;
pub use self::plan::{Plan, PlannedArm};
pub use self::presets::{names as preset_names, text as preset};
pub use self::queue::{Ending, Job, Queue, Slot};
pub use self::state::State;
