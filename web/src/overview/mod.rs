//! Overview: all tasks of a rollouts file under several estimators, and the runs that such files come from.

mod exhibit;
mod model;
mod read;
mod runs;
mod view;

pub(crate) use model::{Key, line};
pub(crate) use runs::add;
pub(crate) use view::{Overview, OverviewProps};
