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
struct Itself(u64);

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

/// A value for every entry that was met, by memory.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Rows<T> {
    numbers: HashMap<u64, usize, BuildHasherDefault<Itself>>,
    rows: Vec<(u64, Row<T>)>,
}

/// The values of a memory's actions, in the order in which they were met.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Row<T>(Vec<(u64, T)>);

impl<T> Default for Rows<T> {
    fn default() -> Self {
        Self { numbers: HashMap::default(), rows: Vec::new() }
    }
}

impl<T: Copy> Rows<T> {
    /// The row of a memory.
    pub(super) fn row(&self, memory: u64) -> Option<&Row<T>> {
        self.numbers.get(&memory).map(|&number| &self.rows[number].1)
    }

    /// The row of a memory, which is made if there is none.
    pub(super) fn row_mut(&mut self, memory: u64) -> &mut Row<T> {
        let number = *self.numbers.entry(memory).or_insert_with(|| {
            self.rows.push((memory, Row(Vec::new())));
            self.rows.len() - 1
        });
        &mut self.rows[number].1
    }

    /// All rows, in the order in which their memories were met.
    pub(super) fn iter(&self) -> impl Iterator<Item = &(u64, Row<T>)> {
        self.rows.iter()
    }

    /// All entries with their values, by memory and action.
    pub(super) fn sorted<'a>(&'a self) -> Vec<(TableKey, T)> {
        let of = |(memory, row): &'a (u64, Row<T>)| {
            row.iter().map(move |(action, value)| (TableKey { memory: *memory, action }, value))
        };
        let mut entries: Vec<(TableKey, T)> = self.iter().flat_map(of).collect();
        entries.sort_unstable_by_key(|(entry, _)| *entry);
        entries
    }
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
    pub(super) fn iter(&self) -> impl Iterator<Item = (u64, T)> {
        self.0.iter().copied()
    }
}
