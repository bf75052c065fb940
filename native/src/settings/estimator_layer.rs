//! Estimator layer: what a layer of settings says of the estimator, laid over the layers below.
//!
//! If it changes the name, what was set below stays as far as the new estimator has it; the rest
//! is dropped, and said.

use hgpo_core::{Declaration, Error, Estimator};
use serde_json::Value;

use super::error::SettingsError;
use super::suggestion::suggest;

/// The table of settings that is meant.
pub(crate) const TABLE: &str = "estimator";
/// Where it says which estimator.
const NAME: &str = "name";
/// Where it says which one works inside another.
const INSIDE: &str = "inside";

/// What a layer says about one field of the table.
#[derive(Debug)]
pub(crate) struct Assignment {
    /// Where.
    pub(crate) origin: String,
    /// The field.
    pub(crate) field: String,
    /// The value.
    pub(crate) value: toml::Value,
}

impl Assignment {
    /// What is said of a dotted name, if it is of this table: `estimator` alone is its name.
    pub(crate) fn of(origin: &str, dotted: &str, value: &toml::Value) -> Option<Self> {
        let field = match dotted.strip_prefix(TABLE)? {
            "" if value.is_str() => NAME,
            rest => rest.strip_prefix('.')?,
        };
        Some(Self { origin: origin.to_owned(), field: field.to_owned(), value: value.clone() })
    }
}

/// The estimator with a layer over it, and what was dropped, a sentence each.
///
/// # Errors
/// An unknown field, a value that it cannot have, an option that the estimator does not have.
pub(crate) fn apply_layer(
    below: &Estimator,
    layer: &[Assignment],
) -> Result<(Estimator, Vec<String>), SettingsError> {
    let mut above = choose_estimator(below, layer)?;
    let changed = below.changed();
    for (name, value) in &changed {
        // What was in its range below is in its range here: a name has one declaration.
        let _ = above.set(name, value.clone());
    }
    let is_option = |said: &&Assignment| ![NAME, INSIDE].contains(&said.field.as_str());
    let mut options: Vec<&Assignment> = layer.iter().filter(is_option).collect();
    // In the order of declaration: a metric of similarity comes before its threshold.
    let order = above.declarations();
    options.sort_by_key(|said| order.iter().position(|known| known.name == said.field));
    for said in options {
        set(&mut above, said)?;
    }
    let lost = changed.iter().filter(|(name, _)| above.get(name).is_none());
    let dropped = lost.map(|(name, value)| describe_dropped(&above, name, value)).collect();
    Ok((above, dropped))
}

/// The estimator that a layer chooses, with its default options.
fn choose_estimator(below: &Estimator, layer: &[Assignment]) -> Result<Estimator, SettingsError> {
    let last = |field: &str| layer.iter().rev().find(|said| said.field == field);
    let mut above = match last(NAME) {
        Some(said) => Estimator::default_named(&bare_text(&said.value))
            .map_err(|error| value_error(said, &below.name().into(), error))?,
        None => Estimator::default_named(below.name()).unwrap_or_default(),
    };
    match (last(INSIDE), below.get(INSIDE)) {
        (Some(said), _) => set(&mut above, said)?,
        // An estimator without anything inside refuses it, and keeps what it is.
        (None, Some(inside)) => drop(above.set(INSIDE, inside)),
        (None, None) => {}
    }
    Ok(above)
}

fn set(estimator: &mut Estimator, said: &Assignment) -> Result<(), SettingsError> {
    let known = estimator.declarations();
    let Some(option) = known.iter().find(|option| option.name == said.field) else {
        return Err(describe_unknown_option(estimator, &known, said));
    };
    let default = estimator.get(&said.field).unwrap_or_default();
    // There is no JSON for what is not finite.
    let value = serde_json::to_value(&said.value).unwrap_or_default();
    let value = if value.is_null() { option.parse(&bare_text(&said.value)) } else { Ok(value) };
    let set = value.and_then(|value| estimator.set(&said.field, value));
    set.map_err(|error| value_error(said, &default, error))
}

fn describe_dropped(estimator: &Estimator, name: &str, value: &Value) -> String {
    let was = format!("{TABLE}.{name} = {} is dropped", render_value(value));
    let has = estimator.declarations().iter().any(|option| option.name == name);
    match estimator.get("similarity") {
        Some(similarity) if has => {
            let similarity = render_value(&similarity);
            format!("{was}: it has no effect with {TABLE}.similarity = {similarity}")
        }
        _ => format!("{was}: {} does not have it", estimator.name()),
    }
}

/// A field that the estimator does not have: another one's, or nobody's.
fn describe_unknown_option(
    estimator: &Estimator,
    known: &[Declaration],
    said: &Assignment,
) -> SettingsError {
    let dotted = |name: &str| format!("{TABLE}.{name}");
    let (origin, field) = (said.origin.clone(), dotted(&said.field));
    let all = Declaration::all();
    if all.iter().any(|option| option.name == said.field) {
        let has: Vec<&str> = known.iter().map(|option| option.name).collect();
        let (estimator, has) = (estimator.name(), has.join(", "));
        return SettingsError::Foreign { origin, field, estimator, has };
    }
    let names: Vec<String> =
        all.iter().map(|option| option.name).chain([NAME]).map(dotted).collect();
    let advice = suggest(&field, &names);
    SettingsError::Unknown { origin, field, advice }
}

fn value_error(said: &Assignment, default: &Value, error: Error) -> SettingsError {
    SettingsError::Value {
        origin: said.origin.clone(),
        field: format!("{TABLE}.{}", said.field),
        message: problem(error),
        default: render_value(default),
    }
}

/// Why a value is refused, without the name of its option.
pub(crate) fn problem(error: Error) -> String {
    match error {
        Error::Option { problem, .. } => problem,
        other => other.to_string(),
    }
}

/// A value as it was written, a text without its quotes.
fn bare_text(value: &toml::Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// A value as it is typed.
pub(crate) fn render_value(value: &Value) -> String {
    match value {
        Value::String(word) => word.clone(),
        // Whole numbers are written without a point.
        Value::Number(number) => number.as_f64().unwrap_or_default().to_string(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lays `KEY=VALUE` pairs, a layer each, over HGPO without division: the default run's.
    fn laid(layers: &[&[(&str, &str)]]) -> Result<(Estimator, Vec<String>), String> {
        let mut estimator = Estimator::default();
        estimator.set("scale", "mean".into()).unwrap();
        let mut all_dropped = Vec::new();
        for (number, layer) in layers.iter().enumerate() {
            let said = layer.iter().map(|(field, value)| {
                let document: toml::Table = format!("v = {value}").parse().unwrap();
                Assignment::of(&format!("layer {number}"), field, &document["v"]).unwrap()
            });
            let said: Vec<Assignment> = said.collect();
            let (above, dropped) =
                apply_layer(&estimator, &said).map_err(|error| error.to_string())?;
            estimator = above;
            all_dropped.extend(dropped);
        }
        Ok((estimator, all_dropped))
    }

    fn flat(estimator: &Estimator, names: &[&str]) -> Vec<String> {
        names.iter().map(|name| render_value(&estimator.get(name).unwrap_or_default())).collect()
    }

    #[test]
    fn new_estimators_keep_shared_options_and_report_dropped_ones() {
        // Scale was set by the defaults, alpha by a layer; std is HGPO's own default, which GRPO's
        // is not: what nobody set has the default of the estimator at hand.
        let layers: [&[(&str, &str)]; 2] =
            [&[("estimator.alpha", "3.0")], &[("estimator", "\"grpo\"")]];
        let (grpo, dropped) = laid(&layers).unwrap();
        assert_eq!(grpo.name(), "grpo");
        assert_eq!(flat(&grpo, &["scale", "std", "singleton"]), ["mean", "sample", "keep"]);
        assert_eq!(dropped, ["estimator.alpha = 3 is dropped: grpo does not have it"]);
        // What was set and both have is kept, wherever the default stands.
        let layers: [&[(&str, &str)]; 2] =
            [&[("estimator.singleton", "\"keep\"")], &[("estimator.name", "\"rloo\"")]];
        let (rloo, dropped) = laid(&layers).unwrap();
        assert_eq!(flat(&rloo, &["singleton", "episode_statistics"]), ["keep", "steps"]);
        assert_eq!(dropped, ["estimator.scale = mean is dropped: rloo does not have it"]);
        // The same name changes nothing else.
        let layers: [&[(&str, &str)]; 2] =
            [&[("estimator.alpha", "3.0")], &[("estimator.name", "\"hgpo\"")]];
        let (hgpo, dropped) = laid(&layers).unwrap();
        assert_eq!(flat(&hgpo, &["alpha", "scale"]), ["3", "mean"]);
        assert_eq!(dropped, [""; 0]);
    }

    #[test]
    fn layers_may_set_estimator_and_options_in_any_order() {
        let layer: &[(&str, &str)] = &[
            ("estimator.threshold", "0.5"),
            ("estimator.step_weight", "2"),
            ("estimator.similarity", "\"edit\""),
            ("estimator.name", "\"gigpo\""),
        ];
        let (gigpo, dropped) = laid(&[layer]).unwrap();
        let names = ["step_weight", "similarity", "threshold", "linkage", "scale"];
        assert_eq!(flat(&gigpo, &names), ["2", "edit", "0.5", "greedy", "mean"]);
        assert_eq!(dropped, [""; 0]);
        // Similarity goes with its parts, to HGPO and into a team, and without them when it ends.
        let (hgpo, _) = laid(&[layer, &[("estimator.name", "\"hgpo\"")]]).unwrap();
        assert_eq!(flat(&hgpo, &["similarity", "threshold"]), ["edit", "0.5"]);
        let inside: &[(&str, &str)] =
            &[("estimator", "\"dr-mas\""), ("estimator.inside", "\"gigpo\"")];
        let (team, dropped) = laid(&[layer, inside]).unwrap();
        assert_eq!(flat(&team, &["inside", "step_weight", "threshold"]), ["gigpo", "2", "0.5"]);
        assert_eq!(dropped, [""; 0]);
        let (_, dropped) = laid(&[layer, &[("estimator.similarity", "\"none\"")]]).unwrap();
        let expected = "estimator.threshold = 0.5 is dropped: it has no effect with estimator.similarity = none";
        assert_eq!(dropped, [expected]);
    }

    #[test]
    fn inner_estimator_stays_until_it_is_changed() {
        let team: &[(&str, &str)] =
            &[("estimator", "\"dr-mas\""), ("estimator.inside", "\"hgpo\"")];
        let (same, _) = laid(&[team, &[("estimator.alpha", "2.0")]]).unwrap();
        assert_eq!(flat(&same, &["inside", "alpha", "scale"]), ["hgpo", "2", "mean"]);
        let layers: [&[(&str, &str)]; 3] =
            [team, &[("estimator.alpha", "2.0")], &[("estimator.inside", "\"rloo\"")]];
        let (rloo, dropped) = laid(&layers).unwrap();
        assert_eq!(flat(&rloo, &["inside", "singleton"]), ["rloo", "keep"]);
        assert_eq!(
            dropped,
            [
                "estimator.alpha = 2 is dropped: dr-mas does not have it",
                "estimator.scale = mean is dropped: dr-mas does not have it",
            ]
        );
    }

    #[test]
    fn options_of_another_estimator_are_refused_in_the_same_layer() {
        let refused = |layer: &[(&str, &str)]| laid(&[layer]).unwrap_err();
        assert_eq!(
            refused(&[("estimator.alpha", "2"), ("estimator", "\"grpo\"")]),
            "layer 0: `estimator.alpha`: grpo does not have this option; leave it out. Available: \
             scale, episode_statistics, std, singleton"
        );
        assert_eq!(
            refused(&[("estimator.alhpa", "2")]),
            "layer 0: unknown field `estimator.alhpa`; did you mean `estimator.alpha`?"
        );
        assert_eq!(
            refused(&[("estimator.alpha", "-2")]),
            "layer 0: `estimator.alpha`: -2 is not a number from 0 to 100: correct it; the default \
             is `1`"
        );
        let unknown = refused(&[("estimator.name", "\"best\"")]);
        assert!(unknown.starts_with("layer 0: `estimator.name`: unknown name `best`"), "{unknown}");
        let alone = refused(&[("estimator.threshold", "0.5")]);
        assert!(alone.contains("choose a `similarity`"), "{alone}");
    }
}
