//! What the page fetches when it is first needed: the overview, which is all tasks of a rollouts file under
//! several estimators, and the runs that such files come from; and the comparison of estimators on one task.
//!
//! It is a module of its own. The page says what is open and is told which step to show; `model` computes
//! and `view` writes markup, both without a browser; `page` keeps what is on the screen and hears what the
//! reader does.

mod model;
mod page;
mod text;
mod view;

pub use model::{advantages, rewritten};
pub use page::{add, compare, hand_over, hide, read_rollouts, show};
