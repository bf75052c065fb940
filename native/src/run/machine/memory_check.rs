//! Memory check before a run: whether it fits in this machine's memory.

use hgpo_train::config::Config;
use hgpo_train::memory::{MemoryEstimate, MemoryPart, PolicySize};

use crate::device::Chosen;
use crate::run::Display;

/// A run that takes more memory than there is.
#[derive(Debug, thiserror::Error)]
#[error(
    "not enough memory: this takes about {}, of which {} for {}, and {}: reduce {}",
    render_bytes(*needed), render_bytes(largest.bytes), largest.what, describe_available(*most), largest.settings
)]
pub(crate) struct OutOfMemory {
    needed: u64,
    most: u64,
    largest: MemoryPart,
}

fn describe_available(most: u64) -> String {
    format!("only {} is available", render_bytes(most))
}

/// Refuses a run that is certain to take more memory than this process can have, and warns of one that may;
/// on a graphics adapter, only episodes are counted.
///
/// # Errors
/// Says how much it takes, how much there is, and what to make smaller.
pub(crate) fn check(
    config: &Config,
    size: &PolicySize,
    device: &Chosen,
    threads: usize,
    display: &Display,
) -> Result<(), OutOfMemory> {
    if let Some(tight) = check_estimate(&size.memory(config), device.adapter.is_some(), threads)? {
        display.warn(&format!("warning: {tight}"));
    }
    Ok(())
}

/// The same of an estimate, with the warning.
///
/// # Errors
/// Those of [`check`].
pub(crate) fn check_estimate(
    memory: &MemoryEstimate,
    on_adapter: bool,
    threads: usize,
) -> Result<Option<String>, OutOfMemory> {
    let tensors = if on_adapter { MemoryEstimate::OF_TENSORS } else { 0 };
    check_parts(&memory.parts(threads)[tensors..])?;
    let longest = check_parts(&memory.longest().parts(threads)[tensors..]);
    let warning = |OutOfMemory { needed, most, .. }| {
        format!(
            "if every episode took environment.max_steps steps, this would need about {}, and {}: watch memory, \
             or reduce environment.max_steps",
            render_bytes(needed),
            describe_available(most)
        )
    };
    Ok(longest.err().map(warning))
}

/// The same of what is there at once.
///
/// # Errors
/// Those of [`check`].
pub(crate) fn check_parts(parts: &[MemoryPart]) -> Result<(), OutOfMemory> {
    let needed = parts.iter().fold(0_u64, |all, part| all.saturating_add(part.bytes));
    let largest = parts.iter().max_by_key(|part| part.bytes);
    match (available_memory(), largest) {
        (Some(most), Some(&largest)) if needed > most => Err(OutOfMemory { needed, most, largest }),
        _ => Ok(()),
    }
}

/// Bytes of memory that this process can have: those of the machine, or less if it was given a limit.
/// `None` if the system does not say.
pub(crate) fn available_memory() -> Option<u64> {
    [machine_memory(), cgroup_limit(), process_limit()].into_iter().flatten().min()
}

/// Memory and swap of the machine. Only Linux has this file.
fn machine_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let entry = |name: &str| {
        let line = text.lines().find(|line| line.starts_with(name))?;
        line.split_whitespace().nth(1)?.parse::<u64>().ok()
    };
    Some((entry("MemTotal:")? + entry("SwapTotal:").unwrap_or(0)).saturating_mul(1024))
}

/// The limit of the control group that the process is in, as containers have one.
fn cgroup_limit() -> Option<u64> {
    let groups = std::fs::read_to_string("/proc/self/cgroup").ok()?;
    let path = groups.lines().find_map(|line| line.strip_prefix("0::"))?;
    let root = std::path::Path::new("/sys/fs/cgroup");
    let own = root.join(path.trim_start_matches('/'));
    let limits = own.ancestors().take_while(|folder| folder.starts_with(root));
    let read = |folder: &std::path::Path| {
        std::fs::read_to_string(folder.join("memory.max")).ok()?.trim().parse().ok()
    };
    limits.filter_map(read).min()
}

/// The limit of the process itself, as `ulimit -v` sets it.
#[cfg(unix)]
#[expect(unsafe_code, reason = "the limits of a process have no other interface")]
fn process_limit() -> Option<u64> {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the pointer is to a value of the type that is written.
    let is_known = unsafe { libc::getrlimit(libc::RLIMIT_AS, &raw mut limit) } == 0;
    (is_known && limit.rlim_cur != libc::RLIM_INFINITY).then_some(limit.rlim_cur)
}

#[cfg(not(unix))]
fn process_limit() -> Option<u64> {
    None
}

/// A size in binary units, one digit after the point.
pub(crate) fn render_bytes(count: u64) -> String {
    const UNITS: [&str; 5] = ["KiB", "MiB", "GiB", "TiB", "PiB"];
    let (mut value, mut unit) = (count as f64 / 1024.0, 0);
    while value >= 1024.0 && unit + 1 < UNITS.len() {
        (value, unit) = (value / 1024.0, unit + 1);
    }
    format!("{value:.1} {}", UNITS[unit])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_a_fitting_unit() {
        let shown = [512, 128 << 20, 4 << 30, 1 << 50, 3 << 60].map(render_bytes);
        assert_eq!(shown, ["0.5 KiB", "128.0 MiB", "4.0 GiB", "1.0 PiB", "3072.0 PiB"]);
    }

    #[test]
    fn runs_that_do_not_fit_are_refused_with_the_largest_share() {
        let mut config = Config::default();
        let memory = |config: &Config| PolicySize::new(&config.model, 100, None).memory(config);
        assert!(check_estimate(&memory(&config), false, 2).is_ok());
        config.rollout.group_size = 1_000_000;
        config.rollout.tasks = 1_000_000;
        for on_adapter in [false, true] {
            let refused = check_estimate(&memory(&config), on_adapter, 2).unwrap_err();
            let text = refused.to_string();
            assert!(text.contains(" for episodes") && text.contains("group_size"), "{text}");
        }
        config.rollout.tasks = 1;
        config.rollout.group_size = 1;
        config.model.hidden_size = 1 << 24;
        assert!(check_estimate(&memory(&config), true, 2).is_ok());
        let text = check_estimate(&memory(&config), false, 2).unwrap_err().to_string();
        assert!(text.contains("reduce the size of the model"), "{text}");
    }

    #[test]
    fn long_episodes_are_warned_about_and_not_refused() {
        let mut config = Config::default();
        let found = |config: &Config| {
            check_estimate(&PolicySize::table().memory(config), false, 2).unwrap()
        };
        assert!(found(&config).is_none());
        config.environment.max_steps = 1_000_000;
        config.rollout.tasks = 100_000;
        let text = found(&config).unwrap();
        assert!(text.contains("environment.max_steps") && text.contains("PiB"), "{text}");
    }

    #[test]
    fn memory_does_not_grow_with_iterations() {
        let mut config = Config::default();
        let memory = |config: &Config| PolicySize::table().memory(config);
        let few = memory(&config);
        config.learn.iterations = 1_000_000_000;
        assert_eq!(memory(&config), few);
    }
}
