//! Metadata of a GGUF file, entry by entry.

use std::collections::BTreeMap;

use super::header_reader::HeaderReader;
use crate::models::ModelError;

/// Lists of lists that are read; the format knows no use for any.
const DEEPEST: usize = 4;

/// Bytes of the shortest entry: empty name, type and a byte.
const LEAST_ENTRY: u64 = 13;

/// The value of an entry; integers of all widths are kept alike.
#[derive(Clone, Debug, PartialEq)]
pub enum MetadataValue {
    /// An unsigned integer.
    Unsigned(u64),
    /// A signed integer.
    Signed(i64),
    /// A number of single or double precision.
    Float(f64),
    /// A truth value.
    Bool(bool),
    /// A text.
    String(String),
    /// Several values of one type.
    List(MetadataList),
}

/// Several values of one type.
#[derive(Clone, Debug, PartialEq)]
pub enum MetadataList {
    /// Unsigned integers.
    Unsigned(Vec<u64>),
    /// Signed integers.
    Signed(Vec<i64>),
    /// Numbers of single or double precision.
    Float(Vec<f64>),
    /// Truth values.
    Bool(Vec<bool>),
    /// Texts.
    String(Vec<String>),
    /// Lists.
    List(Vec<MetadataList>),
}

/// All entries of a file, by name.
#[derive(Clone, Debug, PartialEq)]
pub struct Metadata {
    file: String,
    entries: BTreeMap<String, MetadataValue>,
}

impl Metadata {
    /// An entry as it is.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&MetadataValue> {
        self.entries.get(name)
    }

    /// Names and values, sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &MetadataValue)> {
        self.entries.iter().map(|(name, value)| (name.as_str(), value))
    }

    pub(super) fn file(&self) -> &str {
        &self.file
    }

    pub(super) fn read(reader: &mut HeaderReader<'_>, count: u64) -> Result<Self, ModelError> {
        let at = reader.position();
        reader.possible(at, count, LEAST_ENTRY, "entries of metadata")?;
        let mut entries = BTreeMap::new();
        for _ in 0..count {
            let at = reader.position();
            let name = reader.string()?;
            let number = reader.u32()?;
            let value = value(reader, number)?;
            if entries.insert(name.clone(), value).is_some() {
                return Err(reader.damaged(at, &format!("a second entry '{name}'")));
            }
        }
        Ok(Self { file: reader.file().to_owned(), entries })
    }

    fn wrong(&self, name: &str, wanted: &str) -> ModelError {
        ModelError::field(&self.file, name, format!("is not {wanted}"))
    }

    pub(super) fn missing(&self, name: &str) -> ModelError {
        ModelError::field(&self.file, name, "is missing")
    }

    pub(super) fn text(&self, name: &str) -> Result<Option<&str>, ModelError> {
        match self.get(name) {
            None => Ok(None),
            Some(MetadataValue::String(text)) => Ok(Some(text)),
            Some(_) => Err(self.wrong(name, "a string")),
        }
    }

    pub(super) fn bool(&self, name: &str) -> Result<Option<bool>, ModelError> {
        match self.get(name) {
            None => Ok(None),
            Some(MetadataValue::Bool(value)) => Ok(Some(*value)),
            Some(_) => Err(self.wrong(name, "true or false")),
        }
    }

    pub(super) fn float(&self, name: &str) -> Result<Option<f64>, ModelError> {
        match self.get(name) {
            None => Ok(None),
            Some(MetadataValue::Float(value)) => Ok(Some(*value)),
            Some(_) => Err(self.wrong(name, "a real number")),
        }
    }

    /// A whole number that is not negative and fits `T`.
    pub(super) fn whole<T: TryFrom<u64>>(&self, name: &str) -> Result<Option<T>, ModelError> {
        let value = match self.get(name) {
            None => return Ok(None),
            Some(MetadataValue::Unsigned(value)) => Some(*value),
            Some(MetadataValue::Signed(value)) => u64::try_from(*value).ok(),
            Some(_) => None,
        };
        let value = value.and_then(|value| T::try_from(value).ok());
        value.map(Some).ok_or_else(|| self.wrong(name, "a whole number in range"))
    }

    pub(super) fn texts(&self, name: &str) -> Result<Option<&[String]>, ModelError> {
        match self.get(name) {
            None => Ok(None),
            Some(MetadataValue::List(MetadataList::String(texts))) => Ok(Some(texts)),
            Some(_) => Err(self.wrong(name, "a list of strings")),
        }
    }

    pub(super) fn wholes(&self, name: &str) -> Result<Option<Vec<i32>>, ModelError> {
        let found: Option<Vec<i32>> = match self.get(name) {
            None => return Ok(None),
            Some(MetadataValue::List(MetadataList::Signed(values))) => {
                values.iter().map(|value| i32::try_from(*value).ok()).collect()
            }
            Some(MetadataValue::List(MetadataList::Unsigned(values))) => {
                values.iter().map(|value| i32::try_from(*value).ok()).collect()
            }
            Some(_) => None,
        };
        found.map(Some).ok_or_else(|| self.wrong(name, "a list of whole numbers in range"))
    }
}

/// A value of the type with this number in the format.
fn value(reader: &mut HeaderReader<'_>, number: u32) -> Result<MetadataValue, ModelError> {
    let at = reader.position();
    Ok(match number {
        0 | 2 | 4 | 10 => MetadataValue::Unsigned(unsigned(reader, number)?),
        1 | 3 | 5 | 11 => MetadataValue::Signed(signed(reader, number)?),
        6 | 12 => MetadataValue::Float(float(reader, number)?),
        7 => MetadataValue::Bool(truth(reader)?),
        8 => MetadataValue::String(reader.string()?),
        9 => MetadataValue::List(list(reader, DEEPEST)?),
        _ => return Err(reader.damaged(at, &format!("a value of the unknown type {number}"))),
    })
}

fn unsigned(reader: &mut HeaderReader<'_>, number: u32) -> Result<u64, ModelError> {
    Ok(match number {
        0 => reader.u8()?.into(),
        2 => u16::from_le_bytes(reader.array()?).into(),
        4 => reader.u32()?.into(),
        _ => reader.u64()?,
    })
}

fn signed(reader: &mut HeaderReader<'_>, number: u32) -> Result<i64, ModelError> {
    Ok(match number {
        1 => i8::from_le_bytes(reader.array()?).into(),
        3 => i16::from_le_bytes(reader.array()?).into(),
        5 => i32::from_le_bytes(reader.array()?).into(),
        _ => i64::from_le_bytes(reader.array()?),
    })
}

/// A number; of single precision the decimal that it was written from: 1e-6, which is
/// 9.99999997e-7 in single precision, was 1e-6 in the model's own files.
fn float(reader: &mut HeaderReader<'_>, number: u32) -> Result<f64, ModelError> {
    if number == 12 {
        return reader.array().map(f64::from_le_bytes);
    }
    let value = f32::from_le_bytes(reader.array()?);
    Ok(value.to_string().parse().unwrap_or_else(|_| f64::from(value)))
}

fn truth(reader: &mut HeaderReader<'_>) -> Result<bool, ModelError> {
    let at = reader.position();
    match reader.u8()? {
        0 => Ok(false),
        1 => Ok(true),
        other => Err(reader.damaged(at, &format!("{other} instead of 0 or 1"))),
    }
}

fn list(reader: &mut HeaderReader<'_>, deepest: usize) -> Result<MetadataList, ModelError> {
    let at = reader.position();
    let number = reader.u32()?;
    let least = match number {
        0 | 1 | 7 => 1,
        2 | 3 => 2,
        4..=6 => 4,
        8 | 10..=12 => 8,
        9 if deepest > 0 => 12,
        9 => return Err(reader.damaged(at, "lists nested too deeply")),
        _ => return Err(reader.damaged(at, &format!("a list of the unknown type {number}"))),
    };
    let count = reader.count(least, "values of a list")?;
    let all = 0..count;
    Ok(match number {
        0 | 2 | 4 | 10 => {
            MetadataList::Unsigned(all.map(|_| unsigned(reader, number)).collect::<Result<_, _>>()?)
        }
        1 | 3 | 5 | 11 => {
            MetadataList::Signed(all.map(|_| signed(reader, number)).collect::<Result<_, _>>()?)
        }
        6 | 12 => {
            MetadataList::Float(all.map(|_| float(reader, number)).collect::<Result<_, _>>()?)
        }
        7 => MetadataList::Bool(all.map(|_| truth(reader)).collect::<Result<_, _>>()?),
        8 => MetadataList::String(all.map(|_| reader.string()).collect::<Result<_, _>>()?),
        _ => MetadataList::List(all.map(|_| list(reader, deepest - 1)).collect::<Result<_, _>>()?),
    })
}
