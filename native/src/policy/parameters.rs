//! A module's parameters as a flat, named list: what optimisers and files work on.
//!
//! Where a decoder has adapters, they alone are trained.

use burn::module::{Module, ModuleMapper, ModuleVisitor, Param};
use burn::tensor::{Gradients, Tensor};

use super::decoder::Decoder;

/// Part of the paths of adapters.
const ADAPTER: &str = "adapter";

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

/// Which parameters are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// All.
    All,
    /// Those of adapters.
    Adapters,
}

impl Part {
    /// What is trained of a decoder: its adapters, or all where it has none.
    #[must_use]
    pub fn trained(decoder: &Decoder) -> Self {
        if decoder.is_adapted() { Self::Adapters } else { Self::All }
    }

    fn holds(self, path: &[String]) -> bool {
        self == Self::All || path.iter().any(|name| name == ADAPTER)
    }
}

/// Parameters in the module's order.
#[must_use]
pub fn parameters(module: &impl Module, part: Part) -> Vec<Parameter> {
    let mut list = List { path: Vec::new(), part, parameters: Vec::new() };
    module.visit(&mut list);
    list.parameters
}

/// The module with other values, given in the order of [`parameters`].
#[must_use]
pub fn replace<M: Module>(module: M, part: Part, values: Vec<Tensor<1>>) -> M {
    module.map(&mut Replace { path: Vec::new(), part, values: values.into_iter() })
}

/// A copy whose parameters are fresh leaves of an autodiff graph.
///
/// Each copy has leaves of its own, so that several can be differentiated at once on different
/// threads without sharing a graph.
#[must_use]
pub fn tracked<M: Module>(module: &M, part: Part) -> M {
    module.clone().map(&mut Track { path: Vec::new(), part })
}

/// The gradient of every parameter of a [`tracked`] module, flattened, in the order of
/// [`parameters`]; zeros where a parameter took no part.
#[must_use]
pub fn gradients(module: &impl Module, part: Part, gradients: &mut Gradients) -> Vec<Tensor<1>> {
    let mut collect = Collect { path: Vec::new(), part, gradients, flat: Vec::new() };
    module.visit(&mut collect);
    collect.flat
}

fn flatten<const D: usize>(tensor: Tensor<D>) -> Tensor<1> {
    let count = tensor.shape().num_elements();
    tensor.reshape([count])
}

struct List {
    path: Vec<String>,
    part: Part,
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
        if self.part.holds(&self.path) {
            let tensor = param.val();
            self.parameters.push(Parameter {
                path: self.path.join("."),
                shape: tensor.dims().to_vec(),
                values: flatten(tensor),
            });
        }
    }
}

struct Replace {
    path: Vec<String>,
    part: Part,
    values: std::vec::IntoIter<Tensor<1>>,
}

impl ModuleMapper for Replace {
    fn enter_module(&mut self, name: &str, _container_type: &str) {
        self.path.push(name.to_owned());
    }

    fn exit_module(&mut self, _name: &str, _container_type: &str) {
        self.path.pop();
    }

    fn map_float<const D: usize>(&mut self, param: Param<Tensor<D>>) -> Param<Tensor<D>> {
        if !self.part.holds(&self.path) {
            return param;
        }
        match self.values.next() {
            Some(values) => param.map(|old| values.reshape(old.shape())),
            None => param,
        }
    }
}

struct Track {
    path: Vec<String>,
    part: Part,
}

impl ModuleMapper for Track {
    fn enter_module(&mut self, name: &str, _container_type: &str) {
        self.path.push(name.to_owned());
    }

    fn exit_module(&mut self, _name: &str, _container_type: &str) {
        self.path.pop();
    }

    fn map_float<const D: usize>(&mut self, param: Param<Tensor<D>>) -> Param<Tensor<D>> {
        if !self.part.holds(&self.path) {
            return param;
        }
        param.map(|tensor| tensor.autodiff().require_grad())
    }
}

struct Collect<'a> {
    path: Vec<String>,
    part: Part,
    gradients: &'a mut Gradients,
    flat: Vec<Tensor<1>>,
}

impl ModuleVisitor for Collect<'_> {
    fn enter_module(&mut self, name: &str, _container_type: &str) {
        self.path.push(name.to_owned());
    }

    fn exit_module(&mut self, _name: &str, _container_type: &str) {
        self.path.pop();
    }

    fn visit_float<const D: usize>(&mut self, param: &Param<Tensor<D>>) {
        if self.part.holds(&self.path) {
            let tensor = param.val();
            let gradient =
                tensor.grad_remove(self.gradients).unwrap_or_else(|| tensor.inner().zeros_like());
            self.flat.push(flatten(gradient));
        }
    }
}
