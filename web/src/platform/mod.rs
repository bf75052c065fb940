//! Everything that touches the browser beyond drawing: files, focus, stored settings.

pub(crate) mod address;
pub(crate) mod autosave;
pub(crate) mod clipboard;
pub(crate) mod comparison;
pub(crate) mod fetched;
pub(crate) mod files;
pub(crate) mod focus;
pub(crate) mod frame;
pub(crate) mod keys;
pub(crate) mod language;
pub(crate) mod lessons;
pub(crate) mod links;
pub(crate) mod listen;
pub(crate) mod overview;
pub(crate) mod paste;
pub(crate) mod scroll;
pub(crate) mod theme;
pub(crate) mod train;
pub(crate) mod truth;
