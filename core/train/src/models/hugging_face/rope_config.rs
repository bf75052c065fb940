//! Rotary settings of `config.json`: base and scaling, as transformers 4 and 5 write them.

use serde_json::{Map, Value};

use super::config_fields::ConfigFields;
use crate::config::{RopeScaling, RopeType};
use crate::models::ModelError;

/// The base if nothing says it.
const BASE: f64 = 10_000.0;

/// Fields of an object of rotary settings that say nothing about scaling.
const UNSCALED: [&str; 2] = ["rope_theta", "partial_rotary_factor"];

/// The objects of transformers 5 and 4, each with what errors write before its fields.
const OBJECTS: [(&str, &str); 2] =
    [("rope_parameters", "rope_parameters."), ("rope_scaling", "rope_scaling.")];

/// Base and scaling: `rope_parameters` of transformers 5, or `rope_theta` and `rope_scaling`. What is said
/// twice has to be the same: transformers 4 and 5 differ in which of the two counts.
pub(super) fn rotary(fields: &ConfigFields<'_>) -> Result<(f64, Option<RopeScaling>), ModelError> {
    let (mut base, mut stretch) = (None, None);
    agree(&mut base, fields, "rope_theta", fields.optional("rope_theta")?)?;
    for (name, within) in OBJECTS {
        let Some(map) = fields.optional::<Map<String, Value>>(name)? else { continue };
        let inner = ConfigFields { file: fields.file, within, map: &map };
        inner.only("partial_rotary_factor", &1.0.into())?;
        agree(&mut base, &inner, "rope_theta", inner.optional("rope_theta")?)?;
        agree(&mut stretch, fields, name, Some(scaling(&inner)?))?;
    }
    Ok((base.map_or(BASE, |(_, base)| base), stretch.and_then(|(_, scaling)| scaling)))
}

/// Takes what a field says, unless it contradicts what another one, which is named beside it, said before.
fn agree<T: PartialEq>(
    said: &mut Option<(String, T)>,
    fields: &ConfigFields<'_>,
    name: &str,
    value: Option<T>,
) -> Result<(), ModelError> {
    match (&*said, value) {
        (Some((field, before)), Some(value)) if *before != value => {
            let problem = format!("contradicts '{field}': delete the one that is wrong");
            return Err(fields.field_error(name, problem));
        }
        (None, Some(value)) => *said = Some((format!("{}{name}", fields.within), value)),
        _ => {}
    }
    Ok(())
}

fn scaling(fields: &ConfigFields<'_>) -> Result<Option<RopeScaling>, ModelError> {
    let (name, kind) = kind(fields)?;
    match kind.as_str() {
        "default" => Ok(None),
        "linear" => {
            Ok(Some(RopeScaling { factor: fields.required("factor")?, ..RopeScaling::default() }))
        }
        "llama3" => Ok(Some(RopeScaling {
            rope_type: RopeType::Llama3,
            factor: fields.required("factor")?,
            low_freq_factor: fields.required("low_freq_factor")?,
            high_freq_factor: fields.required("high_freq_factor")?,
            original_max_position_embeddings: fields
                .required("original_max_position_embeddings")?,
        })),
        other => {
            let problem = format!("'{other}' is not supported; use default, linear or llama3");
            Err(fields.field_error(name, problem))
        }
    }
}

/// The kind of scaling, and the field that says it: `rope_type`, or `type` before transformers 4.43. If
/// neither does, nothing may ask for scaling: transformers 4 fails there, and 5 leaves it out.
fn kind(fields: &ConfigFields<'_>) -> Result<(&'static str, String), ModelError> {
    let mut kind = None;
    for name in ["rope_type", "type"] {
        agree(&mut kind, fields, name, fields.optional::<String>(name)?)?;
    }
    if let Some((_, said)) = kind {
        let name = if fields.value("rope_type").is_some() { "rope_type" } else { "type" };
        return Ok((name, said));
    }
    let asks = |name: &&String| fields.value(name).is_some() && !UNSCALED.contains(&name.as_str());
    match fields.map.keys().find(asks) {
        Some(name) => {
            let problem = "says how to scale, but no 'rope_type' beside it says which way: add \
                           \"rope_type\": \"linear\", \"llama3\" or \"default\"";
            Err(fields.field_error(name, problem))
        }
        None => Ok(("rope_type", "default".to_owned())),
    }
}
