//! Chunks: nearly equal parts of a batch.

/// Splits indices into nearly equal chunks of about `size`, so that no update is left with a few.
pub(crate) fn even_chunks(indices: &[usize], size: usize) -> Vec<&[usize]> {
    let count = chunk_count(indices.len(), size);
    indices.chunks(indices.len().div_ceil(count).max(1)).collect()
}

/// How many chunks of about `size` there are in `total`: at least one.
pub(crate) fn chunk_count(total: usize, size: usize) -> usize {
    (total as f64 / size.max(1) as f64).round().max(1.0) as usize
}
