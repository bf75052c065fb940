//! Rows of a tensor in its file, decoded a few at a time.

use hgpo_env::files::Bytes;

use super::gguf::dequantize;
use super::gguf::tensor_type::TensorType;

/// A tensor of a file: its bytes, mapped or in memory, and how to read them. No row is decoded before it is
/// asked for.
#[derive(Debug)]
pub struct TensorRows {
    bytes: Bytes,
    kind: TensorType,
    count: usize,
    width: usize,
    /// Rows a head, if the two halves of each are interleaved in the file: row 2 j + s of a head is row
    /// s · height/2 + j here.
    interleaved: Option<usize>,
}

impl TensorRows {
    /// The rows of a tensor of this shape; a vector is one row.
    pub(super) fn new(
        bytes: Bytes,
        kind: TensorType,
        shape: &[usize],
        interleaved: Option<usize>,
    ) -> Self {
        let (count, width) = match shape {
            [width] => (1, *width),
            shape => (shape.first().copied().unwrap_or(1), shape.iter().skip(1).product()),
        };
        let interleaved = interleaved.filter(|_| shape.len() == 2);
        Self { bytes, kind, count, width, interleaved }
    }

    /// Number of rows.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }

    /// Values a row.
    #[must_use]
    pub fn width(&self) -> usize {
        self.width
    }

    /// Fills `values` with those of the rows from `row` on, as many as there is room for.
    pub fn decode(&self, row: usize, values: &mut [f32]) {
        let Some(height) = self.interleaved else { return self.decode_stored(row, values) };
        for (index, values) in values.chunks_exact_mut(self.width.max(1)).enumerate() {
            self.decode_stored(stored(row + index, height), values);
        }
    }

    /// All values, row after row.
    #[must_use]
    pub fn to_vec(&self) -> Vec<f32> {
        let mut values = vec![0.0; self.count * self.width];
        self.decode(0, &mut values);
        values
    }

    /// Whether another tensor of the same shape has the same values, in whichever formats.
    #[must_use]
    pub(super) fn same_values(&self, other: &Self) -> bool {
        if (self.kind, self.interleaved) == (other.kind, other.interleaved)
            && *self.bytes == *other.bytes
        {
            return true;
        }
        let mut own = vec![0.0; self.width];
        let mut others = vec![0.0; other.width];
        self.count == other.count
            && (0..self.count).all(|row| {
                self.decode(row, &mut own);
                other.decode(row, &mut others);
                own == others
            })
    }

    /// The same of the rows as they follow each other in the file.
    fn decode_stored(&self, row: usize, values: &mut [f32]) {
        let bytes = |values: usize| values / self.kind.block_values() * self.kind.block_bytes();
        let from = bytes(row * self.width);
        let found = self.bytes.get(from..from + bytes(values.len())).unwrap_or_default();
        dequantize::decode(self.kind, found, values);
    }
}

/// Where in the file a row is, of heads of this many rows whose halves are interleaved there.
fn stored(row: usize, height: usize) -> usize {
    let (head, within, half) = (row / height, row % height, height / 2);
    head * height + within % half * 2 + within / half
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(values: &[f32], shape: &[usize], height: Option<usize>) -> TensorRows {
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        TensorRows::new(Bytes::new(bytes), TensorType::F32, shape, height)
    }

    #[test]
    fn interleaved_halves_are_put_back() {
        // Two heads of four rows of one number: halves (0, 1 | 2, 3) lie as 0 2 1 3.
        let found = rows(&[0.0, 2.0, 1.0, 3.0, 4.0, 6.0, 5.0, 7.0], &[8, 1], Some(4));
        assert_eq!(found.to_vec(), [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]);
        // One head of two rows of three numbers stays.
        let values = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
        assert_eq!(rows(&values, &[2, 3], Some(2)).to_vec(), values);
    }

    #[test]
    fn rows_are_decoded_from_any_place() {
        let values: Vec<f32> = (0..24_u8).map(f32::from).collect();
        for (height, expected) in [(None, [9.0, 10.0, 11.0, 12.0]), (Some(4), [3.0, 4.0, 5.0, 9.0])]
        {
            let rows = rows(&values, &[8, 3], height);
            let mut found = [0.0; 6];
            rows.decode(if height.is_some() { 2 } else { 3 }, &mut found);
            assert_eq!(found[..4], expected, "{height:?}");
        }
        let vector = rows(&values, &[24], None);
        assert_eq!((vector.count(), vector.width(), vector.to_vec()), (1, 24, values));
    }
}
