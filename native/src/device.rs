//! Device selection: which devices there are, and why one is chosen.

mod adapter;
mod open;
mod rule;

use std::fmt;

use burn::tensor::Device;

pub use self::adapter::{Adapter, ShaderLanguage, adapters, best};
pub use self::open::wgsl_device;
pub use self::rule::{Preference, Workload};

/// What the user asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum DeviceChoice {
    /// Whatever is faster for what is computed: a GPU, if there is one, or the CPU.
    #[default]
    Auto,
    /// The CPU.
    Cpu,
    /// The best adapter that wgpu finds, even a software one.
    Wgpu,
    /// The adapter with this number among those of [`adapters`].
    Adapter(usize),
    /// The best adapter of Vulkan, even a software one.
    Vulkan,
}

impl DeviceChoice {
    /// The choices, for help.
    pub const HELP: &str = "Device to run on: auto (whichever is faster for this policy; see hgpo devices), cpu, \
                            wgpu (any adapter, even a software one), wgpu:N (adapter N as listed by hgpo devices), \
                            or vulkan (any adapter of Vulkan)";
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

/// The device that was asked for cannot be used.
#[derive(Debug, thiserror::Error)]
#[error(
    "--device {choice}: {reason}; install a driver for the graphics card (`hgpo devices` lists \
     adapters) or use --device cpu"
)]
pub struct DeviceError {
    /// What was asked for.
    pub choice: DeviceChoice,
    /// What is missing, or what wgpu says.
    pub reason: String,
}

/// What `auto` uses for a workload.
#[must_use]
pub fn automatic(adapters: &[Adapter], workload: Workload<'_>) -> Planned {
    let Preference { is_gpu, reason } = workload.preference();
    let (adapter, reason) = match (best(adapters), adapters) {
        (Some(adapter), _) if is_gpu => {
            let reason = describe_automatic(&reason, &adapter.shader_language());
            (Some(adapter).cloned(), reason)
        }
        (Some(_), _) => (None, reason),
        (None, []) => (None, "no graphics adapter found".into()),
        (None, [first, ..]) => (None, format!("no GPU found, only {first}")),
    };
    Planned { reason: format!("{}: {reason}", name(adapter.as_ref())), adapter }
}

/// Why a GPU is automatic, and the language of its kernels.
fn describe_automatic(reason: &str, language: &ShaderLanguage) -> String {
    format!("{reason}; kernels in {language}")
}

/// Opens the device that was asked for, or with `auto` the faster one for a workload.
///
/// # Errors
/// The device is not there, or cannot be opened.
pub fn choose(choice: DeviceChoice, workload: Workload<'_>) -> Result<Chosen, DeviceError> {
    let cpu = |reason: String| Chosen { device: self::cpu(), reason, adapter: None };
    if choice == DeviceChoice::Cpu {
        return Ok(cpu("CPU: chosen with --device cpu".into()));
    }
    let (all, is_automatic) = (adapters(), choice == DeviceChoice::Auto);
    if is_automatic && let Planned { adapter: None, reason } = automatic(&all, workload) {
        return Ok(cpu(reason));
    }
    let number = number_of(choice, &all).map_err(|reason| DeviceError { choice, reason })?;
    let adapter = all[number].clone();
    let (device, language) = match open::open(&all, number) {
        Ok(opened) => opened,
        Err(error) if is_automatic => {
            return Ok(cpu(format!("CPU: {adapter} cannot be used: {error}")));
        }
        Err(reason) => return Err(DeviceError { choice, reason }),
    };
    let reason = match workload.preference() {
        Preference { reason, .. } if is_automatic => describe_automatic(&reason, &language),
        Preference { is_gpu, reason } => {
            let otherwise = if is_gpu {
                String::new()
            } else {
                format!("; auto would choose the CPU: {reason}")
            };
            format!("chosen with --device {choice}; kernels in {language}{otherwise}")
        }
    };
    Ok(Chosen { device, reason: format!("{adapter}: {reason}"), adapter: Some(adapter) })
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

/// The number of the adapter that was asked for: without one, the best GPU's, or else the first's.
fn number_of(choice: DeviceChoice, all: &[Adapter]) -> Result<usize, String> {
    if let DeviceChoice::Adapter(number) = choice {
        let is_there = number < all.len();
        return is_there
            .then_some(number)
            .ok_or_else(|| format!("there are {} adapters, counted from 0", all.len()));
    }
    let is_meant = |&number: &usize| {
        choice != DeviceChoice::Vulkan || all[number].backend == wgpu::Backend::Vulkan
    };
    let meant = (0..all.len()).filter(is_meant);
    meant.min_by_key(|&number| all[number].rank()).ok_or_else(|| "no graphics adapter found".into())
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
    fn wgpu_and_vulkan_choose_the_best_gpu_or_else_the_first_adapter() {
        use wgpu::Backend::{Dx12, Vulkan};
        use wgpu::DeviceType::{Cpu, DiscreteGpu, IntegratedGpu};
        let adapter = |(name, kind, backend)| Adapter { backend, ..Adapter::for_test(name, kind) };
        let all = [
            ("a", Cpu, Dx12),
            ("b", Cpu, Vulkan),
            ("c", IntegratedGpu, Vulkan),
            ("d", DiscreteGpu, Dx12),
        ]
        .map(adapter);
        let number = |choice, all| number_of(choice, all);
        assert_eq!(number(DeviceChoice::Wgpu, &all), Ok(3));
        assert_eq!(number(DeviceChoice::Vulkan, &all), Ok(2));
        assert_eq!(number(DeviceChoice::Wgpu, &all[..2]), Ok(0));
        assert_eq!(number(DeviceChoice::Vulkan, &all[..2]), Ok(1));
        assert_eq!(
            number(DeviceChoice::Vulkan, &all[..1]),
            Err("no graphics adapter found".into())
        );
        assert_eq!(number(DeviceChoice::Adapter(1), &all), Ok(1));
        assert!(number(DeviceChoice::Adapter(4), &all).unwrap_err().contains("counted from 0"));
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
        let expected =
            "a card (discrete GPU, vulkan): a language model is faster on a GPU; kernels in SPIR-V";
        assert_eq!(large, expected);
        for workload in [small, Workload::LanguageModel] {
            assert_eq!(reason(&[], workload), "CPU: no graphics adapter found");
            let only = reason(std::slice::from_ref(&software), workload);
            assert_eq!(only, "CPU: no GPU found, only software (software, vulkan)");
        }
    }
}
