//! View of runs, in training or done: which there are, what they measured so far, and the server that shows them.

mod access;
mod catalogue;
mod followed_metrics;
mod observed_run;
mod server;

pub(crate) use self::access::Access;
pub(crate) use self::catalogue::Catalogue;
pub(crate) use self::server::{Served, is_page, serve};
