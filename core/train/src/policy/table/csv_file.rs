//! CSV files of a table: which any tool reads and which keeps every bit of a number.

use std::fmt::Write as _;
use std::str::FromStr;

use super::{Moments, TableKey, TablePolicy};
use crate::policy::PolicyError;

pub(super) const POLICY: &str = "policy.csv";
pub(super) const REFERENCE: &str = "reference.csv";
pub(super) const OPTIMIZER: &str = "optimizer.csv";

const TABLE_HEADER: &str = "memory,action,preference";
const MOMENTS_HEADER: &str = "first_moment,second_moment";

/// The largest preference: far beyond what leaves anything to chance.
const LARGEST: f64 = 1e6;

/// The moments of every entry, in the order of the table.
pub(super) fn write_moments(optimizer: &Moments) -> Vec<u8> {
    let mut text = format!("{MOMENTS_HEADER}\n");
    for (first, second) in optimizer.first.iter().zip(&optimizer.second) {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{first:e},{second:e}");
    }
    text.into_bytes()
}

/// First and second moments of a table's entries.
pub(super) fn read_moments(
    bytes: &[u8],
    policy: &TablePolicy,
) -> Result<(Vec<f64>, Vec<f64>), PolicyError> {
    let rows = rows::<2>(OPTIMIZER, bytes, MOMENTS_HEADER)?;
    if rows.len() > policy.len() {
        let reason = format!("{} rows for {} entries of {POLICY}", rows.len(), policy.len());
        return Err(PolicyError::damaged(OPTIMIZER, &reason));
    }
    let moment = |text| number(OPTIMIZER, text);
    rows.iter().map(|[first, second]| Ok((moment(first)?, moment(second)?))).collect()
}

/// The entries in the order of their places.
pub(super) fn write_table(table: &TablePolicy) -> Vec<u8> {
    let mut text = format!("{TABLE_HEADER}\n");
    for (TableKey { memory, action }, preference) in table.entries() {
        let _ = writeln!(text, "{memory:016x},{action:016x},{preference:e}");
    }
    text.into_bytes()
}

pub(super) fn read_table(name: &str, bytes: &[u8]) -> Result<TablePolicy, PolicyError> {
    let mut table = TablePolicy::default();
    for [memory, action, preference] in rows::<3>(name, bytes, TABLE_HEADER)? {
        let entry = TableKey { memory: digest(name, memory)?, action: digest(name, action)? };
        let place = table.place(entry);
        if place + 1 != table.len() || table.preferences[place] != 0.0 {
            let reason = format!("the entry {memory},{action} occurs twice");
            return Err(PolicyError::damaged(name, &reason));
        }
        table.preferences[place] = number(name, preference)?;
    }
    Ok(table)
}

/// The fields of the lines after the header.
fn rows<'a, const COLUMNS: usize>(
    name: &str,
    bytes: &'a [u8],
    header: &str,
) -> Result<Vec<[&'a str; COLUMNS]>, PolicyError> {
    let damaged = |reason: String| PolicyError::damaged(name, &reason);
    let text = std::str::from_utf8(bytes).map_err(|error| damaged(error.to_string()))?;
    let mut lines = text.lines();
    if lines.next() != Some(header) {
        return Err(damaged(format!("the first line is not '{header}'")));
    }
    let fields = |(at, line): (usize, &'a str)| {
        let fields: Vec<&str> = line.split(',').collect();
        fields.try_into().map_err(|_| damaged(format!("line {} is not '{header}'", at + 2)))
    };
    lines.enumerate().map(fields).collect()
}

/// Refuses preferences that no training means.
pub(super) fn check(policy: &TablePolicy) -> Result<(), PolicyError> {
    let is_beyond = |value: &&f64| !(-LARGEST..=LARGEST).contains(*value);
    match policy.preferences.iter().find(is_beyond) {
        Some(&value) => Err(PolicyError::Beyond { file: POLICY.to_owned(), value }),
        None => Ok(()),
    }
}

fn digest(name: &str, text: &str) -> Result<u64, PolicyError> {
    u64::from_str_radix(text, 16)
        .map_err(|_| PolicyError::damaged(name, &format!("'{text}' is not a digest")))
}

fn number(name: &str, text: &str) -> Result<f64, PolicyError> {
    let finite = f64::from_str(text).ok().filter(|number| number.is_finite());
    finite.ok_or_else(|| PolicyError::damaged(name, &format!("'{text}' is not a finite number")))
}
