//! Transformer policy: decoder, generation, scores, gradients, weights.

pub mod adamw;
pub mod attention;
mod checkpoint_loading;
pub mod decoder;
mod device_error;
pub mod generation;
mod gradient;
mod induction_init;
#[cfg(feature = "gpu")]
mod kernels;

pub mod lora;
mod operations;
pub mod parameters;
mod policy;

#[cfg(feature = "remote")]
mod remote_weights;
pub mod scoring;
pub mod selected_positions;
mod text_embedding;

pub mod weights;

use std::sync::Arc;

use burn::tensor::{Device, Int, Tensor, TensorData};

use self::attention::{Angles, Mask, Placement};
use self::decoder::Decoder;
use self::parameters::{ParameterSubset, parameters};
use crate::config::{LoraConfig, ModelConfig};
use crate::executor::Executor;
use crate::models::{Checkpoint, ModelError, Precision};

/// Added to a score that must not be looked at on a GPU, whose shaders need not know infinities; large enough to
/// vanish in a softmax of f32, small enough to stay finite in f16.
const HIDDEN: f32 = -3e4;

/// A decoder with what it takes to place tokens in it, and to train it.
#[derive(Clone, Debug)]
pub struct DecoderPolicy {
    /// The transformer.
    pub decoder: Decoder,
    config: ModelConfig,
    device: Device,
    training: Training,
}

/// How a decoder is trained.
#[derive(Clone, Debug, Default)]
struct Training {
    /// Adapters that are trained in place of weights, and the seed of their beginning.
    lora: Option<(LoraConfig, u64)>,
    /// Whether layers run again for their gradient.
    by_layers: bool,
    /// The adapters that a warm start ended with, as a file; they are part of the weights.
    warm_start: Option<Arc<Vec<u8>>>,
}

/// Numbers of rows or tokens as a tensor.
fn indices(values: impl IntoIterator<Item = i32>, device: &Device) -> Tensor<1, Int> {
    let values: Vec<i32> = values.into_iter().collect();
    let count = values.len();
    Tensor::from_data(TensorData::new(values, [count]), device)
}

impl DecoderPolicy {
    /// A policy with weights drawn from `seed`.
    #[must_use]
    pub fn new(config: &ModelConfig, vocabulary_size: usize, seed: u64, device: &Device) -> Self {
        let decoder = Decoder::new(config, vocabulary_size, device);
        let decoder = weights::initialize(decoder, config, seed, device);
        Self::of(decoder, config, device)
    }

    /// The policy that a decoder of this shape is.
    #[must_use]
    pub fn of(decoder: Decoder, config: &ModelConfig, device: &Device) -> Self {
        Self {
            decoder,
            config: config.clone(),
            device: device.clone(),
            training: Training::default(),
        }
    }

    /// The policy of a model in files, whose tensors are read side by side. Its products with weights are
    /// computed in `precision`; it holds weights in it that are not `trained`.
    ///
    /// # Errors
    /// The files do not hold the tensors that their description asks for, or cannot be read.
    pub fn open(
        checkpoint: &Checkpoint,
        precision: Precision,
        trained: bool,
        device: &Device,
        executor: &dyn Executor,
    ) -> Result<Self, ModelError> {
        let description = checkpoint.description();
        let decoder = Decoder::new(&description.model, description.vocab_size, device);
        let decoder = decoder.computing_in(precision);
        let held = if trained { Precision::F32 } else { precision };
        let decoder = checkpoint_loading::load(decoder, checkpoint, held, device, executor)?;
        Ok(Self::of(decoder, &description.model, device))
    }

    /// The same policy with another decoder.
    #[must_use]
    pub fn with_decoder(&self, decoder: Decoder) -> Self {
        Self { decoder, ..self.clone() }
    }

    /// The same policy with weights that are held in the precision that they are used in.
    #[must_use]
    pub fn stored_as_computed(&self) -> Self {
        self.with_decoder(self.decoder.clone().stored_as_computed())
    }

    /// Where its tensors are.
    #[must_use]
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// Number of values in each trained parameter, in the order of [`parameters::parameters`].
    #[must_use]
    pub fn trained_sizes(&self) -> Vec<usize> {
        let list = parameters(&self.decoder, ParameterSubset::trained(&self.decoder));
        list.iter().map(|parameter| parameter.shape.iter().product()).collect()
    }

    /// Rows of tokens as one tensor, padded on the right to the longest.
    ///
    /// Padding on the right needs no mask: a causal decoder never looks at what comes later.
    fn padded(&self, rows: &[&[u32]]) -> Tensor<2, Int> {
        let width = rows.iter().map(|row| row.len()).max().unwrap_or(0);
        let mut values = Vec::with_capacity(rows.len() * width);
        for row in rows {
            values.extend(row.iter().map(|&token| token as i32));
            values.resize(values.len() + width - row.len(), 0);
        }
        Tensor::from_data(TensorData::new(values, [rows.len(), width]), &self.device)
    }

    /// What is added to a score that must not be looked at. The CPU's exp is quick at -inf, and ten times slower
    /// if it underflows; every token sees itself, so that no sum of a softmax is zero.
    fn hidden_bias(&self) -> f32 {
        if self.device == Device::flex() { f32::NEG_INFINITY } else { HIDDEN }
    }

    fn angles(&self, positions: &[Vec<usize>]) -> Angles {
        Angles::new(positions, &self.config.rotary_frequencies(), &self.device)
    }

    /// Places `width` tokens that follow on `read` ones in the cache, each looking at itself and all
    /// before it.
    fn causal(&self, read: usize, width: usize) -> Placement {
        let positions = [(read..read + width).collect()];
        let angles = self.angles(&positions);
        let mask = self.causal_mask(&positions, read + width);
        Placement { queries: angles.clone(), keys: angles, mask }
    }

    /// The mask of tokens at positions, the same number in each row, that see themselves and all before them of
    /// `all` tokens.
    fn causal_mask(&self, positions: &[Vec<usize>], all: usize) -> Mask {
        let tokens = positions.first().map_or(0, Vec::len);
        #[cfg(feature = "gpu")]
        if operations::has_kernels(&self.device) {
            let last = indices(positions.iter().flatten().map(|&at| at as i32), &self.device);
            return Mask::Last(last.reshape([positions.len(), tokens]));
        }
        let hidden = self.hidden_bias();
        let hide = |&from: &usize| (0..all).map(move |to| if to > from { hidden } else { 0.0 });
        let bias: Vec<f32> = positions.iter().flatten().flat_map(hide).collect();
        let shape = [positions.len(), 1, 1, tokens, all];
        Mask::Bias(Tensor::from_data(TensorData::new(bias, shape), &self.device))
    }

    /// The vectors `[rows, longest row, hidden]` after the final norm; those beyond a row's end mean nothing.
    fn hidden(&self, rows: &[&[u32]]) -> Tensor<3> {
        let tokens = self.padded(rows);
        let placement = self.causal(0, tokens.dims()[1]);
        self.decoder.hidden(tokens, &placement, None, None)
    }
}
