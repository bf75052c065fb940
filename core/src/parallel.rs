//! Parallel map over tasks with the feature `rayon`; else one after the other.

/// Hands what `work` gives for 0, …, `count` − 1 to `take`, in this order.
#[cfg(feature = "rayon")]
pub(crate) fn each<R: Send>(
    count: usize,
    work: impl Fn(usize) -> R + Sync + Send,
    take: impl FnMut(R),
) {
    use rayon::prelude::*;
    let results: Vec<R> = (0..count).into_par_iter().map(work).collect();
    results.into_iter().for_each(take);
}

/// Hands what `work` gives for 0, …, `count` − 1 to `take`, in this order.
#[cfg(not(feature = "rayon"))]
pub(crate) fn each<R>(count: usize, work: impl Fn(usize) -> R, take: impl FnMut(R)) {
    (0..count).map(work).for_each(take);
}
