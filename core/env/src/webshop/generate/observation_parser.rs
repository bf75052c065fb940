//! Observation parser of compact pages.

/// A page.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ParsedObservation {
    /// Where a search is made.
    Search,
    /// Products that were found.
    Results(Vec<Offer>),
    /// A product with its options, or a page about it.
    Product(Offer, Shown),
}

/// A product as its line tells it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Offer {
    /// Its number, in small letters.
    pub(super) asin: String,
    /// The words of its title, in small letters.
    pub(super) title: Vec<String>,
    /// Its price in dollars.
    pub(super) price: f64,
    /// Whether it was looked at.
    pub(super) seen: bool,
}

/// What is told of a product.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Shown {
    /// Names and values of its options; whether each value is chosen.
    Options(Vec<(String, Vec<(String, bool)>)>),
    /// What it is like.
    Features(Vec<String>),
    /// Something else.
    Other,
}

impl ParsedObservation {
    /// Reads a page.
    pub(super) fn read(text: &str) -> Self {
        let mut lines = text.lines();
        let first = lines.next().unwrap_or_default();
        if let Some(offer) = Offer::read(first) {
            let rest: Vec<(&str, &str)> = lines.filter_map(|line| line.split_once(": ")).collect();
            return Self::Product(offer, Shown::read(&rest));
        }
        if first.contains("esults ") {
            return Self::Results(lines.filter_map(Offer::read).collect());
        }
        Self::Search
    }
}

impl Offer {
    /// Reads a line such as `Orlo dimmable lamp, $24, seen: K17`.
    fn read(line: &str) -> Option<Self> {
        let (told, asin) = line.rsplit_once(": ")?;
        let seen = told.strip_suffix(", seen");
        let (title, price) = seen.unwrap_or(told).rsplit_once(", $")?;
        let title = title.split(' ').map(str::to_lowercase).collect();
        let (asin, price, seen) = (asin.to_lowercase(), price.parse().ok()?, seen.is_some());
        Some(Self { asin, title, price, seen })
    }
}

impl Shown {
    fn read(lines: &[(&str, &str)]) -> Self {
        let words = |text: &str| text.split(", ").map(str::to_owned).collect::<Vec<_>>();
        match lines {
            [("Features", features)] => Self::Features(words(features)),
            [("Description" | "Reviews", _)] => Self::Other,
            lines => {
                let value = |value: String| match value.strip_suffix(" (chosen)") {
                    Some(value) => (value.to_owned(), true),
                    None => (value, false),
                };
                let option = |&(name, values): &(&str, &str)| {
                    (name.to_owned(), words(values).into_iter().map(value).collect())
                };
                Self::Options(lines.iter().map(option).collect())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_read() {
        let offer = |seen| Offer {
            asin: "k17".into(),
            title: ["orlo", "dimmable", "lamp"].map(String::from).to_vec(),
            price: 24.0,
            seen,
        };
        let results = "Results 1 to 2 of 9.\nOrlo dimmable lamp, $24: K17\n\
                       Orlo dimmable lamp, $24, seen: K17";
        assert_eq!(
            ParsedObservation::read(results),
            ParsedObservation::Results(vec![offer(false), offer(true)])
        );
        assert_eq!(
            ParsedObservation::read("No results of 0."),
            ParsedObservation::Results(Vec::new())
        );
        let options = vec![
            ("colour".to_owned(), vec![("red".to_owned(), false), ("blue".to_owned(), true)]),
            ("size".to_owned(), vec![("small".to_owned(), false)]),
        ];
        let item = "Orlo dimmable lamp, $24: K17\ncolour: red, blue (chosen)\nsize: small";
        assert_eq!(
            ParsedObservation::read(item),
            ParsedObservation::Product(offer(false), Shown::Options(options))
        );
        let features = Shown::Features(vec!["cordless".into(), "foldable".into()]);
        let page = "Orlo dimmable lamp, $24: K17\nFeatures: cordless, foldable";
        assert_eq!(
            ParsedObservation::read(page),
            ParsedObservation::Product(offer(false), features)
        );
        assert_eq!(ParsedObservation::read("Nothing searched for."), ParsedObservation::Search);
        assert_eq!(ParsedObservation::read(""), ParsedObservation::Search);
    }
}
