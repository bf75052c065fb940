//! How fast a language model reads, writes and learns here: one JSON object for each batch size.
//!
//! Rows are dealt to threads, as a run deals its episodes and micro-batches to them: one thread on a
//! GPU, otherwise one a core. `scripts/speed` runs it beside PyTorch. Weights are those of `--model`, or
//! random ones of a known `--shape`. Every measurement is repeated, after one round that is not counted;
//! the fastest counts. With `--kernels`, one more round counts and times the kernels of a graphics adapter.
#![allow(clippy::print_stdout, reason = "prints what it measured")]

#[path = "../tests/kernel_counter/mod.rs"]
mod kernel_counter;

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::num::NonZero;
use std::sync::Arc;
use std::time::Instant;

use anyhow::Context as _;
use burn::tensor::Device;
use clap::{Parser, ValueEnum};
use cubecl::config::{TypeNameFormatLevel, type_name_format};
use hgpo_env::random::{Purpose, Stream};
use hgpo_native::allocator::{LargePages, keep_freed_memory, share_arena};
use hgpo_native::device::{self, DeviceChoice, Workload};
use hgpo_native::precision::PrecisionChoice;
use hgpo_native::run::{Display, Interrupt, Machine, Threads, peak_memory};
use hgpo_train::config::{LoraConfig, ModelConfig};
use hgpo_train::executor::map;
use hgpo_train::models::Checkpoint;
use hgpo_train::objective::Imitation;
use hgpo_train::policy::sampling::Sampling;
use hgpo_train::policy::transformer::DecoderPolicy;
use hgpo_train::policy::transformer::adamw::AdamW;
use hgpo_train::policy::transformer::decoder::Decoder;
use hgpo_train::policy::transformer::parameters::{ParameterSubset, parameters};
use hgpo_train::policy::transformer::weights::{fill, read_tensor};
use hgpo_train::policy::{AdamWSettings, OptimizerStep, Passage, Policy};
use hgpo_train::update::micro_batches::MicroBatches;
use serde_json::{Value, json};

use crate::kernel_counter::{KernelsByName, time_kernels};

#[global_allocator]
static ALLOCATOR: LargePages = LargePages;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum What {
    /// Prompts are read, and one token is drawn after each
    Prompt,
    /// Responses are drawn to prompts
    Generation,
    /// A gradient of all response tokens, and a step of the optimiser
    Training,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Shape {
    /// To try a machine out, not to tell how fast it is.
    Tiny,
    #[value(name = "smollm2-135m")]
    Smol,
    #[value(name = "qwen2.5-0.5b")]
    Half,
    #[value(name = "qwen2.5-1.5b")]
    OneAndAHalf,
}

#[derive(Parser)]
struct Arguments {
    /// A Hugging Face model folder or a GGUF file
    #[arg(long, conflicts_with = "shape")]
    model: Option<std::path::PathBuf>,
    /// A known shape, with random weights
    #[arg(long, value_enum)]
    shape: Option<Shape>,
    #[arg(long, value_enum)]
    what: What,
    #[arg(long, default_value_t, help = DeviceChoice::HELP)]
    device: DeviceChoice,
    /// Rows of a batch; several sizes are measured one after the other
    #[arg(long, value_delimiter = ',', default_value = "1")]
    batch: Vec<usize>,
    #[arg(long, default_value_t = 512)]
    prompt_tokens: usize,
    #[arg(long, default_value_t = 64)]
    response_tokens: usize,
    /// What products with weights are computed in
    #[arg(long, value_enum, default_value_t)]
    precision: PrecisionChoice,
    /// Rank of adapters; 0: all weights are trained
    #[arg(long, default_value_t = 0)]
    lora_rank: usize,
    /// One graph instead of layer by layer
    #[arg(long)]
    one_graph: bool,
    #[arg(long, default_value_t = 3)]
    repetitions: usize,
    /// Count and time the kernels of a round, of generation those of a decode step
    #[arg(long)]
    kernels: bool,
    /// Threads that rows are dealt to [default: 1 on a GPU, else one a core]
    #[arg(long)]
    threads: Option<NonZero<usize>>,
}

impl Arguments {
    fn trains_all(&self) -> bool {
        self.what == What::Training && self.lora_rank == 0
    }

    /// Tokens of a row that speed is told in.
    fn tokens_counted(&self) -> usize {
        match self.what {
            What::Prompt => self.prompt_tokens,
            What::Generation => self.response_tokens,
            What::Training => self.prompt_tokens + self.response_tokens,
        }
    }
}

impl Shape {
    fn config(self) -> (ModelConfig, usize) {
        let (hidden_size, intermediate_size, layers, heads, key_value_heads, vocabulary) =
            match self {
                Self::Tiny => (64, 160, 2, 4, 2, 512),
                Self::Smol => (576, 1536, 30, 9, 3, 49_152),
                Self::Half => (896, 4864, 24, 14, 2, 151_936),
                Self::OneAndAHalf => (1536, 8960, 28, 12, 2, 151_936),
            };
        let config = ModelConfig {
            hidden_size,
            intermediate_size,
            num_hidden_layers: layers,
            num_attention_heads: heads,
            num_key_value_heads: key_value_heads,
            attention_bias: matches!(self, Self::Half | Self::OneAndAHalf),
            rope_theta: 1e6,
            ..ModelConfig::default()
        };
        (config, vocabulary)
    }
}

fn main() -> anyhow::Result<()> {
    keep_freed_memory();
    share_arena();
    let arguments = Arguments::parse();
    let start = Instant::now();
    let chosen = device::choose(arguments.device, Workload::LanguageModel)?;
    let threads = Threads::new(arguments.threads).on(chosen.adapter.as_ref());
    let (policy, vocabulary) = open(&arguments, &chosen.device, &threads)?;
    let mut work = Work::new(policy, &arguments, threads.clone());
    let loaded = start.elapsed().as_secs_f64();
    for &batch in &arguments.batch {
        let seconds = work.measure(batch, vocabulary)?;
        let fastest = seconds[1..].iter().copied().fold(f64::INFINITY, f64::min);
        let mut report = json!({
            "device": chosen.reason,
            "what": format!("{:?}", arguments.what).to_lowercase(),
            "batch": batch,
            "threads": threads.count(),
            "precision": arguments.precision.0,
            "prompt_tokens": arguments.prompt_tokens,
            "response_tokens": arguments.response_tokens,
            "lora_rank": arguments.lora_rank,
            "tokens_per_second": (batch * arguments.tokens_counted()) as f64 / fastest,
            "seconds_to_load": loaded,
            "seconds_of_first_round": seconds[0],
            "seconds": seconds[1..],
            "peak_memory_bytes": peak_memory().unwrap_or(0),
        });
        if arguments.kernels {
            report["kernels"] = work.kernels(batch, vocabulary)?;
        }
        println!("{report}");
    }
    Ok(())
}

/// The model that is measured, and the size of its vocabulary.
fn open(
    arguments: &Arguments,
    device: &Device,
    threads: &Threads,
) -> anyhow::Result<(DecoderPolicy, usize)> {
    match (&arguments.model, arguments.shape) {
        (Some(path), _) => {
            let checkpoint = Checkpoint::open(path)?;
            let vocabulary = checkpoint.description().vocab_size;
            let (precision, trained) = (arguments.precision.0, arguments.trains_all());
            let policy = DecoderPolicy::open(&checkpoint, precision, trained, device, threads)?;
            Ok((policy, vocabulary))
        }
        (None, Some(shape)) => {
            let (config, vocabulary) = shape.config();
            let decoder = Decoder::new(&config, vocabulary, device);
            let decoder = decoder.computing_in(arguments.precision.0);
            let decoder =
                if arguments.trains_all() { decoder } else { decoder.stored_as_computed() };
            let decoder = fill(decoder, ParameterSubset::All, device, |_, shape| Ok(noise(shape)))
                .unwrap_or_else(|never: Infallible| match never {});
            Ok((DecoderPolicy::of(decoder, &config, device), vocabulary))
        }
        (None, None) => anyhow::bail!("give --model or --shape"),
    }
}

/// Kernels beyond others, by the number of steps that they are of.
fn describe(kernels: &KernelsByName, others: &KernelsByName, steps: usize) -> Value {
    // Types that differ in their parameters alone have one short name.
    let mut by_name: BTreeMap<String, (f64, f64)> = BTreeMap::new();
    for (name, kernels) in kernels {
        let other = others.get(name).copied().unwrap_or_default();
        let entry =
            by_name.entry(type_name_format(name, TypeNameFormatLevel::Balanced)).or_default();
        entry.0 += (kernels.started as f64 - other.started as f64) / steps as f64;
        entry.1 += (kernels.seconds - other.seconds) / steps as f64;
    }
    let (started, seconds) =
        by_name.values().fold((0.0, 0.0), |sum, it| (sum.0 + it.0, sum.1 + it.1));
    let mut by_name: Vec<(String, (f64, f64))> = by_name.into_iter().collect();
    by_name.sort_by(|a, b| b.1.1.total_cmp(&a.1.1));
    let named =
        |(name, (started, seconds))| json!({"name": name, "started": started, "seconds": seconds});
    json!({
        "started": started,
        "seconds": seconds,
        "is_device_time": kernels.values().all(|kernels| kernels.timed == kernels.started),
        "by_name": by_name.into_iter().map(named).collect::<Vec<Value>>(),
    })
}

/// Numbers between -0.03 and 0.03 that repeat after a while: speed does not depend on which they are,
/// and drawing billions would take longer than the measurement.
fn noise(shape: &[usize]) -> Vec<f32> {
    const PERIOD: usize = (1 << 20) + 7;
    let mut stream = Stream::new(1, Purpose::Weights, [0, 0]);
    let drawn: Vec<f32> = (0..PERIOD).map(|_| (0.06 * (stream.uniform() - 0.5)) as f32).collect();
    drawn.into_iter().cycle().take(shape.iter().product()).collect()
}

struct Work<'a> {
    policy: DecoderPolicy,
    optimizer: AdamW,
    arguments: &'a Arguments,
    threads: Threads,
}

impl<'a> Work<'a> {
    fn new(policy: DecoderPolicy, arguments: &'a Arguments, threads: Threads) -> Self {
        let lora = LoraConfig { rank: arguments.lora_rank, ..LoraConfig::default() };
        let policy = if lora.rank > 0 { policy.adapted(&lora, 1) } else { policy };
        let policy = policy.with_gradient_checkpointing(!arguments.one_graph);
        let settings = AdamWSettings { beta_1: 0.9, beta_2: 0.999, weight_decay: 0.01 };
        let optimizer = if arguments.what == What::Training {
            policy.optimizer(settings)
        } else {
            AdamW::new(&[], settings, policy.device())
        };
        Self { policy, optimizer, arguments, threads }
    }

    /// Seconds of each round, the first of which is not to be counted.
    fn measure(&mut self, batch: usize, vocabulary: usize) -> anyhow::Result<Vec<f64>> {
        let (rows, repetitions) = (self.rows(batch, vocabulary), self.arguments.repetitions);
        let mut round = || {
            let start = Instant::now();
            self.run(&rows)?;
            Ok(start.elapsed().as_secs_f64())
        };
        (0..=repetitions).map(|_| round()).collect()
    }

    /// Prompts and responses.
    fn rows(&self, batch: usize, vocabulary: usize) -> Vec<(Vec<u32>, Vec<u32>)> {
        let mut stream = Stream::new(1, Purpose::Tasks, [0, 0]);
        let mut text = |count: usize| -> Vec<u32> {
            (0..count).map(|_| stream.below(vocabulary.min(40_000)) as u32).collect()
        };
        let (prompt, response) = (self.arguments.prompt_tokens, self.arguments.response_tokens);
        (0..batch).map(|_| (text(prompt), text(response))).collect()
    }

    /// The kernels of a round, those that take most time first. Of generation, those of a decode step: what eight
    /// more tokens add.
    fn kernels(&mut self, batch: usize, vocabulary: usize) -> anyhow::Result<Value> {
        let rows = self.rows(batch, vocabulary);
        if self.arguments.what != What::Generation {
            let (done, kernels) = time_kernels(|| self.run(&rows));
            done?;
            return Ok(describe(&kernels, &KernelsByName::new(), 1));
        }
        let [(few, less), (many, more)] =
            [8, 16].map(|tokens| time_kernels(|| self.generate(&rows, tokens)));
        few.and(many)?;
        Ok(describe(&more, &less, 8))
    }

    fn run(&mut self, rows: &[(Vec<u32>, Vec<u32>)]) -> anyhow::Result<()> {
        match self.arguments.what {
            What::Prompt => self.generate(rows, 1),
            What::Generation => self.generate(rows, self.arguments.response_tokens),
            What::Training => self.train(rows),
        }
    }

    /// The rows of each thread.
    fn dealt<'r>(&self, rows: &'r [(Vec<u32>, Vec<u32>)]) -> Vec<&'r [(Vec<u32>, Vec<u32>)]> {
        rows.chunks(rows.len().div_ceil(self.threads.count()).max(1)).collect()
    }

    fn generate(&self, rows: &[(Vec<u32>, Vec<u32>)], tokens: usize) -> anyhow::Result<()> {
        let parts = self.dealt(rows);
        let results = map(&self.threads, parts.len(), |part| {
            let prompts: Vec<&[u32]> =
                parts[part].iter().map(|(prompt, _)| prompt.as_slice()).collect();
            let stream = |row| Stream::new(1, Purpose::Sampling, [row as u64, part as u64]);
            let mut streams: Vec<Stream> = (0..prompts.len()).map(stream).collect();
            let sampling = Sampling::at(1.0);
            self.policy.generate(&prompts, sampling, tokens, &mut streams, &mut |_, _| false)
        });
        for drawn in results {
            anyhow::ensure!(drawn?.iter().all(|response| response.len() == tokens));
        }
        Ok(())
    }

    fn train(&mut self, rows: &[(Vec<u32>, Vec<u32>)]) -> anyhow::Result<()> {
        let passages: Vec<Passage<'_>> =
            rows.iter().map(|(prompt, response)| Passage { prompt, response }).collect();
        let mini_batch: Vec<usize> = (0..passages.len()).collect();
        let size = passages.len().div_ceil(self.threads.count()).max(1);
        let micro_batches = MicroBatches { size, tokens: usize::MAX };
        let display = Arc::new(Display::new());
        let machine = Machine::new(self.threads.clone(), Interrupt::default(), display);
        let (gradient, _) = micro_batches.gradient(
            &self.policy,
            &passages,
            &mini_batch,
            1.0,
            &Imitation,
            &machine,
        )?;
        let divisor = rows.iter().map(|(_, response)| response.len()).sum::<usize>() as f64;
        let update = OptimizerStep { divisor, max_grad_norm: 1.0, learning_rate: 1e-6 };
        self.policy.apply(gradient.context("no rows")?, &mut self.optimizer, update)?;
        // What is asked for last is done when all before it is.
        let part = ParameterSubset::trained(&self.policy.decoder);
        let last = parameters(&self.policy.decoder, part).pop().context("nothing is trained")?;
        read_tensor(last.values.narrow(0, 0, 1))?;
        Ok(())
    }
}
