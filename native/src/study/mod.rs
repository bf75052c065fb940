//! Studies on this machine: every arm with every seed, each run a process of its own.

mod folder;
mod forecast;
mod plan;
mod presets;
mod progress;
mod queue;
mod run_process;
mod run_status;
mod state;

pub(crate) use self::folder::StudyFolder;
pub(crate) use self::forecast::Forecast;
pub(crate) use self::plan::{PlannedArm, StudyJob, StudyPlan};
pub(crate) use self::presets::{names as preset_names, text as preset};
pub(crate) use self::queue::{RunQueue, Slot};
pub(crate) use self::state::StudyState;
