//! Gradient of weighed scores: through one graph, or layer by layer.
//!
//! One graph keeps what every layer made until the gradient has passed it. Layer by layer
//! (gradient checkpointing, Chen et al. 2016) only the vectors between layers are kept: each layer
//! runs again when its turn comes, and the head runs on a few tokens at a time. That takes a third
//! more work and a fraction of the memory; the result is the same.

use burn::tensor::{Gradients, IndexingUpdateOp, Tensor};

use super::DecoderPolicy;
use super::operations::{embedded, seeded};
use super::parameters::{ParameterSubset, gradients, tracked};
use super::scoring::{Reading, Scores, flat};
use super::selected_positions::SelectedPositions;
use crate::policy::{LossGradients, Passage, PolicyError};

impl DecoderPolicy {
    /// In one graph: the gradient of every trained parameter, in their order.
    pub(super) fn gradient_in_one_graph(
        &self,
        passages: &[Passage<'_>],
        temperature: f64,
        loss_gradients: &mut LossGradients<'_>,
    ) -> Result<Vec<Tensor<1>>, PolicyError> {
        let part = ParameterSubset::trained(&self.decoder);
        let copy = self.with_decoder(tracked(&self.decoder, part));
        let scores = copy.scores(passages, temperature);
        let loss_gradients = Scores::loss_gradients(&loss_gradients(&scores.read()?), &self.device);
        let mut found = scores.weighed(&loss_gradients).backward();
        Ok(gradients(&copy.decoder, part, &mut found))
    }

    /// Layer by layer: the same.
    pub(super) fn gradient_by_layers(
        &self,
        passages: &[Passage<'_>],
        temperature: f64,
        loss_gradients: &mut LossGradients<'_>,
    ) -> Result<Vec<Tensor<1>>, PolicyError> {
        let reading = Reading::new(self, passages);
        let (inputs, output) = self.between_layers(&reading);
        let hidden = flat(self.decoder.final_norm(output.clone()));
        let scores = self.score_hidden(&hidden, &reading, temperature).read()?;
        let wanted = Scores::loss_gradients(&loss_gradients(&scores), &self.device);

        let (mut flow, norm, head) = self.head_backward(output, &reading, &wanted, temperature);
        let mut layers = Vec::with_capacity(inputs.len());
        for (index, input) in inputs.into_iter().enumerate().rev() {
            let (below, own) = self.layer_backward(index, input, &reading, flow);
            flow = below;
            layers.push(own);
        }
        // If the embedding is the head, both have a share in it.
        let (shared, head) = match self.decoder.lm_head {
            Some(_) => (Vec::new(), head),
            None => (head, Vec::new()),
        };
        let mut all = self.embedding_backward(&reading, flow, shared);
        all.extend(layers.into_iter().rev().flatten().chain(norm).chain(head));
        Ok(all)
    }

    /// What each layer is given, and what the last one makes; no graph is kept.
    fn between_layers(&self, reading: &Reading) -> (Vec<Tensor<3>>, Tensor<3>) {
        let mut x = self.decoder.embed(reading.tokens.clone());
        let mut inputs = Vec::with_capacity(self.decoder.layers.len());
        for (index, layer) in self.decoder.layers.iter().enumerate() {
            inputs.push(x.clone());
            x = layer.forward(x, &reading.causal, self.selected_of(index, reading), None);
        }
        (inputs, x)
    }

    /// The last layer computes nothing for tokens that are not selected.
    fn selected_of<'a>(&self, layer: usize, reading: &'a Reading) -> Option<&'a SelectedPositions> {
        (layer + 1 == self.decoder.layers.len()).then_some(&reading.selected)
    }

    /// Through norm and head, a chunk of tokens at a time: the gradient of the last layer's
    /// output, and those of norm and head.
    fn head_backward(
        &self,
        output: Tensor<3>,
        reading: &Reading,
        wanted: &Scores,
        temperature: f64,
    ) -> (Tensor<3>, Vec<Tensor<1>>, Vec<Tensor<1>>) {
        let part = ParameterSubset::trained(&self.decoder);
        let shape = output.dims();
        let output = flat(output);
        let mut flow = output.zeros_like();
        let (mut norm, mut head) = (Vec::new(), Vec::new());
        let mut start = 0;
        for (positions, targets) in reading.chunks(self) {
            let decoder = tracked(&self.decoder, part);
            let count = targets.dims()[0];
            let chosen = output.clone().select(0, positions.clone()).autodiff().require_grad();
            let hidden = decoder.final_norm(chosen.clone());
            let scores = Scores::of(&decoder, hidden, targets, temperature);
            let mut found = scores.weighed(&wanted.narrow(start, count)).backward();
            let own = take(&chosen, &mut found);
            flow = flow.select_assign(0, positions, own, IndexingUpdateOp::Add);
            if part == ParameterSubset::All {
                norm = sums(norm, gradients(&decoder.norm, part, &mut found));
                let own = match &decoder.lm_head {
                    Some(head) => gradients(head, part, &mut found),
                    None => gradients(&decoder.embed_tokens, part, &mut found),
                };
                head = sums(head, own);
            }
            start += count;
        }
        (flow.reshape(shape), norm, head)
    }

    /// Through one layer: the gradient of its input, and its own.
    fn layer_backward(
        &self,
        index: usize,
        input: Tensor<3>,
        reading: &Reading,
        flow: Tensor<3>,
    ) -> (Tensor<3>, Vec<Tensor<1>>) {
        let part = ParameterSubset::trained(&self.decoder);
        let layer = tracked(&self.decoder.layers[index], part);
        let input = input.autodiff().require_grad();
        let selected = self.selected_of(index, reading);
        let output = layer.forward(input.clone(), &reading.causal, selected, None);
        let mut found = seeded(output, flow).backward();
        (take(&input, &mut found), gradients(&layer, part, &mut found))
    }

    /// Into the embedding, if it is trained; `shared` is its gradient as the head.
    fn embedding_backward(
        &self,
        reading: &Reading,
        flow: Tensor<3>,
        shared: Vec<Tensor<1>>,
    ) -> Vec<Tensor<1>> {
        if ParameterSubset::trained(&self.decoder) == ParameterSubset::Adapters {
            return Vec::new();
        }
        let embedding = tracked(&self.decoder.embed_tokens, ParameterSubset::All);
        let vectors = embedded(&embedding, reading.tokens.clone());
        let mut found = seeded(vectors, flow).backward();
        let own = gradients(&embedding, ParameterSubset::All, &mut found);
        sums(shared, own)
    }
}

/// Adds gradients of the same parameters; an empty list stands for zeros.
pub(super) fn sums(a: Vec<Tensor<1>>, b: Vec<Tensor<1>>) -> Vec<Tensor<1>> {
    if a.is_empty() {
        return b;
    }
    a.into_iter().zip(b).map(|(a, b)| a + b).collect()
}

/// The gradient of a leaf; zeros if it took no part.
fn take<const D: usize>(leaf: &Tensor<D>, found: &mut Gradients) -> Tensor<D> {
    leaf.grad_remove(found).unwrap_or_else(|| leaf.clone().inner().zeros_like())
}
