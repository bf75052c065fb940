//! Structs of declared options as JSON objects: one list of the options gives reading and writing.
//!
//! Both go through a JSON object rather than a visitor for each struct and format: options are read
//! once, and a page in a browser has to carry all code that reads them.

use serde::de::Error as _;
use serde_json::{Error, Map, Value};

use crate::declaration::{About, Declaration};
use crate::error::Error as Refused;

/// A struct whose fields are options.
pub(crate) trait Named {
    /// The options in order.
    fn declarations(&self) -> &'static [Declaration];

    /// The value of an option; null where it is absent, or there is no such option.
    fn get(&self, name: &str) -> Value;

    /// Sets an option by its name, which is one of those declared.
    fn set(&mut self, name: &str, value: Value) -> Result<(), Error>;

    /// Checks that every option is within its declared range.
    fn check_ranges(&self) -> Result<(), Refused>;
}

/// What is known of the options of a struct without one.
pub(crate) trait Described {
    /// The options in order.
    const DECLARATIONS: &'static [Declaration];

    /// What each of them is about: a list of its own, so that a page which has words of its own does
    /// not carry these.
    const ABOUT: &'static [(&'static str, About)];
}

/// The options in order, without those that are absent.
pub(crate) fn fields(options: &dyn Named) -> Map<String, Value> {
    let mut fields = Map::new();
    for Declaration { name, .. } in options.declarations() {
        let value = options.get(name);
        if !value.is_null() {
            fields.insert((*name).to_owned(), value);
        }
    }
    fields
}

/// Sets the options that an object names, as far as they can have its values; the others stay as
/// they are.
pub(crate) fn read(options: &mut dyn Named, fields: Map<String, Value>) -> Result<(), Error> {
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
        options.set(&name, value)?;
    }
    Ok(())
}

/// A value that JSON has a form for.
pub(crate) fn plain(value: &impl serde::Serialize) -> Value {
    serde_json::to_value(value).unwrap_or_default()
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

        impl $crate::named::Described for $name {
            const DECLARATIONS: &'static [$crate::declaration::Declaration] =
                &[$($crate::declaration::Declaration {
                    name: stringify!($field),
                    kind: $declared.kind,
                }),*];

            const ABOUT: &'static [(&'static str, $crate::declaration::About)] =
                &[$((stringify!($field), $declared.about)),*];
        }

        impl $crate::named::Named for $name {
            fn declarations(&self) -> &'static [$crate::declaration::Declaration] {
                <Self as $crate::named::Described>::DECLARATIONS
            }

            fn get(&self, name: &str) -> serde_json::Value {
                match name {
                    $(stringify!($field) => $crate::named::plain(&self.$field),)*
                    _ => serde_json::Value::Null,
                }
            }

            #[allow(unused_variables, reason = "there may be no options")]
            fn set(&mut self, name: &str, value: serde_json::Value) -> Result<(), serde_json::Error> {
                match name {
                    $(stringify!($field) => self.$field = serde_json::from_value(value)?,)*
                    _ => {}
                }
                Ok(())
            }

            #[allow(unused_mut, unused_variables, reason = "there may be no options")]
            fn check_ranges(&self) -> Result<(), $crate::Error> {
                let mut declarations = $crate::named::Named::declarations(self).iter();
                $(if let Some(declaration) = declarations.next() {
                    $crate::declaration::Checked::check(&self.$field, declaration)?;
                })*
                Ok(())
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                $crate::named::fields(self).serialize(serializer)
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let fields = serde_json::Map::deserialize(deserializer)?;
                let mut options = Self::default();
                $crate::named::read(&mut options, fields).map_err(serde::de::Error::custom)?;
                Ok(options)
            }
        }
    };
}

pub(crate) use options;

#[cfg(test)]
mod tests {
    use super::Named as _;

    options! {
        /// Nothing to choose.
        #[allow(unreachable_pub, reason = "the options of estimators are public")]
        pub struct Fixed {}
    }

    #[test]
    fn an_estimator_may_have_no_options() {
        let mut fixed = Fixed::default();
        assert!(fixed.declarations().is_empty() && fixed.check_ranges().is_ok());
        assert!(fixed.set("alpha", 1.into()).is_ok() && fixed.get("alpha").is_null());
        assert_eq!(serde_json::to_string(&fixed).unwrap(), "{}");
    }
}
