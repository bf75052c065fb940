//! Option declaration: its name, range, default, meaning and source, in one place.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::error::Error;
use crate::returns::Discount;
use crate::text::json::describe;
use crate::text::number::number;

/// An option as it is declared, in one place, for files, flags and controls alike.
///
/// ```
/// use hgpo_core::{Declaration, Estimator};
/// let alpha = Declaration::all().into_iter().find(|option| option.name == "alpha").unwrap();
/// assert!(alpha.owners().contains(&"hgpo") && !alpha.owners().contains(&"grpo"));
/// assert_eq!(alpha.about().meaning, "Exponent of the level weights");
/// assert_eq!(Estimator::default().get("alpha"), Some(1.0.into()));
/// let refused = alpha.parse("-1").unwrap_err().to_string();
/// assert_eq!(refused, "option alpha: -1 is not a number from 0 to 100: correct it");
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Declaration {
    /// Its name in files; flags have `-` for `_`.
    pub name: &'static str,
    /// What it can be.
    pub kind: Kind,
}

/// What an option can be.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Kind {
    /// A whole number from 0.
    Integer {
        /// The largest that is accepted.
        most: u64,
        /// The largest that is of use.
        usual: u64,
    },
    /// A number from 0.
    Number {
        /// The largest that is accepted.
        most: f64,
        /// The largest that is of use.
        usual: f64,
    },
    /// Yes or no.
    Flag,
    /// One of some names.
    Choice(&'static [&'static str]),
    /// Which states count as one: an object of options of its own in JSON, absent if states are
    /// compared by equality. Side by side with others it is the choice of a metric, or `none`, beside
    /// the options of the object.
    Similarity,
    /// Another estimator: an object in JSON; side by side with others its name, beside its options.
    Estimator,
}

/// What an option does, in one line, and where it comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct About {
    /// What it does.
    pub meaning: &'static str,
    /// The paper, the reference code, or this crate.
    pub source: &'static str,
}

/// The declaration of an option without its name.
#[derive(Clone, Copy)]
pub(crate) struct Declared {
    pub(crate) kind: Kind,
    pub(crate) about: About,
}

impl Declared {
    pub(crate) const fn new(kind: Kind, meaning: &'static str, source: &'static str) -> Self {
        Self { kind, about: About { meaning, source } }
    }

    /// A number from 0 to `most`, of which those up to `usual` are of use.
    pub(crate) const fn number(
        most: f64,
        usual: f64,
        meaning: &'static str,
        source: &'static str,
    ) -> Self {
        Self::new(Kind::Number { most, usual }, meaning, source)
    }

    /// A number from 0 to 1.
    pub(crate) const fn fraction(meaning: &'static str, source: &'static str) -> Self {
        Self::number(1.0, 1.0, meaning, source)
    }
}

impl Declaration {
    /// The option as it is typed on the command line, without the dashes before it.
    #[must_use]
    pub fn flag(&self) -> String {
        self.name.replace('_', "-")
    }

    /// A typed text as the value that files have.
    ///
    /// # Errors
    /// Names the option, the text, and what it can be.
    pub fn parse(&self, text: &str) -> Result<Value, Error> {
        let value = match self.kind {
            Kind::Integer { .. } => text.parse::<u64>().ok().map(Value::from),
            // There is no JSON for what is not finite.
            Kind::Number { .. } => number(text).filter(|it| it.is_finite()).map(Value::from),
            Kind::Flag => text.parse::<bool>().ok().map(Value::from),
            Kind::Choice(_) | Kind::Similarity | Kind::Estimator => Some(text.into()),
        };
        value.filter(|value| self.admits(value)).ok_or_else(|| self.refuse(text))
    }

    /// Checks that the option can have a value. If it is an object in JSON, the object's own
    /// options are not looked at.
    ///
    /// # Errors
    /// Names the option, the value, and what it can be.
    pub fn check(&self, value: &Value) -> Result<(), Error> {
        if self.admits(value) {
            return Ok(());
        }
        let is_of_kind = match self.kind {
            Kind::Integer { .. } | Kind::Number { .. } => value.is_number(),
            Kind::Choice(names) => {
                let is_number = |name: &&str| name.parse::<f64>().is_ok();
                value.is_string() || value.is_number() && names.iter().any(is_number)
            }
            Kind::Flag | Kind::Similarity | Kind::Estimator => false,
        };
        if is_of_kind {
            return Err(self.refuse(&describe_value(value)));
        }
        let problem = format!("got {} where {} is wanted", describe(value), self.describe_kind());
        Err(Error::option(self.name, problem))
    }

    fn admits(&self, value: &Value) -> bool {
        match self.kind {
            Kind::Integer { most, .. } => value.as_u64().is_some_and(|it| it <= most),
            Kind::Number { most, .. } => {
                value.as_f64().is_some_and(|it| (0.0..=most).contains(&it))
            }
            Kind::Flag => value.is_boolean(),
            Kind::Choice(names) => names.contains(&describe_value(value).as_str()),
            Kind::Similarity | Kind::Estimator => true,
        }
    }

    fn check_number(&self, value: f64) -> Result<(), Error> {
        let most = match self.kind {
            Kind::Integer { most, .. } => most as f64,
            Kind::Number { most, .. } => most,
            _ => return Ok(()),
        };
        if (0.0..=most).contains(&value) { Ok(()) } else { Err(self.refuse(&value.to_string())) }
    }

    /// Why the option cannot have a value of its kind.
    pub(crate) fn refuse(&self, value: &str) -> Error {
        let wanted = self.describe_kind();
        let problem = match self.kind {
            Kind::Integer { .. } | Kind::Number { .. } => {
                format!("{value} is not {wanted}: correct it")
            }
            _ => format!("unknown value `{value}`: use {wanted}"),
        };
        Error::option(self.name, problem)
    }

    /// What it can be, in words.
    fn describe_kind(&self) -> String {
        match self.kind {
            Kind::Integer { most, .. } => format!("a whole number from 0 to {most}"),
            Kind::Number { most, .. } if most > 1e6 => format!("a number from 0 to {most:e}"),
            Kind::Number { most, .. } => format!("a number from 0 to {most}"),
            Kind::Flag => "true or false".to_owned(),
            Kind::Choice(names) => "one of ".to_owned() + &names.join(", "),
            Kind::Similarity | Kind::Estimator => "an object".to_owned(),
        }
    }
}

/// A value as it was written, a text without its quotes.
pub(crate) fn describe_value(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        Value::Bool(flag) => flag.to_string(),
        _ => "the value".to_owned(),
    }
}

/// The type of an option's field: what is beyond its type is checked against the declaration.
pub(crate) trait OptionValue: Serialize + DeserializeOwned {
    /// The value that files have.
    fn read(value: Value) -> Result<Self, serde_json::Error> {
        serde_json::from_value(value)
    }

    /// Checks the range.
    fn check(&self, _declaration: &Declaration) -> Result<(), Error> {
        Ok(())
    }
}

impl OptionValue for bool {}

impl OptionValue for f64 {
    fn check(&self, declaration: &Declaration) -> Result<(), Error> {
        declaration.check_number(*self)
    }
}

impl OptionValue for usize {
    fn check(&self, declaration: &Declaration) -> Result<(), Error> {
        declaration.check_number(*self as f64)
    }
}

/// Its constructor has checked it.
impl OptionValue for Discount {}

impl<T: OptionValue> OptionValue for Option<T> {
    fn check(&self, declaration: &Declaration) -> Result<(), Error> {
        self.as_ref().map_or(Ok(()), |value| value.check(declaration))
    }
}

impl<T: OptionValue> OptionValue for Box<T> {
    fn check(&self, declaration: &Declaration) -> Result<(), Error> {
        self.as_ref().check(declaration)
    }
}
