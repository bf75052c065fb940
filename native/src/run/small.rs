//! Policies that are too small to keep a GPU busy.

use hgpo_train::config::{Config, PolicyKind};
use hgpo_train::learn::memory::Size;

use crate::device::Adapter;

/// Weights, embedding apart, from which on a GPU is worth it. A policy of 66 thousand spends 3 s of an iteration on
/// starting kernels, where two cores take half a second for all of it; with 500 million and several rows, kernels take
/// longer than their starts (docs/results.md, "On a GPU").
const WORTH_A_GPU: u64 = 10_000_000;

/// Whether the policy is a table, or a transformer from scratch that the CPU computes sooner than a GPU is told to.
#[must_use]
pub fn suits_the_cpu(config: &Config) -> bool {
    if config.policy.kind == PolicyKind::Table {
        return true;
    }
    config.pretrained.model.is_empty() && Size::new(&config.model, 0, None).weights < WORTH_A_GPU
}

/// What to tell where such a transformer is on an adapter.
#[must_use]
pub fn hint(config: &Config, adapter: Option<&Adapter>) -> Option<&'static str> {
    let is_transformer = config.policy.kind != PolicyKind::Table;
    (adapter.is_some() && is_transformer && suits_the_cpu(config))
        .then_some("a policy as small as this is faster on the CPU: --device cpu")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn adapter() -> Adapter {
        Adapter {
            name: "any".into(),
            kind: wgpu::DeviceType::DiscreteGpu,
            backend: wgpu::Backend::Vulkan,
            driver: String::new(),
            max_buffer: 0,
            max_binding: 0,
        }
    }

    #[test]
    fn a_policy_is_small_by_its_weights_and_a_language_model_never_is() {
        let small = Config::default();
        assert!(suits_the_cpu(&small));
        assert!(hint(&small, Some(&adapter())).is_some_and(|it| it.contains("--device cpu")));
        assert_eq!(hint(&small, None), None);
        let mut large = Config::default();
        (large.model.hidden_size, large.model.intermediate_size) = (512, 2048);
        large.model.num_hidden_layers = 4;
        assert!(!suits_the_cpu(&large));
        assert_eq!(hint(&large, Some(&adapter())), None);
        let mut language_model = Config::default();
        language_model.pretrained.model = "folder".into();
        assert!(!suits_the_cpu(&language_model));
        // Where a table is makes no difference to it.
        let mut table = Config::default();
        table.policy.kind = PolicyKind::Table;
        assert!(suits_the_cpu(&table));
        assert_eq!(hint(&table, Some(&adapter())), None);
    }
}
