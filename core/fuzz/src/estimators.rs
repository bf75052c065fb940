//! Every estimator with every option, by what is declared.

use arbitrary::{Result, Unstructured};
use hgpo_core::{Declaration, Estimator, Kind};
use serde_json::Value;

use crate::number;

/// An estimator; if it has another one inside, of any depth that the default has.
pub(crate) fn any(bytes: &mut Unstructured<'_>) -> Result<Estimator> {
    let name = *bytes.choose(Estimator::NAMES)?;
    let mut failed = None;
    let estimator = Estimator::with_choices(name, |option| {
        let value = value(bytes, option);
        value.unwrap_or_else(|error| {
            failed = Some(error);
            None
        })
    });
    match failed {
        Some(error) => Err(error),
        None => Ok(estimator.expect("a name that is known")),
    }
}

fn value(bytes: &mut Unstructured<'_>, option: &Declaration) -> Result<Option<Value>> {
    Ok(match option.kind {
        Kind::Integer { .. } => Some(bytes.int_in_range(0..=4_u64)?.into()),
        Kind::Number { most: 1.0, .. } => {
            Some((f64::from(bytes.arbitrary::<u8>()?) / 255.0).into())
        }
        // What is no number in JSON is no option either.
        Kind::Number { .. } => serde_json::Number::from_f64(number(bytes)?).map(Value::Number),
        Kind::Flag => Some(bytes.arbitrary::<bool>()?.into()),
        Kind::Choice(names) => Some((*bytes.choose(names)?).into()),
        Kind::Estimator => Some((*bytes.choose(Estimator::NAMES)?).into()),
        _ => None,
    })
}
