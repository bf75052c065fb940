//! `hgpo devices`: the graphics adapters and the device that would be used.

use std::io::Write as _;

use hgpo_train::config::Config;

use crate::device::{self, Workload};
use crate::run::Threads;
use crate::run::machine::memory_check::render_bytes;

pub(super) const AFTER: &str = "\
Exit status: 0 success, 1 failure, 2 usage error.

Example:
  hgpo devices";

/// Lists the adapters and what `--device auto` uses.
pub(super) fn run() -> anyhow::Result<()> {
    let adapters = device::adapters();
    let mut out = std::io::stdout().lock();
    if adapters.is_empty() {
        writeln!(out, "no graphics adapter found (is a Vulkan driver installed?)")?;
    }
    for (number, adapter) in adapters.iter().enumerate() {
        writeln!(out, "wgpu:{number}  {adapter}")?;
        writeln!(out, "    driver: {}", adapter.driver)?;
        writeln!(out, "    kernels: {}", adapter.shader_language())?;
        let [buffer, binding] = [adapter.max_buffer, adapter.max_binding].map(render_bytes);
        writeln!(out, "    largest buffer: {buffer}; largest storage binding: {binding}")?;
    }
    writeln!(out, "--device auto uses")?;
    let reason = |workload| device::automatic(&adapters, workload).reason;
    let (default, threads) = (Config::default(), Threads::new(None).count());
    writeln!(out, "    for the default run: {}", reason(Workload::run(&default, threads)))?;
    writeln!(out, "    for a language model: {}", reason(Workload::LanguageModel))?;
    Ok(())
}
