//! Forward and backward passes of kernels as operations of burn's graph.

use std::fmt;
use std::sync::Arc;

use burn::backend::TensorMetadata as _;
use burn::backend::autodiff::Autodiff;
use burn::backend::autodiff::checkpoint::base::Checkpointer;
use burn::backend::autodiff::checkpoint::strategy::CheckpointStrategy;
use burn::backend::autodiff::grads::Gradients;
use burn::backend::autodiff::ops::{Backward, Ops, OpsKind};
use burn::backend::ops::FloatTensorOps as _;
use burn::backend::tensor::{FloatTensor, IntTensor};
use burn::tensor::DType;
use burn_cubecl::CubeBackend;
use burn_cubecl::tensor::CubeTensor;

use super::heads::HeadSteps;
use super::{
    Differentiable, heads, product, residual, rms_norm, rows, softmax, swiglu, token_scores,
};

impl Differentiable for CubeBackend {
    fn product(x: CubeTensor, weight: CubeTensor, dtype: DType) -> CubeTensor {
        product::forward(x, weight, dtype).0
    }

    fn rms_norm(x: CubeTensor, gamma: CubeTensor, epsilon: f32, dtype: DType) -> CubeTensor {
        rms_norm::forward(x, gamma, epsilon, dtype)
    }

    fn residual(x: CubeTensor, y: CubeTensor) -> CubeTensor {
        residual::forward(x, y)
    }

    fn rows(x: CubeTensor, chosen: CubeTensor) -> CubeTensor {
        rows::forward(x, chosen)
    }

    fn swiglu(gate: CubeTensor, up: CubeTensor) -> CubeTensor {
        swiglu::forward(gate, up)
    }

    fn heads(
        x: CubeTensor,
        bias: CubeTensor,
        cosine: CubeTensor,
        sine: CubeTensor,
        size: usize,
        scale: f32,
        steps: HeadSteps,
    ) -> CubeTensor {
        heads::forward(x, bias, cosine, sine, size, scale, steps)
    }

    fn causal_softmax(scores: CubeTensor, last: CubeTensor) -> CubeTensor {
        softmax::forward(scores, last)
    }

    fn token_scores(logits: CubeTensor, targets: CubeTensor, coldness: f32) -> CubeTensor {
        token_scores::forward(logits, targets, coldness)
    }

    fn seeded(x: CubeTensor, _flow: CubeTensor) -> CubeTensor {
        Self::float_zeros([1].into(), &x.device(), burn::tensor::FloatDType::F32)
    }
}

/// A tensor of the graph.
type Node<C> = FloatTensor<Autodiff<CubeBackend, C>>;

impl<C: CheckpointStrategy> Differentiable for Autodiff<CubeBackend, C> {
    fn product(x: Node<C>, weight: Node<C>, dtype: DType) -> Node<C> {
        let (left, right) = (x.primitive().clone(), weight.primitive().clone());
        let (y, saved) = product::forward(left, right, dtype);
        record::<C, _>([&x, &weight], y, move |flow, wanted| {
            product::backward(&saved, &flow, wanted)
        })
    }

    fn rms_norm(x: Node<C>, gamma: Node<C>, epsilon: f32, dtype: DType) -> Node<C> {
        let (saved_x, saved_gamma) = (x.primitive().clone(), gamma.primitive().clone());
        let y = rms_norm::forward(saved_x.clone(), saved_gamma.clone(), epsilon, dtype);
        record::<C, _>([&x, &gamma], y, move |flow, [_, with_gamma]| {
            let (x, gamma) = (saved_x.clone(), saved_gamma.clone());
            let (x, gamma) = rms_norm::backward(x, gamma, flow, epsilon, with_gamma);
            [Some(x), gamma]
        })
    }

    fn residual(x: Node<C>, y: Node<C>) -> Node<C> {
        let (left, right) = (x.primitive().clone(), y.primitive().clone());
        let dtype = right.dtype;
        let sum = residual::forward(left, right);
        record::<C, _>([&x, &y], sum, move |flow, _| {
            let right = residual::cast(flow.clone(), dtype);
            [Some(flow), Some(right)]
        })
    }

    fn rows(x: Node<C>, chosen: IntTensor<CubeBackend>) -> Node<C> {
        let from = x.primitive().clone();
        let count = from.meta.shape()[0];
        let y = rows::forward(from, chosen.clone());
        record::<C, _>([&x], y, move |flow, _| [Some(rows::backward(flow, chosen.clone(), count))])
    }

    fn swiglu(gate: Node<C>, up: Node<C>) -> Node<C> {
        let (saved_gate, saved_up) = (gate.primitive().clone(), up.primitive().clone());
        let y = swiglu::forward(saved_gate.clone(), saved_up.clone());
        record::<C, _>([&gate, &up], y, move |flow, _| {
            let (gate, up) = swiglu::backward(saved_gate.clone(), saved_up.clone(), flow);
            [Some(gate), Some(up)]
        })
    }

    fn heads(
        x: Node<C>,
        bias: Node<C>,
        cosine: Node<C>,
        sine: Node<C>,
        size: usize,
        scale: f32,
        steps: HeadSteps,
    ) -> Node<C> {
        let (cosine, sine) = (cosine.primitive().clone(), sine.primitive().clone());
        let (from, added) = (x.primitive().clone(), bias.primitive().clone());
        let y = heads::forward(from, added, cosine.clone(), sine.clone(), size, scale, steps);
        record::<C, _>([&x, &bias], y, move |flow, [_, with_bias]| {
            let (cosine, sine) = (cosine.clone(), sine.clone());
            let with_bias = with_bias && steps.biased;
            let (x, bias) = heads::backward(flow, cosine, sine, scale, steps.rotated, with_bias);
            [Some(x), bias]
        })
    }

    fn causal_softmax(scores: Node<C>, last: IntTensor<CubeBackend>) -> Node<C> {
        let shares = softmax::forward(scores.primitive().clone(), last);
        let saved = shares.clone();
        record::<C, _>([&scores], shares, move |flow, _| {
            [Some(softmax::backward(saved.clone(), flow))]
        })
    }

    fn token_scores(logits: Node<C>, targets: IntTensor<CubeBackend>, coldness: f32) -> Node<C> {
        let saved = logits.primitive().clone();
        let scores = token_scores::forward(saved.clone(), targets.clone(), coldness);
        let own = scores.clone();
        record::<C, _>([&logits], scores, move |flow, _| {
            let (logits, targets) = (saved.clone(), targets.clone());
            [Some(token_scores::backward(logits, targets, own.clone(), flow, coldness))]
        })
    }

    fn seeded(x: Node<C>, flow: Node<C>) -> Node<C> {
        let saved = flow.primitive().clone();
        let zero = CubeBackend::seeded(x.primitive().clone(), saved.clone());
        record::<C, _>([&x], zero, move |_, _| [Some(saved.clone())])
    }
}

/// The gradients of an operation's inputs from that of its output; those that are not wanted may be absent.
type Gradient<const N: usize> =
    dyn Fn(CubeTensor, [bool; N]) -> [Option<CubeTensor>; N] + Send + Sync;

/// What an operation keeps for its backward pass.
#[derive(Clone)]
struct Saved<const N: usize>(Arc<Gradient<N>>);

impl<const N: usize> fmt::Debug for Saved<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Saved")
    }
}

/// The backward pass of any kernel.
#[derive(Debug)]
struct Kernel;

impl<const N: usize> Backward<CubeBackend, N> for Kernel {
    type State = Saved<N>;

    fn backward(
        self,
        ops: Ops<Self::State, N>,
        gradients: &mut Gradients,
        _checkpointer: &mut Checkpointer,
    ) {
        let flow = gradients.consume::<CubeBackend>(&ops.node);
        let wanted = ops.parents.each_ref().map(Option::is_some);
        let found = (ops.state.0)(flow, wanted);
        for (parent, gradient) in ops.parents.into_iter().zip(found) {
            if let (Some(parent), Some(gradient)) = (parent, gradient) {
                gradients.register::<CubeBackend>(parent.id, gradient);
            }
        }
    }
}

/// The output of an operation on inputs, with its backward pass.
fn record<C: CheckpointStrategy, const N: usize>(
    inputs: [&Node<C>; N],
    output: CubeTensor,
    gradient: impl Fn(CubeTensor, [bool; N]) -> [Option<CubeTensor>; N] + Send + Sync + 'static,
) -> Node<C> {
    match Kernel.prepare::<C>(inputs.map(Node::<C>::node)).compute_bound().stateful() {
        OpsKind::Tracked(prepared) => prepared.finish(Saved(Arc::new(gradient)), output),
        OpsKind::UnTracked(prepared) => prepared.finish(output),
    }
}
