//! Serialization of estimators: a JSON object with the name beside the options.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Error, Map, Value};

use super::super::Estimator;
use crate::option::fields::{fields, read};

/// The field of the name.
pub(in crate::estimator) const NAME: &str = "name";

impl Estimator {
    fn from_fields(fields: Map<String, Value>) -> Result<Self, Error> {
        let name = fields.get(NAME).ok_or_else(|| Error::missing_field(NAME))?;
        let name = name.as_str().unwrap_or_default();
        let unknown = |_| Error::unknown_variant(name, Self::NAMES);
        let mut estimator = Self::default_named(name).map_err(unknown)?;
        let mut options = Map::new();
        for (option, value) in fields {
            if option != NAME {
                options.insert(option, value);
            }
        }
        read(estimator.method_mut(), options)?;
        estimator.method().validate().map_err(Error::custom)?;
        Ok(estimator)
    }
}

impl Serialize for Estimator {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut written = Map::new();
        written.insert(NAME.to_owned(), self.name().into());
        written.extend(fields(self.method()));
        written.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Estimator {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::from_fields(Map::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}
