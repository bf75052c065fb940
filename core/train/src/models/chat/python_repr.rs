//! Python's `str` and `repr` of values that a template prints.

use std::fmt::Write as _;

use minijinja::value::ValueKind;
use minijinja::{Error, ErrorKind, Value};

use super::error::invalid;

/// Values within values; what comes from JSON has less.
pub(super) const DEEPEST: usize = 200;
/// Bytes that one value, or a whole conversation, may have.
pub(super) const LONGEST: usize = 64 << 20;

/// Lists, dictionaries and floats as `str` writes them; `None` for all other values.
pub(super) fn written(value: &Value) -> Result<Option<String>, Error> {
    let number = value.kind() == ValueKind::Number && !value.is_integer();
    let container = matches!(value.kind(), ValueKind::Seq | ValueKind::Iterable | ValueKind::Map);
    if !number && !container {
        return Ok(None);
    }
    let mut out = String::new();
    write(&mut out, value, 0)?;
    Ok(Some(out))
}

/// `repr`. Values may hold each other, or themselves: depth and length have an end.
fn write(out: &mut String, value: &Value, depth: usize) -> Result<(), Error> {
    if depth > DEEPEST {
        return Err(invalid("values are too deep within each other to be written"));
    }
    if out.len() > LONGEST {
        return Err(ErrorKind::WriteFailure.into());
    }
    match value.kind() {
        ValueKind::String => quoted(out, value.as_str().unwrap_or_default()),
        ValueKind::Number if !value.is_integer() => {
            out.push_str(&float(f64::try_from(value.clone())?));
        }
        ValueKind::Seq | ValueKind::Iterable => {
            let tuple = value.is_tuple();
            out.push(if tuple { '(' } else { '[' });
            let mut count = 0;
            for item in value.try_iter()? {
                out.push_str(if count > 0 { ", " } else { "" });
                write(out, &item, depth + 1)?;
                count += 1;
            }
            out.push_str(if tuple && count == 1 { "," } else { "" });
            out.push(if tuple { ')' } else { ']' });
        }
        ValueKind::Map => {
            out.push('{');
            for (index, key) in value.try_iter()?.enumerate() {
                out.push_str(if index > 0 { ", " } else { "" });
                write(out, &key, depth + 1)?;
                out.push_str(": ");
                write(out, &value.get_item(&key)?, depth + 1)?;
            }
            out.push('}');
        }
        _ => out.push_str(&value.to_string()),
    }
    Ok(())
}

/// `repr` of a float: the shortest digits that give it back, with an exponent below 1e-4 and from
/// 1e16 on.
pub(super) fn float(value: f64) -> String {
    if !value.is_finite() {
        let name = if value.is_nan() { "nan" } else { "inf" };
        return format!("{}{name}", if value < 0.0 { "-" } else { "" });
    }
    let scientific = format!("{value:e}");
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    match exponent.parse::<i32>() {
        Ok(exponent) if !(-4..16).contains(&exponent) => {
            let sign = if exponent < 0 { '-' } else { '+' };
            format!("{digits}e{sign}{:02}", exponent.abs())
        }
        // With a point in any case.
        _ => format!("{value:?}"),
    }
}

/// A text in single quotes, in double ones if it has single ones only.
fn quoted(out: &mut String, text: &str) {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    out.push(quote);
    for letter in text.chars() {
        let code = u32::from(letter);
        // Writing to a text does not fail.
        let _ = match letter {
            '\n' => out.write_str("\\n"),
            '\r' => out.write_str("\\r"),
            '\t' => out.write_str("\\t"),
            '\\' => out.write_str("\\\\"),
            letter if letter == quote => write!(out, "\\{letter}"),
            letter if is_printable(letter) => out.write_char(letter),
            _ if code <= 0xff => write!(out, "\\x{code:02x}"),
            _ if code <= 0xffff => write!(out, "\\u{code:04x}"),
            _ => write!(out, "\\U{code:08x}"),
        };
    }
    out.push(quote);
}

/// Neither control nor white space nor one of the usual marks of format; characters that no Unicode
/// has yet, and private ones, are taken for printable.
fn is_printable(letter: char) -> bool {
    let format = matches!(letter, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0001}'..='\u{e007f}');
    letter == ' ' || !(letter.is_control() || letter.is_whitespace() || format)
}

#[cfg(test)]
mod tests {
    use super::float;

    #[test]
    fn floats_are_written_as_python_writes_them() {
        let cases = [
            (1.0, "1.0"),
            (-0.0, "-0.0"),
            (0.1, "0.1"),
            (1e16, "1e+16"),
            (1.5e22, "1.5e+22"),
            (9_999_999_999_999_998.0, "9999999999999998.0"),
            (1e-4, "0.0001"),
            (1e-5, "1e-05"),
            (1.25e-7, "1.25e-07"),
            (5e-324, "5e-324"),
            (1e100, "1e+100"),
            (f64::NEG_INFINITY, "-inf"),
            (f64::NAN, "nan"),
        ];
        for (value, expected) in cases {
            assert_eq!(float(value), expected);
        }
    }
}
