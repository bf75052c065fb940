//! Selected positions: the few of a batch whose hidden vectors are wanted.

use burn::tensor::{Int, Tensor};

use super::DecoderPolicy;
use super::attention::Placement;
use super::operations::select_rows;

/// A run of positions in every row, the same number in each.
#[derive(Clone, Debug)]
pub struct SelectedPositions {
    indices: Tensor<1, Int>,
    count: usize,
    /// Where the selected tokens stand and what they see.
    pub(super) placement: Placement,
}

impl SelectedPositions {
    /// Positions `starts[row] .. starts[row] + count` of rows of `width` tokens that follow on `read`
    /// tokens, which are in the cache; positions beyond a row's end stand for its last.
    #[must_use]
    pub(super) fn new(
        policy: &DecoderPolicy,
        read: usize,
        starts: &[usize],
        count: usize,
        width: usize,
    ) -> Self {
        let last = width.saturating_sub(1);
        let places = |&start: &usize| (start..start + count).map(move |at| at.min(last));
        let index = |(row, start)| places(start).map(move |at| (row * width + at) as i32);
        let indices = starts.iter().enumerate().flat_map(index);
        let positions: Vec<Vec<usize>> =
            starts.iter().map(|start| places(start).map(|at| read + at).collect()).collect();
        let all = read + width;
        let placement = Placement {
            queries: policy.angles(&positions),
            keys: policy.angles(&[(read..all).collect()]),
            mask: policy.causal_mask(&positions, all),
        };
        Self { indices: super::indices(indices, &policy.device), count, placement }
    }

    /// The vectors at selected positions, `[rows, count, hidden]`, of `[rows, width, hidden]`.
    #[must_use]
    pub fn pick(&self, x: Tensor<3>) -> Tensor<3> {
        let [rows, width, size] = x.dims();
        let chosen = select_rows(x.reshape([rows * width, size]), self.indices.clone());
        chosen.reshape([rows, self.count, size])
    }
}
