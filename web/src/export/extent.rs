//! Extent: which attempts and steps of a task are shown and exported, as a reader writes it: `1-4, 7`.

use std::ops::Range;

/// Numbers from `first` to `last` that a text names: single ones and ranges with commas between them, in order and each
/// once; all of them if the text is empty, none where it cannot be understood.
pub(crate) fn numbers(text: &str, first: usize, last: usize) -> Option<Vec<usize>> {
    let text = text.replace(['\u{2013}', '\u{2014}', '\u{2212}', '~'], "-");
    if text.trim().is_empty() {
        return Some((first..=last).collect());
    }
    let mut found = Vec::new();
    for part in text.split([',', ';', ' ']).filter(|part| !part.is_empty()) {
        let (from, to) = part.split_once('-').unwrap_or((part, part));
        let end = |text: &str, open: usize| if text.is_empty() { Some(open) } else { text.parse().ok() };
        let (from, to): (usize, usize) = (end(from, first)?, end(to, last)?);
        if from > to || from < first || from > last {
            return None;
        }
        found.extend(from..=to.min(last));
    }
    found.sort_unstable();
    found.dedup();
    Some(found).filter(|found| !found.is_empty())
}

/// Steps from 0 that a text names as one range; all of so many if the text is empty.
pub(crate) fn range(text: &str, steps: usize) -> Option<Range<usize>> {
    let all = numbers(text, 0, steps.checked_sub(1)?)?;
    let range = *all.first()?..all.last()? + 1;
    (range.len() == all.len()).then_some(range)
}

#[cfg(test)]
mod tests {
    use super::{numbers, range};

    #[test]
    fn attempts_are_named_singly_and_by_ranges() {
        assert_eq!(numbers("", 1, 3), Some(vec![1, 2, 3]));
        assert_eq!(numbers("7, 1-3,2", 1, 8), Some(vec![1, 2, 3, 7]));
        assert_eq!(numbers("6\u{2013}", 1, 8), Some(vec![6, 7, 8]));
        assert_eq!(numbers("-2", 1, 8), Some(vec![1, 2]));
        assert_eq!(numbers("5-90", 1, 8), Some(vec![5, 6, 7, 8]), "as many as there are");
        for wrong in ["0", "9", "3-2", "x", "1.5", "1--2", ","] {
            assert_eq!(numbers(wrong, 1, 8), None, "{wrong}");
        }
    }

    #[test]
    fn steps_are_one_range() {
        assert_eq!(range("", 5), Some(0..5));
        assert_eq!(range("2-3", 5), Some(2..4));
        assert_eq!(range("4", 5), Some(4..5));
        assert_eq!((range("0, 2", 5), range("5", 5), range("", 0)), (None, None, None));
    }
}
