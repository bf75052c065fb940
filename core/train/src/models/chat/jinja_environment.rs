//! Jinja environment, as transformers sets it up.

use std::sync::Arc;

use minijinja::syntax::SyntaxConfig;
use minijinja::value::ValueKind;
use minijinja::{AutoEscape, Environment, Error, Output, State, Value, escape_formatter};
use minijinja_contrib::filters::{filesizeformat, striptags, truncate};

use super::budgeted_filters::limit;
use super::error::invalid;
use super::filters::{indent, length, string, tojson};
use super::python_methods;
use super::python_repr::written;
use super::render_budget::RenderBudget;

/// Steps of a rendering: a message takes some hundred.
pub(super) const STEPS: u64 = 1_000_000;

/// What a template says with `raise_exception`.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(super) struct Raised(pub(super) String);

/// How templates are written.
pub(super) fn syntax() -> Result<SyntaxConfig, Error> {
    SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build()
}

/// An environment without any template, for a rendering with this budget.
pub(super) fn environment(budget: &Arc<RenderBudget>) -> Result<Environment<'static>, Error> {
    let mut jinja = Environment::new();
    jinja.set_syntax(syntax()?);
    jinja.set_fuel(Some(STEPS));
    jinja.set_auto_escape_callback(|_| AutoEscape::None);
    let methods = Arc::clone(budget);
    jinja.set_unknown_method_callback(move |state, value, method, args| {
        python_methods::call(&methods, state, value, method, args)
    });
    let written = Arc::clone(budget);
    jinja.set_formatter(move |out, state, value| format(&written, out, state, value));
    // Both fill up with as many values as they are told, and are of no use in a text.
    jinja.remove_filter("batch");
    jinja.remove_filter("slice");
    let own = vec![
        ("indent", Value::from_function(indent)),
        ("string", Value::from_function(string)),
        ("tojson", Value::from_function(tojson)),
        ("striptags", Value::from_function(striptags)),
        ("truncate", Value::from_function(truncate)),
        ("length", Value::from_function(length)),
        ("count", Value::from_function(length)),
    ];
    limit(&mut jinja, own, budget);
    jinja.add_filter("filesizeformat", filesizeformat);
    jinja.add_function("raise_exception", raise_exception);
    jinja.add_test("sequence", is_sequence);
    jinja.add_test("callable", is_callable);
    Ok(jinja)
}

/// Writes a value as Python does.
fn format(
    budget: &RenderBudget,
    out: &mut Output<'_>,
    state: &mut State<'_, '_>,
    value: &Value,
) -> Result<(), Error> {
    if let Some(text) = written(value)? {
        budget.write(text.len())?;
        return Ok(out.write_str(&text)?);
    }
    budget.write(value.as_str().map_or(0, str::len))?;
    escape_formatter(out, state, value)
}

fn raise_exception(message: &Value) -> Result<Value, Error> {
    let raised = Raised(message.to_string());
    Err(invalid("raised").with_source(raised))
}

/// Python's texts and dictionaries have a length and items, which is what Jinja2 asks for.
fn is_sequence(value: &Value) -> bool {
    use ValueKind::{Iterable, Map, Seq, String, Undefined};
    matches!(value.kind(), Seq | Iterable | String | Map | Undefined)
}

/// Values that are called have no items and are no text; what is undefined says that it can be
/// called in Jinja2 too.
fn is_callable(value: &Value) -> bool {
    matches!(value.kind(), ValueKind::Plain | ValueKind::Undefined)
}
