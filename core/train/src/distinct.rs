//! Distinct values, and which of them each value is.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash};

use rapidhash::fast::RapidHasher;

/// The values by first occurrence, each once, and for every value which of them it is.
pub(crate) fn distinct<T: Copy + Eq + Hash>(
    values: impl IntoIterator<Item = T>,
) -> (Vec<T>, Vec<usize>) {
    let mut places: HashMap<T, usize, BuildHasherDefault<RapidHasher<'static>>> =
        HashMap::default();
    let mut distinct = Vec::new();
    let of = values
        .into_iter()
        .map(|value| {
            *places.entry(value).or_insert_with(|| {
                distinct.push(value);
                distinct.len() - 1
            })
        })
        .collect();
    (distinct, of)
}

#[cfg(test)]
mod tests {
    use super::distinct;

    #[test]
    fn equal_values_are_kept_once() {
        let prompts: [&[u32]; 4] = [&[1, 2], &[3], &[1, 2], &[1]];
        let (read, rows) = distinct(prompts);
        assert_eq!(read, [&[1, 2][..], &[3], &[1]]);
        assert_eq!(rows, [0, 1, 0, 2]);
    }
}
