//! The Python package `hgpo-train`: the trainer of `hgpo train`, for Python, and for those who work for it
//! on other machines.
//!
//! What happens in a run is `hgpo-train`'s and `hgpo-native`'s. Here is what passes between them and Python:
//! texts, bytes, exceptions, and the lock of the interpreter, which is let go wherever no object of Python
//! is read or made.
#![expect(clippy::doc_link_with_quotes, reason = "what is documented here is Python's")]
#![expect(clippy::needless_pass_by_value, reason = "what Python passes is made anew")]

mod devices;
mod environment;
mod exceptions;
#[path = "../../python/src/interruptible.rs"]
mod interruptible;
mod job_sessions;
mod settings;
mod step_columns;
mod train;
mod trainer;
mod worker;
mod worker_pool;

/// Tensors are allocated as in the program `hgpo`.
#[global_allocator]
static ALLOCATOR: hgpo_native::allocator::LargePages = hgpo_native::allocator::LargePages;

/// What is compiled of the package `hgpo-train`.
#[pyo3::pymodule(gil_used = false)]
mod hgpo_train {
    use hgpo_native::cli::train::embedded::set_trainer_command;
    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::exceptions::Lost;
    #[pymodule_export]
    use crate::train::{Training, train, version};
    #[pymodule_export]
    use crate::trainer::Trainer;
    #[pymodule_export]
    use crate::worker::Worker;

    /// Messages do not name the interpreter, which is the program here.
    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        set_trainer_command(crate::train::COMMAND);
        module.add("__version__", crate::train::version())
    }
}
