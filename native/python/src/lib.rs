//! The Python package `hgpo`: what `hgpo-core` and `hgpo-env` can do, for columns of numpy and for
//! Gymnasium.
//!
//! The module is private: `hgpo/` beside it brings what people pass into a few clean forms, and wraps
//! what comes back. Here is nothing of Python's but these forms, errors, and the lock of the interpreter,
//! which is let go wherever no object of Python is read or made.

mod columns;
mod declarations;
mod episodes;
mod exceptions;
mod interruptible;
mod rollouts_files;
mod rows;
mod running_episode;
mod suite;
mod text_columns;
mod trajectory_layout;

/// What is compiled of the package `hgpo`.
// Texts are read from lists that nobody else has (`hgpo/_columns.py`), and texts do not change. Arrays are read as
// numpy reads them: who writes to one meanwhile cannot tell what was read.
#[pyo3::pymodule(gil_used = false)]
mod _hgpo {
    #[pymodule_export]
    use crate::declarations::{declarations, environments};
    #[pymodule_export]
    use crate::episodes::{Episodes, Snapshot};
    #[pymodule_export]
    use crate::rollouts_files::{annotate_rollouts, column_of, read_rollouts};
    #[pymodule_export]
    use crate::rows::Rows;
    #[pymodule_export]
    use crate::suite::Suite;
    /// Names of the columns of tokens.
    #[pymodule_export]
    const TOKEN_FIELDS: [&str; 10] = hgpo_core::token_fields::TOKEN_FIELDS;
}
