//! Portable policies, whose weights and gradients travel as bytes.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::policy::{Policy, PolicyError};

/// A policy whose weights and gradients can be written as bytes and come back as they were, bit by bit.
pub trait PortablePolicy: Policy {
    /// What it has learned.
    ///
    /// # Errors
    /// When the device does not give the weights back, or they are no numbers any more.
    fn write_weights(&self) -> Result<Vec<u8>, PolicyError>;

    /// The policy with what another one has learned, that began as this one did.
    ///
    /// # Errors
    /// The bytes are damaged, or of another policy.
    fn with_weights(&self, bytes: &[u8]) -> Result<Self, PolicyError>;

    /// A gradient as bytes.
    ///
    /// # Errors
    /// When the device does not give it back.
    fn write_gradient(gradient: Self::Gradient) -> Result<Vec<u8>, PolicyError>;

    /// A gradient that [`PortablePolicy::write_gradient`] has written.
    ///
    /// # Errors
    /// The bytes are damaged, or of another policy.
    fn read_gradient(&self, bytes: &[u8]) -> Result<Self::Gradient, PolicyError>;
}

/// A value as bytes (MessagePack, which keeps every bit of a number).
///
/// # Errors
/// Never of what is written here: it has names and numbers only.
pub(crate) fn encode(value: &impl Serialize) -> Result<Vec<u8>, PolicyError> {
    rmp_serde::to_vec(value).map_err(|error| not_understood(&error))
}

/// A value of bytes.
///
/// # Errors
/// They are not such a value.
pub(crate) fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, PolicyError> {
    rmp_serde::from_slice(bytes).map_err(|error| not_understood(&error))
}

fn not_understood(error: &dyn std::fmt::Display) -> PolicyError {
    PolicyError::Workers(format!("what was said between a run and its workers is damaged: {error}"))
}
