//! Estimators as JSON objects: the name beside the options.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Error, Map, Value};

use super::Estimator;
use crate::named::Named;

/// The field of the name.
const NAME: &str = "name";

/// Every name, in the order of [`Estimator::all`].
const NAMES: &[&str] =
    &["hgpo", "gigpo", "grpo", "rloo", "reinforce-plus-plus", "graph-gpo", "g2po", "dr-mas"];

impl Estimator {
    fn fields(&self) -> Map<String, Value> {
        match self {
            Self::Hgpo(options) => options.fields(),
            Self::Gigpo(options) => options.fields(),
            Self::Grpo(options) => options.fields(),
            Self::Rloo(options) => options.fields(),
            Self::ReinforcePlusPlus(options) => options.fields(),
            Self::GraphGpo(options) => options.fields(),
            Self::G2po(options) => options.fields(),
            Self::DrMas(options) => options.fields(),
        }
    }

    fn from_fields(mut fields: Map<String, Value>) -> Result<Self, Error> {
        let name = fields.shift_remove(NAME).ok_or_else(|| Error::missing_field(NAME))?;
        Ok(match name.as_str().unwrap_or_default() {
            "hgpo" => Self::Hgpo(Named::from_fields(fields)?),
            "gigpo" => Self::Gigpo(Named::from_fields(fields)?),
            "grpo" => Self::Grpo(Named::from_fields(fields)?),
            "rloo" => Self::Rloo(Named::from_fields(fields)?),
            "reinforce-plus-plus" => Self::ReinforcePlusPlus(Named::from_fields(fields)?),
            "graph-gpo" => Self::GraphGpo(Named::from_fields(fields)?),
            "g2po" => Self::G2po(Named::from_fields(fields)?),
            "dr-mas" => Self::DrMas(Named::from_fields(fields)?),
            unknown => return Err(Error::unknown_variant(unknown, NAMES)),
        })
    }
}

impl Serialize for Estimator {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = Map::new();
        fields.insert(NAME.to_owned(), self.name().into());
        fields.extend(self.fields());
        fields.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Estimator {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::from_fields(Map::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}
