//! Filters and operators of templates that pay from the budget for what they read and make.

use std::sync::Arc;

use minijinja::value::{Kwargs, Rest, Tuple, ValueKind};
use minijinja::{Environment, Error, State, Value, filters};

use super::budgeted_instructions::{FACTORS, ITEM, OPERANDS, SUMMANDS};
use super::error::invalid;
use super::render_budget::RenderBudget;

/// What the method `format` pays as: the filter has another layout.
pub(super) const LAYOUT: &str = "the method format";
/// Widest field of `format`, in digits: 9,999 characters.
const WIDTH_DIGITS: usize = 4;
/// Characters of a field, at most, if no argument is longer: of one as wide as it may say, which is more than any
/// number has.
const WIDEST_FIELD: usize = 10_000;
/// Bytes that a character takes as a value in a list.
const AS_VALUE: usize = 64;

/// The engine's filters that take time by the size of what they are given, by name.
fn builtin() -> Vec<(&'static str, Value)> {
    vec![
        ("escape", Value::from_function(filters::escape)),
        ("e", Value::from_function(filters::escape)),
        ("safe", Value::from_function(filters::safe)),
        ("lower", Value::from_function(filters::lower)),
        ("upper", Value::from_function(filters::upper)),
        ("title", Value::from_function(filters::title)),
        ("capitalize", Value::from_function(filters::capitalize)),
        ("replace", Value::from_function(filters::replace)),
        ("dictsort", Value::from_function(filters::dictsort)),
        ("items", Value::from_function(filters::items)),
        ("reverse", Value::from_function(filters::reverse)),
        ("trim", Value::from_function(filters::trim)),
        ("join", Value::from_function(filters::join)),
        ("split", Value::from_function(filters::split)),
        ("lines", Value::from_function(filters::lines)),
        ("int", Value::from_function(filters::int)),
        ("float", Value::from_function(filters::float)),
        ("last", Value::from_function(filters::last)),
        ("min", Value::from_function(filters::min)),
        ("max", Value::from_function(filters::max)),
        ("sort", Value::from_function(filters::sort)),
        ("list", Value::from_function(filters::list)),
        ("sum", Value::from_function(filters::sum)),
        ("select", Value::from_function(filters::select)),
        ("reject", Value::from_function(filters::reject)),
        ("selectattr", Value::from_function(filters::selectattr)),
        ("rejectattr", Value::from_function(filters::rejectattr)),
        ("map", Value::from_function(filters::map)),
        ("groupby", Value::from_function(filters::groupby)),
        ("unique", Value::from_function(filters::unique)),
        ("chain", Value::from_function(filters::chain)),
        ("zip", Value::from_function(filters::zip)),
        ("pprint", Value::from_function(filters::pprint)),
        ("format", Value::from_function(filters::format)),
    ]
}

/// Puts payments before the engine's filters, and before those that an environment has in their place.
pub(super) fn limit(
    jinja: &mut Environment<'static>,
    own: Vec<(&'static str, Value)>,
    budget: &Arc<RenderBudget>,
) {
    for (name, filter) in builtin().into_iter().chain(own) {
        let budget = Arc::clone(budget);
        let paid = move |state: &mut State, given: Rest<Value>, named: Kwargs| {
            let mut given = given.0;
            if named.args().next().is_some() {
                given.push(named.into());
            }
            pay(&budget, name, &given)?;
            let made = filter.call(state, &given)?;
            budget.weigh(&made)?;
            Ok::<_, Error>(made)
        };
        jinja.add_filter(name, paid);
    }
    for (name, check) in
        [(OPERANDS, all as Check), (FACTORS, factors), (SUMMANDS, summands), (ITEM, item)]
    {
        let budget = Arc::clone(budget);
        jinja.add_filter(name, move |operands: &Value| {
            let mut operands: Vec<Value> = operands.try_iter()?.collect();
            check(&budget, &operands)?;
            // The last is what an operator takes first.
            operands.reverse();
            Ok::<_, Error>(Value::from(Tuple::from(operands)))
        });
    }
}

type Check = fn(&RenderBudget, &[Value]) -> Result<(), Error>;

fn all(budget: &RenderBudget, operands: &[Value]) -> Result<(), Error> {
    operands.iter().try_for_each(|operand| budget.weigh(operand))
}

/// Those of a product: a text or a list, as often as a number says.
fn factors(budget: &RenderBudget, operands: &[Value]) -> Result<(), Error> {
    all(budget, operands)?;
    let [left, right] = operands else { return Ok(()) };
    for (repeated, times) in [(left, right), (right, left)] {
        let Some(times) = times.as_usize() else { continue };
        match repeated.as_str() {
            Some(text) => budget.take_times(text.len(), times)?,
            None if repeated.kind() == ValueKind::Number => {}
            None => {
                let bytes = repeated.len().unwrap_or(0).saturating_mul(AS_VALUE);
                budget.take_times(bytes, times)?;
            }
        }
    }
    Ok(())
}

/// Those of a sum: lists are put together without a look at what is in them.
fn summands(budget: &RenderBudget, operands: &[Value]) -> Result<(), Error> {
    operands.iter().try_for_each(|operand| budget.weigh_outside(operand))
}

/// Those of a subscript: finding a place in a text or a list takes as long as what comes before it, at
/// most; a key is compared with all that is in it.
fn item(budget: &RenderBudget, operands: &[Value]) -> Result<(), Error> {
    let Some((from, places)) = operands.split_first() else { return Ok(()) };
    let by_place = places.iter().all(|place| place.is_number() || place.is_none());
    if by_place {
        budget.weigh_outside(from)?;
    }
    all(budget, places)
}

/// Pays for what a filter or a method is given, and for what it makes, if that is more.
pub(super) fn pay(budget: &RenderBudget, name: &str, given: &[Value]) -> Result<(), Error> {
    let Some(first) = given.first() else { return Ok(()) };
    if ["length", "count"].contains(&name) && given.len() == 1 {
        // Lists know theirs, the characters of a text are counted.
        return budget.take(first.as_str().map_or(1, str::len) as u64);
    }
    all(budget, given)?;
    let text = |place: usize| given.get(place).and_then(Value::as_str);
    match (name, text(0)) {
        ("replace", Some(long)) => {
            let (Some(from), Some(to)) = (text(1), text(2)) else { return Ok(()) };
            budget.take_times(to.len(), long.matches(from).count())
        }
        ("join", _) => joined(budget, given),
        ("format", Some(layout)) => fields(budget, '%', layout, given),
        (LAYOUT, Some(layout)) => fields(budget, '{', layout, given),
        ("indent", Some(text)) => {
            let longest = given.iter().skip(1).map(width).max().unwrap_or(0);
            budget.take_times(longest, text.matches('\n').count() + 1)
        }
        // Adding up texts or lists makes every part of the sum.
        ("sum", _) if given.len() > 1 => {
            (0..first.len().unwrap_or(0)).try_for_each(|_| budget.weigh(first))
        }
        (
            "upper" | "lower" | "title" | "capitalize" | "trim" | "strip" | "lstrip" | "rstrip"
            | "startswith" | "endswith" | "find" | "rfind" | "count" | "string" | "safe" | "tojson"
            | "int" | "float",
            _,
        ) => Ok(()),
        ("escape" | "e", Some(text)) => budget.take_times(text.len(), 6),
        // The rest may make a value of every character.
        (_, Some(text)) => budget.take_times(text.len(), AS_VALUE),
        _ => Ok(()),
    }
}

/// Pays for the separators of `list|join(separator)`, or of `separator.join(list)`.
fn joined(budget: &RenderBudget, given: &[Value]) -> Result<(), Error> {
    let text = |place: usize| given.get(place).and_then(Value::as_str);
    let Some(first) = given.first() else { return Ok(()) };
    let (items, separator) = match text(0) {
        Some(separator) if given.len() > 1 && text(1).is_none() => (&given[1], separator),
        _ => (first, text(1).unwrap_or_default()),
    };
    let named = given.last().filter(|it| it.kind() == ValueKind::Map);
    let named = named.and_then(|named| named.get_attr("d").ok());
    let longest = named.as_ref().and_then(Value::as_str).unwrap_or_default().len();
    let count = items.as_str().map_or_else(|| items.len().unwrap_or(0), str::len);
    budget.take_times(separator.len().max(longest), count)
}

/// The widest indentation that an argument may mean.
fn width(argument: &Value) -> usize {
    match argument.kind() {
        ValueKind::Map => argument.get_attr("width").as_ref().map_or(0, width),
        _ => argument.as_str().map_or_else(|| argument.as_usize().unwrap_or(0), str::len),
    }
}

/// Pays for the fields of a layout (`{:>8}`, `%8d`): each as wide as it may say, or as the longest argument.
fn fields(
    budget: &RenderBudget,
    opening: char,
    layout: &str,
    given: &[Value],
) -> Result<(), Error> {
    let longest = given.iter().skip(1).filter_map(Value::as_str).map(str::len).max();
    let mut count = 0_usize;
    for field in layout.split(opening).skip(1) {
        count += 1;
        // What ends a field; braces within one are widths that are given beside the layout.
        let end = |letter: char| match opening {
            '{' => letter == '}',
            _ => letter.is_alphabetic() || letter == '%',
        };
        let field = field.split(end).next().unwrap_or_default();
        let widest = field.split(|letter: char| !letter.is_ascii_digit()).map(str::len).max();
        if widest.is_some_and(|digits| digits > WIDTH_DIGITS) {
            return Err(invalid("format: a field is wider than 9999 characters"));
        }
        if (opening == '%' && field.contains('*'))
            || (opening == '{' && field.ends_with([':', '>', '<', '^', '.']))
        {
            return Err(invalid("format: a width has to be in the layout"));
        }
    }
    budget.take_times(longest.unwrap_or(0).max(WIDEST_FIELD), count)
}
