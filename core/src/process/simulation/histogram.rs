//! Histogram of bins of equal width.

use serde::{Deserialize, Serialize};

use super::Unit;
use crate::process::{Outcome, Process};
use crate::returns::Discount;

/// Bins of equal width around 0: from −reach to reach. The outermost two also count what lies beyond.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Bins {
    /// Where the last bin ends.
    pub reach: f64,
    /// How many there are: an odd number, so that 0 is in the middle of one.
    pub count: usize,
}

/// So many that a distribution has a shape, and so few that a few hundred values show it.
const COUNT: usize = 41;

/// Standard deviations that advantages in their unit hardly ever exceed in small groups.
const DEVIATIONS: f64 = 4.0;

impl Bins {
    /// Bins that hold every difference of two returns of a process, or so many standard deviations.
    pub(super) fn of(process: &Process, discount: Discount, unit: Unit) -> Self {
        let reach = match unit {
            Unit::Return => difference(process, discount),
            Unit::Spread | Unit::Batch => DEVIATIONS,
        };
        Self { reach: if reach > 0.0 { reach } else { 1.0 }, count: COUNT }
    }

    /// The bin of a value.
    pub(super) fn bin(self, value: f64) -> usize {
        let place = (value + self.reach) * self.count as f64 / (2.0 * self.reach);
        // Below 0 and beyond the last, the conversion stays at the nearest number.
        (place.floor() as usize).min(self.count - 1)
    }
}

/// The largest return from anywhere less the smallest.
fn difference(process: &Process, discount: Discount) -> f64 {
    let (mut highest, mut lowest) = (0.0_f64, 0.0_f64);
    let mut later = vec![(0.0_f64, 0.0_f64); process.situations.len()];
    for _ in 0..process.step_limit {
        let now = process.situations.iter().map(|situation| {
            let outcomes = situation.actions.iter().flat_map(|action| &action.outcomes);
            let ends = |&Outcome { reward, next, .. }: &Outcome| {
                let (low, high) = next.map_or((0.0, 0.0), |next| later[next]);
                (reward + discount.get() * low, reward + discount.get() * high)
            };
            let none = (f64::INFINITY, f64::NEG_INFINITY);
            outcomes.map(ends).fold(none, |(low, high), it| (low.min(it.0), high.max(it.1)))
        });
        later = now.collect();
        for &(low, high) in &later {
            (lowest, highest) = (lowest.min(low), highest.max(high));
        }
    }
    highest - lowest
}

#[cfg(test)]
#[allow(clippy::float_cmp, reason = "hand-derived numbers that are exact in binary")]
mod tests {
    use super::*;

    #[test]
    fn zero_is_in_the_middle_and_the_ends_hold_what_lies_beyond() {
        // Five bins of width 2: [−5, −3), [−3, −1), [−1, 1), [1, 3), [3, 5].
        let bins = Bins { reach: 5.0, count: 5 };
        let of = |value| bins.bin(value);
        assert_eq!([-9.0, -5.0, -3.0, -1.0, 0.0, 1.0, 5.0, 9.0].map(of), [0, 0, 1, 2, 2, 3, 4, 4]);
    }

    #[test]
    fn bins_reach_from_the_smallest_return_to_the_largest() {
        // γ = 1/2: to wait and then to win is worth 0 + 4/2 = 2, less than to win at once; to wait
        // and then to lose −1 + −2/2.
        let process = Process::read(
            r#"{"step_limit": 2, "start": [{"situation": "s"}], "situations": [{"state": "s", "actions": [
                {"action": "win", "probability": 0.5, "outcomes": [{"reward": 4}]},
                {"action": "wait", "probability": 0.25, "outcomes": [{"reward": -1, "next": "s"}]},
                {"action": "lose", "probability": 0.25, "outcomes": [{"reward": -2}]}]}]}"#,
        );
        let half = Discount::new(0.5).expect("valid");
        let of = |unit| Bins::of(process.as_ref().expect("valid"), half, unit).reach;
        assert_eq!((of(Unit::Return), of(Unit::Spread)), (6.0, 4.0));
    }
}
