//! Serialization of the estimator of a run, as a table: its name, and its options beside it.

use hgpo_core::Estimator;
use serde::de::Error as _;
use serde::{Deserialize as _, Deserializer, Serialize as _, Serializer};
use serde_json::{Map, Value};

pub(super) fn serialize<S: Serializer>(
    estimator: &Estimator,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    estimator.flat().serialize(serializer)
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Estimator, D::Error> {
    let options = Map::<String, Value>::deserialize(deserializer)?;
    Estimator::from_flat(&options).map_err(D::Error::custom)
}
