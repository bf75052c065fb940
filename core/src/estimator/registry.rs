//! Estimator registry: one line for each gives the name in files, the variant and the type. In files an estimator is
//! a JSON object with the name beside the options.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Error, Map, Value};

use super::Estimator;
use crate::option::fields::{fields, read};

/// Declares [`Estimator`] from the names in files and the types.
macro_rules! registry {
    ($( $(#[$doc:meta])* $name:literal => $module:ident::$estimator:ident, )+) => {
        /// The options of each estimator.
        pub(crate) mod each {
            $(pub use super::$module::$estimator;)+
        }

        /// Which estimator, with its options. As JSON: `"name": "hgpo"` beside the options; reading
        /// it refuses what [`Options::validate`] refuses.
        #[derive(Debug, Clone, PartialEq)]
        #[non_exhaustive]
        pub enum Estimator {
            $( $(#[$doc])* $estimator(each::$estimator), )+
        }

        impl Estimator {
            /// The name of every estimator.
            pub const NAMES: &'static [&'static str] = &[$($name),+];

            /// Every estimator with its default options.
            #[must_use]
            pub fn all() -> Vec<Self> {
                vec![$(Self::$estimator(each::$estimator::default())),+]
            }

            /// The name in files and on the command line.
            #[must_use]
            pub const fn name(&self) -> &'static str {
                match self { $(Self::$estimator(_) => $name),+ }
            }

            /// The one place where it is asked which estimator it is.
            pub(crate) fn method(&self) -> &dyn Method {
                match self { $(Self::$estimator(options) => options),+ }
            }

            /// Options of the estimator itself that change nothing as long as the others are what they are.
            fn own_without_effect(&self) -> Vec<&'static str> {
                match self { $(Self::$estimator(options) => options.without_effect()),+ }
            }

            fn method_mut(&mut self) -> &mut dyn Method {
                match self { $(Self::$estimator(options) => options),+ }
            }
        }

        /// The options of the estimators.
        const DECLARATIONS: &[&[Declaration]] =
            &[$(<each::$estimator as DeclaredOptions>::DECLARATIONS),+];

        /// What the options of the estimators are about.
        const ABOUT: &[&[(&str, About)]] = &[$(<each::$estimator as DeclaredOptions>::ABOUT),+];
    };
}

pub(super) use registry;

/// The field of the name.
pub(crate) const NAME: &str = "name";

impl Estimator {
    fn from_fields(fields: Map<String, Value>) -> Result<Self, Error> {
        let name = fields.get(NAME).ok_or_else(|| Error::missing_field(NAME))?;
        let name = name.as_str().unwrap_or_default();
        let unknown = |_| Error::unknown_variant(name, Self::NAMES);
        let mut estimator = Self::default_named(name).map_err(unknown)?;
        let options = fields.into_iter().filter(|(option, _)| option != NAME);
        read(estimator.method_mut(), options.collect())?;
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
