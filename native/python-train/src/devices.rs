//! Devices by their names.

use hgpo_native::device::DeviceChoice;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// The device of a name, as `--device` of `hgpo train`.
///
/// # Errors
/// `ValueError` if there is none of this name.
pub(crate) fn parse_device(py: Python<'_>, name: &str) -> PyResult<DeviceChoice> {
    quiet_drivers(py)?;
    let refused = |problem| PyValueError::new_err(format!("device {name:?}: {problem}"));
    name.parse().map_err(refused)
}

/// Software Vulkan drivers complain on standard error if this variable is not set.
pub(crate) fn quiet_drivers(py: Python<'_>) -> PyResult<()> {
    if cfg!(unix) {
        let place = py.import("tempfile")?.call_method0("gettempdir")?;
        let environment = py.import("os")?.getattr("environ")?;
        environment.call_method1("setdefault", ("XDG_RUNTIME_DIR", place))?;
    }
    Ok(())
}
