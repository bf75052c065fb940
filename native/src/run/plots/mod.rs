//! Plots of a run: learning curves, bias and variance, sparklines.

pub(crate) mod bias_chart;
pub(crate) mod downsampled_series;
pub mod learning_curves;
pub(crate) mod sparkline;
