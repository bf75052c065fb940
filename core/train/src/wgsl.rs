//! WGSL on Vulkan: cubecl 0.11.3 compiles to SPIR-V wherever it can see that an adapter is Vulkan's, so it is given
//! one that hides it.

use std::future::ready;
use std::pin::Pin;

use burn::tensor::wgpu::WgpuSetup;
use wgpu::custom::{AdapterInterface, DispatchSurface, RequestDeviceFuture};

/// A device of an adapter whose kernels will be in WGSL.
///
/// # Errors
/// What its driver says.
pub async fn wgsl_setup(
    instance: wgpu::Instance,
    adapter: wgpu::Adapter,
) -> Result<WgpuSetup, wgpu::RequestDeviceError> {
    let adapter = PlainAdapter(adapter);
    // As cubecl asks for them, which counts memory in larger pieces than wgpu does by itself.
    let descriptor = wgpu::DeviceDescriptor {
        required_features: adapter.features(),
        required_limits: adapter.limits(),
        memory_hints: wgpu::MemoryHints::MemoryUsage,
        ..wgpu::DeviceDescriptor::default()
    };
    let (device, queue) = adapter.0.request_device(&descriptor).await?;
    let (backend, adapter) = (adapter.get_info().backend, wgpu::Adapter::from_custom(adapter));
    Ok(WgpuSetup { instance, adapter, device, queue, backend })
}

/// An adapter without access to the graphics interface behind it, nor to wgpu's experiments.
#[derive(Debug)]
struct PlainAdapter(wgpu::Adapter);

impl AdapterInterface for PlainAdapter {
    fn request_device(&self, _: &wgpu::DeviceDescriptor<'_>) -> Pin<Box<dyn RequestDeviceFuture>> {
        let message = "the device is opened already".to_owned();
        Box::pin(ready(Err(wgpu::RequestDeviceError::from_message(message))))
    }

    fn is_surface_supported(&self, _: &DispatchSurface) -> bool {
        false
    }

    fn features(&self) -> wgpu::Features {
        let left_out =
            wgpu::Features::MAPPABLE_PRIMARY_BUFFERS | wgpu::Features::all_experimental_mask();
        self.0.features() - left_out
    }

    fn limits(&self) -> wgpu::Limits {
        self.0.limits()
    }

    fn downlevel_capabilities(&self) -> wgpu::DownlevelCapabilities {
        self.0.get_downlevel_capabilities()
    }

    fn get_info(&self) -> wgpu::AdapterInfo {
        self.0.get_info()
    }

    fn get_texture_format_features(
        &self,
        format: wgpu::TextureFormat,
    ) -> wgpu::TextureFormatFeatures {
        self.0.get_texture_format_features(format)
    }

    fn get_presentation_timestamp(&self) -> wgpu::PresentationTimestamp {
        self.0.get_presentation_timestamp()
    }

    fn cooperative_matrix_properties(&self) -> Vec<wgpu::CooperativeMatrixProperties> {
        Vec::new()
    }
}
