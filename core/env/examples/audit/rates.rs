//! What a rate over so many tasks tells.

use crate::binomial::{interval, largest, power, probabilities};
use crate::{head, percent, row};

/// Tasks of validations and panels.
const TASKS: [usize; 8] = [64, 128, 134, 140, 256, 384, 500, 512];

/// Validations of 150 iterations, one before the first and one every five.
const VALIDATIONS: i32 = 31;

pub(crate) fn print() {
    head(&[
        "tasks",
        "0.52",
        "0.77",
        "0.90",
        "difference from 0.77 that is seen",
        "best of 31 at 0.77",
    ]);
    for tasks in TASKS {
        let around = |rate: f64| {
            let [low, high] = interval((rate * tasks as f64).round() as usize, tasks);
            format!("{} to {}", percent(low), percent(high))
        };
        let seen = |gap: &u32| power(tasks, [0.77, 0.77 - f64::from(*gap) / 1000.0]) >= 0.8;
        let gap = (1..770).find(seen).unwrap_or(770);
        let best = largest(tasks, 0.77, VALIDATIONS);
        let gap = format!("{:.1}", f64::from(gap) / 10.0);
        row(&[tasks.to_string(), around(0.52), around(0.77), around(0.90), gap, percent(best)]);
    }
    let chance = chance_of_gap([(99, 128), (73, 140)]);
    println!(
        "\n99 of 128 and 73 of 140 at one rate: a gap as large has a probability of at most {chance:.1e}"
    );
}

/// The probability that one true rate gives a gap at least as large as that of two measurements, at its most.
fn chance_of_gap([one, other]: [(usize, usize); 2]) -> f64 {
    let share = |(won, tasks): (usize, usize)| won as f64 / tasks as f64;
    let gap = (share(one) - share(other)).abs();
    let at = |rate: f64| {
        let [all, also_all] = [one.1, other.1].map(|tasks| probabilities(tasks, rate));
        let mut sum = 0.0;
        for (won, p) in all.iter().enumerate() {
            for (also_won, q) in also_all.iter().enumerate() {
                if (share((won, one.1)) - share((also_won, other.1))).abs() >= gap - 1e-12 {
                    sum += p * q;
                }
            }
        }
        sum
    };
    (1..100).map(|percent| at(f64::from(percent) / 100.0)).fold(0.0, f64::max)
}
