//! Settings of a run: layers laid over defaults, presets, and what is said of a key that is refused.

mod assignment;
pub(crate) mod dotted_keys;
pub(crate) mod error;
pub(crate) mod estimator_layer;
pub mod layers;
pub(crate) mod presets;
pub(crate) mod published_presets;
pub(crate) mod renamed_keys;
pub(crate) mod suggestion;

pub(crate) use self::assignment::{parse_assignment, refuse_contradiction};
pub use self::error::SettingsError;
pub use self::layers::SettingsLayers;
