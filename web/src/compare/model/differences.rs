//! Where estimators disagree most.

use super::Comparison;
use crate::model::Cell;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The steps on which an advantage is farthest from the chosen estimator's, at most some number of
/// them; equal ones as they stand on the stage.
pub(crate) fn differences(comparison: &Comparison, most: usize) -> Vec<Cell> {
    let chosen = &comparison.of_chosen().advantages;
    let mut heap = BinaryHeap::new();
    for (row, own) in chosen.iter().enumerate() {
        for (step, value) in own.iter().enumerate() {
            let far = comparison
                .columns
                .iter()
                .map(|column| (column.at(Cell { row, step }) - value).abs())
                .fold(0.0, f64::max);
            // The bits of numbers from 0 on are in the order of the numbers.
            heap.push((far.to_bits(), Reverse((row, step))));
        }
    }
    let next = std::iter::from_fn(|| heap.pop());
    next.take(most).map(|(_, Reverse((row, step)))| Cell { row, step }).collect()
}

#[cfg(test)]
mod tests {
    use super::differences;
    use crate::compare::model::Comparison;
    use crate::compare::model::tests::{batch, methods};

    #[test]
    fn the_largest_difference_comes_first_and_ties_keep_their_order() {
        // Centred over rows, S = 4, 4, 1 has the mean 3. GiGPO adds R minus the mean of the state:
        // a: 4 and 1, mean 2.5, so +1.5 and −1.5; b is alone, 0. With HGPO a gives ±1.5, b 0.
        let batch = batch(
            r#"{"task":"g","trajectory":"x","steps":[{"state":"a","reward":0},{"state":"b","reward":4}]}
{"task":"g","trajectory":"y","steps":[{"state":"a","reward":1}]}"#,
        );
        let of = |chosen, ticks: &[&str], most| {
            let compared = Comparison::new(&batch, &methods(1.0), chosen, ticks).expect("taken");
            let found = differences(&compared, most);
            found.iter().map(|cell| (cell.row, cell.step)).collect::<Vec<_>>()
        };
        // GiGPO against GRPO: the step term, 1.5, 0 and 1.5.
        assert_eq!(of("gigpo", &["grpo"], 9), [(0, 0), (1, 0), (0, 1)]);
        assert_eq!(of("gigpo", &["grpo"], 1), [(0, 0)]);
        // HGPO against GiGPO: the episode term, 1, 1 and −2.
        assert_eq!(of("hgpo", &["grpo", "gigpo"], 9), [(1, 0), (0, 0), (0, 1)]);
    }
}
