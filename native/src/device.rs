//! Device selection: which devices there are, and why one is chosen.

mod rule;

use std::collections::HashMap;
use std::fmt;
use std::sync::{LazyLock, Mutex};

use burn::tensor::wgpu::WgpuBackend;
use burn::tensor::{Device, DeviceKind};
use burn_std::stream::{StreamPolicy, set_policy};

pub use self::rule::{Preference, Workload};
use crate::run::machine::lock;
use crate::terminal::one_line;

/// What the user asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum DeviceChoice {
    /// Whatever is faster for what is computed: a GPU, if there is one, or the CPU.
    #[default]
    Auto,
    /// The CPU.
    Cpu,
    /// Any adapter that wgpu finds, even a software one.
    Wgpu,
    /// The adapter with this number among those of [`adapters`].
    Adapter(usize),
    /// A Vulkan adapter with the SPIR-V compiler (needs the feature `vulkan`).
    Vulkan,
}

impl DeviceChoice {
    /// The choices, for help.
    pub const HELP: &str = "Device to run on: auto (whichever is faster for this policy; see hgpo devices), cpu, \
                            wgpu (any adapter, even a software one), wgpu:N (adapter N as listed by hgpo devices), \
                            or vulkan (with the SPIR-V compiler; requires the feature vulkan)";
}

impl fmt::Display for DeviceChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => f.write_str("auto"),
            Self::Cpu => f.write_str("cpu"),
            Self::Wgpu => f.write_str("wgpu"),
            Self::Adapter(number) => write!(f, "wgpu:{number}"),
            Self::Vulkan => f.write_str("vulkan"),
        }
    }
}

impl std::str::FromStr for DeviceChoice {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "auto" => Ok(Self::Auto),
            "cpu" => Ok(Self::Cpu),
            "wgpu" => Ok(Self::Wgpu),
            "vulkan" => Ok(Self::Vulkan),
            _ => text
                .strip_prefix("wgpu:")
                .and_then(|number| number.parse().ok())
                .map(Self::Adapter)
                .ok_or("choose auto, cpu, wgpu, wgpu:N or vulkan"),
        }
    }
}

/// A device and the reason for it, in a sentence.
#[derive(Clone, Debug)]
pub struct Chosen {
    /// The device.
    pub device: Device,
    /// Which and why.
    pub reason: String,
    /// The graphics adapter, if it is one.
    pub adapter: Option<Adapter>,
}

/// A device that a run would be on, and the reason for it.
#[derive(Clone, Debug)]
pub struct Planned {
    /// The graphics adapter, if it is one.
    pub adapter: Option<Adapter>,
    /// Which and why.
    pub reason: String,
}

/// The device without the reason for it, which begins with these words.
#[must_use]
pub fn name(adapter: Option<&Adapter>) -> String {
    adapter.map_or_else(|| "CPU".to_owned(), ToString::to_string)
}

/// The device that was asked for is not there.
#[derive(Debug, thiserror::Error)]
pub enum DeviceError {
    /// The adapter cannot be used.
    #[error(
        "--device {choice}: {reason}; install a driver for the graphics card (`hgpo devices` lists \
         adapters) or use --device cpu"
    )]
    Adapter {
        /// What was asked for.
        choice: DeviceChoice,
        /// What wgpu says.
        reason: String,
    },
    /// The program was built without the SPIR-V compiler.
    #[error(
        "--device vulkan: not part of this build; build with \
         `cargo build --release --features vulkan`, or use --device wgpu"
    )]
    NotBuilt,
}

/// A graphics adapter of this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Adapter {
    /// Its name, as the driver gives it.
    pub name: String,
    /// A real GPU or software.
    pub kind: wgpu::DeviceType,
    /// The graphics interface it was found through.
    pub backend: wgpu::Backend,
    /// Driver and version.
    pub driver: String,
    /// Largest buffer in bytes.
    pub max_buffer: u64,
    /// Largest part of a buffer that a kernel can read, in bytes.
    pub max_binding: u64,
}

impl Adapter {
    fn new(adapter: &wgpu::Adapter) -> Self {
        let (info, limits) = (adapter.get_info(), adapter.limits());
        Self {
            name: info.name,
            kind: info.device_type,
            backend: info.backend,
            driver: format!("{} {}", info.driver, info.driver_info).trim().to_owned(),
            max_buffer: limits.max_buffer_size,
            max_binding: limits.max_storage_buffer_binding_size,
        }
    }

    /// One of a name and a kind, for tests.
    #[cfg(test)]
    pub(crate) fn for_test(name: &str, kind: wgpu::DeviceType) -> Self {
        let backend = wgpu::Backend::Vulkan;
        let (name, driver) = (name.into(), String::new());
        Self { name, kind, backend, driver, max_buffer: 0, max_binding: 0 }
    }

    /// What burn calls the adapter at this place among those of its kind.
    fn address(&self, place: usize) -> DeviceKind {
        match self.kind {
            wgpu::DeviceType::DiscreteGpu => DeviceKind::DiscreteGpu(place),
            wgpu::DeviceType::IntegratedGpu => DeviceKind::IntegratedGpu(place),
            wgpu::DeviceType::VirtualGpu => DeviceKind::VirtualGpu(place),
            wgpu::DeviceType::Cpu => DeviceKind::Cpu,
            wgpu::DeviceType::Other => DeviceKind::DefaultDevice,
        }
    }
}

impl fmt::Display for Adapter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            wgpu::DeviceType::DiscreteGpu => "discrete GPU",
            wgpu::DeviceType::IntegratedGpu => "integrated GPU",
            wgpu::DeviceType::VirtualGpu => "virtual GPU",
            wgpu::DeviceType::Cpu => "software",
            wgpu::DeviceType::Other => "unknown type",
        };
        write!(f, "{} ({kind}, {})", self.name, self.backend)
    }
}

/// The adapters of this machine; none without a driver.
#[must_use]
pub fn adapters() -> Vec<Adapter> {
    let backends = wgpu::Backends::PRIMARY & wgpu::Instance::enabled_backend_features();
    if backends.is_empty() {
        return Vec::new();
    }
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor {
        backends,
        ..wgpu::InstanceDescriptor::new_without_display_handle()
    });
    pollster::block_on(instance.enumerate_adapters(backends)).iter().map(Adapter::new).collect()
}

/// The kinds of GPUs, the best first; what is unknown is none.
const GPUS: [wgpu::DeviceType; 3] =
    [wgpu::DeviceType::DiscreteGpu, wgpu::DeviceType::IntegratedGpu, wgpu::DeviceType::VirtualGpu];

/// The best GPU among adapters; software is none.
#[must_use]
pub fn best(adapters: &[Adapter]) -> Option<&Adapter> {
    GPUS.iter().find_map(|&kind| adapters.iter().find(|adapter| adapter.kind == kind))
}

/// What `auto` uses for a workload.
#[must_use]
pub fn automatic(adapters: &[Adapter], workload: Workload<'_>) -> Planned {
    let Preference { is_gpu, reason } = workload.preference();
    let (adapter, reason) = match (best(adapters), adapters) {
        (Some(adapter), _) => (Some(adapter).filter(|_| is_gpu).cloned(), reason),
        (None, []) => (None, "no graphics adapter found".into()),
        (None, [first, ..]) => (None, format!("no GPU found, only {first}")),
    };
    Planned { reason: format!("{}: {reason}", name(adapter.as_ref())), adapter }
}

/// Opens the device that was asked for, or with `auto` the faster one for a workload.
///
/// # Errors
/// The device is not there or the program was built without it.
pub fn choose(choice: DeviceChoice, workload: Workload<'_>) -> Result<Chosen, DeviceError> {
    let cpu = |reason: String| Chosen { device: self::cpu(), reason, adapter: None };
    let opened = match choice {
        DeviceChoice::Cpu => return Ok(cpu("CPU: chosen with --device cpu".into())),
        DeviceChoice::Auto => {
            let Planned { adapter, reason } = automatic(&adapters(), workload);
            let Some(adapter) = adapter else { return Ok(cpu(reason)) };
            // The best is the first of its kind.
            return Ok(match open(adapter.address(0), WgpuBackend::Auto) {
                Ok((device, _)) => Chosen { device, reason, adapter: Some(adapter) },
                Err(error) => cpu(format!("CPU: {adapter} cannot be used: {error}")),
            });
        }
        DeviceChoice::Wgpu => open_any(WgpuBackend::Auto),
        DeviceChoice::Adapter(number) => open_numbered(number),
        DeviceChoice::Vulkan if cfg!(feature = "vulkan") => open_any(WgpuBackend::Vulkan),
        DeviceChoice::Vulkan => return Err(DeviceError::NotBuilt),
    };
    let (device, adapter) = opened.map_err(|reason| DeviceError::Adapter { choice, reason })?;
    let otherwise = match workload.preference() {
        Preference { is_gpu: true, .. } => String::new(),
        Preference { reason, .. } => format!("; auto would choose the CPU: {reason}"),
    };
    let reason = format!("{adapter}: chosen with --device {choice}{otherwise}");
    Ok(Chosen { device, reason, adapter: Some(adapter) })
}

/// Where a run would be, without opening it.
///
/// # Errors
/// As [`choose`].
pub fn plan(choice: DeviceChoice, workload: Workload<'_>) -> Result<Planned, DeviceError> {
    match choice {
        DeviceChoice::Auto => Ok(automatic(&adapters(), workload)),
        _ => choose(choice, workload)
            .map(|Chosen { adapter, reason, .. }| Planned { adapter, reason }),
    }
}

/// The CPU backend, for work that needs no speed.
#[must_use]
pub fn cpu() -> Device {
    Device::flex()
}

/// Opens a device, once in a process: burn refuses to be given the options of one that it has.
fn open(kind: DeviceKind, backend: WgpuBackend) -> Result<(Device, Adapter), String> {
    type Opened = HashMap<(DeviceKind, WgpuBackend), (Device, Adapter)>;
    static OPENED: LazyLock<Mutex<Opened>> = LazyLock::new(Mutex::default);
    let mut opened = lock(&OPENED);
    let named = (kind.clone(), backend);
    if let Some(found) = opened.get(&named) {
        return Ok(found.clone());
    }
    // With a stream for every thread, which is the default, threads that share tensors get wrong gradients
    // (burn 0.22.1, cubecl 0.11.3; native/tests/wgpu.rs). All streams end in the adapter's one queue anyway.
    set_policy(StreamPolicy::Single);
    let options = Device::wgpu_options().device_kind(kind).graphics_api(backend);
    let (device, setup) =
        options.init_with_setup().map_err(|error| one_line(&error.to_string()))?;
    let found = (device, Adapter::new(&setup.adapter));
    opened.insert(named, found.clone());
    Ok(found)
}

/// Opens the adapter with a number, as [`adapters`] counts.
fn open_numbered(number: usize) -> Result<(Device, Adapter), String> {
    let reachable = adapters();
    let Some(adapter) = reachable.get(number) else {
        return Err(format!("there are {} adapters, counted from 0", reachable.len()));
    };
    let (device, _) = open(address(&reachable, number), WgpuBackend::Auto)?;
    Ok((device, adapter.clone()))
}

/// What burn calls an adapter: by its place among those of its kind, on the same graphics interface.
fn address(all: &[Adapter], number: usize) -> DeviceKind {
    let adapter = &all[number];
    let alike = |it: &&Adapter| (it.kind, it.backend) == (adapter.kind, adapter.backend);
    adapter.address(all[..number].iter().filter(alike).count())
}

/// Opens whichever adapter there is.
fn open_any(backend: WgpuBackend) -> Result<(Device, Adapter), String> {
    if adapters().is_empty() {
        return Err("no graphics adapter found".into());
    }
    open(DeviceKind::DefaultDevice, backend)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_choice_is_written_as_it_is_read() {
        for text in ["auto", "cpu", "wgpu", "wgpu:0", "wgpu:12", "vulkan"] {
            assert_eq!(text.parse::<DeviceChoice>().unwrap().to_string(), text);
        }
        for text in ["gpu", "wgpu:", "wgpu:x", "cpu:0", "wgpu:-1"] {
            assert!(text.parse::<DeviceChoice>().unwrap_err().contains("wgpu:N"), "{text}");
        }
    }

    #[test]
    fn adapter_numbers_are_mapped_to_burns_numbers_by_kind() {
        use wgpu::DeviceType::{Cpu, DiscreteGpu, IntegratedGpu};
        let kinds = [DiscreteGpu, IntegratedGpu, DiscreteGpu, Cpu];
        let all = kinds.map(|kind| Adapter::for_test("any", kind));
        let kind = |number| format!("{:?}", address(&all, number));
        let expected = ["DiscreteGpu(0)", "IntegratedGpu(0)", "DiscreteGpu(1)", "Cpu"];
        assert_eq!([0, 1, 2, 3].map(kind), expected);
    }

    #[test]
    fn a_real_gpu_is_preferred_and_software_is_never_automatic() {
        use wgpu::DeviceType::{Cpu, DiscreteGpu, IntegratedGpu, VirtualGpu};
        let names = [("software", Cpu), ("virtual", VirtualGpu), ("integrated", IntegratedGpu)];
        let all: Vec<Adapter> = names
            .into_iter()
            .chain([("first", DiscreteGpu), ("second", DiscreteGpu)])
            .map(|(name, kind)| Adapter::for_test(name, kind))
            .collect();
        assert_eq!(best(&all[..1]), None);
        assert_eq!(best(&all).map(|found| found.name.as_str()), Some("first"));
        assert_eq!(best(&all[..3]).map(|found| found.name.as_str()), Some("integrated"));
    }

    #[test]
    fn auto_is_the_cpu_for_a_small_policy_and_the_gpu_for_a_language_model() {
        let card = Adapter::for_test("a card", wgpu::DeviceType::DiscreteGpu);
        let software = Adapter::for_test("software", wgpu::DeviceType::Cpu);
        let default = hgpo_train::config::Config::default();
        let small = Workload::run(&default, 2);
        let reason = |adapters: &[Adapter], workload| {
            let Planned { adapter, reason } = automatic(adapters, workload);
            assert!(reason.starts_with(&format!("{}: ", name(adapter.as_ref()))), "{reason}");
            reason
        };
        let cards = std::slice::from_ref(&card);
        assert!(reason(cards, small).starts_with("CPU: an iteration of "));
        let large = reason(cards, Workload::LanguageModel);
        assert!(large.starts_with("a card (discrete GPU, vulkan): a language model"), "{large}");
        for workload in [small, Workload::LanguageModel] {
            assert_eq!(reason(&[], workload), "CPU: no graphics adapter found");
            let only = reason(std::slice::from_ref(&software), workload);
            assert_eq!(only, "CPU: no GPU found, only software (software, vulkan)");
        }
    }
}
