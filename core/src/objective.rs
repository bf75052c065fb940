//! Objective: the options of the loss that advantages are trained with.

use crate::error::Error;
use crate::option::choice::choice;
use crate::option::declaration::{About, Declaration, Declared, Kind};
use crate::option::fields::{DeclaredOptions as _, check_ranges, get, options};

/// The largest clip and coefficient: what single precision holds.
const MOST: f64 = 1e38;
const PPO: &str = "arXiv 1707.06347";
const VERL: &str = "verl";

choice! {
    /// What the change of the policy is measured over.
    pub enum Ratio {
        /// Each token has its own ratio (PPO).
        #[default]
        Token => "token",
        /// The tokens of a response share the geometric mean of their ratios (GSPO).
        Sequence => "sequence",
    }
}

choice! {
    /// How the losses of tokens become one number.
    pub enum Aggregation {
        /// Mean over the tokens of a mini-batch: long responses count more.
        #[default]
        Tokens => "tokens",
        /// Mean over the responses of the mean over each one's tokens.
        Responses => "responses",
        /// Sum over the tokens, over the number of responses times the most tokens of one (Dr. GRPO).
        Constant => "constant",
    }
}

choice! {
    /// The estimate of the KL divergence from the reference policy, by d = log π_ref − log π.
    pub enum Divergence {
        /// −d.
        K1 => "k1",
        /// d² / 2.
        K2 => "k2",
        /// e^d − d − 1.
        #[default]
        K3 => "k3",
        /// There is no reference.
        None => "none",
    }
}

options! {
    /// What an update makes smaller.
    ///
    /// # Formula
    /// With r = exp(log π − log π_old) of a token, or the geometric mean of a response's (`ratio`), and A the advantage of
    /// its step, a token's loss is
    /// ```text
    /// L = max(−A r, −A clip(r, 1 − clip_low, 1 + clip_high)), for A < 0 at most −A dual_clip,
    ///     + kl_coefficient · divergence          unless divergence_in_reward
    /// r_t ← r_t − kl_coefficient · Σ divergence  over the tokens of step t, as they were drawn, if divergence_in_reward
    /// ```
    /// and `aggregation` makes one number of the tokens' losses.
    ///
    /// | | ratio | clips | aggregation | divergence |
    /// |---|---|---|---|---|
    /// | PPO, GRPO, HGPO | token | 0.2, 0.2, dual 3 | tokens | k3 in the loss |
    /// | DAPO (2503.14476) | token | 0.2, 0.28 | tokens | none |
    /// | GSPO (2507.18071) | sequence | 0.0003, 0.0004, dual 0 | responses | none |
    /// | Dr. GRPO (2503.20783) | token | 0.2, 0.2 | constant | none |
    ///
    /// ```
    /// use hgpo_core::{Aggregation, Divergence, Objective, Ratio};
    /// let gspo: Objective = serde_json::from_str(
    ///     r#"{"ratio": "sequence", "clip_low": 0.0003, "clip_high": 0.0004, "dual_clip": 0,
    ///         "aggregation": "responses", "divergence": "none"}"#,
    /// ).unwrap();
    /// assert_eq!((gspo.ratio, gspo.aggregation), (Ratio::Sequence, Aggregation::Responses));
    /// assert!(!gspo.compares_with_reference() && gspo.validate().is_ok());
    /// assert_eq!(Objective::default().divergence, Divergence::K3);
    /// ```
    pub struct Objective {
        /// What the change of the policy is measured over.
        ratio: Ratio = Ratio::Token, Declared::new(
            Kind::Choice(Ratio::NAMES),
            "What the ratio is of: each `token` (PPO) or the `sequence` of a response (GSPO)",
            "arXiv 1707.06347, 2507.18071",
        );
        /// The ratio is clipped from below at 1 − `clip_low`.
        clip_low: f64 = 0.2, Declared::fraction("The ratio is clipped from below at `1 - clip_low`", PPO);
        /// The ratio is clipped from above at 1 + `clip_high`.
        clip_high: f64 = 0.2, Declared::number(
            MOST,
            1.0,
            "The ratio is clipped from above at `1 + clip_high`",
            "arXiv 2503.14476",
        );
        /// For negative advantages the loss is at most this multiple of the advantage; 0 for no bound.
        dual_clip: f64 = 3.0, Declared::number(
            MOST,
            10.0,
            "Largest loss for negative advantages, as a multiple of the advantage, at least 1; 0: none",
            "arXiv 1912.09729",
        );
        /// How the losses of tokens become one number.
        aggregation: Aggregation = Aggregation::Tokens, Declared::new(
            Kind::Choice(Aggregation::NAMES),
            "The loss is the mean over `tokens`, the mean over `responses` of their tokens' mean, or the sum \
             over tokens by a `constant`: responses times `rollout.max_response_tokens` (Dr. GRPO)",
            "arXiv 2503.20783, verl",
        );
        /// The estimate of the divergence from the reference policy.
        divergence: Divergence = Divergence::K3, Declared::new(
            Kind::Choice(Divergence::NAMES),
            "Estimate of the KL divergence from the reference policy, with d = log π_ref − log π: \
             `k1` (−d), `k2` (d²/2), `k3` (e^d − d − 1) or `none`",
            "joschu.net/blog/kl-approx.html",
        );
        /// Weight of the divergence.
        kl_coefficient: f64 = 0.01, Declared::number(
            MOST,
            1.0,
            "Weight of the KL divergence from the reference policy; 0: none",
            "arXiv 2402.03300",
        );
        /// Whether the divergence is subtracted from rewards, in place of being added to the loss.
        divergence_in_reward: bool = false, Declared::new(
            Kind::Flag,
            "Whether the divergence of a step's response is subtracted from its reward, before advantages are \
             estimated, instead of added to the loss",
            VERL,
        );
    }
}

impl Objective {
    /// The options that say what a ratio is and how it is bounded.
    pub const OF_RATIO: [&'static str; 4] = ["ratio", "clip_low", "clip_high", "dual_clip"];

    /// The options in order.
    #[must_use]
    pub fn declarations() -> &'static [Declaration] {
        Self::DECLARATIONS
    }

    /// What each option is about, in the same order.
    pub fn about() -> impl Iterator<Item = About> {
        Self::ABOUT.iter().map(|&(_, about)| about)
    }

    /// Whether the reference policy is scored.
    #[must_use]
    pub fn compares_with_reference(&self) -> bool {
        self.divergence != Divergence::None && self.kl_coefficient > 0.0
    }

    /// Whether the loss holds the divergence from the reference policy.
    #[must_use]
    pub fn has_divergence_in_loss(&self) -> bool {
        self.compares_with_reference() && !self.divergence_in_reward
    }

    /// Whether rewards hold the divergence from the reference policy.
    #[must_use]
    pub fn has_divergence_in_reward(&self) -> bool {
        self.compares_with_reference() && self.divergence_in_reward
    }

    /// Checks what the types cannot.
    ///
    /// # Errors
    /// Names the option, its value and what it can be.
    pub fn validate(&self) -> Result<(), Error> {
        check_ranges(self)?;
        if self.dual_clip > 0.0 && self.dual_clip < 1.0 {
            let problem =
                format!("{} is not 0 (none) and not at least 1: correct it", self.dual_clip);
            return Err(Error::option("dual_clip", problem));
        }
        Ok(())
    }

    /// The options that are not at their defaults and change nothing: those of a divergence that there is not, and
    /// whatever the ratio is used for if it is always 1.
    ///
    /// ```
    /// use hgpo_core::{Divergence, Objective};
    /// let free = Objective { divergence: Divergence::None, kl_coefficient: 0.5, clip_high: 0.28, ..Objective::default() };
    /// assert_eq!(free.without_effect(false), ["kl_coefficient"]);
    /// assert_eq!(free.without_effect(true), ["clip_high", "kl_coefficient"]);
    /// ```
    #[must_use]
    pub fn without_effect(&self, ratio_is_one: bool) -> Vec<&'static str> {
        let usual = Self::default();
        let is_idle = |name: &str| match name {
            _ if Self::OF_RATIO.contains(&name) => ratio_is_one,
            "kl_coefficient" => self.divergence == Divergence::None,
            "divergence" => self.divergence != Divergence::None && self.kl_coefficient <= 0.0,
            "divergence_in_reward" => !self.compares_with_reference(),
            _ => false,
        };
        let names = Self::DECLARATIONS.iter().map(|of| of.name);
        names.filter(|name| is_idle(name) && get(self, name) != get(&usual, name)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dual_clip_is_none_or_at_least_one() {
        let with = |dual_clip| Objective { dual_clip, ..Objective::default() }.validate();
        assert!([0.0, 1.0, 3.0, 1e38].into_iter().all(|it| with(it).is_ok()));
        let refused =
            [0.5, -1.0, f64::NAN, f64::INFINITY].map(|it| with(it).unwrap_err().to_string());
        assert_eq!(
            refused[0],
            "option dual_clip: 0.5 is not 0 (none) and not at least 1: correct it"
        );
        assert!(refused.iter().all(|it| it.starts_with("option dual_clip: ")), "{refused:?}");
    }

    #[test]
    fn options_are_read_by_their_names_and_others_refused() {
        let read = serde_json::from_str::<Objective>;
        assert_eq!(read("{}").unwrap(), Objective::default());
        let dapo = Objective { clip_high: 0.28, ..Objective::default() };
        assert_eq!(read(r#"{"clip_high": 0.28}"#).unwrap(), dapo);
        for (wrong, said) in [
            (
                r#"{"ratio": "word"}"#,
                "option ratio: unknown value `word`: use one of token, sequence",
            ),
            (r#"{"clip_low": 2}"#, "option clip_low: 2 is not a number from 0 to 1: correct it"),
            (r#"{"clip": 1}"#, "unknown field `clip`"),
        ] {
            assert!(read(wrong).unwrap_err().to_string().starts_with(said), "{wrong}");
        }
        let written = serde_json::to_value(Objective::default()).unwrap();
        assert_eq!(written.as_object().unwrap().len(), Objective::declarations().len());
    }
}
