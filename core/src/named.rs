//! Structs of named options as JSON objects: one list of the names gives reading and writing.
//!
//! Both go through a JSON object rather than a visitor for each struct and format: options are read
//! once, and a page in a browser has to carry all code that reads them.

use serde::de::Error as _;
use serde_json::{Error, Map, Value};

/// A struct whose fields are options with defaults.
pub(crate) trait Named: Default {
    /// The names of the fields.
    const NAMES: &'static [&'static str];

    /// The fields in order, without those that are absent.
    fn fields(&self) -> Map<String, Value>;

    /// Sets a field by its name, which is one of [`Named::NAMES`].
    fn set(&mut self, name: &str, value: Value) -> Result<(), Error>;

    /// Reads an object, whose other fields have their defaults.
    fn from_fields(fields: Map<String, Value>) -> Result<Self, Error> {
        let mut read = Self::default();
        for (name, value) in fields {
            if !Self::NAMES.contains(&name.as_str()) {
                return Err(Error::unknown_field(&name, Self::NAMES));
            }
            read.set(&name, value)?;
        }
        Ok(read)
    }
}

/// Fields that can be written, by their names; absent ones are left out.
pub(crate) fn object(
    names: &[&str],
    values: impl IntoIterator<Item = Value>,
) -> Map<String, Value> {
    let mut fields = Map::new();
    for (name, value) in names.iter().zip(values) {
        if !value.is_null() {
            fields.insert((*name).to_owned(), value);
        }
    }
    fields
}

/// A value that JSON has a form for.
pub(crate) fn plain(value: &impl serde::Serialize) -> Value {
    serde_json::to_value(value).unwrap_or_default()
}

/// Implements [`Named`] and serde's traits for a struct with the listed fields.
macro_rules! named {
    ($name:ident { $($field:ident),+ $(,)? }) => {
        impl $crate::named::Named for $name {
            const NAMES: &'static [&'static str] = &[$(stringify!($field)),+];

            fn fields(&self) -> serde_json::Map<String, serde_json::Value> {
                $crate::named::object(Self::NAMES, [$($crate::named::plain(&self.$field)),+])
            }

            fn set(&mut self, name: &str, value: serde_json::Value) -> Result<(), serde_json::Error> {
                match name {
                    $(stringify!($field) => self.$field = serde_json::from_value(value)?,)+
                    _ => {}
                }
                Ok(())
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                $crate::named::Named::fields(self).serialize(serializer)
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let fields = serde_json::Map::deserialize(deserializer)?;
                $crate::named::Named::from_fields(fields).map_err(serde::de::Error::custom)
            }
        }
    };
}

pub(crate) use named;
