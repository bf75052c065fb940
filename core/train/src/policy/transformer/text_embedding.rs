//! Text embedding: what a decoder makes of a text as a whole.

use burn::tensor::{Tensor, TensorData};

use super::DecoderPolicy;
use super::generation::prefill::READ_TOKENS;
use super::weights::{not_finite, read_tensor};
use crate::policy::PolicyError;

impl DecoderPolicy {
    /// The mean of the vectors after the final norm over a text's tokens; zeros for an empty text.
    pub(super) fn embeddings(&self, texts: &[&[u32]]) -> Result<Vec<Vec<f64>>, PolicyError> {
        let mut order: Vec<usize> =
            (0..texts.len()).filter(|&text| !texts[text].is_empty()).collect();
        // Texts of similar length are read together; the longest of all comes first.
        order.sort_by_key(|&text| std::cmp::Reverse(texts[text].len()));
        let mut embeddings = vec![vec![0.0; self.config.hidden_size]; texts.len()];
        let mut rest = &order[..];
        while let Some(&longest) = rest.first() {
            let count = (READ_TOKENS / texts[longest].len()).clamp(1, rest.len());
            let (part, later) = rest.split_at(count);
            let rows: Vec<&[u32]> = part.iter().map(|&text| texts[text]).collect();
            let values = read_tensor(self.mean_hidden(&rows))?;
            if not_finite(&values).is_some() {
                return Err(self.overflow());
            }
            for (&text, vector) in part.iter().zip(values.chunks(self.config.hidden_size)) {
                embeddings[text] = vector.iter().map(|&value| f64::from(value)).collect();
            }
            rest = later;
        }
        Ok(embeddings)
    }

    /// Means `[rows, hidden]` over the tokens of each row.
    fn mean_hidden(&self, rows: &[&[u32]]) -> Tensor<2> {
        let hidden = self.hidden(rows);
        let width = hidden.dims()[1];
        let share = |row: &&[u32]| {
            let (length, share) = (row.len(), 1.0 / row.len() as f32);
            (0..width).map(move |token| if token < length { share } else { 0.0 })
        };
        let shares: Vec<f32> = rows.iter().flat_map(share).collect();
        let shares = TensorData::new(shares, [rows.len(), 1, width]);
        Tensor::<3>::from_data(shares, &self.device).matmul(hidden).squeeze_dim(1)
    }
}
