//! Parts of Learn, one a file.

pub(crate) mod learn;
pub(crate) mod lesson;
