//! Cell: what stands in a column of a row, and the values that it can be read as.

use serde_json::Value;

use super::line_diagnosis::{LIST_OF_NUMBERS, WHOLE, numbers};
use crate::error::Problem;
use crate::text::escape::quoted;
use crate::text::json::{canonical, describe, read_json};

/// The longest value that an error says again, in characters.
const LONGEST_VALUE: usize = 40;

/// What stands in a column.
#[derive(Clone)]
pub(super) enum Cell {
    /// A value of JSON.
    Json(Value),
    /// Text that stands for a value of any kind.
    Text(String),
}

impl From<Cell> for Value {
    fn from(cell: Cell) -> Self {
        match cell {
            Cell::Json(value) => value,
            Cell::Text(text) => Self::String(text),
        }
    }
}

impl Cell {
    fn wrong(&self, column: &str, expected: &'static str) -> Problem {
        let found = match self {
            Self::Json(value) => describe(value),
            Self::Text(text) if text.chars().nth(LONGEST_VALUE).is_some() => {
                quoted(&text.chars().take(LONGEST_VALUE).collect::<String>()) + " and so on"
            }
            Self::Text(text) => quoted(text),
        };
        Problem::wrong_type(column, expected, found)
    }

    /// Whether nothing stands there.
    fn is_none(&self) -> bool {
        match self {
            Self::Json(value) => value.is_null(),
            Self::Text(text) => text.trim().is_empty(),
        }
    }

    /// Text as it is; of JSON, numbers, lists (a grid as state) and objects as their one text.
    pub(super) fn text(self, column: &str) -> Result<String, Problem> {
        match self {
            Self::Text(text) | Self::Json(Value::String(text)) => Ok(text),
            Self::Json(value @ (Value::Number(_) | Value::Array(_) | Value::Object(_))) => {
                canonical(&value).map_err(|lost| {
                    Problem::wrong_type(column, "text, or whole numbers of 64 bits", describe(lost))
                })
            }
            Self::Json(_) => Err(self.wrong(column, "text")),
        }
    }

    pub(super) fn optional_text(self, column: &str) -> Result<Option<String>, Problem> {
        match self {
            Self::Json(Value::Null) => Ok(None),
            Self::Text(text) => Ok(Some(text).filter(|text| !text.is_empty())),
            Self::Json(Value::String(text)) => Ok(Some(text)),
            Self::Json(_) => Err(self.wrong(column, "text")),
        }
    }

    pub(super) fn number(&self, column: &str) -> Result<f64, Problem> {
        let number = match self {
            Self::Json(value) => value.as_f64(),
            Self::Text(text) => crate::text::number::number(text.trim()),
        };
        match (number.ok_or_else(|| self.wrong(column, "a number"))?, self) {
            (number, Self::Text(text)) if !number.is_finite() => Err(Problem::NonFinite {
                field: column.to_owned(),
                literal: text.trim().to_owned(),
            }),
            (number, _) => Ok(number),
        }
    }

    pub(super) fn optional_number(&self, column: &str) -> Result<Option<f64>, Problem> {
        if self.is_none() { Ok(None) } else { self.number(column).map(Some) }
    }

    /// true, false, 1 or 0: numpy writes numbers.
    pub(super) fn flag(&self, column: &str) -> Result<Option<bool>, Problem> {
        if self.is_none() {
            return Ok(None);
        }
        let flag = match self {
            Self::Json(Value::Bool(flag)) => Some(*flag),
            Self::Json(value) => match value.as_f64() {
                Some(1.0) => Some(true),
                Some(0.0) => Some(false),
                _ => None,
            },
            Self::Text(text) => match text.trim().to_ascii_lowercase().as_str() {
                "true" | "1" => Some(true),
                "false" | "0" => Some(false),
                _ => None,
            },
        };
        flag.map(Some).ok_or_else(|| self.wrong(column, "true or false"))
    }

    /// A flag that has a default, and is not null.
    pub(super) fn known_flag(&self, column: &str) -> Result<Option<bool>, Problem> {
        match self {
            Self::Json(Value::Null) => Err(self.wrong(column, "true or false")),
            _ => self.flag(column),
        }
    }

    /// A seed: pandas writes a column of whole numbers with a point if one of them is missing.
    pub(super) fn whole(&self, column: &str) -> Result<Option<u64>, Problem> {
        if self.is_none() {
            return Ok(None);
        }
        let number = match self {
            Self::Json(value) => value.as_u64(),
            Self::Text(text) => {
                let text = text.trim();
                text.strip_suffix(".0").unwrap_or(text).parse().ok()
            }
        };
        number.map(Some).ok_or_else(|| self.wrong(column, WHOLE))
    }

    /// A list of numbers, as text too.
    pub(super) fn numbers(&self, column: &str) -> Result<Option<Vec<f64>>, Problem> {
        match self {
            Self::Json(value) => {
                numbers(value).map_err(|found| Problem::wrong_type(column, LIST_OF_NUMBERS, found))
            }
            Self::Text(_) if self.is_none() => Ok(None),
            Self::Text(text) => {
                let list = read_json(text).ok().and_then(|list| numbers(&list).ok()?);
                list.map(Some).ok_or_else(|| self.wrong(column, LIST_OF_NUMBERS))
            }
        }
    }
}
