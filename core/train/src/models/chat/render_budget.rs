//! Budget of a rendering, in bytes that are read or made.
//!
//! The engine counts instructions, but one instruction can read and make any amount: doubling a text
//! thirty times takes a gigabyte. So every operation pays for the values that it is given, and what makes
//! more than it is given (`replace`, `join`, `format`, `*`) pays for that before it is made.

use std::sync::atomic::{AtomicU64, Ordering};

use minijinja::value::ValueKind;
use minijinja::{Error, ErrorKind, Value};

use super::error::invalid;
use super::python_repr::{DEEPEST, LONGEST};

/// Bytes that any rendering may take, and that it may take for each byte of its variables.
const BASE: u64 = 128 << 20;
const EACH: u64 = 32;
/// Bytes that a value in a list or dictionary stands for, beside those of its text.
const VALUE: u64 = 32;

/// A rendering took more than it may.
#[derive(Debug, thiserror::Error)]
#[error("a short expression produces too much output")]
pub(super) struct BudgetExhausted;

/// What is left of it.
#[derive(Debug)]
pub(super) struct RenderBudget {
    left: AtomicU64,
    /// Bytes that may still be written.
    unwritten: AtomicU64,
}

impl Default for RenderBudget {
    fn default() -> Self {
        Self { left: AtomicU64::new(BASE), unwritten: AtomicU64::new(LONGEST as u64) }
    }
}

impl RenderBudget {
    /// That of a rendering with these variables.
    pub(super) fn of(variables: &Value) -> Result<Self, Error> {
        let given = Self { left: AtomicU64::new(u64::MAX), ..Self::default() };
        given.weigh(variables)?;
        let weight = (u64::MAX - given.left.into_inner()).min(LONGEST as u64);
        Ok(Self { left: AtomicU64::new(BASE + EACH * weight), ..Self::default() })
    }

    /// Pays for a number of bytes.
    pub(super) fn take(&self, bytes: u64) -> Result<(), Error> {
        if pay(&self.left, bytes) {
            return Ok(());
        }
        Err(invalid("exhausted").with_source(BudgetExhausted))
    }

    /// Pays for a part that is made this many times.
    pub(super) fn take_times(&self, bytes: usize, times: usize) -> Result<(), Error> {
        self.take((bytes as u64).saturating_mul(times as u64))
    }

    /// Pays for bytes that are written, into the conversation or into a variable.
    pub(super) fn write(&self, bytes: usize) -> Result<(), Error> {
        if pay(&self.unwritten, bytes as u64) {
            Ok(())
        } else {
            Err(ErrorKind::WriteFailure.into())
        }
    }

    /// Pays for a value as one that is not looked into: a text by its bytes, all else by its length.
    pub(super) fn weigh_outside(&self, value: &Value) -> Result<(), Error> {
        match value.as_str() {
            Some(text) => self.take(text.len() as u64),
            None => self.take_times(VALUE as usize, value.len().unwrap_or(1)),
        }
    }

    /// Pays for a value with all that is in it, but for what can be read only once.
    pub(super) fn weigh(&self, value: &Value) -> Result<(), Error> {
        self.weigh_at(value, 0)
    }

    fn weigh_at(&self, value: &Value, depth: usize) -> Result<(), Error> {
        if depth > DEEPEST {
            return Err(invalid("values are nested too deeply"));
        }
        self.take(VALUE)?;
        match value.kind() {
            ValueKind::String => self.take(value.as_str().map_or(0, str::len) as u64),
            ValueKind::Bytes => self.take(value.as_bytes().map_or(0, <[u8]>::len) as u64),
            ValueKind::Iterable if value.len().is_none() => Ok(()),
            ValueKind::Seq | ValueKind::Iterable => {
                value.try_iter()?.try_for_each(|item| self.weigh_at(&item, depth + 1))
            }
            ValueKind::Map => value.try_iter()?.try_for_each(|key| {
                self.weigh_at(&key, depth + 1)?;
                self.weigh_at(&value.get_item(&key)?, depth + 1)
            }),
            _ => Ok(()),
        }
    }
}

/// Takes from what is left, if there is as much.
fn pay(left: &AtomicU64, bytes: u64) -> bool {
    left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(bytes)).is_ok()
}
