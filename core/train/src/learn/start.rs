//! What training starts from, and the two policies that it has: the one that learns and its
//! reference.
//!
//! With adapters (`pretrained.lora`), the reference is the model without them, and no weight is held
//! twice. A warm start is then put into the model's weights, and adapters begin anew.

use std::sync::Arc;

use burn::tensor::Device;
use hgpo_env::Suite;

use super::state::damaged;
use super::{LearnError, WriteFile};
use crate::config::{Config, LoraConfig};
use crate::policy::decoder::parameters::Part;
use crate::policy::decoder::{Policy, weights};
use crate::policy::tokenizer::Tokenizer;
use crate::rollout::prompt::Format;
use crate::rollout::words::WordFormat;

/// All weights of the policy.
const POLICY: &str = "policy.safetensors";
/// All weights of the reference.
const REFERENCE: &str = "reference.safetensors";
/// The policy's adapters, by PEFT's name.
const ADAPTERS: &str = "adapter_model.safetensors";
/// The adapters of the warm start, which are part of the reference.
const WARM_START: &str = "warm_start.safetensors";

/// What training starts from.
pub enum Start {
    /// Random weights, and the words of the environment, or those of a checkpoint.
    Scratch(Option<Tokenizer>),
    /// A language model from files, and how it is spoken to.
    Pretrained(Box<Policy>, Arc<dyn Format>),
}

/// The policy that learns and the one that it is compared with.
pub(super) struct Policies {
    pub(super) policy: Policy,
    pub(super) reference: Policy,
    pub(super) words: Option<Tokenizer>,
    lora: Option<LoraConfig>,
    seed: u64,
    /// The adapters that the warm start ended with, as a file.
    warm_start: Option<Vec<u8>>,
}

impl Policies {
    /// Both as they start, and what they read and write.
    pub(super) fn new(
        config: &Config,
        suite: &dyn Suite,
        start: Start,
        device: &Device,
    ) -> Result<(Self, Arc<dyn Format>), LearnError> {
        Ok(match start {
            Start::Scratch(words) => {
                let words = words.map_or_else(|| Tokenizer::of(suite), Ok)?;
                let size = words.vocabulary_size();
                let mut policy = Policy::new(&config.model, size, config.seed, device);
                if config.initialization.look_back {
                    policy = policy.looking_back()?;
                }
                let format = WordFormat::new(words.clone(), config.rollout.history_length);
                (Self::begin(&policy, Some(words), None, config.seed), Arc::new(format))
            }
            Start::Pretrained(policy, format) => {
                let lora = Some(&config.pretrained.lora).filter(|lora| lora.rank > 0).cloned();
                (Self::begin(&policy, None, lora, config.seed), format)
            }
        })
    }

    fn begin(base: &Policy, words: Option<Tokenizer>, lora: Option<LoraConfig>, seed: u64) -> Self {
        let policy = adapted(base, lora.as_ref(), seed);
        Self { policy, reference: base.held(), words, lora, seed, warm_start: None }
    }

    /// Makes the policy of a warm start the reference, and goes on from it.
    pub(super) fn begin_with(&mut self, policy: &Policy) -> Result<(), LearnError> {
        if policy.decoder.is_adapted() {
            self.warm_start = Some(weights::save(&policy.decoder, Part::Adapters)?);
        }
        let base = policy.with_decoder(policy.decoder.clone().merged());
        self.policy = adapted(&base, self.lora.as_ref(), self.seed);
        self.reference = base.held();
        Ok(())
    }

    /// Writes the files that [`Self::load`] reads.
    pub(super) fn save<E: From<LearnError>>(&self, write: &mut WriteFile<'_, E>) -> Result<(), E> {
        let bytes =
            |policy: &Policy, part| weights::save(&policy.decoder, part).map_err(LearnError::from);
        if self.lora.is_none() {
            write(POLICY, bytes(&self.policy, Part::All)?)?;
            return write(REFERENCE, bytes(&self.reference, Part::All)?);
        }
        write(ADAPTERS, bytes(&self.policy, Part::Adapters)?)?;
        self.warm_start.iter().try_for_each(|bytes| write(WARM_START, bytes.clone()))
    }

    pub(super) fn load(
        &mut self,
        file: &mut dyn FnMut(&str) -> Result<Vec<u8>, LearnError>,
    ) -> Result<(), LearnError> {
        let mut load = |policy: &Policy, part, name: &str| {
            let decoder =
                weights::load(policy.decoder.clone(), part, &file(name)?, policy.device())
                    .map_err(|error| damaged(name, &error))?;
            Ok::<_, LearnError>(policy.with_decoder(decoder))
        };
        if self.lora.is_none() {
            self.policy = load(&self.policy, Part::All, POLICY)?;
            self.reference = load(&self.reference, Part::All, REFERENCE)?;
            return Ok(());
        }
        match load(&self.policy, Part::Adapters, WARM_START) {
            Ok(policy) => self.begin_with(&policy)?,
            Err(LearnError::Checkpoint { source, .. })
                if source.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        self.policy = load(&self.policy, Part::Adapters, ADAPTERS)?;
        Ok(())
    }
}

fn adapted(base: &Policy, lora: Option<&LoraConfig>, seed: u64) -> Policy {
    match lora {
        Some(lora) => base.with_decoder(base.decoder.clone().with_adapters(lora, seed)),
        None => base.clone(),
    }
}
