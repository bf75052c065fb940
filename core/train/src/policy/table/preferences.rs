//! Preferences of the actions of memories, found by their digests.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A memory and an action in it, by their digests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TableKey {
    /// Digest of the memory.
    pub memory: u64,
    /// Digest of the action.
    pub action: u64,
}

/// A digest, which is spread evenly already, is its own hash.
#[derive(Clone, Copy, Default)]
pub(super) struct Itself(u64);

impl Hasher for Itself {
    fn write_u64(&mut self, digest: u64) {
        self.0 = digest;
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = bytes.iter().fold(self.0, |digest, &byte| digest << 8 | u64::from(byte));
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// A value for every entry that was met, by memory. Memories share nothing: their order is of no effect.
pub(super) type Rows<T> = HashMap<u64, Row<T>, BuildHasherDefault<Itself>>;

/// The values of a memory's actions, in the order in which they were met.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Row<T>(Vec<(u64, T)>);

/// All entries with their values, by memory and action.
#[expect(clippy::iter_over_hash_type, reason = "they are sorted")]
pub(super) fn sorted<T: Copy>(rows: &Rows<T>) -> Vec<(TableKey, T)> {
    let mut entries = Vec::new();
    for (&memory, row) in rows {
        entries.extend(row.iter().map(|(action, value)| (TableKey { memory, action }, value)));
    }
    entries.sort_unstable_by_key(|(entry, _)| *entry);
    entries
}

impl<T: Copy> Row<T> {
    /// Most rows are asked in the order in which they were filled, so that an action is where it is
    /// expected.
    fn place(&self, expected: usize, action: u64) -> Option<usize> {
        match self.0.get(expected) {
            Some((known, _)) if *known == action => Some(expected),
            _ => self.0.iter().position(|(known, _)| *known == action),
        }
    }

    /// The value of an action, which may be at the place `expected`.
    pub(super) fn get(&self, expected: usize, action: u64) -> Option<T> {
        self.place(expected, action).map(|place| self.0[place].1)
    }

    /// The value of an action, which is `first` if it is new.
    pub(super) fn get_or_insert(&mut self, expected: usize, action: u64, first: T) -> &mut T {
        let place = self.place(expected, action).unwrap_or_else(|| {
            self.0.push((action, first));
            self.0.len() - 1
        });
        &mut self.0[place].1
    }

    /// The actions with their values, in the order in which they were met.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u64, T)> + '_ {
        self.0.iter().copied()
    }
}
