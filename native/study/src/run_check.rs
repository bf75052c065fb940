//! Run check: numbers that cannot be, however they came into a summary.

use crate::summary::RunSummary;

impl RunSummary {
    /// Refuses what statistics and figures could not rely on.
    ///
    /// # Errors
    /// Names the number, and why it cannot be.
    pub fn check(&self) -> Result<(), String> {
        let share = |what: &str, value: f64| {
            let is_share = (0.0..=1.0).contains(&value);
            if is_share { Ok(()) } else { Err(format!("{what} is {value:?}, not between 0 and 1")) }
        };
        share("the area", self.scores.area)?;
        for value in [self.scores.last_seen, self.scores.last_unseen].into_iter().flatten() {
            share("the success at the end", value)?;
        }
        for evaluation in &self.evaluations {
            share("the success of an evaluation", evaluation.success_rate)?;
        }
        for point in &self.curve {
            share("the success of the curve", point.success_rate)?;
        }
        for (phase, &seconds) in &self.seconds {
            if !(0.0..f64::INFINITY).contains(&seconds) {
                return Err(format!("the time of `{phase}` is {seconds:e} s"));
            }
        }
        let is_rising = self.curve.is_sorted_by(|a, b| a.environment_steps < b.environment_steps);
        if is_rising { Ok(()) } else { Err("the steps of the curve do not rise".to_owned()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn impossible_numbers_are_named() {
        let mut run = RunSummary::missing(1, String::new());
        assert_eq!(run.check(), Ok(()));
        run.scores.last_seen = Some(1e308);
        assert_eq!(
            run.check().unwrap_err(),
            "the success at the end is 1e308, not between 0 and 1"
        );
        run.scores.last_seen = None;
        run.seconds.insert("total".into(), -1.0);
        assert_eq!(run.check().unwrap_err(), "the time of `total` is -1e0 s");
    }
}
