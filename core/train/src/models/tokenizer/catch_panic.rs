//! Panics of the `tokenizers` crate, as errors.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// What `work` gives, or what it panicked with.
///
/// The crate unwraps in places that a file which passes every other check can still reach (fields of
/// known parts that have other types than expected, slices at bytes within a character). A tokenizer
/// is never changed once it is read, so that nothing half done is seen after a panic.
pub(super) fn guarded<T>(work: impl FnOnce() -> tokenizers::Result<T>) -> Result<T, String> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(error)) => Err(error.to_string()),
        Err(payload) => {
            let text = payload.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| payload.downcast_ref::<&str>().copied());
            Err(text.unwrap_or("it panicked").to_owned())
        }
    }
}
