//! Parquet: rows as lines of JSON, and a column of numbers added to a table.
//!
//! Whole numbers and decimals keep all their digits, and single-precision numbers are written as the shortest text of
//! such a number. `NaN` and the infinities are written as Python writes them: whoever reads the line refuses them.
//! Columns of JSON are JSON; lists, structs and maps are lists and objects, with their nulls. Dates, times and UUIDs are
//! text, and so are bytes if they are UTF-8.

mod append;
mod arrow_schema;
mod column;
mod record;
mod row_reader;
mod scalar;

pub use append::{NewColumn, row_count, with_column};
pub(crate) use row_reader::RowReader;

use std::cell::Cell;
use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

use ::parquet::errors::ParquetError;

/// What is wrong, as part of a sentence.
type Result<T> = std::result::Result<T, String>;

/// What is wrong with a file that contradicts itself.
fn damaged(what: impl Display) -> String {
    format!("the Parquet file is damaged ({what}): copy or write it again")
}

/// What is wrong with a file that cannot be decoded. Of one whose columns alone are encrypted, nothing else says so.
fn undecodable(error: &ParquetError) -> String {
    let said = error.to_string();
    let said = single_line(said.strip_prefix("Parquet error: ").unwrap_or(&said));
    format!(
        "the Parquet file is damaged or encrypted ({said}): copy it again, or write it unencrypted"
    )
}

/// On one line, whatever names it quotes.
fn single_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

thread_local! {
    /// Whether this thread is decoding.
    static DECODING: Cell<bool> = const { Cell::new(false) };
}

/// Decodes. The decoder panics on some damaged files: that is an error like the others, and is not printed.
fn guarded<T>(decode: impl FnOnce() -> Result<T>) -> Result<T> {
    static QUIET: Once = Once::new();
    QUIET.call_once(|| {
        let print = take_hook();
        set_hook(Box::new(move |panic| {
            if !DECODING.get() {
                print(panic);
            }
        }));
    });
    DECODING.set(true);
    let decoded = catch_unwind(AssertUnwindSafe(decode));
    DECODING.set(false);
    decoded.unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let text = text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
        Err(damaged(single_line(&text)))
    })
}
