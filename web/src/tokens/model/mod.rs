//! Tokens of a step with their part in the loss, from the fields that its file carries.

pub(crate) mod same_prompt;
pub(crate) mod update;

use crate::model::{Rollouts, Task};
use hgpo_core::token_fields::{
    NEW_ENTROPIES, NEW_LOG_PROBS, OLD_LOG_PROBS, PROMPT_IDS, REF_LOG_PROBS, RESPONSE_IDS,
    RESPONSE_MASK, RESPONSE_TOKENS, ROLLOUT_LOG_PROBS, TOKEN_ADVANTAGES,
};
use hgpo_core::token_loss::{PolicyTerm, divergence, entropy_by_logit, log_ratios, policy_term};
use hgpo_core::{Divergence, Objective, Step, read_json};
use serde_json::Value;
use std::borrow::Cow;

/// A token of a response.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Token {
    /// Its text; none if the file has its id alone.
    pub(crate) text: Option<String>,
    /// Its id, as the file writes it.
    pub(crate) id: Option<String>,
    /// Whether the loss counts it.
    pub(crate) counts: bool,
    /// Its log-probability under the policy that the update begins with, if it is known.
    pub(crate) old: Option<f64>,
    /// Its log-probability after the update, if it is known.
    pub(crate) new: Option<f64>,
    /// Entropy of its distribution after the update, in nats, if it is known.
    pub(crate) entropy: Option<f64>,
    /// Its log-probability under the reference policy, if it is known.
    pub(crate) reference: Option<f64>,
    /// Its advantage in the loss.
    pub(crate) advantage: f64,
    /// The ratio of its probabilities, that of its response where the loss takes the sequence's; 1 where the one after the
    /// update is not known.
    pub(crate) ratio: f64,
    /// The policy's term of the loss at this ratio.
    pub(crate) term: PolicyTerm,
}

impl Token {
    /// The weight of ∇ log π in the step against the loss: A r, or 0 where the clip holds it; 0 of what does not count.
    pub(crate) fn weight(&self) -> f64 {
        // Not the negative zero.
        if self.counts && self.term.derivative != 0.0 { -self.term.derivative } else { 0.0 }
    }

    /// Whether the clip takes the token out of the gradient.
    pub(crate) fn is_clipped(&self) -> bool {
        self.counts && self.advantage != 0.0 && self.term.derivative == 0.0
    }

    /// The k3 estimate of the KL divergence of the policy after the update from the one before, at the token.
    ///
    /// # Formula
    /// r − 1 − log r, r the token's own ratio: its mean over what the policy before drew is KL(before ‖ after)
    /// (<http://joschu.net/blog/kl-approx.html>).
    pub(crate) fn change(&self) -> Option<f64> {
        Some(divergence(Divergence::K3, self.old?, self.new?).0)
    }

    /// Its log-probability after the update, or else before.
    fn now(&self) -> Option<f64> {
        self.new.or(self.old)
    }

    /// What both parts of the gradient add to the token's own logit in the step against the loss; none where the file lacks
    /// what it takes.
    ///
    /// # Formula
    /// w (1 − π) of the policy's term, w the weight of ∇ log π; −η π (log π + H) of the entropy bonus of coefficient η.
    pub(crate) fn pulls_on_logit(&self, entropy_coefficient: f64) -> Option<[f64; 2]> {
        let (now, entropy) = (self.now()?, self.entropy?);
        let bonus = entropy_coefficient * entropy_by_logit(now, entropy);
        Some([self.weight() * (1.0 - now.exp()), bonus])
    }

    /// The estimate of the divergence from the reference as the loss has it, and its derivative by log π; none where the
    /// loss has none, or the file lacks it.
    pub(crate) fn divergence(&self, objective: &Objective) -> Option<(f64, f64)> {
        let now = self.now()?;
        let reference = self.reference.filter(|_| objective.has_divergence_in_loss())?;
        Some(divergence(objective.divergence, now, reference))
    }
}

/// A response, token by token.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Response {
    /// The tokens.
    pub(crate) tokens: Vec<Token>,
    /// The loss.
    pub(crate) objective: Objective,
    /// Whether the file says which loss it was; else it is the default one.
    pub(crate) is_stated: bool,
    /// Weight of the entropy bonus, if the file says it.
    pub(crate) entropy_coefficient: Option<f64>,
    /// Whether the file has the tokens' advantages; else they are the step's as it is estimated here.
    pub(crate) has_advantages: bool,
    /// Tokens of the prompt, if the file has them.
    pub(crate) prompt_length: Option<usize>,
    /// The largest |A| among the tokens of the task.
    pub(crate) peak: f64,
}

/// Whether a step has tokens.
pub(crate) fn has_tokens(step: &Step) -> bool {
    [RESPONSE_IDS, RESPONSE_TOKENS].iter().any(|name| step.extra.contains_key(*name))
}

/// A list of a step, which tables hold as text.
fn list<'a>(step: &'a Step, name: &str) -> Cow<'a, [Value]> {
    match step.extra.get(name) {
        Some(Value::Array(list)) => Cow::Borrowed(list),
        Some(Value::String(text)) => match read_json(text) {
            Ok(Value::Array(list)) => Cow::Owned(list),
            _ => Cow::default(),
        },
        _ => Cow::default(),
    }
}

/// The numbers of a list, as far as there are any.
fn numbers(step: &Step, name: &str) -> Vec<Option<f64>> {
    list(step, name).iter().map(Value::as_f64).collect()
}

impl Response {
    /// The response of a step of a task; the step's advantage as it is estimated stands in for one that the file lacks.
    pub(crate) fn new(rollouts: &Rollouts, task: &Task, step: &Step, estimated: f64) -> Self {
        let said = rollouts.made.as_ref().and_then(|made| made.said.as_ref().ok());
        let stated = said.and_then(|said| said.objective().ok().flatten());
        let is_stated = stated.is_some();
        let objective = stated.unwrap_or_default();
        let texts = list(step, RESPONSE_TOKENS);
        let ids = list(step, RESPONSE_IDS);
        let mask = numbers(step, RESPONSE_MASK);
        let [old, drawn, new] =
            [OLD_LOG_PROBS, ROLLOUT_LOG_PROBS, NEW_LOG_PROBS].map(|name| numbers(step, name));
        let [entropies, reference, advantages] =
            [NEW_ENTROPIES, REF_LOG_PROBS, TOKEN_ADVANTAGES].map(|name| numbers(step, name));
        let at = |list: &[Option<f64>], place: usize| list.get(place).copied().flatten();
        let old = |place| at(&old, place).or_else(|| at(&drawn, place));
        let length = texts.len().max(ids.len());
        let counts = |place| at(&mask, place).is_none_or(|it| it != 0.0);
        // A sequence's ratio is over the tokens that the loss counts.
        let difference = |place| match (at(&new, place), old(place)) {
            (Some(new), Some(old)) => new - old,
            _ => 0.0,
        };
        let counted: Vec<f64> = (0..length).filter(|at| counts(*at)).map(difference).collect();
        let mut ratios = log_ratios(objective.ratio, counted.iter().copied());
        let token = |place| {
            let advantage = at(&advantages, place).unwrap_or(estimated);
            let log_ratio = if counts(place) { ratios.next().unwrap_or(0.0) } else { 0.0 };
            Token {
                text: texts.get(place).and_then(Value::as_str).map(str::to_owned),
                id: ids.get(place).map(Value::to_string),
                counts: counts(place),
                old: old(place),
                new: at(&new, place),
                entropy: at(&entropies, place),
                reference: at(&reference, place),
                advantage,
                ratio: log_ratio.exp(),
                term: policy_term(log_ratio, advantage, &objective),
            }
        };
        let tokens: Vec<Token> = (0..length).map(token).collect();
        let of_step = |step: &Step| numbers(step, TOKEN_ADVANTAGES).into_iter().flatten();
        let of_task = task.rows().iter().flat_map(|row| &row.steps).flat_map(of_step);
        let own = tokens.iter().map(|token| token.advantage);
        let peak = of_task.chain(own).fold(0.0, |peak: f64, it| peak.max(it.abs()));
        Self {
            tokens,
            objective,
            is_stated,
            entropy_coefficient: said.and_then(|said| said.entropy_coefficient),
            has_advantages: !advantages.is_empty(),
            prompt_length: step
                .extra
                .contains_key(PROMPT_IDS)
                .then(|| list(step, PROMPT_IDS).len()),
            peak,
        }
    }

    /// Whether the file has the log-probabilities after the update.
    pub(crate) fn has_new(&self) -> bool {
        self.tokens.iter().any(|token| token.new.is_some())
    }
}

#[cfg(test)]
mod tests;
