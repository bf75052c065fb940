//! Where estimators disagree most.

use super::Comparison;
use crate::model::Cell;

/// A step, and how far apart estimators are on it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Difference {
    /// The step.
    pub(crate) cell: Cell,
    /// The largest distance of an advantage from the chosen estimator's.
    pub(crate) most: f64,
}

/// Every step, those with the largest difference first; equal ones as they stand on the stage.
pub(crate) fn differences(comparison: &Comparison) -> Vec<Difference> {
    let chosen = &comparison.of_chosen().advantages.of;
    let mut all = Vec::new();
    for (row, own) in chosen.iter().enumerate() {
        for (step, value) in own.iter().enumerate() {
            let cell = Cell { row, step };
            let far = |most: f64, other: f64| most.max((other - value).abs());
            let most = comparison.columns.iter().map(|column| column.at(cell)).fold(0.0, far);
            all.push(Difference { cell, most });
        }
    }
    all.sort_by(|one, other| other.most.total_cmp(&one.most));
    all
}

#[cfg(test)]
mod tests {
    use super::differences;
    use crate::model::{Cell, Comparison, Controls, ESTIMATOR, Rollouts, comparison::Ticks};

    #[test]
    fn the_largest_difference_comes_first_and_ties_keep_their_order() {
        // Centred over rows, S = 4, 4, 1 has the mean 3. GiGPO adds R minus the mean of the state:
        // a: 4 and 1, mean 2.5, so +1.5 and −1.5; b is alone, 0. With HGPO a gives ±1.5, b 0.
        let text = r#"{"task":"g","trajectory":"x","steps":[{"state":"a","reward":0},{"state":"b","reward":4}]}
{"task":"g","trajectory":"y","steps":[{"state":"a","reward":1}]}"#;
        let rollouts = Rollouts::read(text).expect("two attempts");
        let set = |controls: Controls, key, text| controls.with(key, text).expect("admitted");
        let controls = set(set(Controls::default(), "scale", "mean"), "discount", "1");
        let ticks = Ticks::none().with("grpo").with("gigpo");
        let gigpo = set(controls.clone(), ESTIMATOR, "gigpo");
        let found = differences(&Comparison::new(&rollouts.tasks[0], &gigpo, ticks));
        let places: Vec<_> = found.iter().map(|one| (one.cell.row, one.cell.step)).collect();
        // GiGPO against GRPO: the step term, 1.5, 0 and 1.5.
        assert_eq!(places, [(0, 0), (1, 0), (0, 1)]);
        assert_eq!(found[2].cell, Cell { row: 0, step: 1 });
        assert!((found[0].most - 1.5).abs() < 1e-12 && found[2].most.abs() < 1e-12);
        // HGPO against GiGPO: the episode term, 1, −2 and 1.
        let found =
            differences(&Comparison::new(&rollouts.tasks[0], &controls, ticks.with("hgpo")));
        assert_eq!(found[0].cell, Cell { row: 1, step: 0 });
        assert!((found[0].most - 2.0).abs() < 1e-12);
    }
}
