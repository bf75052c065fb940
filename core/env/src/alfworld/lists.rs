//! Lists of different lengths, one after the other in one.

use std::ops::Range;

/// Lists by number. To go through all of them is to go through memory once.
#[derive(Clone, Debug)]
pub(super) struct Lists<T> {
    /// Where each begins; one more entry at the end.
    starts: Vec<u32>,
    items: Vec<T>,
}

impl<T> Default for Lists<T> {
    fn default() -> Self {
        Self { starts: vec![0], items: Vec::new() }
    }
}

impl<T> Lists<T> {
    /// `count` lists of items that come with the numbers of their lists, which rise.
    pub(super) fn grouped(count: usize, numbered: impl IntoIterator<Item = (u32, T)>) -> Self {
        let mut lists = Self { starts: Vec::with_capacity(count + 1), items: Vec::new() };
        for (number, item) in numbered {
            lists.starts.resize(number as usize + 1, lists.items.len() as u32);
            lists.items.push(item);
        }
        lists.starts.resize(count + 1, lists.items.len() as u32);
        lists
    }

    /// Adds a list.
    pub(super) fn push(&mut self, list: impl IntoIterator<Item = T>) {
        self.items.extend(list);
        self.starts.push(self.items.len() as u32);
    }

    /// The places of a list's items among those of all lists.
    pub(super) fn range(&self, number: usize) -> Range<usize> {
        self.starts[number] as usize..self.starts[number + 1] as usize
    }

    /// A list.
    pub(super) fn get(&self, number: usize) -> &[T] {
        &self.items[self.range(number)]
    }
}
