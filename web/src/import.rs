//! Import of files: rollouts of every format, and files of runs.

use crate::model::{Action, Notice, Problem, Rollouts, Shared, Task, file_name};
use crate::platform::events::now;
use crate::platform::fetch;
use crate::{late, text};
use gloo::timers::future::sleep;
use hgpo_core::Error;
use hgpo_core::format::{Columns, Layout, LogReader, StateOf};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;
use web_sys::{
    Blob,
    js_sys::{Array, Uint8Array, futures::JsFuture},
};
use yew::{Callback, platform::spawn_local};

/// Files to be taken over.
pub(crate) enum Import {
    /// Rollouts on the page's own host, by their address.
    Address(String),
    /// Rollouts.
    Rollouts(Log),
    /// Files of runs.
    Runs(Array),
}

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
    /// The last import that failed because a file or what reads files could not be loaded.
    static FAILED: RefCell<Option<Import>> = const { RefCell::new(None) };

    /// Counts readings, so that one that was cancelled or overtaken ends.
    static NUMBER: Cell<u32> = const { Cell::new(0) };

    /// The file of rollouts that was read last.
    static LAST: RefCell<Option<Log>> = const { RefCell::new(None) };
}

/// Takes files over; remembers them if they or what reads them cannot be loaded.
pub(crate) fn import(files: Import, dispatch: Callback<Action>) {
    spawn_local(async move {
        let files = match files {
            Import::Address(address) => match fetched(&address).await {
                Ok(log) => Import::Rollouts(log),
                Err(problem) => {
                    FAILED.set(Some(Import::Address(address)));
                    return dispatch.emit(Action::Problem(Some(problem)));
                }
            },
            files => files,
        };
        match (late::fetch().await, files) {
            (Some(late), Import::Rollouts(log)) => (late.read)(log, dispatch),
            (Some(late), Import::Runs(files)) => (late.add_runs)(files, dispatch),
            (_, files) => {
                let name = match &files {
                    Import::Rollouts(log) => log.name.clone(),
                    _ => text::overview().to_owned(),
                };
                FAILED.set(Some(files));
                dispatch.emit(Action::Problem(Some(Problem::NotRead(name))));
            }
        }
    });
}

/// The file of rollouts under an address, or why it cannot be had.
async fn fetched(address: &str) -> Result<Log, Problem> {
    let url = fetch::on_this_host(address).ok_or_else(|| Problem::Elsewhere(address.to_owned()))?;
    let bytes = fetch::bytes(&url).await.ok_or_else(|| Problem::Missing(address.to_owned()))?;
    Ok(Log::new(file_name(address), bytes))
}

/// Repeats the last import that failed because a file or what reads files could not be loaded.
pub(crate) fn retry(dispatch: &Callback<Action>) {
    if let Some(files) = FAILED.take() {
        import(files, dispatch.clone());
    }
}

/// The file of this name, if it was the last that was read.
pub(crate) fn last(name: &str) -> Option<Log> {
    LAST.with_borrow(|last| last.clone().filter(|last| last.name == name))
}

/// Reads rollouts of any format and shows them, or says what is wrong with them.
pub(crate) fn read(log: Log, dispatch: Callback<Action>) {
    spawn_local(async move {
        let name = log.name.clone();
        let read = rollouts(&log, &dispatch).await;
        LAST.set(Some(log));
        // One that was cancelled or overtaken shows nothing.
        let Some(read) = read else { return };
        dispatch.emit(match read {
            Ok(rollouts) => Action::Load { name, rollouts: Shared::new(rollouts) },
            Err(message) => Action::Problem(Some(Problem::File { name, message })),
        });
    });
}

/// Ends the reading that is under way.
pub(crate) fn cancel() {
    NUMBER.set(NUMBER.get() + 1);
}

/// How long nothing else gets its turn while a file is read, and from when on it is said, in milliseconds.
pub(crate) const TURN: f64 = 30.0;
const PATIENCE: f64 = 300.0;

/// Records between two looks at the clock.
const RECORDS: usize = 8;

/// How much of the work it is to read the text; the rest is what is made of it.
const TEXT: f64 = 0.8;

/// A reading with breaths in between, so that the page stays alive and it can be cancelled.
struct Pace<'a> {
    name: &'a str,
    number: u32,
    begun: f64,
    turn: f64,
    /// What was said last, in percent.
    percent: Option<u32>,
    dispatch: &'a Callback<Action>,
}

impl<'a> Pace<'a> {
    fn new(name: &'a str, dispatch: &'a Callback<Action>) -> Self {
        cancel();
        let begun = now();
        Self { name, number: NUMBER.get(), begun, turn: begun, percent: None, dispatch }
    }

    /// Lets others have their turn if it is time, and says how much is done; none if that was the end of it.
    async fn go_on(&mut self, share: f64) -> Option<()> {
        if now() - self.turn > TURN {
            let percent = (100.0 * share) as u32;
            if now() - self.begun > PATIENCE && self.percent != Some(percent) {
                self.percent = Some(percent);
                let name = self.name.to_owned();
                self.dispatch.emit(Action::Notice(Some(Notice::Reading { name, percent })));
            }
            sleep(Duration::ZERO).await;
            self.turn = now();
        }
        (NUMBER.get() == self.number).then_some(())
    }
}

impl Drop for Pace<'_> {
    fn drop(&mut self) {
        // What was overtaken is said of the other, and what was cancelled no more.
        if self.percent.is_some() && NUMBER.get() == self.number {
            self.dispatch.emit(Action::Notice(None));
        }
    }
}

/// Rollouts of any format, or what is wrong with them; none if the reading was cancelled.
pub(crate) async fn rollouts(
    log: &Log,
    dispatch: &Callback<Action>,
) -> Option<Result<Rollouts, String>> {
    let mut pace = Pace::new(&log.name, dispatch);
    read_text(log, &mut pace).await.transpose()
}

async fn read_text(log: &Log, pace: &mut Pace<'_>) -> Result<Option<Rollouts>, String> {
    let columns = Some(log.columns.trim()).filter(|columns| !columns.is_empty());
    let columns = columns.map(str::parse::<Columns>).transpose();
    let columns = columns.map_err(|problem| problem.to_string())?.unwrap_or_default();
    let layout = Layout { columns, state_of: log.state, ..Layout::default() };
    let told = |error: Error| error.to_string();
    let mut reader = LogReader::new(&log.bytes, &layout).map_err(told)?;
    while let Some(share) = reader.advance(RECORDS).map_err(told)? {
        if pace.go_on(TEXT * share).await.is_none() {
            return Ok(None);
        }
    }
    let made = reader.provenance_line();
    let (trajectories, noticed) = reader.finish().map_err(told)?;
    let mut tasks = Vec::new();
    let by_task = Rollouts::by_task(trajectories);
    let all = by_task.len() as f64;
    for trajectories in by_task {
        tasks.push(Task::read(trajectories).map_err(told)?);
        if pace.go_on(TEXT + (1.0 - TEXT) * tasks.len() as f64 / all).await.is_none() {
            return Ok(None);
        }
    }
    let noticed = text::overview::noticed(&noticed);
    Ok(Some(Rollouts { noticed, ..Rollouts::of(made, tasks) }))
}

/// The bytes of a file or a part of one; none where it cannot be read. The browser's text would have signs in place of
/// what is not UTF-8, by which different states could become one.
pub(crate) async fn bytes(blob: &Blob) -> Option<Vec<u8>> {
    let buffer = JsFuture::from(blob.array_buffer()).await.ok()?;
    Some(Uint8Array::new(&buffer).to_vec())
}
