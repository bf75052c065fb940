//! `hgpo devices`.

use std::io::Write as _;
use std::process::ExitCode;

use crate::device;

/// Lists the adapters and what `--device auto` would use.
pub(super) fn run() -> anyhow::Result<ExitCode> {
    let adapters = device::adapters();
    let mut out = std::io::stdout().lock();
    if adapters.is_empty() {
        writeln!(out, "no graphics adapter was found (is a Vulkan driver installed?)")?;
    }
    for adapter in &adapters {
        writeln!(out, "{adapter}")?;
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
        writeln!(out, "--device vulkan needs a build with --features vulkan")?;
    }
    Ok(ExitCode::SUCCESS)
}

/// A size in binary units, one digit after the point.
pub(super) fn bytes(count: u64) -> String {
    const UNITS: [&str; 4] = ["KiB", "MiB", "GiB", "TiB"];
    let mut value = count as f64 / 1024.0;
    let mut units = UNITS.iter();
    let mut unit = units.next();
    while value >= 1024.0 && units.len() > 0 {
        value /= 1024.0;
        unit = units.next();
    }
    format!("{value:.1} {}", unit.unwrap_or(&"KiB"))
}

#[cfg(test)]
mod tests {
    #[test]
    fn sizes_have_the_unit_that_fits() {
        let shown = [512, 128 << 20, 4 << 30, 1 << 50].map(super::bytes);
        assert_eq!(shown, ["0.5 KiB", "128.0 MiB", "4.0 GiB", "1024.0 TiB"]);
    }
}
