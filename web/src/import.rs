//! Import of files: rollouts of every format, and files of runs.

use crate::{late, model::Action, text};
use std::cell::RefCell;
use web_sys::{
    Blob,
    js_sys::{Array, Uint8Array, futures::JsFuture},
};
use yew::{Callback, platform::spawn_local};

/// Files to be taken over.
pub(crate) enum Import {
    /// Rollouts: the file's name, and what it holds.
    Rollouts(String, Vec<u8>),
    /// Files of runs.
    Runs(Array),
}

/// Rollouts as JSON Lines, and what is to be told about the file that they were read from.
pub(crate) struct Read {
    /// The rollouts.
    pub(crate) text: String,
    /// What is to be told.
    pub(crate) noticed: String,
}

thread_local! {
    /// The last import that failed because what reads files could not be loaded.
    static FAILED: RefCell<Option<Import>> = const { RefCell::new(None) };
}

/// Takes files over; remembers them if what reads them cannot be loaded.
pub(crate) fn import(files: Import, dispatch: Callback<Action>) {
    spawn_local(async move {
        let Some(late) = late::fetch().await else {
            let name = match &files {
                Import::Rollouts(name, _) => name.clone(),
                Import::Runs(_) => text::overview().to_owned(),
            };
            FAILED.set(Some(files));
            return dispatch.emit(Action::NotRead(name));
        };
        match files {
            Import::Rollouts(name, bytes) => dispatch.emit(match (late.read)(&bytes) {
                Ok(Read { text, noticed }) => Action::Load { name, text, noticed },
                Err(message) => Action::Refuse { name, message },
            }),
            Import::Runs(files) => (late.add_runs)(files, dispatch),
        }
    });
}

/// Repeats the last import that failed because what reads files could not be loaded.
pub(crate) fn retry(dispatch: &Callback<Action>) {
    if let Some(files) = FAILED.take() {
        import(files, dispatch.clone());
    }
}

/// Reads rollouts of any format, or says what is wrong with them.
pub(crate) fn read(file: &[u8]) -> Result<Read, String> {
    let (text, noticed) = hgpo_core::format::rewrite(file)?;
    Ok(Read { text, noticed: text::overview::noticed(noticed) })
}

/// The bytes of a file or a part of one; none where it cannot be read. The browser's text would have signs in place of
/// what is not UTF-8, by which different states could become one.
pub(crate) async fn bytes(blob: &Blob) -> Option<Vec<u8>> {
    let buffer = JsFuture::from(blob.array_buffer()).await.ok()?;
    Some(Uint8Array::new(&buffer).to_vec())
}
