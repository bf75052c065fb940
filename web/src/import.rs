//! Import of files: rollouts of every format, and files of runs.

use crate::model::{Action, Problem, Rollouts, Shared};
use crate::platform::lessons;
use crate::{late, text};
use hgpo_core::format::{Columns, Layout, StateOf, read_log};
use hgpo_core::{Options, Signal, estimate};
use std::{cell::RefCell, rc::Rc};
use web_sys::{
    Blob,
    js_sys::{Array, Uint8Array, futures::JsFuture},
};
use yew::{Callback, platform::spawn_local};

/// Files to be taken over.
pub(crate) enum Import {
    /// The recorded example, which is fetched.
    Recorded,
    /// Rollouts.
    Rollouts(Log),
    /// Files of runs.
    Runs(Array),
}

/// The file of the recorded example: three updates of a policy, token by token.
pub(crate) const RECORDED: &str = "updates.rollouts.jsonl";

/// A file of rollouts, and how it says what it holds.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Log {
    /// The file's name.
    pub(crate) name: String,
    /// What it holds.
    pub(crate) bytes: Rc<[u8]>,
    /// Names of columns, `FIELD=COLUMN` with commas between them; none where fields have their own.
    pub(crate) columns: String,
    /// What of a conversation is the state of a step.
    pub(crate) state: StateOf,
}

impl Log {
    /// A file as it is opened first.
    pub(crate) fn new(name: String, bytes: Vec<u8>) -> Self {
        let (columns, state) = (String::new(), StateOf::default());
        Self { name, bytes: bytes.into(), columns, state }
    }
}

thread_local! {
    /// The last import that failed because what reads files could not be loaded.
    static FAILED: RefCell<Option<Import>> = const { RefCell::new(None) };

    /// The file of rollouts that was read last.
    static LAST: RefCell<Option<Log>> = const { RefCell::new(None) };
}

/// Takes files over; remembers them if what reads them cannot be loaded.
pub(crate) fn import(files: Import, dispatch: Callback<Action>) {
    spawn_local(async move {
        let files = match files {
            Import::Recorded => match lessons::text(&["rollouts/", RECORDED].concat()).await {
                Some(text) => Import::Rollouts(Log::new(RECORDED.to_owned(), text.into_bytes())),
                None => files,
            },
            files => files,
        };
        let late = late::fetch().await.filter(|_| !matches!(files, Import::Recorded));
        let Some(late) = late else {
            let name = match &files {
                Import::Rollouts(log) => log.name.clone(),
                Import::Runs(_) => text::overview().to_owned(),
                Import::Recorded => RECORDED.to_owned(),
            };
            FAILED.set(Some(files));
            return dispatch.emit(Action::Problem(Some(Problem::NotRead(name))));
        };
        match files {
            Import::Recorded => (),
            Import::Rollouts(log) => {
                let name = log.name.clone();
                let read = (late.read)(&log);
                LAST.set(Some(log));
                dispatch.emit(match read {
                    Ok(rollouts) => Action::Load { name, rollouts: Shared::new(rollouts) },
                    Err(message) => Action::Problem(Some(Problem::File { name, message })),
                });
            }
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

/// The file of this name, if it was the last that was read.
pub(crate) fn last(name: &str) -> Option<Log> {
    LAST.with_borrow(|last| last.clone().filter(|last| last.name == name))
}

/// Reads rollouts of any format, or says what is wrong with them.
pub(crate) fn read(log: &Log) -> Result<Rollouts, String> {
    let columns = Some(log.columns.trim()).filter(|columns| !columns.is_empty());
    let columns = columns.map(str::parse::<Columns>).transpose();
    let columns = columns.map_err(|problem| problem.to_string())?.unwrap_or_default();
    let layout = Layout { columns, state_of: log.state, ..Layout::default() };
    let (made, trajectories, noticed) = read_log(&log.bytes, &layout)?;
    let rollouts = Rollouts::new(made, trajectories).map_err(|error| error.to_string())?;
    let noticed = text::overview::noticed(&noticed, &signal(&rollouts));
    Ok(Rollouts { noticed, ..rollouts })
}

/// How many of the steps have an advantage under the estimator that the page begins with.
fn signal(rollouts: &Rollouts) -> Signal {
    let mut signal = Signal::default();
    for task in &rollouts.tasks {
        if let Ok(estimate) = estimate(&task.batch, &Options::default()) {
            signal.observe(&task.batch, &estimate);
        }
    }
    signal
}

/// The bytes of a file or a part of one; none where it cannot be read. The browser's text would have signs in place of
/// what is not UTF-8, by which different states could become one.
pub(crate) async fn bytes(blob: &Blob) -> Option<Vec<u8>> {
    let buffer = JsFuture::from(blob.array_buffer()).await.ok()?;
    Some(Uint8Array::new(&buffer).to_vec())
}
