//! Policy of a decoder: its implementation of [`Policy`].
//!
//! With adapters, the reference is the model without them. A warm start is then put into the model's
//! weights, and adapters begin anew.

use std::borrow::Cow;
use std::sync::Arc;

use burn::tensor::Tensor;

use super::DecoderPolicy;
use super::adamw::{AdamW, clip_global_norm};
#[cfg(feature = "gpu")]
use super::adamw::{clipping, global_norm};
#[cfg(feature = "gpu")]
use super::decoder::Decoder;
use super::gradient::sums;
#[cfg(feature = "gpu")]
use super::kernels::replay::Work;
use super::operations::has_kernels;
use super::parameters::{ParameterSubset, parameters, replace};
use super::weights::{self, WeightsFileError};
use crate::config::LoraConfig;
use crate::policy::requests::{Generation, Requests};
use crate::policy::{
    AdamWSettings, LossGradients, OptimizerStep, Passage, Policy, PolicyError, ReadFile,
    TokenScore, WriteFile, read_file, write_file,
};

/// All weights of the policy.
const POLICY: &str = "policy.safetensors";
/// All weights of the reference.
const REFERENCE: &str = "reference.safetensors";
/// The policy's adapters, by PEFT's name.
const ADAPTERS: &str = "adapter_model.safetensors";
/// The adapters of the warm start, which are part of the reference.
const WARM_START: &str = "warm_start.safetensors";
/// The optimiser's moments.
const OPTIMIZER: &str = "optimizer.safetensors";

impl DecoderPolicy {
    /// The policy that trains adapters in place of its weights.
    #[must_use]
    pub fn adapted(&self, lora: &LoraConfig, seed: u64) -> Self {
        let mut adapted = self.with_decoder(self.decoder.clone().with_adapters(lora, seed));
        adapted.training.lora = Some((lora.clone(), seed));
        adapted
    }

    /// The policy whose layers run again for their gradient (or do not), instead of keeping what they
    /// made.
    #[must_use]
    pub fn with_gradient_checkpointing(mut self, on: bool) -> Self {
        self.training.by_layers = on;
        self
    }

    /// The error of scores that are not finite: an infinity or a NaN in any layer spreads to the logits.
    pub(super) fn overflow(&self) -> PolicyError {
        PolicyError::Overflow(self.decoder.precision)
    }

    pub(super) fn part(&self) -> ParameterSubset {
        ParameterSubset::trained(&self.decoder)
    }

    fn load_part(
        &self,
        part: ParameterSubset,
        name: &str,
        read: &mut ReadFile<'_>,
    ) -> Result<Self, PolicyError> {
        let bytes = read_file(read, name)?;
        self.with_part(part, &bytes).map_err(|error| PolicyError::damaged(name, &error))
    }

    /// An optimiser's step by kernels: one a parameter for its norm, and one for the rest, in place.
    #[cfg(feature = "gpu")]
    fn apply_in_place(
        &mut self,
        gradient: Vec<Tensor<1>>,
        optimizer: &mut AdamW,
        update: OptimizerStep,
    ) -> Result<f64, PolicyError> {
        let norm = global_norm(&gradient)? / update.divisor;
        if norm.is_finite() {
            let scale = clipping(norm, update.max_grad_norm).min(1.0) / update.divisor;
            let part = self.part();
            // Taken out while its weights change, so that nothing else reads them.
            let decoder =
                std::mem::replace(&mut self.decoder, Decoder::without_layers(&self.device));
            let step = optimizer.update_in_place(gradient, scale, update.learning_rate);
            self.decoder = super::parameters::update(decoder, part, step);
        }
        Ok(norm)
    }

    /// The policy with the weights of a safetensors file in a part of it.
    pub(super) fn with_part(
        &self,
        part: ParameterSubset,
        bytes: &[u8],
    ) -> Result<Self, WeightsFileError> {
        let decoder = weights::load(self.decoder.clone(), part, bytes, &self.device)?;
        Ok(self.with_decoder(decoder))
    }
}

impl Policy for DecoderPolicy {
    type Gradient = Vec<Tensor<1>>;
    type Optimizer = AdamW;

    fn respond(
        &self,
        generation: Generation,
        requests: &mut dyn Requests,
    ) -> Result<(), PolicyError> {
        #[cfg(feature = "gpu")]
        let _work = Work::begin();
        self.answer(generation, requests)
    }

    fn score(
        &self,
        passages: &[Passage<'_>],
        temperature: f64,
    ) -> Result<Vec<TokenScore>, PolicyError> {
        #[cfg(feature = "gpu")]
        let _work = Work::begin();
        let scores = self.scores(passages, temperature).read()?;
        let is_finite =
            |score: &TokenScore| score.log_probability.is_finite() && score.entropy.is_finite();
        if scores.iter().all(is_finite) { Ok(scores) } else { Err(self.overflow()) }
    }

    fn gradient(
        &self,
        passages: &[Passage<'_>],
        temperature: f64,
        loss_gradients: &mut LossGradients<'_>,
    ) -> Result<Self::Gradient, PolicyError> {
        #[cfg(feature = "gpu")]
        let _work = Work::begin();
        if self.training.by_layers {
            return self.gradient_by_layers(passages, temperature, loss_gradients);
        }
        self.gradient_in_one_graph(passages, temperature, loss_gradients)
    }

    fn embed(&self, texts: &[&[u32]]) -> Result<Option<Vec<Vec<f64>>>, PolicyError> {
        #[cfg(feature = "gpu")]
        let _work = Work::begin();
        self.embeddings(texts).map(Some)
    }

    fn add(sum: Self::Gradient, more: Self::Gradient) -> Self::Gradient {
        #[cfg(feature = "gpu")]
        let _work = Work::begin();
        sums(sum, more)
    }

    fn optimizer(&self, settings: AdamWSettings) -> AdamW {
        AdamW::new(&self.trained_sizes(), settings, &self.device)
    }

    fn apply(
        &mut self,
        gradient: Self::Gradient,
        optimizer: &mut AdamW,
        update: OptimizerStep,
    ) -> Result<f64, PolicyError> {
        #[cfg(feature = "gpu")]
        let _work = Work::begin();
        #[cfg(feature = "gpu")]
        if has_kernels(&self.device) {
            return self.apply_in_place(gradient, optimizer, update);
        }
        // Divided at the end: on the way back, numbers so small would vanish in f16.
        let mean = gradient.into_iter().map(|sum| sum.div_scalar(update.divisor)).collect();
        let (gradient, norm) = clip_global_norm(mean, update.max_grad_norm)?;
        if norm.is_finite() {
            let part = self.part();
            let values = parameters(&self.decoder, part).into_iter().map(|it| it.values).collect();
            let values = optimizer.update(values, gradient, update.learning_rate);
            self.decoder = replace(self.decoder.clone(), part, values);
        }
        Ok(norm)
    }

    fn is_on_adapter(&self) -> bool {
        has_kernels(&self.device)
    }

    /// With weights that are held in the precision that they are used in; on a graphics adapter those of adapters are part
    /// of them, as each product of an adapter would be three more launches a token.
    fn acting_policy(&self) -> Cow<'_, Self> {
        let merged = has_kernels(&self.device) && self.decoder.is_adapted();
        let acting =
            if merged { self.with_decoder(self.decoder.clone().merged()) } else { self.clone() };
        Cow::Owned(acting.stored_as_computed())
    }

    fn reference(&self) -> Self {
        self.with_decoder(self.decoder.clone().without_adapters().stored_as_computed())
    }

    fn after_warm_start(self) -> Result<Self, PolicyError> {
        let Some((lora, seed)) = &self.training.lora else { return Ok(self) };
        let bytes = weights::save(&self.decoder, ParameterSubset::Adapters)?;
        let merged = self.with_decoder(self.decoder.clone().merged());
        let mut settled = merged.adapted(lora, *seed);
        settled.training.warm_start = Some(Arc::new(bytes));
        Ok(settled)
    }

    fn release_memory(&self) {
        self.device.memory_cleanup();
    }

    fn trained_count(&self) -> usize {
        self.trained_sizes().iter().sum()
    }

    fn step_count(optimizer: &AdamW) -> i32 {
        optimizer.step
    }

    fn save(
        &self,
        reference: &Self,
        optimizer: &AdamW,
        write: &mut WriteFile<'_>,
    ) -> Result<(), PolicyError> {
        let bytes = |policy: &Self, part| weights::save(&policy.decoder, part);
        if self.training.lora.is_none() {
            write_file(write, POLICY, bytes(self, ParameterSubset::All)?)?;
            write_file(write, REFERENCE, bytes(reference, ParameterSubset::All)?)?;
        } else {
            write_file(write, ADAPTERS, bytes(self, ParameterSubset::Adapters)?)?;
            if let Some(bytes) = &self.training.warm_start {
                write_file(write, WARM_START, bytes.to_vec())?;
            }
        }
        write_file(write, OPTIMIZER, optimizer.save()?)
    }

    fn load(
        &mut self,
        reference: &mut Self,
        optimizer: &mut AdamW,
        step_count: i32,
        read: &mut ReadFile<'_>,
    ) -> Result<(), PolicyError> {
        if self.training.lora.is_none() {
            *self = self.load_part(ParameterSubset::All, POLICY, read)?;
            *reference = reference.load_part(ParameterSubset::All, REFERENCE, read)?;
        } else {
            match self.load_part(ParameterSubset::Adapters, WARM_START, read) {
                Ok(policy) => *self = policy.after_warm_start()?,
                Err(error) if error.is_missing() => {}
                Err(error) => return Err(error),
            }
            *reference = self.reference();
            *self = self.load_part(ParameterSubset::Adapters, ADAPTERS, read)?;
        }
        optimizer
            .load(&read_file(read, OPTIMIZER)?, step_count, &self.device)
            .map_err(|error| PolicyError::damaged(OPTIMIZER, &error))
    }
}
