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
mod study_lock;

pub use self::folder::StudyFolder;
pub use self::forecast::Forecast;
pub use self::plan::{PlannedArm, StudyJob, StudyPlan};
pub use self::presets::{names as preset_names, text as preset};
pub use self::queue::{RunQueue, Slot};
pub use self::state::StudyState;
pub use self::study_lock::StudyLock;
