//! Divergence from the reference policy: an estimate of the KL divergence at a token.

use hgpo_core::Divergence;

/// Differences of log-probabilities are bounded by this before the exponential.
const MAX_DIFFERENCE: f64 = 10.0;

/// The estimate at a token, and its derivative by log π.
///
/// # Formula
/// With d = log π_ref − log π: k1 is −d, with derivative 1; k2 is d²/2, with −d; k3 is `e^d` − d − 1 with d clamped to
/// ±10 (verl's `low_var_kl`), with 1 − `e^d` inside the clamp, else 0. (<http://joschu.net/blog/kl-approx.html>; the mean
/// derivative of k1 over what the policy draws is 0: as a loss it is noise, in rewards it is the divergence itself.)
#[must_use]
pub fn divergence(estimate: Divergence, log_probability: f64, reference: f64) -> (f64, f64) {
    let difference = reference - log_probability;
    match estimate {
        Divergence::K1 => (-difference, 1.0),
        Divergence::K2 => (difference * difference / 2.0, -difference),
        Divergence::K3 => {
            let clamped = difference.clamp(-MAX_DIFFERENCE, MAX_DIFFERENCE);
            let growth = libm::exp(clamped);
            let is_inside = difference.abs() <= MAX_DIFFERENCE;
            (growth - clamped - 1.0, if is_inside { 1.0 - growth } else { 0.0 })
        }
        Divergence::None => (0.0, 0.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: (f64, f64), expected: (f64, f64)) {
        let far = |a: f64, b: f64| (a - b).abs() > 1e-9;
        assert!(!far(found.0, expected.0) && !far(found.1, expected.1), "{found:?} {expected:?}");
    }

    #[test]
    fn estimates_follow_their_definitions() {
        // log π = ln 2, reference 0: d = −ln 2, e^d = 1/2.
        let (two, at) = (2_f64.ln(), |it| divergence(it, 2_f64.ln(), 0.0));
        close(at(Divergence::K1), (two, 1.0));
        close(at(Divergence::K2), (two * two / 2.0, two));
        close(at(Divergence::K3), (0.5 + two - 1.0, 0.5));
        close(at(Divergence::None), (0.0, 0.0));
        // Beyond the clamp nothing changes any more.
        close(divergence(Divergence::K3, -20.0, -1.0), (10_f64.exp() - 11.0, 0.0));
        // If policy and reference agree there is none.
        for it in [Divergence::K2, Divergence::K3] {
            close(divergence(it, -0.7, -0.7), (0.0, 0.0));
        }
    }

    #[test]
    fn derivatives_are_those_of_the_values() {
        for estimate in [Divergence::K1, Divergence::K2, Divergence::K3] {
            for reference in [-4.0, -1.1, -0.3] {
                let step = 1e-6;
                let [above, below] =
                    [step, -step].map(|it| divergence(estimate, -1.0 + it, reference).0);
                let derivative = divergence(estimate, -1.0, reference).1;
                assert!((derivative - (above - below) / (2.0 * step)).abs() < 1e-6, "{estimate}");
            }
        }
    }
}
