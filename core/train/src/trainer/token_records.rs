//! Token records: the tokens of an iteration's steps as its trace has them, with what the policy says of them after the update.

use crate::config::Config;
use crate::objective::clipped::Sample;
use crate::policy::{Policy, TokenScore};
use crate::rollout::prompt_format::PromptFormat;
use crate::update::micro_batches::MicroBatches;
use crate::update::repeats::DistinctPassages;
use crate::update::{UninterruptibleHost, reference_scores};
use crate::{Host, TrainerError};

/// The tokens of a step. Lists have one entry a token of the response.
#[derive(Clone, Debug, PartialEq)]
pub struct TokenRecord {
    /// Tokens read.
    pub prompt: Vec<u32>,
    /// Their text; none if they are not of texts.
    pub prompt_text: Option<String>,
    /// Tokens written.
    pub response: Vec<u32>,
    /// The text of each; none if they are not of texts.
    pub texts: Option<Vec<String>>,
    /// Log-probability of each token when it was drawn.
    pub old: Vec<f64>,
    /// Log-probability of each token after the update.
    pub new: Vec<f64>,
    /// Entropy of each token's distribution after the update; none if the loss has no entropy bonus.
    pub entropies: Option<Vec<f64>>,
    /// Log-probability of each token under the reference policy; none if the loss does not hold it.
    pub reference: Option<Vec<f64>>,
    /// Advantage of the step in the loss.
    pub advantage: f64,
}

/// The records of samples, by a policy after its update and its reference.
pub(super) fn token_records<P: Policy>(
    [policy, reference]: [&P; 2],
    format: &dyn PromptFormat,
    samples: Vec<Sample>,
    config: &Config,
    host: &dyn Host,
) -> Result<Vec<TokenRecord>, TrainerError> {
    let (new, entropies, reference) = {
        let host = &UninterruptibleHost { host, phase: Some("trace") };
        let distinct = DistinctPassages::new(&samples);
        let passages = &distinct.passages;
        let temperature = config.rollout.temperature;
        let micro_batches = MicroBatches::new(&config.learn, policy);
        let new = micro_batches.score(policy, passages, temperature, host)?;
        let reference = reference_scores(reference, passages, config, host)?;
        let of_samples =
            |scores: &[_], number: fn(&TokenScore) -> f64| numbers(&distinct.sets, scores, number);
        let log_probabilities = |scores: &Vec<_>| of_samples(scores, |score| score.log_probability);
        let has_bonus = config.learn.entropy_coefficient != 0.0;
        let entropies = has_bonus.then(|| of_samples(&new, |score| score.entropy));
        (log_probabilities(&new), entropies, reference.as_ref().map(log_probabilities))
    };
    let [mut entropies, mut reference] = [entropies, reference].map(|it| it.map(Vec::into_iter));
    let records = samples.into_iter().zip(new).map(|(sample, new)| {
        let Sample { prompt, response, old, advantage, .. } = sample;
        let prompt = format.visible(&prompt).to_vec();
        Ok(TokenRecord {
            prompt_text: format.prompt_text(&prompt)?,
            texts: format.token_texts(&response)?,
            prompt,
            response,
            old,
            new,
            entropies: entropies.as_mut().and_then(Iterator::next),
            reference: reference.as_mut().and_then(Iterator::next),
            advantage,
        })
    });
    records.collect()
}

/// A number of the score of each sample's tokens, of scores of the passages whose samples `sets` has.
fn numbers(
    sets: &[Vec<usize>],
    scores: &[Vec<TokenScore>],
    number: fn(&TokenScore) -> f64,
) -> Vec<Vec<f64>> {
    let mut found = vec![Vec::new(); sets.iter().map(Vec::len).sum()];
    for (set, scores) in sets.iter().zip(scores) {
        for &sample in set {
            found[sample] = scores.iter().map(number).collect();
        }
    }
    found
}
