//! How the reader looks at a file: kept as long as it is open, also while its page is loaded again.

use super::{Filter, Key, Sorting};
use serde_json::{Value, json};

/// How the reader looks at a file.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Wishes {
    /// What the file is called.
    pub(crate) file: String,
    /// Which steps are looked for.
    pub(crate) filter: Filter,
    /// The order of the tasks.
    pub(crate) sorting: Sorting,
}

impl Wishes {
    /// To be read again if the table has columns for as many estimators.
    pub(crate) fn written(&self, methods: usize) -> String {
        let Filter { opposite, alone, invalid, text, agent } = &self.filter;
        let place = |(key, falls)| {
            let place = Key::all(methods).iter().position(|known| *known == key)?;
            Some((place, falls, methods))
        };
        json!({
            "file": self.file, "opposite": opposite, "alone": alone, "invalid": invalid, "text": text,
            "agent": agent, "sorting": self.sorting.by.and_then(place),
        })
        .to_string()
    }

    /// What was written; none if it is something else.
    pub(crate) fn read(text: &str, methods: usize) -> Option<Self> {
        let kept: Value = serde_json::from_str(text).ok()?;
        let own = |key: &str| kept[key].as_str().map(str::to_owned);
        let is = |key: &str| kept[key] == true;
        // With more estimators or fewer, another column has its place.
        let is_same = |_: &u64| kept["sorting"][2] == methods;
        let place = kept["sorting"][0]
            .as_u64()
            .filter(is_same)
            .and_then(|place| usize::try_from(place).ok());
        let key = place.and_then(|place| Key::all(methods).get(place).copied());
        Some(Self {
            file: own("file")?,
            filter: Filter {
                opposite: is("opposite"),
                alone: is("alone"),
                invalid: is("invalid"),
                text: own("text")?,
                agent: own("agent"),
            },
            sorting: Sorting { by: key.map(|key| (key, kept["sorting"][1] == true)) },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Wishes;
    use crate::overview::model::{Filter, Key, Sorting};

    #[test]
    fn what_is_written_is_read_again() {
        let filter = Filter {
            alone: true,
            text: "a \"hall\"".to_owned(),
            agent: Some("cook".to_owned()),
            ..Filter::default()
        };
        let sorting = Sorting { by: Some((Key::Opposite(2), true)) };
        let wishes = Wishes { file: "a.jsonl".to_owned(), filter, sorting };
        assert_eq!(Wishes::read(&wishes.written(3), 3).as_ref(), Some(&wishes));
        let unsorted = Wishes { sorting: Sorting::default(), ..wishes.clone() };
        assert_eq!(Wishes::read(&unsorted.written(3), 3), Some(unsorted.clone()));
        // With one estimator, the seventh column is another.
        let opposite = Sorting { by: Some((Key::Opposite(1), true)) };
        let first = Wishes { sorting: opposite, ..wishes.clone() };
        assert_eq!(Wishes::read(&first.written(3), 1), Some(unsorted.clone()));
        let invalid = Sorting { by: Some((Key::Invalid, false)) };
        let last = Wishes { sorting: invalid, ..wishes };
        assert_eq!(Wishes::read(&last.written(3), 1), Some(unsorted));
        assert_eq!(Wishes::read(&Wishes::default().written(1), 1), Some(Wishes::default()));
    }

    #[test]
    fn anything_else_is_no_wish() {
        for text in ["", "{", "7", "{}", r#"{"file":7,"text":""}"#, r#"{"file":"a"}"#] {
            assert_eq!(Wishes::read(text, 3), None, "{text}");
        }
        let odd = r#"{"file":"a","text":"","sorting":[99,7],"alone":"yes","agent":7}"#;
        let plain = Wishes { file: "a".to_owned(), ..Wishes::default() };
        assert_eq!(Wishes::read(odd, 3), Some(plain));
    }
}
