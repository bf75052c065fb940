//! Opening of adapters, with SPIR-V or WGSL.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex};

use burn::backend::{Backend as _, Dispatch};
use burn::tensor::Device;
use burn::tensor::wgpu::WgpuSetup;
use burn_std::stream::{StreamPolicy, set_policy};

use super::adapter::{self, Adapter, ShaderLanguage};
use crate::run::machine::lock;
use crate::terminal::one_line;
use hgpo_train::wgsl::wgsl_setup;

/// A device and the language of its kernels.
type Opened = (Device, ShaderLanguage);

/// Opens the adapter with a number, as [`adapters`](adapter::adapters) counts; once in a process.
pub(super) fn open(all: &[Adapter], number: usize) -> Result<Opened, String> {
    static OPENED: LazyLock<Mutex<HashMap<usize, Opened>>> = LazyLock::new(Mutex::default);
    let mut opened = lock(&OPENED);
    if let Some(found) = opened.get(&number) {
        return Ok(found.clone());
    }
    // With a stream for every thread, which is the default, threads that share tensors get wrong gradients
    // (burn 0.22.1, cubecl 0.11.3; native/tests/wgpu.rs). All streams end in the adapter's one queue anyway.
    set_policy(StreamPolicy::Single);
    let found = match all[number].shader_language() {
        ShaderLanguage::SpirV => {
            spirv_or_wgsl(open_by_burn(all, number), || open_with_wgsl(number))?
        }
        language @ ShaderLanguage::Wgsl(_) => {
            let is_vulkan = all[number].backend == wgpu::Backend::Vulkan;
            let open =
                || if is_vulkan { open_with_wgsl(number) } else { open_by_burn(all, number) };
            (open()?, language)
        }
    };
    opened.insert(number, found.clone());
    Ok(found)
}

/// What was opened with SPIR-V, or if that failed, the same with WGSL.
fn spirv_or_wgsl(
    opened: Result<Device, String>,
    with_wgsl: impl FnOnce() -> Result<Device, String>,
) -> Result<Opened, String> {
    match opened {
        Ok(device) if has_spirv(&device) => Ok((device, ShaderLanguage::SpirV)),
        Ok(device) => Ok((device, ShaderLanguage::wgsl("the driver lacks what SPIR-V needs"))),
        Err(error) => match with_wgsl() {
            Ok(device) => Ok((device, ShaderLanguage::wgsl(format!("SPIR-V failed: {error}")))),
            Err(second) => Err(format!("with SPIR-V: {error}; with WGSL: {second}")),
        },
    }
}

/// Whether cubecl compiles kernels to SPIR-V, which only its name for the device tells.
fn has_spirv(device: &Device) -> bool {
    Dispatch::name(device.as_dispatch()).contains("<spirv>")
}

/// With SPIR-V on Vulkan, if the driver has what it needs, else with WGSL.
fn open_by_burn(all: &[Adapter], number: usize) -> Result<Device, String> {
    let options = Device::wgpu_options().device_kind(adapter::address(all, number));
    let opened = options.graphics_api(all[number].interface()).init();
    opened.map_err(|error| one_line(&error.to_string()))
}

/// With WGSL on any adapter.
fn open_with_wgsl(number: usize) -> Result<Device, String> {
    let opened = Device::wgpu_options().setup(wgsl_device(number)?).init();
    opened.map_err(|error| one_line(&error.to_string()))
}

/// A device for kernels in WGSL, of the adapter with a number, as [`adapters`](super::adapters) counts.
///
/// # Errors
/// The adapter has gone away, or what its driver says.
pub fn wgsl_device(number: usize) -> Result<WgpuSetup, String> {
    let found = adapter::handles().into_iter().nth(number).ok_or("the adapter has gone away")?;
    let setup = pollster::block_on(wgsl_setup(adapter::instance().clone(), found));
    setup.map_err(|error| one_line(&error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adapters_whose_driver_refuses_spirv_are_opened_with_wgsl() {
        let refused = || Err("no memory model".to_owned());
        let cpu = || Ok(Device::flex());
        let language = |opened| spirv_or_wgsl(opened, cpu).unwrap().1.to_string();
        assert_eq!(language(refused()), "WGSL (SPIR-V failed: no memory model)");
        assert_eq!(language(cpu()), "WGSL (the driver lacks what SPIR-V needs)");
        let both = spirv_or_wgsl(refused(), || Err("no driver".into())).unwrap_err();
        assert_eq!(both, "with SPIR-V: no memory model; with WGSL: no driver");
    }
}
