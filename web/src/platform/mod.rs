//! Everything that touches the browser beyond drawing: files, focus, stored settings.

pub(crate) mod address;
pub(crate) mod autosave;
pub(crate) mod background;
pub(crate) mod clock;
pub(crate) mod dom;
pub(crate) mod download;
pub(crate) mod events;
pub(crate) mod fetch;
pub(crate) mod files;
pub(crate) mod first_draw;
pub(crate) mod fit;
pub(crate) mod focus;
pub(crate) mod folds;
pub(crate) mod frame;
pub(crate) mod keys;
pub(crate) mod lessons;
pub(crate) mod links;
pub(crate) mod preferences;
pub(crate) mod progress;
pub(crate) mod scroll;
pub(crate) mod sight;
