//! Names of people, places and things: two words each, of which every pair is for some collections alone.

use std::ops::RangeInclusive;

use crate::holdout_hash::content_digest;

/// People of a collection. For more, the names that are held out would not do.
pub(super) const PEOPLE: RangeInclusive<usize> = 8..=24;

/// What a name is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    Person,
    Thing,
    /// What somebody wrote.
    Work,
    Animal,
    Building,
    Town,
}

/// First and second words of names, by their sorts. No word, and no stem of one, is in two of the lists, so that a
/// search for one name finds no other sort.
const WORDS: [(&str, &str); 6] = [
    (
        "Ada Ben Cora Dan Ella Finn Greta Hugo Ida Jon Kate Leo Mia Ned Olga Paul Rosa Sam Tess Vera",
        "Stone Reed Vale Marsh Finch Holt Penn Drake Frost Moss Nash Pike Quinn Shaw Wren Boyd",
    ),
    (
        "blue red green white black golden silver brown purple orange",
        "lamp chair clock drum mirror kettle vase carpet ladder lantern basket globe wagon umbrella",
    ),
    (
        "sad merry slow secret holy lost quiet famous strange gentle",
        "song poem play tale ballad letter hymn speech",
    ),
    ("grey spotted lame shy lazy tame wild fat", "dog cat goat horse hen parrot pony donkey"),
    (
        "old new tall small round square broad narrow",
        "mill inn barn tower school bakery theatre forge chapel museum",
    ),
    (
        "North South East West Upper Lower High Far Deep Long",
        "Hill Ford Bridge Field Haven Brook Cliff Wood Bay Moor",
    ),
];

impl Sort {
    /// Every sort.
    pub(super) const ALL: [Self; 6] =
        [Self::Person, Self::Thing, Self::Work, Self::Animal, Self::Building, Self::Town];

    /// How many names of this sort a collection has.
    pub(super) fn count(self, people: usize) -> usize {
        match self {
            Self::Person | Self::Thing => people,
            Self::Work | Self::Animal | Self::Building | Self::Town => people / 2,
        }
    }

    /// Every name of this sort that is for unseen collections, or for the others: one name in four falls to unseen
    /// collections, by its digest.
    pub(super) fn names(self, is_unseen: bool) -> Vec<String> {
        let (first, second) = WORDS[self as usize];
        let pairs = first
            .split(' ')
            .flat_map(|first| second.split(' ').map(move |second| format!("{first} {second}")));
        pairs.filter(|name| is_held_out(name) == is_unseen).collect()
    }
}

/// Whether a text is one of the quarter that is held out from training.
pub(super) fn is_held_out(text: &str) -> bool {
    content_digest(text.as_bytes()) >> 62 == 0
}

/// Every word of names, in lower case.
pub(super) fn words() -> impl Iterator<Item = String> {
    let lists = WORDS.into_iter().flat_map(|(first, second)| [first, second]);
    lists.flat_map(|list| list.split(' ')).map(str::to_lowercase)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::search::analyzed;

    #[test]
    fn every_word_is_a_term_of_its_own() {
        let terms: Vec<String> =
            words().flat_map(|word| analyzed(&word).collect::<Vec<_>>()).collect();
        assert_eq!(terms.len(), words().count(), "a stop word");
        assert_eq!(terms.iter().collect::<BTreeSet<_>>().len(), terms.len(), "two have one stem");
    }

    #[test]
    fn the_largest_collection_has_names_on_both_sides() {
        for sort in Sort::ALL {
            let [trained, unseen] = [false, true].map(|is_unseen| sort.names(is_unseen));
            let most = sort.count(*PEOPLE.end());
            assert!(
                trained.len() > unseen.len() && unseen.len() >= most,
                "{sort:?} {}",
                unseen.len()
            );
        }
    }
}
