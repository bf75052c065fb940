//! Transposition of linear weights, which have their inputs in rows here, and their outputs in files.

/// Row-major `[rows, columns]` as `[columns, rows]`.
pub(super) fn transpose(values: &[f32], rows: usize, columns: usize) -> Vec<f32> {
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
