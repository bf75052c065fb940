//! Tests of reports, from files to files.
#![expect(clippy::unwrap_used, reason = "a test fails where something is not there")]

mod damaged;
mod exports;
mod fixture;
mod hostile;
mod markup;
mod numbers;
mod output;
mod runs;
mod shape;
