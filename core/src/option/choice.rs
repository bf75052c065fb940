//! Option enums: one list of named values gives the enum, its text form, its parser and serde.

use serde::de::Error as _;
use serde_json::{Error, Value};

use crate::option::declaration::describe_value;

/// Declares an enum whose values have the same name in code, TOML, JSON and on the command line.
macro_rules! choice {
    (
        $(#[$meta:meta])*
        pub enum $name:ident {
            $( $(#[$value_meta:meta])* $value:ident => $text:literal, )+
        }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
        pub enum $name {
            $( $(#[$value_meta])* $value, )+
        }

        impl $name {
            /// Every value, in the order of the documentation.
            pub const ALL: &'static [Self] = &[$(Self::$value),+];

            /// The names of the values, in the same order.
            pub const NAMES: &'static [&'static str] = &[$($text),+];

            /// The name used in files and on the command line.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$value => $text),+ }
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = String::deserialize(deserializer)?;
                let place = Self::NAMES.iter().position(|name| *name == text);
                let unknown = || serde::de::Error::unknown_variant(&text, Self::NAMES);
                place.map(|place| Self::ALL[place]).ok_or_else(unknown)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl $crate::option::declaration::OptionValue for $name {
            fn read(value: serde_json::Value) -> Result<Self, serde_json::Error> {
                $crate::option::choice::place(&value, Self::NAMES).map(|place| Self::ALL[place])
            }
        }
    };
}

pub(crate) use choice;

/// The place of a name among the names of values.
pub(crate) fn place(value: &Value, names: &'static [&'static str]) -> Result<usize, Error> {
    // Some names are numbers, and are written as such.
    let text = describe_value(value);
    let place = names.iter().position(|name| *name == text);
    place.ok_or_else(|| Error::unknown_variant(&text, names))
}
