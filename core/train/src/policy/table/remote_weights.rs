//! A table and its gradients as bytes.

use super::preferences::Rows;
use super::{Entry, Gradient, TablePolicy};
use crate::policy::PolicyError;
use crate::policy::remote::{Portable, read, write};

impl Portable for TablePolicy {
    fn write_weights(&self) -> Result<Vec<u8>, PolicyError> {
        let mut entries = self.places.sorted();
        entries.sort_unstable_by_key(|&(_, place)| place);
        let entry = |(Entry { memory, action }, place): (Entry, usize)| {
            (memory, action, self.preferences[place])
        };
        write(&entries.into_iter().map(entry).collect::<Vec<_>>())
    }

    fn with_weights(&self, bytes: &[u8]) -> Result<Self, PolicyError> {
        let mut table = Self::default();
        for (memory, action, preference) in read::<Vec<(u64, u64, f64)>>(bytes)? {
            let place = table.place(Entry { memory, action });
            table.preferences[place] = preference;
        }
        Ok(table)
    }

    /// Rows and entries in the order in which they were met, which is that of sums.
    fn write_gradient(Gradient(rows): Gradient) -> Result<Vec<u8>, PolicyError> {
        let row = |(memory, row): &(u64, super::preferences::Row<f64>)| {
            (*memory, row.iter().collect::<Vec<_>>())
        };
        write(&rows.iter().map(row).collect::<Vec<_>>())
    }

    fn read_gradient(&self, bytes: &[u8]) -> Result<Gradient, PolicyError> {
        let mut rows = Rows::default();
        for (memory, values) in read::<Vec<(u64, Vec<(u64, f64)>)>>(bytes)? {
            let row = rows.row_mut(memory);
            for (place, (action, value)) in values.into_iter().enumerate() {
                *row.get_or_insert(place, action, 0.0) = value;
            }
        }
        Ok(Gradient(rows))
    }
}
