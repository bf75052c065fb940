//! Tokens of a step, inspected: what the policy said of each before and after the update, and its part in the loss; and
//! the policy's own view of an update, from advantage to probability.

mod model;
mod picture;
mod policy;
mod view;

pub(crate) use model::has_tokens;
pub(crate) use view::{TokensProps, view};
