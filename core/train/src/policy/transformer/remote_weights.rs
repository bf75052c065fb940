//! Weights and gradients of a decoder as bytes, for workers elsewhere.
//!
//! With adapters, these are sent alone, and once the adapters of the warm start, which are put into the
//! weights.

use burn::tensor::{Tensor, TensorData};
use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;

use super::DecoderPolicy;
use super::parameters::ParameterSubset;
use super::weights;
use super::weights::read_tensor as values;
use crate::models::Precision;
use crate::policy::remote::{PortablePolicy, decode, encode};
use crate::policy::{Policy as _, PolicyError};

/// What is sent of a decoder, each as a safetensors file.
#[derive(Serialize, Deserialize)]
enum Sent {
    All(ByteBuf),
    /// The adapters of the warm start, and those that are trained; none of a reference.
    Adapters(Option<ByteBuf>, Option<ByteBuf>),
}

impl DecoderPolicy {
    fn filled(&self, part: ParameterSubset, bytes: &[u8]) -> Result<Self, PolicyError> {
        self.with_part(part, bytes).map_err(|error| {
            PolicyError::Workers(format!("these are no weights of this policy: {error}"))
        })
    }

    /// The policy with the adapters of a warm start in its weights.
    fn warmed(&self, bytes: &[u8]) -> Result<Self, PolicyError> {
        let known = self.training.warm_start.as_ref().is_some_and(|it| it.as_slice() == bytes);
        if known {
            Ok(self.clone())
        } else {
            self.filled(ParameterSubset::Adapters, bytes)?.after_warm_start()
        }
    }
}

impl PortablePolicy for DecoderPolicy {
    fn write_weights(&self) -> Result<Vec<u8>, PolicyError> {
        let bytes = |part| weights::save(&self.decoder, part).map(ByteBuf::from);
        if self.training.lora.is_none() {
            return encode(&Sent::All(bytes(ParameterSubset::All)?));
        }
        let warm_start = self.training.warm_start.as_ref().map(|it| ByteBuf::from(it.to_vec()));
        let trained = self.part() == ParameterSubset::Adapters;
        encode(&Sent::Adapters(
            warm_start,
            trained.then(|| bytes(ParameterSubset::Adapters)).transpose()?,
        ))
    }

    fn with_weights(&self, bytes: &[u8]) -> Result<Self, PolicyError> {
        match decode(bytes)? {
            Sent::All(bytes) => self.filled(ParameterSubset::All, &bytes),
            Sent::Adapters(warm_start, adapters) => {
                let base = match warm_start {
                    Some(bytes) => self.warmed(&bytes)?,
                    None => self.clone(),
                };
                adapters.map_or(Ok(base.clone()), |bytes| {
                    base.filled(ParameterSubset::Adapters, &bytes)
                })
            }
        }
    }

    fn write_gradient(gradient: Vec<Tensor<1>>) -> Result<Vec<u8>, PolicyError> {
        let mut bytes = Vec::new();
        for tensor in gradient {
            bytes.extend(Precision::F32.encode(&values(tensor)?));
        }
        Ok(bytes)
    }

    fn read_gradient(&self, bytes: &[u8]) -> Result<Vec<Tensor<1>>, PolicyError> {
        let sizes = self.trained_sizes();
        let (found, expected) = (bytes.len(), sizes.iter().sum::<usize>() * size_of::<f32>());
        if found != expected {
            return Err(PolicyError::Workers(format!(
                "this is no gradient of this policy: it has {found} bytes, and that of this policy \
                 {expected}"
            )));
        }
        let mut rest = bytes;
        let tensor = |size| {
            let own = rest.split_off(..size * size_of::<f32>()).unwrap_or_default();
            Tensor::from_data(TensorData::new(Precision::F32.decode(own), [size]), &self.device)
        };
        Ok(sizes.into_iter().map(tensor).collect())
    }
}
