//! Relations between names, as facts say them.

/// From a name to the one other name that a collection has for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Relation {
    Owner,
    Writer,
    Keeper,
    Teacher,
    Warden,
    Place,
    Home,
    Workplace,
    Site,
}

/// The words of a relation's facts.
struct Sentence {
    /// Before both names.
    start: &'static str,
    /// Between them: no other relation's sentences have it.
    middle: &'static str,
    /// Whether the name that the relation is from stands first.
    is_forward: bool,
}

impl Relation {
    /// Every relation.
    pub(super) const ALL: [Self; 9] = [
        Self::Owner,
        Self::Writer,
        Self::Keeper,
        Self::Teacher,
        Self::Warden,
        Self::Place,
        Self::Home,
        Self::Workplace,
        Self::Site,
    ];

    fn sentence(self) -> Sentence {
        let of = |start, middle, is_forward| Sentence { start, middle, is_forward };
        match self {
            Self::Owner => of("", " owns the ", false),
            Self::Writer => of("", " wrote the ", false),
            Self::Keeper => of("", " keeps the ", false),
            Self::Teacher => of("", " taught ", false),
            Self::Warden => of("", " runs the ", false),
            Self::Place => of("The ", " is in the ", true),
            Self::Home => of("", " lives in ", true),
            Self::Workplace => of("", " works in the ", true),
            Self::Site => of("The ", " stands in ", true),
        }
    }

    /// Two names in the order in which a fact says them.
    pub(super) fn in_order<T>(self, from: T, to: T) -> [T; 2] {
        if self.sentence().is_forward { [from, to] } else { [to, from] }
    }

    /// The fact.
    pub(super) fn write(self, from: &str, to: &str) -> String {
        let Sentence { start, middle, .. } = self.sentence();
        let [first, second] = self.in_order(from, to);
        format!("{start}{first}{middle}{second}.")
    }

    /// The names, from and to, of a fact without its full stop, if it is of this relation.
    pub(super) fn read(self, fact: &str) -> Option<(&str, &str)> {
        let Sentence { start, middle, is_forward } = self.sentence();
        let (first, second) = fact.strip_prefix(start)?.split_once(middle)?;
        Some(if is_forward { (first, second) } else { (second, first) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_are_read_as_they_were_written_and_by_their_relation_alone() {
        for relation in Relation::ALL {
            let fact = relation.write("Ada Stone", "old mill");
            let fact = fact.strip_suffix('.').unwrap();
            for other in Relation::ALL {
                let expected = (other == relation).then_some(("Ada Stone", "old mill"));
                assert_eq!(other.read(fact), expected, "{other:?}: {fact}");
            }
            assert!(fact.split(' ').count() <= 8, "{fact}");
        }
    }
}
