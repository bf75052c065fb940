//! Keys and values of the tokens already read, so that each new token costs one position.

use burn::tensor::{Int, Tensor, TensorData, s};

/// One layer's keys and values, `[rows, key_value_heads, capacity, head_dim]`, filled from the left.
#[derive(Clone, Debug)]
pub struct LayerCache {
    keys: Tensor<4>,
    values: Tensor<4>,
    length: usize,
}

/// The cache of a whole decoder, empty until the prompt is read.
#[derive(Clone, Debug)]
pub struct Cache {
    capacity: usize,
    layers: Vec<Option<LayerCache>>,
}

impl LayerCache {
    fn cat(parts: Vec<Self>) -> Self {
        let length = parts.first().map_or(0, |part| part.length);
        let (keys, values) = parts.into_iter().map(|part| (part.keys, part.values)).unzip();
        Self { keys: Tensor::cat(keys, 0), values: Tensor::cat(values, 0), length }
    }
}

impl Cache {
    /// Room for `capacity` tokens (prompt and response) in `layers` layers.
    #[must_use]
    pub fn new(layers: usize, capacity: usize) -> Self {
        Self { capacity, layers: vec![None; layers] }
    }

    /// Makes row i a copy of row `rows[i]`.
    pub(super) fn spread(&mut self, rows: &[usize]) {
        for layer in self.layers.iter_mut().flatten() {
            let indices: Vec<i32> = rows.iter().map(|&row| row as i32).collect();
            let indices = TensorData::new(indices, [rows.len()]);
            let indices = Tensor::<1, Int>::from_data(indices, &layer.keys.device());
            layer.keys = layer.keys.clone().select(0, indices.clone());
            layer.values = layer.values.clone().select(0, indices);
        }
    }

    /// One cache of the rows of several, which have read equally many tokens.
    pub(super) fn cat(caches: Vec<Self>) -> Self {
        let capacity = caches.first().map_or(0, |cache| cache.capacity);
        let count = caches.first().map_or(0, |cache| cache.layers.len());
        let mut rest: Vec<_> = caches.into_iter().map(|cache| cache.layers.into_iter()).collect();
        let layers = (0..count).map(|_| {
            let parts: Option<Vec<LayerCache>> =
                rest.iter_mut().map(|layers| layers.next().flatten()).collect();
            parts.map(LayerCache::cat)
        });
        Self { capacity, layers: layers.collect() }
    }

    /// Adds the keys and values of new tokens to one layer; gives all of that layer's so far.
    pub(super) fn extend(
        &mut self,
        layer: usize,
        keys: Tensor<4>,
        values: Tensor<4>,
    ) -> (Tensor<4>, Tensor<4>) {
        let [rows, heads, tokens, head_dim] = keys.dims();
        let slot = self.layers[layer].take().unwrap_or_else(|| {
            let empty = || Tensor::zeros([rows, heads, self.capacity, head_dim], &keys.device());
            LayerCache { keys: empty(), values: empty(), length: 0 }
        });
        let end = slot.length + tokens;
        let place = s![.., .., slot.length..end, ..];
        let filled = LayerCache {
            keys: slot.keys.slice_assign(place, keys),
            values: slot.values.slice_assign(place, values),
            length: end,
        };
        let so_far = s![.., .., 0..end, ..];
        let all = (filled.keys.clone().slice(so_far), filled.values.clone().slice(so_far));
        self.layers[layer] = Some(filled);
        all
    }
}
