//! Graphics adapters of this machine, and the shader language that each is given.

use std::fmt;
use std::sync::LazyLock;

use burn::tensor::DeviceKind;
use burn::tensor::wgpu::WgpuBackend;

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

/// What kernels are compiled to: SPIR-V reaches tensor cores, WGSL does not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ShaderLanguage {
    /// SPIR-V.
    SpirV,
    /// WGSL, and why not SPIR-V.
    Wgsl(String),
}

impl ShaderLanguage {
    /// WGSL for a reason.
    pub(super) fn wgsl(reason: impl Into<String>) -> Self {
        Self::Wgsl(reason.into())
    }
}

impl fmt::Display for ShaderLanguage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SpirV => f.write_str("SPIR-V"),
            Self::Wgsl(reason) => write!(f, "WGSL ({reason})"),
        }
    }
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

    /// What kernels are compiled to, as long as its driver does not refuse it.
    #[must_use]
    pub fn shader_language(&self) -> ShaderLanguage {
        if self.backend != wgpu::Backend::Vulkan {
            return ShaderLanguage::wgsl("SPIR-V needs Vulkan");
        }
        match self.kind {
            wgpu::DeviceType::Cpu => ShaderLanguage::wgsl("software drivers crash with SPIR-V"),
            wgpu::DeviceType::Other => ShaderLanguage::wgsl("not known to be a GPU"),
            _ => ShaderLanguage::SpirV,
        }
    }

    /// The place of its kind among [`GPUS`]; behind them if it is none.
    pub(super) fn rank(&self) -> usize {
        GPUS.iter().position(|&kind| kind == self.kind).unwrap_or(GPUS.len())
    }

    /// What burn calls its graphics interface.
    pub(super) fn interface(&self) -> WgpuBackend {
        match self.backend {
            wgpu::Backend::Vulkan => WgpuBackend::Vulkan,
            wgpu::Backend::Metal => WgpuBackend::Metal,
            wgpu::Backend::Dx12 => WgpuBackend::Dx12,
            _ => WgpuBackend::Auto,
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

/// The process's only instance: the Vulkan loader crashes if instances come and go on several threads.
pub(super) fn instance() -> &'static wgpu::Instance {
    static INSTANCE: LazyLock<wgpu::Instance> = LazyLock::new(|| {
        wgpu::Instance::new(wgpu::InstanceDescriptor {
            backends: interfaces(),
            ..wgpu::InstanceDescriptor::new_without_display_handle()
        })
    });
    &INSTANCE
}

/// Graphics interfaces that are part of this build.
fn interfaces() -> wgpu::Backends {
    wgpu::Backends::PRIMARY & wgpu::Instance::enabled_backend_features()
}

/// The adapters of this machine, as wgpu has them.
pub(super) fn handles() -> Vec<wgpu::Adapter> {
    let interfaces = interfaces();
    if interfaces.is_empty() {
        return Vec::new();
    }
    pollster::block_on(instance().enumerate_adapters(interfaces))
}

/// The adapters of this machine; none without a driver.
#[must_use]
pub fn adapters() -> Vec<Adapter> {
    handles().iter().map(Adapter::new).collect()
}

/// The kinds of GPUs, the best first; what is unknown is none.
const GPUS: [wgpu::DeviceType; 3] =
    [wgpu::DeviceType::DiscreteGpu, wgpu::DeviceType::IntegratedGpu, wgpu::DeviceType::VirtualGpu];

/// The best GPU among adapters; software is none.
#[must_use]
pub fn best(adapters: &[Adapter]) -> Option<&Adapter> {
    adapters.iter().filter(|adapter| adapter.rank() < GPUS.len()).min_by_key(|it| it.rank())
}

/// What burn calls an adapter: by its place among those of its kind, on the same graphics interface.
pub(super) fn address(all: &[Adapter], number: usize) -> DeviceKind {
    let adapter = &all[number];
    let alike = |it: &&Adapter| (it.kind, it.backend) == (adapter.kind, adapter.backend);
    let place = all[..number].iter().filter(alike).count();
    match adapter.kind {
        wgpu::DeviceType::DiscreteGpu => DeviceKind::DiscreteGpu(place),
        wgpu::DeviceType::IntegratedGpu => DeviceKind::IntegratedGpu(place),
        wgpu::DeviceType::VirtualGpu => DeviceKind::VirtualGpu(place),
        wgpu::DeviceType::Cpu => DeviceKind::Cpu,
        wgpu::DeviceType::Other => DeviceKind::DefaultDevice,
    }
}

#[cfg(test)]
mod tests {
    use wgpu::DeviceType::{Cpu, DiscreteGpu, IntegratedGpu, Other, VirtualGpu};

    use super::*;

    #[test]
    fn adapter_numbers_are_mapped_to_burns_numbers_by_kind() {
        let kinds = [DiscreteGpu, IntegratedGpu, DiscreteGpu, Cpu];
        let all = kinds.map(|kind| Adapter::for_test("any", kind));
        let kind = |number| format!("{:?}", address(&all, number));
        let expected = ["DiscreteGpu(0)", "IntegratedGpu(0)", "DiscreteGpu(1)", "Cpu"];
        assert_eq!([0, 1, 2, 3].map(kind), expected);
    }

    #[test]
    fn a_real_gpu_is_preferred_and_software_is_never_automatic() {
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
    fn spirv_is_for_real_gpus_on_vulkan() {
        use wgpu::Backend::{Dx12, Metal, Vulkan};
        let is_spirv = |kind, backend| {
            let adapter = Adapter { backend, ..Adapter::for_test("any", kind) };
            adapter.shader_language() == ShaderLanguage::SpirV
        };
        assert!(
            [DiscreteGpu, IntegratedGpu, VirtualGpu].map(|kind| is_spirv(kind, Vulkan))
                == [true; 3]
        );
        assert!([Cpu, Other].map(|kind| is_spirv(kind, Vulkan)) == [false; 2]);
        assert!([Dx12, Metal].map(|backend| is_spirv(DiscreteGpu, backend)) == [false; 2]);
    }
}
