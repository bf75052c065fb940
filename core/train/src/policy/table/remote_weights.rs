//! Weights and gradients of a table as bytes, for workers elsewhere.

use super::preferences::{Row, Rows};
use super::{TableGradient, TableKey, TablePolicy};
use crate::policy::PolicyError;
use crate::policy::remote::{PortablePolicy, decode, encode};

impl PortablePolicy for TablePolicy {
    fn write_weights(&self) -> Result<Vec<u8>, PolicyError> {
        let entry = |(TableKey { memory, action }, preference)| (memory, action, preference);
        encode(&self.entries().map(entry).collect::<Vec<_>>())
    }

    fn with_weights(&self, bytes: &[u8]) -> Result<Self, PolicyError> {
        let mut table = Self::default();
        for (memory, action, preference) in decode::<Vec<(u64, u64, f64)>>(bytes)? {
            let place = table.place(TableKey { memory, action });
            table.preferences[place] = preference;
        }
        Ok(table)
    }

    /// Memories in the order of their digests, entries of one in the order in which they were met.
    fn write_gradient(TableGradient(rows): TableGradient) -> Result<Vec<u8>, PolicyError> {
        let row = |(memory, row): (u64, Row<f64>)| (memory, row.iter().collect::<Vec<_>>());
        let mut rows: Vec<_> = rows.into_iter().map(row).collect();
        rows.sort_unstable_by_key(|&(memory, _)| memory);
        encode(&rows)
    }

    fn read_gradient(&self, bytes: &[u8]) -> Result<TableGradient, PolicyError> {
        let mut rows = Rows::default();
        for (memory, values) in decode::<Vec<(u64, Vec<(u64, f64)>)>>(bytes)? {
            let row = rows.entry(memory).or_default();
            for (place, (action, value)) in values.into_iter().enumerate() {
                *row.get_or_insert(place, action, 0.0) = value;
            }
        }
        Ok(TableGradient(rows))
    }
}
