//! Option structs as JSON objects: one list of the options gives reading and writing.
//!
//! Both go through a JSON object rather than a visitor for each struct and format: options are read
//! once, and a page in a browser has to carry all code that reads them.

use serde::de::Error as _;
use serde_json::{Error, Map, Value};

use crate::error::Error as Refused;
use crate::option::declaration::{About, Declaration, OptionValue};

/// A struct whose fields are options.
///
/// Only where the fields are is written anew for every struct; all else is done in one place for all,
/// through [`Field`].
pub(crate) trait OptionFields {
    /// The options in order.
    fn declarations(&self) -> &'static [Declaration];

    /// The field of the option at a place in that order.
    fn field(&self, place: usize) -> Option<&dyn Field>;

    /// The same field, to be changed.
    fn field_mut(&mut self, place: usize) -> Option<&mut dyn Field>;
}

/// The value of an option, as a field of a struct.
pub(crate) trait Field {
    /// The value; null if it is absent.
    fn value(&self) -> Value;

    /// Another value.
    fn put(&mut self, value: Value) -> Result<(), Error>;

    /// Checks that the value is within a declared range.
    fn check_range(&self, declaration: &Declaration) -> Result<(), Refused>;
}

impl<T: OptionValue> Field for T {
    fn value(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }

    fn put(&mut self, value: Value) -> Result<(), Error> {
        *self = T::read(value)?;
        Ok(())
    }

    fn check_range(&self, declaration: &Declaration) -> Result<(), Refused> {
        self.check(declaration)
    }
}

/// The place of an option.
fn place(options: &dyn OptionFields, name: &str) -> Option<usize> {
    options.declarations().iter().position(|known| known.name == name)
}

/// The value of an option; null if it is absent, or there is no such option.
pub(crate) fn get(options: &dyn OptionFields, name: &str) -> Value {
    let field = place(options, name).and_then(|place| options.field(place));
    field.map_or(Value::Null, Field::value)
}

/// Sets an option by its name, which is one of those declared.
pub(crate) fn set(options: &mut dyn OptionFields, name: &str, value: Value) -> Result<(), Error> {
    let field = place(options, name).and_then(|place| options.field_mut(place));
    field.map_or(Ok(()), |field| field.put(value))
}

/// Checks that every option is within its declared range.
pub(crate) fn check_ranges(options: &dyn OptionFields) -> Result<(), Refused> {
    let mut declared = options.declarations().iter().enumerate();
    declared.try_for_each(|(place, declaration)| {
        options.field(place).map_or(Ok(()), |field| field.check_range(declaration))
    })
}

/// What is known of the options of a struct without one.
pub(crate) trait DeclaredOptions {
    /// The options in order.
    const DECLARATIONS: &'static [Declaration];

    /// What each of them is about: a list of its own, so that a page which has words of its own does
    /// not carry these.
    const ABOUT: &'static [(&'static str, About)];
}

/// The options in order, without those that are absent.
pub(crate) fn fields(options: &dyn OptionFields) -> Map<String, Value> {
    let declared = options.declarations().iter();
    let values = declared.map(|of| (of.name.to_owned(), get(options, of.name)));
    values.filter(|(_, value)| !value.is_null()).collect()
}

/// Sets the options that an object names, as far as they can have its values; the others stay as
/// they are.
pub(crate) fn read(
    options: &mut dyn OptionFields,
    fields: Map<String, Value>,
) -> Result<(), Error> {
    for (name, value) in fields {
        let declared = options.declarations();
        let Some(declaration) = declared.iter().find(|known| known.name == name) else {
            let known: Vec<&str> = declared.iter().map(|known| known.name).collect();
            let known = known.join("`, `");
            return Err(Error::custom(format!(
                "unknown field `{name}`, expected one of `{known}`"
            )));
        };
        declaration.check(&value).map_err(Error::custom)?;
        set(options, &name, value)?;
    }
    Ok(())
}

/// Declares a struct of options: `name: type = default, declaration;` gives the field, its default,
/// its form in files and its place among the declarations.
macro_rules! options {
    (
        $(#[$meta:meta])*
        pub struct $name:ident {
            $( $(#[$doc:meta])* $field:ident: $type:ty = $default:expr, $declared:expr; )*
        }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq)]
        pub struct $name {
            $( $(#[$doc])* pub $field: $type, )*
        }

        impl Default for $name {
            fn default() -> Self {
                Self { $($field: $default),* }
            }
        }

        impl $crate::option::fields::DeclaredOptions for $name {
            const DECLARATIONS: &'static [$crate::option::declaration::Declaration] =
                &[$($crate::option::declaration::Declaration {
                    name: stringify!($field),
                    kind: $declared.kind,
                }),*];

            const ABOUT: &'static [(&'static str, $crate::option::declaration::About)] =
                &[$((stringify!($field), $declared.about)),*];
        }

        impl $crate::option::fields::OptionFields for $name {
            fn declarations(&self) -> &'static [$crate::option::declaration::Declaration] {
                <Self as $crate::option::fields::DeclaredOptions>::DECLARATIONS
            }

            fn field(&self, place: usize) -> Option<&dyn $crate::option::fields::Field> {
                [$(&self.$field as &dyn $crate::option::fields::Field),*].into_iter().nth(place)
            }

            fn field_mut(&mut self, place: usize) -> Option<&mut dyn $crate::option::fields::Field> {
                [$(&mut self.$field as &mut dyn $crate::option::fields::Field),*].into_iter().nth(place)
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                $crate::option::fields::fields(self).serialize(serializer)
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let fields = serde_json::Map::deserialize(deserializer)?;
                let mut options = Self::default();
                $crate::option::fields::read(&mut options, fields).map_err(serde::de::Error::custom)?;
                Ok(options)
            }
        }
    };
}

pub(crate) use options;

#[cfg(test)]
mod tests {
    use super::{OptionFields as _, check_ranges, get, set};

    options! {
        /// Nothing to choose.
        #[allow(unreachable_pub, reason = "the options of estimators are public")]
        pub struct Fixed {}
    }

    #[test]
    fn an_estimator_may_have_no_options() {
        let mut fixed = Fixed::default();
        assert!(fixed.declarations().is_empty() && check_ranges(&fixed).is_ok());
        assert!(set(&mut fixed, "alpha", 1.into()).is_ok() && get(&fixed, "alpha").is_null());
        assert_eq!(serde_json::to_string(&fixed).unwrap(), "{}");
    }
}
