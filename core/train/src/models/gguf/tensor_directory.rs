//! Tensor directory of a GGUF file.

use indexmap::IndexMap;

use super::header_reader::HeaderReader;
use super::metadata::Metadata;
use super::tensor_type::TensorType;
use crate::models::ModelError;

/// Bytes of the shortest entry: empty name, no dimensions, type and place.
const LEAST_ENTRY: u64 = 24;

/// Most dimensions of a tensor.
const MOST_DIMENSIONS: u32 = 4;

/// A tensor in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TensorInfo {
    /// Name in the file.
    pub name: String,
    /// Shape, outermost dimension first: the file has it the other way round.
    pub shape: Vec<usize>,
    /// Number of the type in the format; [`TensorType::find`] knows those that are read.
    pub type_number: u32,
    /// First byte, from the beginning of all values on.
    pub offset: u64,
    /// Bytes of the values; 0 if the type is not read.
    pub bytes: u64,
}

/// All tensors of a file.
#[derive(Debug)]
pub(super) struct TensorDirectory {
    /// By name, in the order of the file.
    pub(super) tensors: IndexMap<String, TensorInfo>,
    /// Where in the file the values begin.
    pub(super) start: u64,
}

impl TensorDirectory {
    pub(super) fn read(
        reader: &mut HeaderReader<'_>,
        count: u64,
        metadata: &Metadata,
    ) -> Result<Self, ModelError> {
        let at = reader.position;
        reader.possible(at, count, LEAST_ENTRY, "tensors")?;
        let mut tensors = IndexMap::new();
        for _ in 0..count {
            let at = reader.position;
            let tensor = tensor(reader)?;
            if let Some(first) = tensors.insert(tensor.name.clone(), tensor) {
                return Err(reader.damaged(at, &format!("a second tensor '{}'", first.name)));
            }
        }
        let alignment = alignment(metadata)?;
        let start = reader.position.next_multiple_of(alignment);
        check_places(reader, &tensors, start, alignment)?;
        check_apart(reader, &tensors)?;
        Ok(Self { tensors, start })
    }
}

fn tensor(reader: &mut HeaderReader<'_>) -> Result<TensorInfo, ModelError> {
    let name = reader.string()?;
    let at = reader.position;
    let dimensions = reader.u32()?;
    if dimensions > MOST_DIMENSIONS {
        let problem = format!("tensor '{name}' has {dimensions} dimensions");
        return Err(reader.damaged(at, &problem));
    }
    let mut shape = Vec::new();
    for _ in 0..dimensions {
        let size = reader.u64()?;
        let too_large =
            || reader.damaged(at, &format!("tensor '{name}' has a dimension of {size}"));
        shape.push(usize::try_from(size).map_err(|_| too_large())?);
    }
    let (type_number, offset) = (reader.u32()?, reader.u64()?);
    let too_large = || {
        let problem = format!("tensor '{name}' cannot have the dimensions {shape:?} in its blocks");
        reader.damaged(at, &problem)
    };
    let bytes = match TensorType::find(type_number) {
        Some(kind) => bytes(kind, &shape).ok_or_else(too_large)?,
        None => 0,
    };
    shape.reverse();
    Ok(TensorInfo { name, shape, type_number, offset, bytes })
}

/// Bytes of a tensor whose innermost dimension comes first; rows are whole blocks.
fn bytes(kind: TensorType, shape: &[usize]) -> Option<u64> {
    let count = shape.iter().try_fold(1_u64, |count, &size| count.checked_mul(size as u64))?;
    let row = shape.first().copied().unwrap_or(1);
    if !row.is_multiple_of(kind.block_values()) {
        return None;
    }
    (count / kind.block_values() as u64).checked_mul(kind.block_bytes() as u64)
}

/// Values of tensors begin at multiples of this many bytes.
fn alignment(metadata: &Metadata) -> Result<u64, ModelError> {
    const NAME: &str = "general.alignment";
    match metadata.whole::<u32>(NAME)? {
        None => Ok(32),
        Some(alignment) if alignment.is_power_of_two() => Ok(alignment.into()),
        Some(alignment) => {
            let problem = format!("{alignment} is not a power of two");
            Err(ModelError::field(&metadata.file, NAME, problem))
        }
    }
}

fn check_places(
    reader: &HeaderReader<'_>,
    tensors: &IndexMap<String, TensorInfo>,
    start: u64,
    alignment: u64,
) -> Result<(), ModelError> {
    let file = reader.source;
    for TensorInfo { name, offset, bytes, .. } in tensors.values() {
        let end = offset.checked_add(*bytes).and_then(|end| end.checked_add(start));
        let problem = if end.is_none_or(|end| end > file.length()) {
            format!(
                "tensor '{name}' has {bytes} bytes from byte {start} + {offset} on, but the file ends at byte {}",
                file.length()
            )
        } else if !offset.is_multiple_of(alignment) {
            format!("tensor '{name}' begins at byte {offset}, no multiple of {alignment}")
        } else {
            continue;
        };
        return Err(ModelError::damaged(file.name(), problem));
    }
    Ok(())
}

/// No two tensors may have a byte in common: one of them would be read from the other's values.
fn check_apart(
    reader: &HeaderReader<'_>,
    tensors: &IndexMap<String, TensorInfo>,
) -> Result<(), ModelError> {
    let mut placed: Vec<&TensorInfo> = tensors.values().filter(|tensor| tensor.bytes > 0).collect();
    placed.sort_by_key(|tensor| tensor.offset);
    for [one, next] in placed.array_windows() {
        if next.offset < one.offset + one.bytes {
            let problem = format!(
                "tensor '{}' begins at byte {} of the values, within those of '{}', which take {} \
                 bytes from byte {} on",
                next.name, next.offset, one.name, one.bytes, one.offset
            );
            return Err(ModelError::damaged(reader.source.name(), problem));
        }
    }
    Ok(())
}
