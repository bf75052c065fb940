//! A decoder's parameters as a flat, named list: what optimisers and files work on.

use burn::module::{Module, ModuleMapper, ModuleVisitor, Param};
use burn::tensor::{Gradients, Tensor};

use super::decoder::Decoder;

/// One parameter, flattened.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Path in the module, such as `layers.0.mlp.up_proj.weight`.
    pub path: String,
    /// Shape before flattening.
    pub shape: Vec<usize>,
    /// Values in row-major order.
    pub values: Tensor<1>,
}

/// All parameters, in the module's order.
#[must_use]
pub fn parameters(decoder: &Decoder) -> Vec<Parameter> {
    let mut list = List::default();
    decoder.visit(&mut list);
    list.parameters
}

/// The decoder with other values, given in the order of [`parameters`].
#[must_use]
pub fn replace(decoder: Decoder, values: Vec<Tensor<1>>) -> Decoder {
    decoder.map(&mut Replace(values.into_iter()))
}

/// A copy whose parameters are fresh leaves of an autodiff graph.
///
/// Each copy has leaves of its own, so that several can be differentiated at once on different
/// threads without sharing a graph.
#[must_use]
pub fn tracked(decoder: &Decoder) -> Decoder {
    decoder.clone().map(&mut Track)
}

/// The gradient of every parameter of a [`tracked`] decoder, flattened, in the order of
/// [`parameters`]; zeros where a parameter took no part.
#[must_use]
pub fn gradients(decoder: &Decoder, gradients: Gradients) -> Vec<Tensor<1>> {
    let mut collect = Collect { gradients, flat: Vec::new() };
    decoder.visit(&mut collect);
    collect.flat
}

fn flatten<const D: usize>(tensor: Tensor<D>) -> Tensor<1> {
    let count = tensor.shape().num_elements();
    tensor.reshape([count])
}

#[derive(Default)]
struct List {
    path: Vec<String>,
    parameters: Vec<Parameter>,
}

impl ModuleVisitor for List {
    fn enter_module(&mut self, name: &str, _container_type: &str) {
        self.path.push(name.to_owned());
    }

    fn exit_module(&mut self, _name: &str, _container_type: &str) {
        self.path.pop();
    }

    fn visit_float<const D: usize>(&mut self, param: &Param<Tensor<D>>) {
        let tensor = param.val();
        self.parameters.push(Parameter {
            path: self.path.join("."),
            shape: tensor.dims().to_vec(),
            values: flatten(tensor),
        });
    }
}

struct Replace(std::vec::IntoIter<Tensor<1>>);

impl ModuleMapper for Replace {
    fn map_float<const D: usize>(&mut self, param: Param<Tensor<D>>) -> Param<Tensor<D>> {
        match self.0.next() {
            Some(values) => param.map(|old| values.reshape(old.shape())),
            None => param,
        }
    }
}

struct Track;

impl ModuleMapper for Track {
    fn map_float<const D: usize>(&mut self, param: Param<Tensor<D>>) -> Param<Tensor<D>> {
        param.map(|tensor| tensor.autodiff().require_grad())
    }
}

struct Collect {
    gradients: Gradients,
    flat: Vec<Tensor<1>>,
}

impl ModuleVisitor for Collect {
    fn visit_float<const D: usize>(&mut self, param: &Param<Tensor<D>>) {
        let tensor = param.val();
        let gradient =
            tensor.grad_remove(&mut self.gradients).unwrap_or_else(|| tensor.inner().zeros_like());
        self.flat.push(flatten(gradient));
    }
}
