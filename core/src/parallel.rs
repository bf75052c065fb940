//! Parallel map over tasks with the feature `rayon`; else one after the other.

/// Hands what `work` gives for 0, …, `count` − 1 to `take`, in this order.
pub(crate) fn each<R: Send>(
    count: usize,
    work: impl Fn(usize) -> R + Sync + Send,
    take: impl FnMut(R),
) {
    #[cfg(feature = "rayon")]
    let results = {
        use rayon::prelude::*;
        (0..count).into_par_iter().map(work).collect::<Vec<R>>().into_iter()
    };
    #[cfg(not(feature = "rayon"))]
    let results = (0..count).map(work);
    results.for_each(take);
}
