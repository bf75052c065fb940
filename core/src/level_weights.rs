//! Level weights.

use crate::groups::hierarchy::Level;
use crate::option::choice::choice;

choice! {
    /// Which formula weighs the levels; the weights are then divided by their sum over the levels
    /// that are not skipped.
    #[non_exhaustive]
    pub enum Weights {
        /// (k + 1)^α, divided by the sum: the paper's formula. α = 1, K = 2: 1 : 2 : 3.
        #[default]
        Paper => "paper",
        /// (k + 2)^α, divided by the sum + 1e-6: what the reference code does, and what the
        /// published numbers were made with. α = 1, K = 2: 2 : 3 : 4. The base group has 1^α.
        Verl => "verl",
        /// From the data of each task, without α: the baseline of each level is shrunk toward that
        /// of the level above.
        ///
        /// What a step is compared with should be V(h), the expected return after its history h.
        /// Level k offers the mean m_k of n_k returns of steps with the same last k + 1 states.
        /// Longer contexts come closer to h, shorter ones hold more steps. Say that the true means
        /// of the groups at level k scatter around that of the group above with variance τ_k², and
        /// returns around the true mean of their group with variance σ_k²:
        ///
        /// ```text
        /// μ_k | μ_{k−1} ~ (μ_{k−1}, τ_k²)          m_k | μ_k ~ (μ_k, σ_k² / n_k)
        /// ```
        /// Using m_{k−1} for μ_k errs by a bias whose square is τ_k² on average; using m_k errs by
        /// the variance σ_k² / n_k. The combination with the least mean squared error weighs them
        /// inversely:
        ///
        /// ```text
        /// b_0 = m_0,   b_k = B_k m_k + (1 − B_k) b_{k−1},   B_k = τ_k² / (τ_k² + σ_k² / n_k)
        /// ```
        /// so that, at the longest context K that the step has company in, the advantage R − b_K is
        ///
        /// ```text
        /// A = Σ_k w_k (R − m_k),   w_k = B_k Π_{l>k} (1 − B_l),   B_0 = 1,   Σ_k w_k = 1
        /// ```
        /// the sum of HGPO with weights of its own for every step. Both variances come from the
        /// task itself (empirical Bayes), by the moments of a nested analysis of variance. With
        /// groups c of n_c steps below groups p of N_p steps (those of them that have level k), C
        /// and P groups in all, N steps:
        ///
        /// ```text
        /// σ_k² = Σ_c Σ_{i∈c} (R_i − m_c)² / (N − C)
        /// τ_k² = max(0, Σ_c n_c (m_c − m_p)² − (C − P) σ_k²) / Σ_p (N_p − Σ_{c∈p} n_c² / N_p)
        /// ```
        /// If every group is a single step, σ_k² is unknown and that of the level above stands
        /// in. A level where the step is alone has no weight. Groups of equal returns keep theirs:
        /// that all returns agree is what the baseline is for. With `scale = mean-std` the same
        /// weights apply to the standardised level advantages.
        Adaptive => "adaptive",
    }
}

impl Weights {
    /// Weight of a level before the division; none if no formula gives it.
    ///
    /// ```
    /// use hgpo_core::{Level, Weights};
    /// let squares = [0, 1, 2].map(|k| Weights::Paper.raw(Level(k), 2.0).unwrap());
    /// assert_eq!(squares, [1.0, 4.0, 9.0]);
    /// assert_eq!(Weights::Verl.raw(Level(1), 1.0), Some(3.0));
    /// ```
    #[must_use]
    pub fn raw(self, level: Level, alpha: f64) -> Option<f64> {
        self.base(level).map(|base| libm::pow(base as f64, alpha))
    }

    /// What is raised to the power of α; none if no formula gives the weight.
    pub(crate) fn base(self, level: Level) -> Option<usize> {
        match self {
            Self::Paper => Some(level.0 + 1),
            Self::Verl => Some(level.0 + 2),
            Self::Adaptive => None,
        }
    }

    /// Added to the sum that weights are divided by.
    #[must_use]
    pub const fn epsilon(self) -> f64 {
        match self {
            Self::Paper | Self::Adaptive => 0.0,
            Self::Verl => 1e-6,
        }
    }
}

/// Weight of the base group before the division: 1^α, of this 1.
pub(crate) const BASE_GROUP: usize = 1;
