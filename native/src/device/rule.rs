//! Device rule: which of CPU and GPU computes a policy sooner, by what was measured (docs/results.md, "CPU or GPU").

use hgpo_train::config::{Config, PolicyKind};
use hgpo_train::memory::PolicySize;

/// Operations, counted as if all episodes took all their steps, for which a thread of the CPU takes a second: half as
/// many if they do, more if they end sooner.
const OPERATIONS: f64 = 2e11;
/// Seconds until a GPU has been told to start a kernel, through wgpu, with what it waits for the host between them.
const START: f64 = 70e-6;

/// What a device is chosen for.
#[derive(Clone, Copy, Debug)]
pub enum Workload<'a> {
    /// The policy of runs, in training or not.
    Runs {
        /// Their settings.
        config: &'a Config,
        /// Threads that each has on the CPU.
        threads: usize,
        /// Runs that share the CPU; a GPU has one at a time.
        at_once: usize,
    },
    /// A language model that answers or is scored.
    LanguageModel,
}

/// The faster device, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Preference {
    /// Whether it is a GPU, if there is one.
    pub is_gpu: bool,
    /// The reason, with the numbers that were compared.
    pub reason: String,
}

impl<'a> Workload<'a> {
    /// That of a run alone, which has so many threads on the CPU.
    #[must_use]
    pub fn run(config: &'a Config, threads: usize) -> Self {
        Self::Runs { config, threads, at_once: 1 }
    }

    /// The faster device for it.
    ///
    /// # Formula
    /// An iteration takes a CPU (operations of a thread) / (2 · 10¹¹ · runs at once) seconds, and a GPU
    /// kernels · 70 µs: as long as kernels are short, only starting them counts. Tables start none, and those of
    /// language models are worth it on any CPU.
    #[must_use]
    pub fn preference(self) -> Preference {
        match self {
            Self::Runs { config, .. } if config.policy.kind == PolicyKind::Table => {
                Preference { is_gpu: false, reason: "a table needs no GPU".into() }
            }
            Self::Runs { config, threads, at_once } if config.pretrained.model.is_empty() => {
                transformer(config, threads, at_once as f64)
            }
            Self::Runs { .. } | Self::LanguageModel => {
                Preference { is_gpu: true, reason: "a language model is faster on a GPU".into() }
            }
        }
    }
}

/// Of a transformer from scratch, without its embedding and with prompts of an assumed length.
fn transformer(config: &Config, threads: usize, at_once: f64) -> Preference {
    let size = PolicySize::new(&config.model, 0, None);
    let operations = size.operations_in_turn(config, threads).unwrap_or_default();
    let kernels = size.kernels(config).unwrap_or_default();
    let (cpu, gpu) = (operations / (OPERATIONS * at_once), kernels * START);
    let reason = format!(
        "an iteration of {} weights takes about {cpu:.1} s on the CPU ({threads} threads, {operations:.1e} \
         operations each) and {gpu:.1} s on a GPU ({} kernels to start)",
        describe_count(size.weights as f64),
        describe_count(kernels),
    );
    Preference { is_gpu: gpu < cpu, reason }
}

/// A count in words.
fn describe_count(count: f64) -> String {
    match count {
        ..1e6 => format!("{:.0} thousand", count / 1e3),
        _ => format!("{:.1} million", count / 1e6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(hidden: usize, inner: usize, layers: usize) -> Config {
        let mut config = Config::default();
        (config.model.hidden_size, config.model.intermediate_size) = (hidden, inner);
        config.model.num_hidden_layers = layers;
        config
    }

    fn is_gpu(config: &Config, threads: usize) -> bool {
        Workload::run(config, threads).preference().is_gpu
    }

    #[test]
    fn a_wider_policy_starts_no_more_kernels_and_takes_the_cpu_longer() {
        // A layer of 256 / 512: 2 · 256 · 256 of queries and output, 2 · 256 · 128 of keys and values,
        // 3 · 256 · 512: 589,824 weights. 2048 rows of 108 tokens, 5 times, in 2 layers: 2 operations a weight, and
        // 4 · 256 · 54 of attention, 2.73e12; 2048 rows of 8 tokens predict none of 0 words.
        let wide = shape(256, 512, 2);
        let reason = Workload::run(&wide, 2).preference().reason;
        let expected = "an iteration of 1.2 million weights takes about 6.8 s on the CPU (2 threads, 1.4e12 \
                        operations each) and 0.5 s on a GPU (7 thousand kernels to start)";
        assert_eq!(reason, expected);
        // 2.73e12 / 2e11 = 13.7 s on a thread; on thirty-two, 13.7 (0.2 / 4 + 0.8 / 32) = 1.03 s.
        assert!([1, 2, 32].into_iter().all(|threads| is_gpu(&wide, threads)));
        // Eight runs with a thread each: 13.7 / 8 = 1.7 s for each of them; thirty-two: 0.43 s.
        let at_once = |at_once| Workload::Runs { config: &wide, threads: 1, at_once };
        assert!(at_once(8).preference().is_gpu && !at_once(32).preference().is_gpu);
    }

    #[test]
    fn tables_and_the_default_run_are_on_the_cpu_and_language_models_on_a_gpu() {
        let default = Config::default();
        assert!([2, 16].into_iter().all(|threads| !is_gpu(&default, threads)));
        let mut table = shape(4096, 4096, 32);
        table.policy.kind = PolicyKind::Table;
        assert!(!is_gpu(&table, 1));
        let mut language_model = Config::default();
        language_model.pretrained.model = "a folder".into();
        assert!(is_gpu(&language_model, 1000));
        assert!(Workload::LanguageModel.preference().is_gpu);
    }
}
