//! Python's methods of values, as templates call them.

use minijinja::value::{Tuple, ValueKind, from_args};
use minijinja::{Error, State, Value};
use minijinja_contrib::pycompat::unknown_method_callback;

use super::budgeted_filters::{LAYOUT, pay};
use super::error::invalid;
use super::render_budget::RenderBudget;

/// Calls a method: one of `minijinja-contrib`, or one that it lacks.
pub(super) fn call(
    budget: &RenderBudget,
    state: &mut State,
    value: &Value,
    method: &str,
    args: &[Value],
) -> Result<Value, Error> {
    let given: Vec<Value> = std::iter::once(value).chain(args).cloned().collect();
    pay(budget, if method == "format" { LAYOUT } else { method }, &given)?;
    let result = call_unpaid(state, value, method, args)?;
    budget.weigh(&result)?;
    Ok(result)
}

fn call_unpaid(
    state: &mut State,
    value: &Value,
    method: &str,
    args: &[Value],
) -> Result<Value, Error> {
    match (value.as_str(), method) {
        (Some(text), "removeprefix") => {
            let (prefix,): (&str,) = from_args(args)?;
            Ok(text.strip_prefix(prefix).unwrap_or(text).into())
        }
        (Some(text), "removesuffix") => {
            let (suffix,): (&str,) = from_args(args)?;
            Ok(text.strip_suffix(suffix).unwrap_or(text).into())
        }
        (Some(text), "partition") => {
            let at = separator(args)?;
            Ok(parts(text.split_once(at).map_or([text, "", ""], |(a, b)| [a, at, b])))
        }
        (Some(text), "rpartition") => {
            let at = separator(args)?;
            Ok(parts(text.rsplit_once(at).map_or(["", "", text], |(a, b)| [a, at, b])))
        }
        (Some(text), "rsplit") => rsplit(text, args),
        (Some(text), "index") => {
            let (part,): (&str,) = from_args(args)?;
            let at = text.find(part).ok_or_else(|| invalid("index: substring not found"))?;
            Ok(text[..at].chars().count().into())
        }
        (None, "index") if value.kind() == ValueKind::Seq => {
            let (wanted,): (Value,) = from_args(args)?;
            let at = value.try_iter()?.position(|item| item == wanted);
            at.map(Value::from).ok_or_else(|| invalid("index: value not found"))
        }
        _ => unknown_method_callback(state, value, method, args),
    }
}

fn separator(args: &[Value]) -> Result<&str, Error> {
    let (at,): (&str,) = from_args(args)?;
    if at.is_empty() {
        return Err(invalid("empty separator"));
    }
    Ok(at)
}

fn parts(parts: [&str; 3]) -> Value {
    Tuple::from(parts.map(Value::from).to_vec()).into()
}

/// Parts between separators, or between white space, counted from the end.
fn rsplit(text: &str, args: &[Value]) -> Result<Value, Error> {
    let (at, most): (Option<&str>, Option<i64>) = from_args(args)?;
    // No number, or a negative one, is no limit.
    let most = most.and_then(|most| usize::try_from(most).ok()).unwrap_or(usize::MAX - 1);
    let mut split: Vec<&str> = match at {
        Some(_) => text.rsplitn(most + 1, separator(&args[..1])?).collect(),
        None => rsplit_whitespace(text, most),
    };
    split.reverse();
    Ok(split.into_iter().map(Value::from).collect())
}

/// The last words, and what is in front of them, backwards.
fn rsplit_whitespace(text: &str, most: usize) -> Vec<&str> {
    let (mut rest, mut words) = (text.trim_end(), Vec::new());
    while !rest.is_empty() && words.len() < most {
        let word = rest.rsplit(char::is_whitespace).next().unwrap_or(rest);
        words.push(word);
        rest = rest[..rest.len() - word.len()].trim_end();
    }
    if !rest.is_empty() {
        words.push(rest);
    }
    words
}
