//! Selected positions: the few of a batch whose hidden vectors are wanted.

use burn::tensor::{Int, Tensor, TensorData};

use super::DecoderPolicy;
use super::attention::Placement;

/// A run of positions in every row, the same number in each.
#[derive(Clone, Debug)]
pub struct SelectedPositions {
    indices: Tensor<1, Int>,
    count: usize,
    placement: Placement,
}

impl SelectedPositions {
    /// Positions `starts[row] .. starts[row] + count` of rows of `width` tokens that begin at
    /// position 0; positions beyond a row's end stand for its last.
    #[must_use]
    pub fn new(policy: &DecoderPolicy, starts: &[usize], count: usize, width: usize) -> Self {
        Self::after(policy, 0, starts, count, width)
    }

    /// The same in rows that follow on `read` tokens, which are in the cache.
    #[must_use]
    pub(super) fn after(
        policy: &DecoderPolicy,
        read: usize,
        starts: &[usize],
        count: usize,
        width: usize,
    ) -> Self {
        let device = policy.device();
        let last = width.saturating_sub(1);
        let places: Vec<Vec<usize>> = starts
            .iter()
            .map(|&start| (start..start + count).map(|at| at.min(last)).collect())
            .collect();
        let indices: Vec<i32> = places
            .iter()
            .enumerate()
            .flat_map(|(row, places)| places.iter().map(move |at| (row * width + at) as i32))
            .collect();
        let positions: Vec<Vec<usize>> =
            places.iter().map(|row| row.iter().map(|at| read + at).collect()).collect();
        let all = read + width;
        let hidden = policy.hidden_bias();
        let bias: Vec<f32> = positions
            .iter()
            .flatten()
            .flat_map(|&from| (0..all).map(move |to| if to > from { hidden } else { 0.0 }))
            .collect();
        let shape = [starts.len(), 1, 1, count, all];
        Self {
            count,
            indices: Tensor::from_data(TensorData::new(indices, [starts.len() * count]), device),
            placement: Placement {
                queries: policy.angles(&positions),
                keys: policy.angles(&[(read..all).collect()]),
                bias: Tensor::from_data(TensorData::new(bias, shape), device),
            },
        }
    }

    /// Where the selected tokens stand and what they see.
    #[must_use]
    pub fn placement(&self) -> &Placement {
        &self.placement
    }

    /// The vectors at selected positions, `[rows, count, hidden]`, of `[rows, width, hidden]`.
    #[must_use]
    pub fn pick(&self, x: Tensor<3>) -> Tensor<3> {
        let [rows, width, size] = x.dims();
        x.reshape([rows * width, size])
            .select(0, self.indices.clone())
            .reshape([rows, self.count, size])
    }
}
