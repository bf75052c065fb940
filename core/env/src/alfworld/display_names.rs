//! Display names of things.

use std::collections::HashMap;

use super::grounding::{Kinds, ObjectId};

/// The names of all objects.
///
/// As in alfworld's `AlfredDemangler`: what a fact of the start speaks of is sorted by its name in the
/// problem; `X_bar_...` becomes `X N`, with `basin` added to X if the name has it, and N counting
/// down, so that the first one has the highest number. A name without `_bar_` is kept, with `_minus_`
/// and the like replaced, and a space at its end.
pub(super) fn names(kinds: &Kinds, mentioned: &[bool]) -> Vec<String> {
    let base = |object: ObjectId| {
        let name = kinds.name(object);
        let (base, _) = name.split_once("_bar_")?;
        Some(format!("{base}{}", if name.contains("basin") { "basin" } else { "" }))
    };
    let objects = 0..kinds.len() as ObjectId;
    let bases: Vec<Option<String>> = objects
        .map(|object| if mentioned[object as usize] { base(object) } else { None })
        .collect();
    let mut left: HashMap<&str, usize> = HashMap::new();
    for base in bases.iter().flatten() {
        *left.entry(base).or_default() += 1;
    }
    let mut names = Vec::with_capacity(bases.len());
    for (object, base) in bases.iter().enumerate() {
        let raw = kinds.name(object as ObjectId);
        names.push(match base {
            Some(base) => {
                let number = left.get_mut(base.as_str()).map_or(0, |left| {
                    *left -= 1;
                    *left + 1
                });
                format!("{base} {number}")
            }
            None if mentioned[object] => format!("{} ", plain(raw)),
            None => raw.to_owned(),
        });
    }
    names
}

fn plain(name: &str) -> String {
    let marks = [("_minus_", "-"), ("_plus_", "+"), ("_dot_", "."), ("_comma_", ",")];
    marks.iter().fold(name.to_owned(), |name, (from, to)| name.replace(from, to))
}
