//! Training in the page: a lane of it, which is one estimator's settings with several seeds.
//!
//! The loop is the trainer's own: the lines of metrics and the rollouts are those of `hgpo train`, byte for byte but
//! for the clock.
//!
//! | request | answer |
//! |---|---|
//! | `{"start": {"settings", "seeds"}}` | `{"started": {"settings", "iteration"}}`: all settings |
//! | `{"change": {"settings"}}` | `{"changed": {"keeps-weights", "iteration"}}` |
//! | `{"run": {"iterations", "milliseconds"}}` | `{"ran": {"iteration", "lines"}}` |
//! | `{"go-back": {"iteration"}}` | `{"went": {"iteration"}}` |
//! | `{"look": {"seed"}}` | `{"look": {"iteration", "rollouts"}}` |
//! | `{"cell": {"seed", "row", "column"}}` | `{"cell": {"memories"}}` |
//! | `{"arrows": {"seed"}}` | `{"arrows": {"places"}}` |
//! | `{"words": {"seed"}}` | `{"words": {"words"}}` |
//! | `{"verdicts": {"seed", "estimators", "truth"}}` | `{"verdicts": {"actions", "agreement", "too-large"}}` |
//! | `{"process": {"seed", "task"}}` | `{"process": {"process", "situations"}}` |
//! | the same, if there is more than can be valued | `{"too-large": {"combinations"}}` |
//! | anything else | `{"error": "…"}`, one line that says what, where, and what to do |
//!
//! Cells, arrows, verdicts and processes are of worlds with a map, words of a team. [`message`] says what each field is, [`limits`] how large a lane may be. A request that is refused leaves the
//! lane as it was. Without the feature `training` there are messages and limits alone.

pub mod limits;
pub mod message;

#[cfg(feature = "training")]
mod lane;

#[cfg(feature = "training")]
pub use lane::answer;
