//! Aggregation: the losses of tokens as one number.

use hgpo_core::Aggregation;

/// What a sum of weighted losses is over.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LossCount {
    /// Response tokens.
    pub tokens: f64,
    /// Responses.
    pub responses: f64,
}

/// The weight of each token's loss in the sum, for a response of so many tokens.
pub(crate) fn weight(aggregation: Aggregation, tokens: usize) -> f64 {
    match aggregation {
        Aggregation::Responses => 1.0 / tokens.max(1) as f64,
        Aggregation::Tokens | Aggregation::Constant => 1.0,
    }
}

/// What the sum of weighted losses is divided by; `longest` is the most tokens that a response may have.
///
/// # Formula
/// `tokens`: Σ|y|. `responses`: B, each token weighs 1/|y|. `constant`: B · L (arXiv 2503.20783, with verl's count of
/// responses: `loss_agg_mode=seq-mean-token-sum-norm`).
pub(crate) fn divisor(aggregation: Aggregation, count: LossCount, longest: usize) -> f64 {
    match aggregation {
        Aggregation::Responses => count.responses,
        Aggregation::Constant => count.responses * longest as f64,
        Aggregation::Tokens => count.tokens,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_responses_are_brought_to_one_number() {
        // Responses of 2 and 4 tokens whose losses are 1 and 2 a token; at most 8 tokens.
        let of = |aggregation| {
            let sum = [(2, 1.0), (4, 2.0)]
                .map(|(tokens, loss)| tokens as f64 * weight(aggregation, tokens) * loss);
            let count = LossCount { tokens: 6.0, responses: 2.0 };
            sum.iter().sum::<f64>() / divisor(aggregation, count, 8)
        };
        // (2 · 1 + 4 · 2) / 6, (1 + 2) / 2, (2 · 1 + 4 · 2) / (2 · 8).
        let expected = [10.0 / 6.0, 1.5, 0.625];
        for (aggregation, expected) in Aggregation::ALL.iter().zip(expected) {
            assert!((of(*aggregation) - expected).abs() < 1e-12, "{aggregation}");
        }
    }
}
