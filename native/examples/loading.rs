//! Loads a language model once: how long it took, as JSON. `scripts/loading` watches its memory.
//!
//! Writes its process before it loads, and waits for a line on standard input, so that whoever watches
//! it knows what it had before.
#![allow(clippy::print_stdout, reason = "prints what it measured")]

use std::path::PathBuf;
use std::time::Instant;

use burn::module::Module as _;
use clap::Parser;
use hgpo_native::allocator::{LargePages, keep_freed_memory, share_arena};
use hgpo_native::device::{self, DeviceChoice, Workload};
use hgpo_native::precision::PrecisionChoice;
use hgpo_native::run::Threads;
use hgpo_train::models::Checkpoint;
use hgpo_train::policy::transformer::DecoderPolicy;
use serde_json::json;

#[global_allocator]
static ALLOCATOR: LargePages = LargePages;

#[derive(Parser)]
struct Arguments {
    /// A Hugging Face model folder or a GGUF file
    #[arg(long)]
    model: PathBuf,
    /// What weights are held in
    #[arg(long, value_enum, default_value_t)]
    precision: PrecisionChoice,
}

fn main() -> anyhow::Result<()> {
    keep_freed_memory();
    share_arena();
    let arguments = Arguments::parse();
    let device = device::choose(DeviceChoice::Cpu, Workload::LanguageModel)?.device;
    println!("{}", json!({ "process": std::process::id() }));
    std::io::stdin().read_line(&mut String::new())?;
    let start = Instant::now();
    let checkpoint = Checkpoint::open(&arguments.model)?;
    let (precision, threads) = (arguments.precision.0, Threads::new(None));
    let policy = DecoderPolicy::open(&checkpoint, precision, false, &device, &threads)?;
    let seconds = start.elapsed().as_secs_f64();
    let bytes = policy.decoder.num_params() * precision.bytes();
    println!("{}", json!({ "seconds": seconds, "weights_bytes": bytes }));
    Ok(())
}
