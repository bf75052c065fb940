//! Weights, initial and in files: safetensors with Hugging Face's names and layouts.

use burn::tensor::{Device, Tensor, TensorData};
use hgpo_env::random::{Purpose, Stream};
use safetensors::tensor::{Dtype, SafeTensors};
use thiserror::Error;

use super::decoder::Decoder;
use super::device_error::device_error;
use super::parameters::{Parameter, ParameterSubset, parameters, replace};
use crate::config::ModelConfig;
use crate::models::hugging_face::safetensors::write_header;
use crate::models::tensor_layout::EMBEDDING;
use crate::models::{Precision, TensorSpec};
use crate::policy::PolicyError;

/// Why weights could not be read or written.
#[derive(Debug, Error)]
pub enum WeightsFileError {
    /// The bytes are not a safetensors file.
    #[error("not a valid safetensors file ({0}); the file is damaged or cut short")]
    Format(#[from] safetensors::SafeTensorError),
    /// A tensor is absent.
    #[error("tensor '{0}' is missing: the file belongs to another architecture")]
    Missing(String),
    /// A tensor has another shape than the configuration asks for.
    #[error("tensor '{name}' has shape {found:?}, but the configuration says {expected:?}")]
    Shape {
        /// Name in the file.
        name: String,
        /// Shape in the file.
        found: Vec<usize>,
        /// Shape that the configuration asks for.
        expected: Vec<usize>,
    },
    /// A tensor has a type that is not read here.
    #[error("tensor '{name}' has type {found:?}; only F32 is supported")]
    Type {
        /// Name in the file.
        name: String,
        /// Type in the file.
        found: Dtype,
    },
    /// A tensor holds what is no number.
    #[error("tensor '{0}' contains values that are not finite")]
    NotFinite(String),
}

/// Draws initial weights on the host: linear weights with standard deviation 1/√input, those that
/// write to the residual stream divided by √(2 · layers) more (GPT-2), embeddings 0.1, norms 1,
/// biases 0. A key head starts as a copy of the first query head that uses it, so that tokens look
/// at their like from the start (mimetic initialisation, Trockman and Kolter 2023): matching a word
/// of the task with one of the choices is most of what a small policy must learn.
#[must_use]
pub fn initialize(decoder: Decoder, config: &ModelConfig, seed: u64, device: &Device) -> Decoder {
    let list = parameters(&decoder, ParameterSubset::All);
    let mut query = Vec::new();
    let mut values = Vec::with_capacity(list.len());
    for (index, parameter) in list.iter().enumerate() {
        let count = parameter.shape.iter().product();
        let drawn: Vec<f32> = if parameter.path.ends_with("k_proj.weight") {
            keys_like(&query, config)
        } else if let Some(deviation) = deviation(parameter, config.num_hidden_layers) {
            let mut stream = Stream::new(seed, Purpose::Weights, [index as u64, 0]);
            (0..count).map(|_| (stream.normal() * deviation) as f32).collect()
        } else {
            vec![if parameter.path.ends_with("gamma") { 1.0 } else { 0.0 }; count]
        };
        if parameter.path.ends_with("q_proj.weight") {
            query.clone_from(&drawn);
        }
        values.push(Tensor::from_data(TensorData::new(drawn, [count]), device));
    }
    replace(decoder, ParameterSubset::All, values)
}

/// Key weights `[hidden, key_value_heads · head_dim]` whose head j is the query head j · group of
/// `[hidden, heads · head_dim]`.
fn keys_like(query: &[f32], config: &ModelConfig) -> Vec<f32> {
    let (heads, head_dim) = (config.num_attention_heads, config.head_dim());
    let group = heads / config.num_key_value_heads;
    query
        .chunks_exact(heads * head_dim)
        .flat_map(|row| row.chunks_exact(head_dim).step_by(group).flatten())
        .copied()
        .collect()
}

fn deviation(parameter: &Parameter, layers: usize) -> Option<f64> {
    let path = &parameter.path;
    if path.starts_with("embed_tokens") {
        return Some(0.1);
    }
    let input = *parameter.shape.first().filter(|_| parameter.shape.len() == 2)?;
    let residual = path.contains("o_proj") || path.contains("down_proj");
    let depth = if residual { (2.0 * layers as f64).sqrt() } else { 1.0 };
    Some(1.0 / (input as f64).sqrt() / depth)
}

/// The name in Hugging Face's checkpoints of the parameter at a path, and its shape there.
pub(super) fn in_file(path: &str, shape: &[usize]) -> TensorSpec {
    let halves = [(".adapter.down", ".lora_A.weight"), (".adapter.up", ".lora_B.weight")];
    let adapted = halves.iter().find_map(|(half, end)| Some((path.strip_suffix(half)?, end)));
    let name = match adapted {
        Some((path, end)) => format!("base_model.model.model.{path}{end}"),
        None if path.starts_with("lm_head") => path.to_owned(),
        None => format!("model.{}", path.replace("gamma", "weight")),
    };
    let mut spec = TensorSpec { name, shape: shape.to_vec() };
    if is_transposed(&spec) {
        spec.shape.reverse();
    }
    spec
}

/// Whether a tensor of a file is transposed here: matrices are, except the embedding.
pub(super) fn is_transposed(spec: &TensorSpec) -> bool {
    spec.shape.len() == 2 && spec.name != EMBEDDING
}

/// The bytes of f32 tensors as a safetensors file, put together one tensor after the other.
///
/// # Errors
/// When the header cannot be built, or values cannot be had.
pub fn pack(
    specs: &[TensorSpec],
    values: impl Iterator<Item = Result<Vec<f32>, PolicyError>>,
) -> Result<Vec<u8>, PolicyError> {
    let mut bytes = write_header(specs, Precision::F32)
        .map_err(|error| PolicyError::Device(WeightsFileError::from(error).to_string()))?;
    bytes.reserve_exact(specs.iter().map(TensorSpec::count).sum::<usize>() * size_of::<f32>());
    for values in values {
        bytes.extend(Precision::F32.encode(&values?));
    }
    Ok(bytes)
}

/// Reads one f32 tensor of a safetensors file.
///
/// # Errors
/// When it is absent, has another type or shape, or holds what is not finite.
pub fn unpack(
    file: &SafeTensors<'_>,
    name: &str,
    expected: &[usize],
) -> Result<Vec<f32>, WeightsFileError> {
    let view = file.tensor(name).map_err(|_| WeightsFileError::Missing(name.to_owned()))?;
    if view.dtype() != Dtype::F32 {
        return Err(WeightsFileError::Type { name: name.to_owned(), found: view.dtype() });
    }
    if view.shape() != expected {
        return Err(WeightsFileError::Shape {
            name: name.to_owned(),
            found: view.shape().to_vec(),
            expected: expected.to_vec(),
        });
    }
    let values = Precision::F32.decode(view.data());
    if not_finite(&values).is_some() {
        return Err(WeightsFileError::NotFinite(name.to_owned()));
    }
    Ok(values)
}

/// The place of the first value that is no number.
pub(super) fn not_finite(values: &[f32]) -> Option<usize> {
    values.iter().position(|value| !value.is_finite())
}

/// A part of the decoder's weights as a safetensors file; that of adapters is one of PEFT.
///
/// # Errors
/// When the device does not give its values back.
pub fn save(decoder: &Decoder, part: ParameterSubset) -> Result<Vec<u8>, PolicyError> {
    let spec = |parameter: &Parameter| in_file(&parameter.path, &parameter.shape);
    let specs: Vec<TensorSpec> = parameters(decoder, part).iter().map(spec).collect();
    pack(&specs, values_of(decoder, part))
}

/// The values of a part of the decoder's weights, one tensor after the other as they are asked for, in
/// the layout of Hugging Face.
pub fn values_of(
    decoder: &Decoder,
    part: ParameterSubset,
) -> impl Iterator<Item = Result<Vec<f32>, PolicyError>> {
    parameters(decoder, part).into_iter().map(|parameter| {
        let Parameter { path, shape, values } = parameter;
        let values = read_tensor(values)?;
        if not_finite(&values).is_some() {
            return Err(PolicyError::NotFinite(path));
        }
        let transposed = is_transposed(&in_file(&path, &shape));
        Ok(if transposed { transpose(&values, shape[0], shape[1]) } else { values })
    })
}

/// The decoder with the weights of a safetensors file in a part of it.
///
/// # Errors
/// When the file is damaged or does not fit the decoder's shape.
pub fn load(
    decoder: Decoder,
    part: ParameterSubset,
    bytes: &[u8],
    device: &Device,
) -> Result<Decoder, WeightsFileError> {
    let file = SafeTensors::deserialize(bytes)?;
    fill(decoder, part, device, |name, shape| unpack(&file, name, shape))
}

/// The decoder with other weights in a part of it: `values` gives those of a name and a shape, in the layout of
/// Hugging Face, and is asked in the order of [`parameters`].
///
/// # Errors
/// What `values` refuses.
pub fn fill<E>(
    decoder: Decoder,
    part: ParameterSubset,
    device: &Device,
    mut values: impl FnMut(&str, &[usize]) -> Result<Vec<f32>, E>,
) -> Result<Decoder, E> {
    let filled = parameters(&decoder, part).into_iter().map(|parameter| {
        let spec = in_file(&parameter.path, &parameter.shape);
        let mut values = values(&spec.name, &spec.shape)?;
        if is_transposed(&spec) {
            values = transpose(&values, spec.shape[0], spec.shape[1]);
        }
        let count = values.len();
        let values = Tensor::<1>::from_data(TensorData::new(values, [count]), device);
        Ok(values.cast(parameter.values.dtype()))
    });
    let filled = filled.collect::<Result<_, E>>()?;
    Ok(replace(decoder, part, filled))
}

/// A tensor's values on the host.
///
/// # Errors
/// When the device does not give them back.
pub fn read_tensor<const D: usize>(tensor: Tensor<D>) -> Result<Vec<f32>, PolicyError> {
    tensor.try_into_vec_as::<f32>().map_err(|error| device_error(&error.to_string()))
}

/// Row-major `[rows, columns]` as `[columns, rows]`: linear weights have their inputs in rows here, and their outputs in
/// files.
fn transpose(values: &[f32], rows: usize, columns: usize) -> Vec<f32> {
    let mut out = vec![0.0; values.len()];
    for (block, values) in values.chunks(16 * columns.max(1)).enumerate() {
        transpose_into(values, columns, columns, &mut out[16 * block..], rows);
    }
    out
}

/// Puts value j of row i of `from`, whose rows are `stride` apart, at j · `to_stride` + i of `to`, for the
/// first `columns` of each row.
pub(super) fn transpose_into<T: Copy>(
    from: &[T],
    stride: usize,
    columns: usize,
    to: &mut [T],
    to_stride: usize,
) {
    let rows = from.len() / stride.max(1);
    for column in 0..columns {
        let line = &mut to[column * to_stride..][..rows];
        for (value, from) in line.iter_mut().zip(from[column..].iter().step_by(stride)) {
            *value = *from;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_of_rows_are_put_beside_each_other() {
        // 35 rows, more than two blocks of them.
        let values: Vec<f32> = (0..105).map(|at| at as f32).collect();
        let found = transpose(&values, 35, 3);
        let expected: Vec<f32> =
            (0..3).flat_map(|column| (0..35).map(move |row| (3 * row + column) as f32)).collect();
        assert_eq!(found, expected);
        // Rows of two with something between them, after two others.
        let mut to = [0; 8];
        transpose_into(&[1, 2, 9, 3, 4, 9], 3, 2, &mut to[2..], 4);
        assert_eq!(to, [0, 0, 1, 3, 0, 0, 2, 4]);
    }
}
