//! Everything that touches the browser beyond drawing: files, focus, stored settings.

pub(crate) mod address;
pub(crate) mod autosave;
pub(crate) mod clipboard;
pub(crate) mod file_out;
pub(crate) mod files;
pub(crate) mod focus;
pub(crate) mod frame;
pub(crate) mod language;
pub(crate) mod lessons;
pub(crate) mod theme;
