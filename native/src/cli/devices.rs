//! `hgpo devices`.

use std::io::Write as _;
use std::process::ExitCode;

use crate::device;
use crate::run::room::bytes;

pub(super) const AFTER: &str = "\
Exit status: 0 success, 1 failure, 2 wrong usage.

Example:
  hgpo devices";

/// Lists the adapters and what `--device auto` would use.
pub(super) fn run() -> anyhow::Result<ExitCode> {
    let adapters = device::adapters();
    let mut out = std::io::stdout().lock();
    if adapters.is_empty() {
        writeln!(out, "no graphics adapter found (is a Vulkan driver installed?)")?;
    }
    for (number, adapter) in adapters.iter().enumerate() {
        writeln!(out, "wgpu:{number}  {adapter}")?;
        writeln!(out, "    driver: {}", adapter.driver)?;
        writeln!(
            out,
            "    largest buffer: {}; largest storage binding: {}",
            bytes(adapter.max_buffer),
            bytes(adapter.max_binding)
        )?;
    }
    writeln!(out, "--device auto would use {}", device::automatic(&adapters).1)?;
    if !cfg!(feature = "vulkan") {
        writeln!(out, "--device vulkan needs a build with `--features vulkan`")?;
    }
    Ok(ExitCode::SUCCESS)
}
