//! Cache of keys and values of the tokens already read, so that each new token costs one position.

#[cfg(feature = "gpu")]
use burn::tensor::Int;
use burn::tensor::{Tensor, s};

#[cfg(feature = "gpu")]
use crate::policy::transformer::attention::Angles;
use crate::policy::transformer::indices;
#[cfg(feature = "gpu")]
use crate::policy::transformer::kernels::{DecodeStep, tensors as kernels};

/// One layer's keys and values, `[rows, key_value_heads, capacity, head_dim]`, filled from the left.
type LayerCache = [Tensor<4>; 2];

/// The cache of a whole decoder, empty until something is read.
#[derive(Clone, Debug, Default)]
pub struct KvCache {
    capacity: usize,
    /// Tokens a row so far.
    length: usize,
    layers: Vec<Option<LayerCache>>,
}

impl KvCache {
    /// Room for `capacity` tokens (prompt and response) in `layers` layers.
    #[must_use]
    pub fn new(layers: usize, capacity: usize) -> Self {
        Self { capacity, length: 0, layers: vec![None; layers] }
    }

    /// Makes row i a copy of row `rows[i]`.
    pub(super) fn spread(&mut self, rows: &[usize]) {
        for layer in self.layers.iter_mut().flatten() {
            let indices = indices(rows.iter().map(|&row| row as i32), &layer[0].device());
            *layer = layer.clone().map(|all| all.select(0, indices.clone()));
        }
    }

    /// The cache whose row i holds the tokens `slots[i]` of row `rows[i]`, from the left.
    pub(super) fn pick(self, rows: &[usize], slots: &[Vec<usize>]) -> Self {
        let length = slots.iter().map(Vec::len).max().unwrap_or(0);
        let pick = |layer: LayerCache| {
            let [_, heads, capacity, head_dim] = layer[0].dims();
            let places = rows.iter().zip(slots).flat_map(|(row, slots)| {
                (0..heads).flat_map(move |head| {
                    let start = (row * heads + head) * capacity;
                    // A shorter row ends with copies of some token, which nothing looks at.
                    let padding = std::iter::repeat_n(&0, length - slots.len());
                    slots.iter().chain(padding).map(move |slot| (start + slot) as i32)
                })
            });
            let places = indices(places, &layer[0].device());
            layer.map(|all| {
                let flat = all.flatten::<2>(0, 2).select(0, places.clone());
                flat.reshape([rows.len(), heads, length, head_dim])
            })
        };
        let layers = self.layers.into_iter().map(|layer| layer.map(pick)).collect();
        Self { capacity: length, length, layers }
    }

    /// One cache of the rows of several, with room for `more` tokens. Rows of a shorter one are padded
    /// on the right.
    pub(super) fn join(mut parts: Vec<Self>, more: usize) -> Self {
        let length = parts.iter().map(|part| part.length).max().unwrap_or(0);
        let capacity = length + more;
        if parts.len() == 1 && parts[0].capacity >= capacity {
            return parts.remove(0);
        }
        let layers = parts.first().map_or(0, |part| part.layers.len());
        let lengths: Vec<usize> = parts.iter().map(|part| part.length).collect();
        let mut rest: Vec<_> = parts.into_iter().map(|part| part.layers.into_iter()).collect();
        let layers = (0..layers).map(|_| {
            let parts: Option<Vec<LayerCache>> =
                rest.iter_mut().map(|layers| layers.next().flatten()).collect();
            let (keys, values) = parts?.into_iter().map(<(_, _)>::from).unzip();
            Some([keys, values].map(|parts| side_by_side(parts, &lengths, capacity)))
        });
        Self { capacity, length, layers: layers.collect() }
    }

    /// Adds the keys and values of new tokens to one layer; gives all of that layer's so far.
    pub(in crate::policy::transformer) fn extend(
        &mut self,
        layer: usize,
        keys: Tensor<4>,
        values: Tensor<4>,
    ) -> (Tensor<4>, Tensor<4>) {
        let [rows, heads, tokens, head_dim] = keys.dims();
        let [held_keys, held_values] = self.layers[layer].take().unwrap_or_else(|| {
            let shape = [rows, heads, self.capacity, head_dim];
            [(); 2].map(|()| Tensor::<4>::zeros(shape, &keys.device()).cast(keys.dtype()))
        });
        let end = self.length + tokens;
        let place = s![.., .., self.length..end, ..];
        let filled = [held_keys.slice_assign(place, keys), held_values.slice_assign(place, values)];
        let so_far = s![.., .., 0..end, ..];
        let all = filled.clone().map(|all| all.slice(so_far)).into();
        self.layers[layer] = Some(filled);
        if layer + 1 == self.layers.len() {
            self.length = end;
        }
        all
    }
}

#[cfg(feature = "gpu")]
impl KvCache {
    /// Puts the keys and values of one new token a row into one layer; what its queries find there then. All three come
    /// as projections `[rows, 1, heads · size]` with their biases, and are turned by `angles`, tables of positions;
    /// [`Self::advance`] has to follow after the last layer.
    pub(in crate::policy::transformer) fn decode(
        &mut self,
        layer: usize,
        projections: [Tensor<3>; 3],
        biases: [Option<Tensor<1>>; 3],
        angles: &Angles,
        places: &Tensor<2, Int>,
        size: usize,
    ) -> Tensor<3> {
        let held = self.layers[layer].take().unwrap_or_else(|| {
            let [rows, _, width] = projections[1].dims();
            let shape = [rows, width / size, self.capacity, size];
            let (device, dtype) = (projections[1].device(), projections[1].dtype());
            [(); 2].map(|()| Tensor::<4>::zeros(shape, &device).cast(dtype))
        });
        let step = DecodeStep {
            size,
            scale: (1.0 / (size as f64).sqrt()) as f32,
            biased: biases[0].is_some(),
        };
        let (mixed, held) =
            kernels::decode(projections, biases, angles, held, places.clone(), step);
        self.layers[layer] = Some(held);
        mixed
    }

    /// Notes that a token a row was put into every layer; gives how many were there before.
    pub(super) fn advance(&mut self) -> usize {
        self.length += 1;
        self.length - 1
    }
}

/// The first `lengths[i]` tokens of each part, row after row, with room for `capacity` tokens.
fn side_by_side(parts: Vec<Tensor<4>>, lengths: &[usize], capacity: usize) -> Tensor<4> {
    let rows = parts.iter().map(|part| part.dims()[0]).sum();
    let [_, heads, _, head_dim] = parts[0].dims();
    let all = Tensor::<4>::zeros([rows, heads, capacity, head_dim], &parts[0].device());
    let mut all = all.cast(parts[0].dtype());
    let mut row = 0;
    for (part, &length) in parts.into_iter().zip(lengths) {
        let end = row + part.dims()[0];
        let part = part.slice(s![.., .., 0..length, ..]);
        all = all.slice_assign(s![row..end, .., 0..length, ..], part);
        row = end;
    }
    all
}
