//! Parameters of a module as a flat, named list: what optimisers and files work on.
//!
//! If a decoder has adapters, they alone are trained.

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
pub enum ParameterSubset {
    /// All.
    All,
    /// Those of adapters.
    Adapters,
}

impl ParameterSubset {
    /// What is trained of a decoder: its adapters, or all if it has none.
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
pub fn parameters(module: &impl Module, part: ParameterSubset) -> Vec<Parameter> {
    let mut list = List { path: Vec::new(), part, gradients: None, parameters: Vec::new() };
    module.visit(&mut list);
    list.parameters
}

/// The gradient of every parameter of a [`tracked`] module, flattened, in the order of
/// [`parameters`]; zeros if a parameter took no part.
#[must_use]
pub fn gradients(
    module: &impl Module,
    part: ParameterSubset,
    gradients: &mut Gradients,
) -> Vec<Tensor<1>> {
    let gradients = Some(gradients);
    let mut list = List { path: Vec::new(), part, gradients, parameters: Vec::new() };
    module.visit(&mut list);
    list.parameters.into_iter().map(|gradient| gradient.values).collect()
}

/// The module with other values, given in the order of [`parameters`].
#[must_use]
pub fn replace<M: Module>(module: M, part: ParameterSubset, values: Vec<Tensor<1>>) -> M {
    module.map(&mut Change { path: Vec::new(), part, values: Some(values.into_iter()) })
}

/// The module with each parameter, flattened, as `step` makes it, in the order of [`parameters`]. Nothing but `step` holds
/// the parameter's buffer then, unless another module shares it.
#[must_use]
pub fn update<M: Module>(
    module: M,
    part: ParameterSubset,
    step: impl FnMut(Tensor<1>) -> Tensor<1>,
) -> M {
    module.map(&mut Update { path: Vec::new(), part, step })
}

/// A copy whose parameters are fresh leaves of an autodiff graph.
///
/// Each copy has leaves of its own, so that several can be differentiated at once on different
/// threads without sharing a graph.
#[must_use]
pub fn tracked<M: Module>(module: &M, part: ParameterSubset) -> M {
    module.clone().map(&mut Change { path: Vec::new(), part, values: None })
}

/// Collects parameters, or their gradients if there are some.
struct List<'a> {
    path: Vec<String>,
    part: ParameterSubset,
    gradients: Option<&'a mut Gradients>,
    parameters: Vec<Parameter>,
}

impl ModuleVisitor for List<'_> {
    fn enter_module(&mut self, name: &str, _container_type: &str) {
        self.path.push(name.to_owned());
    }

    fn exit_module(&mut self, _name: &str, _container_type: &str) {
        self.path.pop();
    }

    fn visit_float<const D: usize>(&mut self, param: &Param<Tensor<D>>) {
        if !self.part.holds(&self.path) {
            return;
        }
        let tensor = param.val();
        let shape = tensor.dims().to_vec();
        let values = match &mut self.gradients {
            None => tensor,
            Some(found) => tensor.grad_remove(found).unwrap_or_else(|| tensor.inner().zeros_like()),
        };
        let values = values.reshape([shape.iter().product::<usize>()]);
        self.parameters.push(Parameter { path: self.path.join("."), shape, values });
    }
}

/// Replaces parameters by other values, or by leaves if there are none.
struct Change {
    path: Vec<String>,
    part: ParameterSubset,
    values: Option<std::vec::IntoIter<Tensor<1>>>,
}

impl ModuleMapper for Change {
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
        match &mut self.values {
            None => param.map(|tensor| tensor.autodiff().require_grad()),
            Some(values) => match values.next() {
                Some(values) => Param::initialized(param.id, values.reshape(param.lazy_shape())),
                None => param,
            },
        }
    }
}

/// Changes parameters one after the other.
struct Update<F> {
    path: Vec<String>,
    part: ParameterSubset,
    step: F,
}

impl<F: FnMut(Tensor<1>) -> Tensor<1>> ModuleMapper for Update<F> {
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
        param.map(|tensor| {
            let shape = tensor.dims();
            (self.step)(tensor.reshape([shape.iter().product::<usize>()])).reshape(shape)
        })
    }
}
