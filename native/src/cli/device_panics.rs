//! Panics of the threads that serve graphics adapters, as errors: cubecl goes on after them, and what they left undone is missed
//! when it is read.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind, set_hook, take_hook};
use std::sync::Mutex;

use anyhow::anyhow;

use crate::run::machine::lock;

/// What the first of them said.
static SAID: Mutex<Option<String>> = Mutex::new(None);

/// How cubecl names these threads.
const THREADS: [&str; 2] = ["DSU-", "DSD-"];

/// Works; a panic of an adapter's thread is not printed but part of the error that it leads to.
pub(super) fn as_errors<T>(work: impl FnOnce() -> anyhow::Result<T>) -> anyhow::Result<T> {
    let print = take_hook();
    set_hook(Box::new(move |panic| {
        let thread = std::thread::current();
        if thread.name().is_some_and(|name| THREADS.iter().any(|it| name.starts_with(it))) {
            let words = panic.payload_as_str().unwrap_or("it does not say why");
            lock(&SAID).get_or_insert_with(|| words.to_owned());
        } else if lock(&SAID).is_none() {
            print(panic);
        }
    }));
    let done = catch_unwind(AssertUnwindSafe(work));
    match (done, lock(&SAID).take()) {
        (Ok(done), None) => done,
        (Ok(done), Some(said)) => done.map_err(|error| anyhow!("{error}; its driver: {said}")),
        (Err(panic), None) => resume_unwind(panic),
        (Err(_), Some(said)) => Err(anyhow!("the device failed: {said}")),
    }
}
