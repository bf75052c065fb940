//! Metadata of a GGUF file, entry by entry, among them those of an architecture, whose names begin with its own.

use std::collections::BTreeMap;
use std::fmt::Display;

use super::header_reader::HeaderReader;
use crate::models::{Architecture, ModelError};

/// Lists of lists that are read; the format knows no use for any.
const DEEPEST: usize = 4;

/// Values that all lists of a file may have together: in memory, one takes 32 times the byte that it may take in the file.
/// The largest vocabularies, of 262,144 tokens, take a million.
const MOST_LISTED: u64 = 1 << 24;

/// Bytes of the shortest entry: empty name, type and a byte.
const LEAST_ENTRY: u64 = 13;

/// The value of an entry; integers of all widths are kept alike.
#[derive(Clone, Debug, PartialEq)]
pub enum MetadataValue {
    /// An integer, signed or not.
    Integer(i128),
    /// A number of single or double precision.
    Float(f64),
    /// A truth value.
    Bool(bool),
    /// A text.
    String(String),
    /// Several values of one type.
    List(Vec<Self>),
}

/// All entries of a file, by name.
#[derive(Clone, Debug, PartialEq)]
pub struct Metadata {
    pub(super) file: String,
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

    pub(super) fn read(reader: &mut HeaderReader<'_>, count: u64) -> Result<Self, ModelError> {
        let at = reader.position;
        reader.possible(at, count, LEAST_ENTRY, "entries of metadata")?;
        let mut entries = BTreeMap::new();
        for _ in 0..count {
            let at = reader.position;
            let name = reader.string()?;
            let number = reader.u32()?;
            let value = value(reader, number, DEEPEST)?;
            if entries.insert(name.clone(), value).is_some() {
                return Err(reader.damaged(at, &format!("a second entry '{name}'")));
            }
        }
        Ok(Self { file: reader.source.name().to_owned(), entries })
    }

    /// An entry that has to be there, as one of the readers below reads it.
    pub(super) fn required<'m, T>(
        &'m self,
        name: &str,
        read: impl FnOnce(&'m Self, &str) -> Result<Option<T>, ModelError>,
    ) -> Result<T, ModelError> {
        read(self, name)?.ok_or_else(|| ModelError::field(&self.file, name, "is missing"))
    }

    /// What `read` takes from an entry, if it is there; if it takes nothing, the entry is not what was wanted.
    fn entry<'m, T>(
        &'m self,
        name: &str,
        wanted: &str,
        read: impl FnOnce(&'m MetadataValue) -> Option<T>,
    ) -> Result<Option<T>, ModelError> {
        let wrong = || ModelError::field(&self.file, name, format!("is not {wanted}"));
        self.get(name).map(|value| read(value).ok_or_else(wrong)).transpose()
    }

    pub(super) fn text(&self, name: &str) -> Result<Option<&str>, ModelError> {
        self.entry(name, "a string", MetadataValue::as_text)
    }

    pub(super) fn bool(&self, name: &str) -> Result<Option<bool>, ModelError> {
        self.entry(name, "true or false", |value| match value {
            MetadataValue::Bool(value) => Some(*value),
            _ => None,
        })
    }

    pub(super) fn float(&self, name: &str) -> Result<Option<f64>, ModelError> {
        self.entry(name, "a real number", |value| match value {
            MetadataValue::Float(value) => Some(*value),
            _ => None,
        })
    }

    /// A whole number that fits `T`, which is unsigned.
    pub(super) fn whole<T: TryFrom<i128>>(&self, name: &str) -> Result<Option<T>, ModelError> {
        self.entry(name, "a whole number in range", MetadataValue::as_integer)
    }

    pub(super) fn texts(&self, name: &str) -> Result<Option<Vec<String>>, ModelError> {
        self.entry(name, "a list of strings", |value| {
            value.as_list(|item| item.as_text().map(str::to_owned))
        })
    }

    pub(super) fn wholes(&self, name: &str) -> Result<Option<Vec<i32>>, ModelError> {
        self.entry(name, "a list of whole numbers in range", |value| {
            value.as_list(MetadataValue::as_integer)
        })
    }
}

impl MetadataValue {
    fn as_text(&self) -> Option<&str> {
        match self {
            Self::String(text) => Some(text),
            _ => None,
        }
    }

    fn as_integer<T: TryFrom<i128>>(&self) -> Option<T> {
        match self {
            Self::Integer(value) => T::try_from(*value).ok(),
            _ => None,
        }
    }

    fn as_list<T>(&self, item: impl Fn(&Self) -> Option<T>) -> Option<Vec<T>> {
        match self {
            Self::List(items) => items.iter().map(item).collect(),
            _ => None,
        }
    }
}

/// The entries whose names begin with the architecture's.
pub(super) struct ArchitectureEntries<'a> {
    pub(super) metadata: &'a Metadata,
    pub(super) architecture: Architecture,
}

impl<'a> ArchitectureEntries<'a> {
    /// The whole name of an entry.
    pub(super) fn name(&self, name: &str) -> String {
        format!("{}.{name}", self.architecture.family().name)
    }

    pub(super) fn whole(&self, name: &str) -> Result<Option<usize>, ModelError> {
        self.metadata.whole(&self.name(name))
    }

    pub(super) fn required(&self, name: &str) -> Result<usize, ModelError> {
        self.metadata.required(&self.name(name), Metadata::whole)
    }

    pub(super) fn float(&self, name: &str) -> Result<Option<f64>, ModelError> {
        self.metadata.float(&self.name(name))
    }

    /// Refuses an entry that has another value than the only one supported.
    pub(super) fn only<T: Copy + PartialEq + Display>(
        &self,
        name: &str,
        read: fn(&'a Metadata, &str) -> Result<Option<T>, ModelError>,
        supported: T,
    ) -> Result<(), ModelError> {
        match read(self.metadata, &self.name(name))? {
            Some(value) if value != supported => {
                Err(self.field_error(name, format!("{value} is not supported; use {supported}")))
            }
            _ => Ok(()),
        }
    }

    pub(super) fn field_error(&self, name: &str, problem: impl Into<String>) -> ModelError {
        ModelError::field(&self.metadata.file, &self.name(name), problem)
    }
}

/// A value of the type with this number in the format.
fn value(
    reader: &mut HeaderReader<'_>,
    number: u32,
    deepest: usize,
) -> Result<MetadataValue, ModelError> {
    let at = reader.position;
    Ok(match number {
        0 => MetadataValue::Integer(u8::from_le_bytes(reader.array()?).into()),
        1 => MetadataValue::Integer(i8::from_le_bytes(reader.array()?).into()),
        2 => MetadataValue::Integer(u16::from_le_bytes(reader.array()?).into()),
        3 => MetadataValue::Integer(i16::from_le_bytes(reader.array()?).into()),
        4 => MetadataValue::Integer(u32::from_le_bytes(reader.array()?).into()),
        5 => MetadataValue::Integer(i32::from_le_bytes(reader.array()?).into()),
        6 => MetadataValue::Float(decimal(f32::from_le_bytes(reader.array()?))),
        7 => match reader.array()? {
            [0] => MetadataValue::Bool(false),
            [1] => MetadataValue::Bool(true),
            [other] => return Err(reader.damaged(at, &format!("{other} instead of 0 or 1"))),
        },
        8 => MetadataValue::String(reader.string()?),
        9 => MetadataValue::List(list(reader, deepest)?),
        10 => MetadataValue::Integer(u64::from_le_bytes(reader.array()?).into()),
        11 => MetadataValue::Integer(i64::from_le_bytes(reader.array()?).into()),
        12 => MetadataValue::Float(f64::from_le_bytes(reader.array()?)),
        _ => return Err(reader.damaged(at, &format!("a value of the unknown type {number}"))),
    })
}

/// The decimal that a number of single precision was written from: 1e-6, which is 9.99999997e-7 in single
/// precision, was 1e-6 in the model's own files.
fn decimal(value: f32) -> f64 {
    value.to_string().parse().unwrap_or_else(|_| f64::from(value))
}

fn list(reader: &mut HeaderReader<'_>, deepest: usize) -> Result<Vec<MetadataValue>, ModelError> {
    let at = reader.position;
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
    reader.listed += count;
    if reader.listed > MOST_LISTED {
        return Err(reader.damaged(at, &format!("more than {MOST_LISTED} values in lists")));
    }
    // Those in it, of which there may be none, are one level deeper.
    (0..count).map(|_| value(reader, number, deepest.saturating_sub(1))).collect()
}
