//! What the scores of several runs say, and how sure that is.
//!
//! A handful of runs an algorithm is little. The statistics here are those that Agarwal et al. advise for
//! such a handful (*Deep reinforcement learning at the edge of the statistical precipice*, 2021,
//! arXiv 2108.13264), as their Python package rliable defines them: an average over the middle half of the
//! scores ([`interquartile_mean`]), intervals by a bootstrap within every task ([`Bootstrap::interval`]),
//! how often one algorithm beats another ([`probability_of_improvement`]), which share of the scores is
//! above a threshold ([`performance_profile`]), and the same along learning curves
//! ([`sample_efficiency`]). Beyond rliable: differences between runs that share their seeds
//! ([`Bootstrap::paired_difference`]), and what several attempts at a
//! task say ([`pass_at_k`]).
//!
//! Scores are in whatever unit the caller has (shares of won episodes, returns), steps of curves in
//! whatever they count. Nothing is read, written, timed or printed here, and the same seed gives the same
//! bytes on every machine.
//!
//! ```
//! use hgpo_evidence::{Bootstrap, Scores, interquartile_mean, probability_of_improvement};
//! // Eight runs on one task. A quarter, two runs, is dropped at either end: (2 + 3 + 4 + 5) / 4.
//! let ours = Scores::single_task(&[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 100.0])?;
//! assert_eq!(interquartile_mean(&ours), 3.5);
//!
//! let interval = Bootstrap::default().interval(&ours, interquartile_mean);
//! assert_eq!(interval.point, 3.5);
//! assert!(1.0 < interval.low && interval.low < 3.5 && 3.5 < interval.high);
//!
//! // Seven of the eight are above 0.5: of the eight pairs, seven are won.
//! let theirs = Scores::single_task(&[0.5])?;
//! assert_eq!(probability_of_improvement(&ours, &theirs)?, 7.0 / 8.0);
//! # Ok::<(), hgpo_evidence::EvidenceError>(())
//! ```
#![forbid(unsafe_code)]

mod aggregate;
mod bootstrap;
mod curve;
mod error;
mod improvement;
mod profile;
mod sample_efficiency;
mod scores;

pub use aggregate::{
    interquartile_mean, mean, median, optimality_gap, pass_at_k, sample_deviation,
};
pub use bootstrap::{Bootstrap, Interval};
pub use curve::Curve;
pub use error::EvidenceError;
pub use improvement::probability_of_improvement;
pub use profile::performance_profile;
pub use sample_efficiency::sample_efficiency;
pub use scores::Scores;
