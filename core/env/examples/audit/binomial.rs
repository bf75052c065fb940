//! Binomial distribution: probabilities, exact intervals of a rate, power of a comparison.

/// The probability of every number of successes, 0 to `trials`.
pub(crate) fn probabilities(trials: usize, rate: f64) -> Vec<f64> {
    let choose = |successes: usize| {
        let factorial = |of: usize| libm::lgamma(of as f64 + 1.0);
        factorial(trials) - factorial(successes) - factorial(trials - successes)
    };
    let logarithm = |times: usize, share: f64| {
        if times == 0 { 0.0 } else { times as f64 * libm::log(share) }
    };
    let probability = |successes| {
        let both = logarithm(successes, rate) + logarithm(trials - successes, 1.0 - rate);
        libm::exp(choose(successes) + both)
    };
    (0..=trials).map(probability).collect()
}

/// The 95 % interval of Clopper and Pearson for the rate behind so many successes.
pub(crate) fn interval(successes: usize, trials: usize) -> [f64; 2] {
    let tail = |rate: f64, from: usize, to: usize| -> f64 {
        probabilities(trials, rate)[from..to].iter().sum()
    };
    // The lower tail falls with the rate, the upper one rises.
    let low = bisect(|rate| tail(rate, successes, trials + 1) > 0.025);
    let high = bisect(|rate| tail(rate, 0, successes + 1) < 0.025);
    [if successes == 0 { 0.0 } else { low }, if successes == trials { 1.0 } else { high }]
}

/// Where in 0 to 1 something begins to hold.
fn bisect(holds: impl Fn(f64) -> bool) -> f64 {
    let (mut below, mut above) = (0.0, 1.0);
    for _ in 0..50 {
        let middle = 0.5 * (below + above);
        if holds(middle) {
            above = middle;
        } else {
            below = middle;
        }
    }
    0.5 * (below + above)
}

/// The probability that a two-sided test of two proportions (pooled variance, 5 %) tells two rates apart, each
/// measured on as many tasks of its own.
pub(crate) fn power(trials: usize, rates: [f64; 2]) -> f64 {
    let [one, other] = rates.map(|rate| probabilities(trials, rate));
    let mut found = 0.0;
    for (won, p) in one.iter().enumerate() {
        for (also_won, q) in other.iter().enumerate() {
            let pooled = (won + also_won) as f64 / (2 * trials) as f64;
            let error = (2.0 * pooled * (1.0 - pooled) / trials as f64).sqrt();
            if won.abs_diff(also_won) as f64 / trials as f64 > 1.959_964 * error {
                found += p * q;
            }
        }
    }
    found
}

/// The mean of the largest of several rates, all of which are measured at the same true rate.
pub(crate) fn largest(trials: usize, rate: f64, times: i32) -> f64 {
    let mut below = 0.0_f64;
    let mut mean = 0.0;
    for (successes, probability) in probabilities(trials, rate).into_iter().enumerate() {
        let until = (below + probability).min(1.0);
        mean += (until.powi(times) - below.powi(times)) * successes as f64 / trials as f64;
        below = until;
    }
    mean
}
