//! The filter `indent`, as Jinja2 defines it.

use minijinja::value::Kwargs;
use minijinja::{Error, ErrorKind, Value};

/// Spaces that can be asked for.
const WIDEST: usize = 1000;

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
pub(super) fn indentation(width: &Value) -> Result<String, Error> {
    if let Some(text) = width.as_str() {
        return Ok(text.to_owned());
    }
    let spaces = width.as_usize().or_else(|| bool::try_from(width.clone()).ok().map(usize::from));
    spaces.filter(|&spaces| spaces <= WIDEST).map(|spaces| " ".repeat(spaces)).ok_or_else(|| {
        let problem = format!("an indentation is a string, or a number of spaces up to {WIDEST}");
        Error::new(ErrorKind::InvalidOperation, problem)
    })
}
