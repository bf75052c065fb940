//! Table policy, without a network: a preference for every action in every memory.
//!
//! # Formula
//! π(a | m) = exp(θ(m, a) / T) / Σ_b exp(θ(m, b) / T) over the actions b that are listed. A memory is
//! what the prompt shows of the past and the present; memories share nothing, so that nothing is
//! learned about one from another. Preferences begin at 0: every listed action is equally likely.
//!
//! Everything is f64 on the host, with `libm`'s functions: the same run gives the same bytes natively
//! and as wasm.

mod adamw;
mod csv_file;
mod preferences;
#[cfg(feature = "remote")]
mod remote_weights;

pub use self::adamw::Moments;
use self::csv_file::{
    OPTIMIZER, POLICY, REFERENCE, read_moments, read_table, write_moments, write_table,
};
pub use self::preferences::TableKey;
use self::preferences::{Rows, sorted};
use super::requests::{Generation, Requests};
use super::sampling::{SampledToken, Sampling, sample};
use super::{
    AdamWSettings, LossGradient, LossGradients, OptimizerStep, Passage, Policy, PolicyError,
    ReadFile, TokenScore, WriteFile, read_file, write_file,
};
use crate::distinct::distinct;
use hgpo_env::random::Stream;

/// A table of preferences. An entry that is not in it has the preference 0.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TablePolicy {
    /// Where an entry's preference is.
    places: Rows<usize>,
    preferences: Vec<f64>,
}

/// A sum of derivatives of a loss by preferences.
#[derive(Clone, Debug, Default)]
pub struct TableGradient(Rows<f64>);

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
    pub fn preference(&self, entry: TableKey) -> f64 {
        let place = self.places.get(&entry.memory).and_then(|row| row.get(0, entry.action));
        place.map_or(0.0, |place| self.preferences[place])
    }

    /// π(a | m) of the actions of a prompt, in their order.
    #[must_use]
    pub fn probabilities(&self, prompt: &[u32], temperature: f64) -> Vec<f64> {
        self.distribution(prompt, temperature).probabilities
    }

    /// The place of an entry, which is made if there is none.
    fn place(&mut self, entry: TableKey) -> usize {
        let next = self.preferences.len();
        let place =
            *self.places.entry(entry.memory).or_default().get_or_insert(0, entry.action, next);
        if place == next {
            self.preferences.push(0.0);
        }
        place
    }

    /// The entries with their preferences, in the order of their places.
    fn entries(&self) -> impl Iterator<Item = (TableKey, f64)> {
        let mut entries = sorted(&self.places);
        entries.sort_unstable_by_key(|&(_, place)| place);
        entries.into_iter().map(|(entry, place)| (entry, self.preferences[place]))
    }

    /// Puts the preferences of a prompt's actions in place of `preferences`.
    fn read_preferences(&self, prompt: &[u32], preferences: &mut Vec<f64>) {
        let (memory, actions) = memory_and_actions(prompt);
        let row = self.places.get(&memory);
        let place = |(expected, action)| row?.get(expected, action);
        let of = |action| place(action).map_or(0.0, |place| self.preferences[place]);
        preferences.clear();
        preferences.extend(actions.enumerate().map(of));
    }

    fn distribution(&self, prompt: &[u32], temperature: f64) -> Distribution {
        let mut preferences = Vec::with_capacity(prompt.len() / 2);
        self.read_preferences(prompt, &mut preferences);
        Distribution::new(preferences, temperature)
    }

    /// The distributions of the different prompts of passages, and for every passage which it is.
    fn distributions(
        &self,
        passages: &[Passage<'_>],
        temperature: f64,
    ) -> (Vec<Distribution>, Vec<usize>) {
        let (prompts, of) = distinct(passages.iter().map(|it| it.prompt));
        (prompts.iter().map(|prompt| self.distribution(prompt, temperature)).collect(), of)
    }

    /// Chooses one of the actions of a prompt.
    fn choose(
        &self,
        prompt: &[u32],
        sampling: Sampling,
        stream: &mut Stream,
        preferences: &mut Vec<f64>,
    ) -> Result<SampledToken, PolicyError> {
        self.read_preferences(prompt, preferences);
        let choice = sample(preferences, sampling, stream);
        let has_probability = choice.log_probability.is_finite();
        has_probability.then_some(choice).ok_or(PolicyError::NoProbabilities)
    }
}

/// π(a | m) of the listed actions.
struct Distribution {
    /// Natural logarithms of the probabilities.
    log_probabilities: Vec<f64>,
    probabilities: Vec<f64>,
    entropy: f64,
}

impl Distribution {
    /// That of preferences.
    fn new(mut preferences: Vec<f64>, temperature: f64) -> Self {
        let scaled = &mut preferences;
        for it in &mut *scaled {
            *it /= temperature;
        }
        let highest = scaled.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let total: f64 = scaled.iter().map(|it| libm::exp(it - highest)).sum();
        let log_total = highest + libm::log(total);
        for it in scaled {
            *it -= log_total;
        }
        let log_probabilities = preferences;
        let probabilities: Vec<f64> = log_probabilities.iter().map(|&it| libm::exp(it)).collect();
        let terms = probabilities.iter().zip(&log_probabilities);
        let entropy = -terms.map(|(probability, logarithm)| probability * logarithm).sum::<f64>();
        Self { log_probabilities, probabilities, entropy }
    }

    /// What is said of an action, by its place.
    fn score(&self, token: u32) -> TokenScore {
        let found = self.log_probabilities.get(token as usize);
        let log_probability = found.copied().unwrap_or(f64::NEG_INFINITY);
        TokenScore { log_probability, entropy: self.entropy }
    }

    /// The derivative of a loss by the preference at `place`, times the temperature, if `token` was
    /// chosen.
    fn loss_gradient(&self, place: usize, token: u32, by: LossGradient) -> f64 {
        let (probability, logarithm) = (self.probabilities[place], self.log_probabilities[place]);
        let chosen = f64::from(u8::from(place == token as usize));
        let by_entropy = -probability * (logarithm + self.entropy);
        by.log_probability * (chosen - probability) + by.entropy * by_entropy
    }
}

/// The prompt of a memory with listed actions.
#[must_use]
pub fn prompt(memory: u64, actions: impl IntoIterator<Item = u64>) -> Vec<u32> {
    let actions = actions.into_iter();
    let mut prompt = Vec::with_capacity(2 + 2 * actions.size_hint().0);
    for word in std::iter::once(memory).chain(actions) {
        prompt.extend([(word >> 32) as u32, word as u32]);
    }
    prompt
}

/// What [`prompt`] put into tokens: the memory and its actions.
fn memory_and_actions(prompt: &[u32]) -> (u64, impl Iterator<Item = u64>) {
    let mut words = prompt.chunks_exact(2).map(|it| u64::from(it[0]) << 32 | u64::from(it[1]));
    (words.next().unwrap_or_default(), words)
}

impl Policy for TablePolicy {
    type Gradient = TableGradient;
    type Optimizer = Moments;

    /// One token: the place of an action among those that are listed.
    fn respond(
        &self,
        generation: Generation,
        requests: &mut dyn Requests,
    ) -> Result<(), PolicyError> {
        let mut preferences = Vec::new();
        while let Some(mut request) = requests.next() {
            let stream = &mut request.stream;
            let choice =
                self.choose(&request.prompt, generation.sampling, stream, &mut preferences)?;
            requests.ends(request.id, choice.token);
            if !requests.take(request, vec![choice]) {
                break;
            }
        }
        Ok(())
    }

    fn generate(
        &self,
        prompts: &[&[u32]],
        sampling: Sampling,
        _max_tokens: usize,
        streams: &mut [Stream],
        ends: &mut dyn FnMut(usize, u32) -> bool,
    ) -> Result<Vec<Vec<SampledToken>>, PolicyError> {
        let mut preferences = Vec::new();
        let rows = prompts.iter().zip(streams).enumerate();
        let response = |(row, (prompt, stream)): (usize, (&&[u32], &mut Stream))| {
            let choice = self.choose(prompt, sampling, stream, &mut preferences)?;
            ends(row, choice.token);
            Ok(vec![choice])
        };
        rows.map(response).collect()
    }

    fn score(
        &self,
        passages: &[Passage<'_>],
        temperature: f64,
    ) -> Result<Vec<TokenScore>, PolicyError> {
        let (distributions, of) = self.distributions(passages, temperature);
        let mut scores = Vec::with_capacity(passages.len());
        for (passage, of) in passages.iter().zip(of) {
            let score = |&token: &u32| distributions[of].score(token);
            scores.extend(passage.response.iter().map(score));
        }
        Ok(scores)
    }

    /// # Formula
    /// ∂log π(c)/∂θ(b) = (1[b = c] − π(b)) / T; ∂H/∂θ(b) = −π(b) (log π(b) + H) / T.
    fn gradient(
        &self,
        passages: &[Passage<'_>],
        temperature: f64,
        loss_gradients: &mut LossGradients<'_>,
    ) -> Result<Self::Gradient, PolicyError> {
        let (distributions, of) = self.distributions(passages, temperature);
        let tokens = || {
            let pairs = passages.iter().zip(&of);
            pairs.flat_map(|(it, &of)| it.response.iter().map(move |&token| (it.prompt, token, of)))
        };
        let scores: Vec<TokenScore> =
            tokens().map(|(_, token, of)| distributions[of].score(token)).collect();
        let mut gradient = Rows::default();
        for ((prompt, token, of), loss_gradient) in tokens().zip(loss_gradients(&scores)) {
            let (memory, actions) = memory_and_actions(prompt);
            let row = gradient.entry(memory).or_default();
            for (place, action) in actions.enumerate() {
                let by_preference =
                    distributions[of].loss_gradient(place, token, loss_gradient) / temperature;
                *row.get_or_insert(place, action, 0.0) += by_preference;
            }
        }
        Ok(TableGradient(gradient))
    }

    #[expect(clippy::iter_over_hash_type, reason = "memories share nothing")]
    fn add(mut sum: Self::Gradient, more: Self::Gradient) -> Self::Gradient {
        for (memory, values) in more.0 {
            let row = sum.0.entry(memory).or_default();
            for (place, (action, value)) in values.iter().enumerate() {
                *row.get_or_insert(place, action, 0.0) += value;
            }
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
        update: OptimizerStep,
    ) -> Result<f64, PolicyError> {
        Ok(optimizer.step(self, &gradient, update))
    }

    fn trained_count(&self) -> usize {
        self.len()
    }

    fn step_count(optimizer: &Moments) -> i32 {
        optimizer.step
    }

    fn save(
        &self,
        reference: &Self,
        optimizer: &Moments,
        write: &mut WriteFile<'_>,
    ) -> Result<(), PolicyError> {
        csv_file::check(self)?;
        write_file(write, POLICY, write_table(self))?;
        write_file(write, REFERENCE, write_table(reference))?;
        write_file(write, OPTIMIZER, write_moments(optimizer))
    }

    fn load(
        &mut self,
        reference: &mut Self,
        optimizer: &mut Moments,
        step_count: i32,
        read: &mut ReadFile<'_>,
    ) -> Result<(), PolicyError> {
        *self = read_table(POLICY, &read_file(read, POLICY)?)?;
        *reference = read_table(REFERENCE, &read_file(read, REFERENCE)?)?;
        let moments = read_moments(&read_file(read, OPTIMIZER)?, self)?;
        (optimizer.first, optimizer.second) = moments;
        optimizer.step = step_count;
        Ok(())
    }
}

#[cfg(test)]
mod tests;
