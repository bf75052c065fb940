//! `hgpo devices`: the graphics adapters and the device that would be used.

use std::fmt::Write as _;
use std::io::Write as _;
use std::process::ExitCode;

use hgpo_train::config::Config;

use crate::device::{self, Adapter, Workload};
use crate::run::Threads;
use crate::run::machine::memory_check::render_bytes;

pub(super) const AFTER: &str = "\
Exit status: 0 success, 1 failure, 2 usage error.

Example:
  hgpo devices";

/// Lists the adapters and what `--device auto` uses.
pub(super) fn run() -> anyhow::Result<ExitCode> {
    let text = describe(&device::adapters(), Threads::new(None).count())?;
    std::io::stdout().lock().write_all(text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

fn describe(adapters: &[Adapter], threads: usize) -> Result<String, std::fmt::Error> {
    let mut out = String::new();
    if adapters.is_empty() {
        writeln!(out, "no graphics adapter found (is a Vulkan driver installed?)")?;
    }
    for (number, adapter) in adapters.iter().enumerate() {
        writeln!(out, "wgpu:{number}  {adapter}")?;
        writeln!(out, "    driver: {}", adapter.driver)?;
        writeln!(
            out,
            "    largest buffer: {}; largest storage binding: {}",
            render_bytes(adapter.max_buffer),
            render_bytes(adapter.max_binding)
        )?;
    }
    writeln!(out, "--device auto uses")?;
    let default = Config::default();
    let named = [
        ("the default run", Workload::run(&default, threads)),
        ("a language model", Workload::LanguageModel),
    ];
    for (name, workload) in named {
        writeln!(out, "    for {name}: {}", device::automatic(adapters, workload).reason)?;
    }
    if !cfg!(feature = "vulkan") {
        writeln!(out, "--device vulkan needs a build with `--features vulkan`")?;
    }
    Ok(out)
}
