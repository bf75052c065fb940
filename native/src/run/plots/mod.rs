//! Plots of a run: learning curves, bias and variance.

pub(crate) mod bias_chart_svg;
pub(crate) mod downsampled_series;
pub(crate) mod learning_curves_svg;
