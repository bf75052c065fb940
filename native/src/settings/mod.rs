//! Settings of a run: layers laid over defaults, presets, and what is said of a key that is refused.

pub(crate) mod error;
pub(crate) mod estimator_layer;
pub(crate) mod keys;
pub mod layers;
pub(crate) mod presets;
pub(crate) mod suggestion;

pub use self::error::SettingsError;
pub(crate) use self::keys::{parse_assignment, refuse_contradiction};
pub use self::layers::SettingsLayers;
