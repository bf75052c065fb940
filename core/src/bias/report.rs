//! Bias report: numbers to keep, and a table to read.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::estimator::Options;
use crate::groups::hierarchy::Level;

/// Whose bias and variance a row gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Quantity {
    /// A_k of one level alone: the step against the steps with the same last k + 1 states.
    Level(Level),
    /// The reference: the step against the steps with the same full history, actions included.
    History,
    /// The estimator's advantage.
    Aggregate,
}

impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Level(level) => f.pad(&format!("level {level}")),
            Self::History => f.pad("history"),
            Self::Aggregate => f.pad("aggregate"),
        }
    }
}

/// A mean over steps, and how far chance in the tasks moves it.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Measure {
    /// The mean; 0 over no steps.
    pub value: f64,
    /// Standard error, from the scatter between tasks; absent if fewer than two tasks count.
    pub standard_error: Option<f64>,
}

impl Measure {
    /// Σ x_i / Σ n_i over tasks i with sums x_i over n_i steps.
    ///
    /// # Formula
    /// Standard error of a ratio r of T sums: √(T/(T − 1) · Σ (x_i − r n_i)²) / Σ n_i.
    pub(super) fn over(tasks: &[(f64, f64)]) -> Self {
        let steps: f64 = tasks.iter().map(|task| task.1).sum();
        if steps == 0.0 {
            return Self::default();
        }
        let value = tasks.iter().map(|task| task.0).sum::<f64>() / steps;
        let count = tasks.len() as f64;
        let squares: f64 = tasks.iter().map(|task| (task.0 - value * task.1).powi(2)).sum();
        let standard_error =
            (tasks.len() > 1).then(|| (count / (count - 1.0) * squares).sqrt() / steps);
        Self { value, standard_error }
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let error = self.standard_error.map_or(String::new(), |error| format!("± {error:.3}"));
        write!(f, "{:>8.3} {error:<8}", self.value)
    }
}

/// Bias and variance of one quantity.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct BiasRow {
    /// Of what.
    pub quantity: Quantity,
    /// Share of all steps of the study that the row is about and that have company in it.
    pub coverage: f64,
    /// Histories with an action that were met in two or more groups.
    pub keys: usize,
    /// Steps there: what the means are over.
    pub observations: usize,
    /// Squared bias, without the part that chance and the oracle explain; slightly negative if
    /// there is none.
    pub squared_bias: Measure,
    /// Variance between repeats.
    pub variance: Measure,
    /// Mean squared error: squared bias and variance together.
    pub mean_squared_error: Measure,
    /// Correlation with the true advantage over the steps, which no unit influences, without the oracle's noise; absent
    /// if one of the two does not vary, or too little to be told from that noise.
    pub correlation: Option<f64>,
}

/// What a study found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct BiasReport {
    /// The options in force.
    pub options: Options,
    /// K of the common steps.
    pub context_length: usize,
    /// Number of tasks.
    pub tasks: usize,
    /// Number of groups, all tasks together.
    pub groups: usize,
    /// Number of steps.
    pub steps: usize,
    /// Every row over the steps that have company in it; the aggregate over all.
    pub all_steps: Vec<BiasRow>,
    /// The same over the steps that another trajectory shares the last K + 1 states with.
    pub common_steps: Vec<BiasRow>,
}

impl BiasRow {
    /// What the columns of a written row are.
    pub const HEADER: &str = "             covers    keys   steps      bias²              variance           MSE                corr.";
}

impl fmt::Display for BiasRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { quantity, coverage, keys, observations, .. } = self;
        write!(f, "{quantity:<10}{:>7.1} %{keys:>8}{observations:>8}", 100.0 * coverage)?;
        for measure in [self.squared_bias, self.variance, self.mean_squared_error] {
            match observations {
                0 => write!(f, "  {:>8} {:<8}", "-", "")?,
                _ => write!(f, "  {measure}")?,
            }
        }
        match self.correlation {
            Some(correlation) => write!(f, "{correlation:>6.2}"),
            None => f.write_str("     -"),
        }
    }
}

impl fmt::Display for BiasReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { options, context_length, tasks, groups, steps, .. } = self;
        let name = options.estimator.name();
        writeln!(f, "{name}: tasks {tasks}, groups {groups}, steps {steps}")?;
        let tables = [
            ("all steps".to_owned(), &self.all_steps),
            (format!("common steps, K = {context_length}"), &self.common_steps),
        ];
        for (title, rows) in tables {
            writeln!(f, "{title}\n{}", BiasRow::HEADER)?;
            for row in rows {
                writeln!(f, "{row}")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
#[allow(clippy::float_cmp, reason = "hand-derived numbers that are exact in binary")]
mod tests {
    use super::*;

    #[test]
    fn the_standard_error_is_that_of_the_mean_where_tasks_are_equally_long() {
        // Means 1 and 3 of two tasks of 4 steps: mean 2, s = √2, √2/√2 = 1.
        let found = Measure::over(&[(4.0, 4.0), (12.0, 4.0)]);
        assert_eq!(found, Measure { value: 2.0, standard_error: Some(1.0) });
        let one = Measure::over(&[(4.0, 4.0)]);
        assert_eq!(one, Measure { value: 1.0, standard_error: None });
        assert_eq!(Measure::over(&[]), Measure::default());
    }
}
