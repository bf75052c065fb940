//! Loading of a checkpoint into a decoder: tensor by tensor on several threads, each decoded
//! some rows at a time into the place where it stays.

use std::cmp::Reverse;

use burn::tensor::{Device, Element, Tensor, TensorData, bf16, f16};
use half::slice::HalfFloatSliceExt as _;
use half::vec::HalfBitsVecExt as _;

use super::decoder::Decoder;
use super::parameters::{ParameterSubset, replace};
use super::weights::{is_transposed, not_finite, transpose_into};
use crate::executor::{Executor, map};
use crate::models::{Checkpoint, ModelError, Precision, TensorRows, TensorSpec};

/// Values that are decoded at once: they stay in a core's own cache.
const DECODED: usize = 1 << 15;

/// Fewest rows at once: a transposed tensor is written in pieces of so many values.
const LEAST_ROWS: usize = 16;

/// The decoder with the weights of a model, matrices in the precision `held`.
///
/// What it had is never made: parameters begin as zeros that nobody has looked at.
pub(super) fn load(
    decoder: Decoder,
    checkpoint: &Checkpoint,
    held: Precision,
    device: &Device,
    executor: &dyn Executor,
) -> Result<Decoder, ModelError> {
    let specs = checkpoint.tensors()?;
    // The largest first, so that no thread is left alone with one at the end.
    let mut order: Vec<usize> = (0..specs.len()).collect();
    order.sort_by_key(|&place| Reverse(specs[place].count()));
    let read = map(executor, order.len(), |job| {
        let spec = &specs[order[job]];
        let rows = checkpoint.rows(spec)?;
        let precision = if spec.shape.len() == 2 { held } else { Precision::F32 };
        match precision {
            Precision::F32 => tensor::<f32>(checkpoint, &rows, spec, device),
            Precision::F16 => tensor::<f16>(checkpoint, &rows, spec, device),
            Precision::BF16 => tensor::<bf16>(checkpoint, &rows, spec, device),
        }
    });
    let mut tensors: Vec<(usize, Result<Tensor<1>, ModelError>)> =
        order.into_iter().zip(read).collect();
    tensors.sort_by_key(|(place, _)| *place);
    let tensors = tensors.into_iter().map(|(_, tensor)| tensor).collect::<Result<Vec<_>, _>>()?;
    Ok(replace(decoder, ParameterSubset::All, tensors))
}

fn tensor<T: Held>(
    checkpoint: &Checkpoint,
    rows: &TensorRows,
    spec: &TensorSpec,
    device: &Device,
) -> Result<Tensor<1>, ModelError> {
    let values = values::<T>(checkpoint, rows, spec)?;
    let count = values.len();
    Ok(Tensor::from_data(TensorData::new(values, [count]), (device, T::dtype())))
}

/// All values of a tensor, in the decoder's order.
fn values<T: Held>(
    checkpoint: &Checkpoint,
    rows: &TensorRows,
    spec: &TensorSpec,
) -> Result<Vec<T>, ModelError> {
    let (count, width, transposed) = (rows.count(), rows.width(), is_transposed(spec));
    let at_once = (DECODED / width.max(1)).max(LEAST_ROWS).min(count);
    // Rows of a power of two would share few places of the cache, and push each other out of them.
    let stride = if transposed { width + LEAST_ROWS } else { width };
    let mut decoded = vec![0.0; at_once * stride];
    let mut converted = Vec::new();
    let mut all = T::zeros(count * width);
    for row in (0..count).step_by(at_once.max(1)) {
        let here = at_once.min(count - row);
        let decoded = &mut decoded[..here * stride];
        if transposed {
            for (index, values) in decoded.chunks_exact_mut(stride).enumerate() {
                rows.decode(row + index, &mut values[..width]);
            }
        } else {
            rows.decode(row, decoded);
        }
        if let Some(found) = not_finite(decoded) {
            let at = (row + found / stride) * width + found % stride;
            return Err(checkpoint.not_finite(spec, decoded[found], at));
        }
        // Few weights are looked at closely: only those that may be rounded to an infinity. They are counted, as
        // a search that may end early is not computed many at a time.
        if T::LARGEST < f32::MAX
            && decoded.iter().filter(|value| value.abs() > T::LARGEST).count() > 0
            && let Some(value) = T::PRECISION.too_large(decoded)
        {
            let (name, precision) = (spec.name.clone(), T::PRECISION);
            return Err(ModelError::TooLarge { name, value, precision });
        }
        let values = T::convert(decoded, &mut converted);
        if transposed {
            transpose_into(values, stride, width, &mut all[row..], count);
        } else {
            all[row * width..][..values.len()].copy_from_slice(values);
        }
    }
    Ok(all)
}

/// A type that weights are held in.
trait Held: Element + Copy {
    /// Its name.
    const PRECISION: Precision;
    /// The largest number in it.
    const LARGEST: f32;

    /// Zeros that the system has not had to write yet.
    fn zeros(count: usize) -> Vec<Self>;

    /// Numbers rounded to the type; `room` has place for them.
    fn convert<'a>(values: &'a [f32], room: &'a mut Vec<Self>) -> &'a [Self];
}

impl Held for f32 {
    const PRECISION: Precision = Precision::F32;
    const LARGEST: f32 = f32::MAX;

    fn zeros(count: usize) -> Vec<Self> {
        vec![0.0; count]
    }

    fn convert<'a>(values: &'a [f32], _room: &'a mut Vec<Self>) -> &'a [Self] {
        values
    }
}

macro_rules! held_in_half {
    ($($half:ty, $precision:ident;)*) => {$(
        impl Held for $half {
            const PRECISION: Precision = Precision::$precision;
            const LARGEST: f32 = Self::MAX.to_f32_const();

            fn zeros(count: usize) -> Vec<Self> {
                vec![0_u16; count].reinterpret_into()
            }

            fn convert<'a>(values: &'a [f32], room: &'a mut Vec<Self>) -> &'a [Self] {
                room.resize(values.len(), Self::ZERO);
                room.convert_from_f32_slice(values);
                room
            }
        }
    )*};
}

held_in_half!(f16, F16; bf16, BF16;);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::ModelConfig;
    use crate::models::tensor_layout;
    use crate::policy::transformer::parameters::parameters;
    use crate::policy::transformer::weights::in_file;

    /// What a model's files are read into has to be in the order in which they are read.
    #[test]
    fn tensors_of_a_model_are_the_parameters_of_its_decoder() {
        let plain = ModelConfig { tie_word_embeddings: false, ..ModelConfig::default() };
        let normed = ModelConfig { attention_bias: false, query_key_norm: true, ..plain.clone() };
        let tied = ModelConfig { tie_word_embeddings: true, ..normed.clone() };
        for model in [plain, normed, tied] {
            let decoder = Decoder::new(&model, 20, &Device::flex());
            let parameters = parameters(&decoder, ParameterSubset::All);
            let specs = parameters.iter().map(|it| in_file(&it.path, &it.shape));
            assert_eq!(specs.collect::<Vec<_>>(), tensor_layout::tensors_of(&model, 20));
        }
    }
}
