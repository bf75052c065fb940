//! A policy without a network: a table of preferences, one for every action in every memory.
//!
//! # Formula
//! π(a | m) = exp(θ(m, a) / T) / Σ_b exp(θ(m, b) / T) over the actions b that are listed. A memory is
//! what the prompt shows of the past and the present; memories share nothing, so that nothing is
//! learned about one from another. Preferences begin at 0: every listed action is equally likely.
//!
//! Everything is f64 on the host, with `libm`'s functions: the same run gives the same bytes natively
//! and as wasm.

mod adamw;
mod file;

use std::collections::BTreeMap;

pub use self::adamw::Moments;
use super::requests::{Generation, Requests};
use super::sampling::sample;
use super::{
    AdamWSettings, Passage, Policy, PolicyError, ReadFile, Slopes, TokenScore, Update, WriteFile,
    probable,
};

/// A memory and an action in it, by their digests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    /// Digest of the memory.
    pub memory: u64,
    /// Digest of the action.
    pub action: u64,
}

/// A table of preferences. An entry that is not in it has the preference 0.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TablePolicy {
    /// Where an entry's preference is.
    places: BTreeMap<Entry, usize>,
    preferences: Vec<f64>,
}

/// The distribution over the actions of one prompt.
struct Distribution {
    entries: Vec<Entry>,
    /// Natural logarithms of the probabilities.
    log_probabilities: Vec<f64>,
    entropy: f64,
}

impl Distribution {
    fn score(&self, token: u32) -> TokenScore {
        let found = self.log_probabilities.get(token as usize);
        let log_probability = found.copied().unwrap_or(f64::NEG_INFINITY);
        TokenScore { log_probability, entropy: self.entropy }
    }
}

impl TablePolicy {
    /// Entries that are known.
    #[must_use]
    pub fn len(&self) -> usize {
        self.preferences.len()
    }

    /// Whether nothing was learned yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.preferences.is_empty()
    }

    /// The preference of an entry.
    #[must_use]
    pub fn preference(&self, entry: Entry) -> f64 {
        self.places.get(&entry).map_or(0.0, |&place| self.preferences[place])
    }

    /// The place of an entry, which is made where there is none.
    fn place(&mut self, entry: Entry) -> usize {
        *self.places.entry(entry).or_insert_with(|| {
            self.preferences.push(0.0);
            self.preferences.len() - 1
        })
    }

    fn preferences_of(&self, entries: &[Entry]) -> Vec<f64> {
        entries.iter().map(|&entry| self.preference(entry)).collect()
    }

    fn distribution(&self, prompt: &[u32], temperature: f64) -> Distribution {
        let entries = entries(prompt);
        let scaled: Vec<f64> =
            self.preferences_of(&entries).into_iter().map(|it| it / temperature).collect();
        let highest = scaled.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let total: f64 = scaled.iter().map(|it| libm::exp(it - highest)).sum();
        let log_total = highest + libm::log(total);
        let log_probabilities: Vec<f64> = scaled.iter().map(|it| it - log_total).collect();
        let entropy = -log_probabilities.iter().map(|it| libm::exp(*it) * it).sum::<f64>();
        Distribution { entries, log_probabilities, entropy }
    }
}

/// The prompt of a memory with listed actions.
#[must_use]
pub fn prompt(memory: u64, actions: impl IntoIterator<Item = u64>) -> Vec<u32> {
    let words = std::iter::once(memory).chain(actions);
    words.flat_map(|word| [(word >> 32) as u32, word as u32]).collect()
}

/// What [`prompt`] put into tokens, by action.
fn entries(prompt: &[u32]) -> Vec<Entry> {
    let mut words = prompt.chunks_exact(2).map(|it| u64::from(it[0]) << 32 | u64::from(it[1]));
    let memory = words.next().unwrap_or_default();
    words.map(|action| Entry { memory, action }).collect()
}

impl Policy for TablePolicy {
    type Gradient = BTreeMap<Entry, f64>;
    type Optimizer = Moments;

    /// One token: the place of an action among those that are listed.
    fn respond(
        &self,
        generation: Generation,
        requests: &mut dyn Requests,
    ) -> Result<(), PolicyError> {
        while let Some(mut request) = requests.next() {
            let preferences = self.preferences_of(&entries(&request.prompt));
            let choice = probable(sample(&preferences, generation.sampling, &mut request.stream))?;
            requests.ends(request.id, choice.token);
            if !requests.take(request, vec![choice]) {
                break;
            }
        }
        Ok(())
    }

    fn score(
        &self,
        passages: &[Passage<'_>],
        temperature: f64,
    ) -> Result<Vec<TokenScore>, PolicyError> {
        let scores = |passage: &Passage<'_>| {
            let distribution = self.distribution(passage.prompt, temperature);
            let scores = passage.response.iter().map(|&token| distribution.score(token));
            scores.collect::<Vec<_>>()
        };
        Ok(passages.iter().flat_map(scores).collect())
    }

    /// # Formula
    /// ∂log π(c)/∂θ(b) = (1[b = c] − π(b)) / T; ∂H/∂θ(b) = −π(b) (log π(b) + H) / T.
    fn gradient(
        &self,
        passages: &[Passage<'_>],
        temperature: f64,
        slopes: &mut Slopes<'_>,
    ) -> Result<Self::Gradient, PolicyError> {
        let distributions: Vec<Distribution> =
            passages.iter().map(|it| self.distribution(it.prompt, temperature)).collect();
        let tokens = || {
            let pairs = passages.iter().zip(&distributions);
            pairs.flat_map(|(passage, it)| passage.response.iter().map(move |&token| (token, it)))
        };
        let scores: Vec<TokenScore> = tokens().map(|(token, it)| it.score(token)).collect();
        let mut gradient = BTreeMap::new();
        for ((token, distribution), slope) in tokens().zip(slopes(&scores)) {
            let actions = distribution.entries.iter().zip(&distribution.log_probabilities);
            for (place, (&entry, &log_probability)) in actions.enumerate() {
                let probability = libm::exp(log_probability);
                let chosen = f64::from(u8::from(place == token as usize));
                let by_entropy = -probability * (log_probability + distribution.entropy);
                *gradient.entry(entry).or_insert(0.0) +=
                    (slope.log_probability * (chosen - probability) + slope.entropy * by_entropy)
                        / temperature;
            }
        }
        Ok(gradient)
    }

    fn add(mut sum: Self::Gradient, more: Self::Gradient) -> Self::Gradient {
        for (entry, value) in more {
            *sum.entry(entry).or_insert(0.0) += value;
        }
        sum
    }

    fn optimizer(&self, settings: AdamWSettings) -> Moments {
        Moments::new(settings)
    }

    fn apply(
        &mut self,
        gradient: Self::Gradient,
        optimizer: &mut Moments,
        update: Update,
    ) -> Result<f64, PolicyError> {
        Ok(optimizer.step(self, &gradient, update))
    }

    fn trained_count(&self) -> usize {
        self.len()
    }

    fn step_count(optimizer: &Moments) -> i32 {
        optimizer.step_count()
    }

    fn save(
        &self,
        reference: &Self,
        optimizer: &Moments,
        write: &mut WriteFile<'_>,
    ) -> Result<(), PolicyError> {
        file::save(self, reference, optimizer, write)
    }

    fn load(
        &mut self,
        reference: &mut Self,
        optimizer: &mut Moments,
        step_count: i32,
        read: &mut ReadFile<'_>,
    ) -> Result<(), PolicyError> {
        file::load(self, reference, optimizer, step_count, read)
    }
}

#[cfg(test)]
mod tests;
