//! Whether a run fits in this machine's memory, found out before it starts.

use hgpo_train::config::Config;
use hgpo_train::memory::{MemoryEstimate, MemoryPart, PolicySize};

use super::Display;
use crate::device::Chosen;

/// A run that takes more memory than there is.
#[derive(Debug, thiserror::Error)]
#[error(
    "not enough memory: this takes about {}, of which {} for {}, and {}: reduce {}",
    bytes(*needed), bytes(largest.bytes), largest.what, there(*most), largest.settings
)]
pub struct NoRoom {
    needed: u64,
    most: u64,
    largest: MemoryPart,
}

fn there(most: u64) -> String {
    format!("only {} is available", bytes(most))
}

/// A run that takes more memory than there is if its episodes are as long as they may be.
#[derive(Debug, thiserror::Error)]
#[error(
    "if every episode took environment.max_steps steps, this would need about {}, and {}: watch memory, \
     or reduce environment.max_steps",
    bytes(*needed), there(*most)
)]
pub struct Tight {
    needed: u64,
    most: u64,
}

/// Refuses a run that is certain to take more memory than this process can have, and warns of one that may;
/// on a graphics adapter, only episodes are counted.
///
/// # Errors
/// Says how much it takes, how much there is, and what to make smaller.
pub fn check(
    config: &Config,
    size: &PolicySize,
    device: &Chosen,
    threads: usize,
    display: &Display,
) -> Result<(), NoRoom> {
    if let Some(tight) = fits(&size.memory(config), device.adapter.is_some(), threads)? {
        display.warn(&format!("warning: {tight}"));
    }
    Ok(())
}

/// The same of an estimate.
///
/// # Errors
/// Those of [`check`].
pub fn fits(
    memory: &MemoryEstimate,
    on_adapter: bool,
    threads: usize,
) -> Result<Option<Tight>, NoRoom> {
    let tensors = if on_adapter { MemoryEstimate::OF_TENSORS } else { 0 };
    enough(&memory.parts(threads)[tensors..])?;
    let longest = enough(&memory.longest().parts(threads)[tensors..]);
    Ok(longest.err().map(|NoRoom { needed, most, .. }| Tight { needed, most }))
}

/// The same of what is there at once.
///
/// # Errors
/// Those of [`check`].
pub fn enough(parts: &[MemoryPart]) -> Result<(), NoRoom> {
    let needed = parts.iter().fold(0_u64, |all, part| all.saturating_add(part.bytes));
    let largest = parts.iter().max_by_key(|part| part.bytes);
    match (most(), largest) {
        (Some(most), Some(&largest)) if needed > most => Err(NoRoom { needed, most, largest }),
        _ => Ok(()),
    }
}

/// Bytes of memory that this process can have: those of the machine, or less where it was given a limit.
/// `None` where the system does not tell.
#[must_use]
pub fn most() -> Option<u64> {
    [machine(), group(), limit()].into_iter().flatten().min()
}

/// Memory and swap of the machine.
#[cfg(target_os = "linux")]
fn machine() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let entry = |name: &str| {
        let line = text.lines().find(|line| line.starts_with(name))?;
        line.split_whitespace().nth(1)?.parse::<u64>().ok()
    };
    Some((entry("MemTotal:")? + entry("SwapTotal:").unwrap_or(0)).saturating_mul(1024))
}

#[cfg(not(target_os = "linux"))]
fn machine() -> Option<u64> {
    None
}

/// The limit of the control group that the process is in, as containers have one.
fn group() -> Option<u64> {
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
fn limit() -> Option<u64> {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the pointer is to a value of the type that is written.
    let told = unsafe { libc::getrlimit(libc::RLIMIT_AS, &raw mut limit) } == 0;
    (told && limit.rlim_cur != libc::RLIM_INFINITY).then_some(limit.rlim_cur)
}

#[cfg(not(unix))]
fn limit() -> Option<u64> {
    None
}

/// A size in binary units, one digit after the point.
#[must_use]
pub fn bytes(count: u64) -> String {
    const UNITS: [&str; 5] = ["KiB", "MiB", "GiB", "TiB", "PiB"];
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
    use super::*;

    #[test]
    fn sizes_have_the_unit_that_fits() {
        let shown = [512, 128 << 20, 4 << 30, 1 << 50, 3 << 60].map(bytes);
        assert_eq!(shown, ["0.5 KiB", "128.0 MiB", "4.0 GiB", "1.0 PiB", "3072.0 PiB"]);
    }

    #[test]
    fn a_run_that_does_not_fit_is_told_what_takes_the_most() {
        let mut config = Config::default();
        let memory = |config: &Config| PolicySize::new(&config.model, 100, None).memory(config);
        assert!(fits(&memory(&config), false, 2).is_ok());
        config.rollout.group_size = 1_000_000;
        config.rollout.tasks = 1_000_000;
        for on_adapter in [false, true] {
            let refused = fits(&memory(&config), on_adapter, 2).unwrap_err();
            let text = refused.to_string();
            assert!(text.contains(" for episodes") && text.contains("group_size"), "{text}");
        }
        config.rollout.tasks = 1;
        config.rollout.group_size = 1;
        config.model.hidden_size = 1 << 24;
        assert!(fits(&memory(&config), true, 2).is_ok());
        let text = fits(&memory(&config), false, 2).unwrap_err().to_string();
        assert!(text.contains("reduce the size of the model"), "{text}");
    }

    #[test]
    fn episodes_that_may_be_long_are_warned_of_and_not_refused() {
        let mut config = Config::default();
        let found = |config: &Config| fits(&PolicySize::table().memory(config), false, 2).unwrap();
        assert!(found(&config).is_none());
        config.environment.max_steps = 1_000_000;
        config.rollout.tasks = 100_000;
        let text = found(&config).unwrap().to_string();
        assert!(text.contains("environment.max_steps") && text.contains("PiB"), "{text}");
    }

    #[test]
    fn a_run_of_many_iterations_takes_no_more() {
        let mut config = Config::default();
        let memory = |config: &Config| PolicySize::table().memory(config);
        let few = memory(&config);
        config.learn.iterations = 1_000_000_000;
        assert_eq!(memory(&config), few);
    }
}
