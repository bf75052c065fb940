//! The Python package `hgpo-train`: the trainer of `hgpo train`, for Python, and for those who work for it
//! on other machines.
//!
//! What happens in a run is `hgpo-train`'s and `hgpo-native`'s. Here is what passes between them and Python:
//! texts, bytes, exceptions, and the lock of the interpreter, which is let go wherever no object of Python
//! is read or made.

mod allocator;
mod crew;
mod failure;
mod interrupt;
mod talks;
mod train;
mod worker;

/// What is compiled of the package `hgpo-train`.
#[pyo3::pymodule(gil_used = false)]
mod hgpo_train {
    #[pymodule_export]
    use crate::failure::{Lost, Stopped};
    #[pymodule_export]
    use crate::train::{Training, version};
    #[pymodule_export]
    use crate::worker::Worker;
}
