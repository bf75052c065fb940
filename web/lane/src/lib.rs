//! Training in the page: a lane of it, which is one estimator's settings with several seeds, in a Web Worker.
#![forbid(unsafe_code)]

pub mod message;
