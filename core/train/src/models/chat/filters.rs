//! Filters that are other ones in the engine: `tojson` as transformers defines it (`json.dumps` of Python with
//! `ensure_ascii` off), the rest as Jinja2 does.

use std::fmt::Write as _;

use minijinja::value::{Kwargs, Rest, ValueKind};
use minijinja::{Error, ErrorKind, Value};
use serde_json::to_string as quoted;

use super::error::invalid;
use super::python_repr::{DEEPEST, LONGEST, float as python_float, written};

/// Spaces that can be asked for.
const WIDEST: usize = 1000;

/// How JSON is written.
struct Style {
    ascii: bool,
    indent: Option<String>,
    item: String,
    key: String,
    sort: bool,
}

/// A text as it is printed.
pub(super) fn string(value: &Value) -> Result<String, Error> {
    Ok(written(value)?.unwrap_or_else(|| value.to_string()))
}

/// What is undefined has a length in Jinja2, which is 0.
pub(super) fn length(value: &Value) -> Result<usize, Error> {
    if value.is_undefined() {
        return Ok(0);
    }
    value.len().ok_or_else(|| invalid(format!("a value of type {} has no length", value.kind())))
}

/// Indents all lines but the first (that too with `first`), and not those that are empty (those too
/// with `blank`), by a number of spaces or a text.
#[expect(clippy::needless_pass_by_value, reason = "filters are given their arguments so")]
pub(super) fn indent(
    text: String,
    width: Option<Value>,
    first: Option<bool>,
    blank: Option<bool>,
    named: Kwargs,
) -> Result<String, Error> {
    let width = width.or(named.get("width")?).unwrap_or(Value::from(4));
    let first = first.or(named.get("first")?).unwrap_or(false);
    let blank = blank.or(named.get("blank")?).unwrap_or(false);
    named.assert_all_used()?;
    let indentation = indentation(&width)?;
    let mut out = String::new();
    // A line break at the end is kept: it is followed by an empty line.
    for (index, line) in text.split('\n').enumerate() {
        if index > 0 {
            out.push('\n');
        }
        if (index == 0 && first) || (index > 0 && (blank || !line.is_empty())) {
            out.push_str(&indentation);
        }
        out.push_str(line);
    }
    Ok(out)
}

/// What a line is indented with: a number of spaces, or a text.
fn indentation(width: &Value) -> Result<String, Error> {
    if let Some(text) = width.as_str() {
        return Ok(text.to_owned());
    }
    let spaces = width.as_usize().or_else(|| bool::try_from(width.clone()).ok().map(usize::from));
    spaces.filter(|&spaces| spaces <= WIDEST).map(|spaces| " ".repeat(spaces)).ok_or_else(|| {
        invalid(format!("an indentation is a string, or a number of spaces up to {WIDEST}"))
    })
}

/// The filter: `tojson(ensure_ascii=false, indent=none, separators=none, sort_keys=false)`.
#[expect(clippy::needless_pass_by_value, reason = "filters are given their arguments so")]
pub(super) fn tojson(
    value: &Value,
    positional: Rest<Value>,
    named: Kwargs,
) -> Result<String, Error> {
    let argument = |index: usize, name| {
        let value = match positional.get(index) {
            Some(value) => Some(value.clone()),
            None => named.get::<Option<Value>>(name)?,
        };
        Ok::<_, Error>(value.filter(|value| !value.is_none()))
    };
    let ascii = argument(0, "ensure_ascii")?.is_some_and(|value| value.is_true());
    let indent = argument(1, "indent")?.map(|value| indentation(&value)).transpose()?;
    let item = if indent.is_some() { "," } else { ", " };
    let (item, key) = match argument(2, "separators")? {
        Some(pair) => (text(&pair.get_item_by_index(0)?)?, text(&pair.get_item_by_index(1)?)?),
        None => (item.to_owned(), ": ".to_owned()),
    };
    let sort = argument(3, "sort_keys")?.is_some_and(|value| value.is_true());
    named.assert_all_used()?;
    let style = Style { ascii, indent, item, key, sort };
    let mut out = String::new();
    style.write(&mut out, value, 0)?;
    Ok(out)
}

fn text(value: &Value) -> Result<String, Error> {
    let wrong = || invalid("separators of tojson must be two strings");
    value.as_str().map(str::to_owned).ok_or_else(wrong)
}

impl Style {
    fn write(&self, out: &mut String, value: &Value, depth: usize) -> Result<(), Error> {
        if depth > DEEPEST {
            return Err(invalid("values are nested too deeply for tojson"));
        }
        if out.len() > LONGEST {
            return Err(ErrorKind::WriteFailure.into());
        }
        match value.kind() {
            ValueKind::None => out.push_str("null"),
            ValueKind::Bool => out.push_str(if value.is_true() { "true" } else { "false" }),
            ValueKind::Number => out.push_str(&number(value)?),
            ValueKind::String => self.string(out, value.as_str().unwrap_or_default())?,
            ValueKind::Seq | ValueKind::Iterable => {
                let items = value.try_iter()?;
                self.list(out, ['[', ']'], items, depth, |out, item| {
                    self.write(out, &item, depth + 1)
                })?;
            }
            ValueKind::Map => {
                let mut entries = Vec::new();
                for key in value.try_iter()? {
                    entries.push((name(&key)?, value.get_item(&key)?));
                }
                if self.sort {
                    entries.sort_by(|left, right| left.0.cmp(&right.0));
                }
                self.list(out, ['{', '}'], entries, depth, |out, (name, item)| {
                    self.string(out, &name)?;
                    out.push_str(&self.key);
                    self.write(out, &item, depth + 1)
                })?;
            }
            kind => {
                return Err(invalid(format!("a value of type {kind} cannot be written as JSON")));
            }
        }
        Ok(())
    }

    /// Items between brackets, each on a line of its own if there is an indentation.
    fn list<T>(
        &self,
        out: &mut String,
        [open, close]: [char; 2],
        items: impl IntoIterator<Item = T>,
        depth: usize,
        mut write: impl FnMut(&mut String, T) -> Result<(), Error>,
    ) -> Result<(), Error> {
        out.push(open);
        let mut any = false;
        for item in items {
            if any {
                out.push_str(&self.item);
            }
            any = true;
            self.line(out, depth + 1);
            write(out, item)?;
        }
        if any {
            self.line(out, depth);
        }
        out.push(close);
        Ok(())
    }

    fn line(&self, out: &mut String, depth: usize) {
        if let Some(indent) = &self.indent {
            out.push('\n');
            (0..depth).for_each(|_| out.push_str(indent));
        }
    }

    fn string(&self, out: &mut String, text: &str) -> Result<(), Error> {
        let quoted = quoted(text).map_err(|error| invalid(error.to_string()))?;
        if !self.ascii {
            out.push_str(&quoted);
            return Ok(());
        }
        for letter in quoted.chars() {
            if letter.is_ascii() && letter != '\u{7f}' {
                out.push(letter);
            } else {
                let mut units = [0; 2];
                for unit in letter.encode_utf16(&mut units) {
                    let _ = write!(out, "\\u{unit:04x}");
                }
            }
        }
        Ok(())
    }
}

fn number(value: &Value) -> Result<String, Error> {
    if value.is_integer() {
        return Ok(value.to_string());
    }
    let float = f64::try_from(value.clone())?;
    Ok(match float {
        float if float.is_nan() => "NaN".to_owned(),
        float if float.is_infinite() => python_float(float).replace("inf", "Infinity"),
        float => python_float(float),
    })
}

/// A key; Python takes numbers, booleans and none for one.
fn name(key: &Value) -> Result<String, Error> {
    match key.kind() {
        ValueKind::String => Ok(key.as_str().unwrap_or_default().to_owned()),
        ValueKind::Number => number(key),
        ValueKind::None => Ok("null".to_owned()),
        ValueKind::Bool => Ok(key.is_true().to_string()),
        kind => Err(invalid(format!("a key of type {kind} cannot be written as JSON"))),
    }
}
