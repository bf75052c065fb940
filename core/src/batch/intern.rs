//! String interner of states: equal texts get equal numbers, in order of first appearance.

use std::collections::HashMap;
use std::hash::Hash;

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use rapidhash::v3::rapidhash_v3;

/// The distinct states of one task.
///
/// A text is hashed once and compared with one other of the same hash, if there is one: two passes
/// over its bytes, and equality is exact whatever the hash.
#[derive(Default)]
pub(crate) struct Interner<'a> {
    table: HashTable<(u64, u32)>,
    states: Vec<&'a str>,
}

impl<'a> Interner<'a> {
    /// The number of a state.
    pub(crate) fn number(&mut self, state: &'a str) -> u32 {
        let hash = rapidhash_v3(state.as_bytes());
        let same =
            |&(other, number): &(u64, u32)| other == hash && self.states[number as usize] == state;
        match self.table.entry(hash, same, |&(hash, _)| hash) {
            Entry::Occupied(known) => known.get().1,
            Entry::Vacant(place) => {
                let number = self.states.len() as u32;
                place.insert((hash, number));
                self.states.push(state);
                number
            }
        }
    }

    /// Number of distinct states so far.
    pub(crate) fn len(&self) -> usize {
        self.states.len()
    }
}

/// Numbers in order of first appearance for numbers of any size.
#[derive(Default)]
pub(crate) struct Renumbering {
    table: HashTable<(u32, u32)>,
}

impl Renumbering {
    /// The number of a number.
    pub(crate) fn number(&mut self, told: u32) -> u32 {
        // Fibonacci hashing: the upper bits, which tell entries of a group apart, depend on all.
        let hash = |told: u32| u64::from(told).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let next = self.table.len() as u32;
        let same = |&(other, _): &(u32, u32)| other == told;
        self.table
            .entry(hash(told), same, |&(other, _)| hash(other))
            .or_insert((told, next))
            .get()
            .1
    }

    /// How many different ones there were so far.
    pub(crate) fn len(&self) -> usize {
        self.table.len()
    }
}

/// The number of a key: the next one if it is new.
pub(crate) fn number<K: Eq + Hash>(numbers: &mut HashMap<K, usize>, key: K) -> usize {
    let next = numbers.len();
    *numbers.entry(key).or_insert(next)
}
