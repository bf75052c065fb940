//! Files of runs: metrics are read at once, rollouts when they are to be shown.

use super::model::{Run, Wishes, is_metrics, iteration};
use crate::import::{Log, bytes, rollouts};
use crate::model::{Action, Shared, Tab};
use crate::text::{self, overview as words};
use gloo::utils::window;
use std::cell::RefCell;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::js_sys::{Array, Reflect};
use web_sys::{File, Storage};
use yew::Callback;
use yew::platform::spawn_local;

/// Runs that are compared.
const RUNS: usize = 2;

/// Bytes from which it is told what a file holds: more than its first line if that is not a trajectory.
const BEGINNING: f64 = 65_536.0;

/// The rollouts of an iteration.
#[derive(Clone, Debug)]
pub(super) struct Trace {
    /// The file's name.
    pub(super) name: String,
    /// The iteration, if it is known.
    pub(super) iteration: Option<u64>,
    file: File,
}

impl Trace {
    /// What it is called: its iteration, or else its name.
    pub(super) fn describe(&self) -> String {
        self.iteration.map_or_else(|| self.name.clone(), |iteration| iteration.to_string())
    }

    /// Opens the rollouts.
    pub(super) fn open(&self, dispatch: Callback<Action>) {
        let Self { name, file, .. } = self.clone();
        spawn_local(async move {
            let read = match bytes(&file).await {
                Some(bytes) => rollouts(&Log::new(name.clone(), bytes), &dispatch).await,
                None => Some(Err(words::no_file().to_owned())),
            };
            match read {
                None => {}
                Some(Ok(rollouts)) => {
                    dispatch.emit(Action::Load { name, rollouts: Shared::new(rollouts) });
                }
                Some(Err(why)) => {
                    change(|session| session.problems = vec![text::file_problem(&name, &why)]);
                }
            }
        });
    }
}

/// Takes over files, shows the overview, and opens the last of the rollouts among them.
pub(crate) fn add(files: Array, dispatch: Callback<Action>) {
    spawn_local(async move {
        with(|session| session.problems.clear());
        let mut added = Vec::new();
        for file in files.iter().filter_map(|file| file.dyn_into::<File>().ok()) {
            let name = file.name();
            match take_over(file).await {
                Ok(true) => added.push(name),
                Ok(false) => {}
                Err(why) => with(|session| session.problems.push(text::file_problem(&name, &why))),
            }
        }
        let mut last = None;
        change(|session| {
            session.traces.sort_by_key(|trace| (trace.iteration, trace.name.clone()));
            last = session.traces.iter().rfind(|trace| added.contains(&trace.name)).cloned();
        });
        dispatch.emit(Action::Go(Tab::Overview));
        if let Some(trace) = last {
            trace.open(dispatch);
        }
    });
}

/// Takes over a file; whether it holds rollouts, not metrics.
async fn take_over(file: File) -> Result<bool, String> {
    let no_file = || words::no_file().to_owned();
    let part = file.slice_with_f64_and_f64(0.0, BEGINNING).map_err(|_| no_file())?;
    let beginning = bytes(&part).await.ok_or_else(no_file)?;
    // It may end in the middle of a character.
    let beginning = String::from_utf8_lossy(&beginning);
    let name = file.name();
    if is_metrics(&beginning) {
        let whole = bytes(&file).await.ok_or_else(no_file)?;
        let whole = String::from_utf8(whole).map_err(|_| words::not_text().to_owned())?;
        let run = Run::read(&path(&file), &whole)?;
        with(|session| add_run(&mut session.runs, run));
        return Ok(false);
    }
    let trace = Trace { iteration: iteration(&name, &beginning), name, file };
    with(|session| {
        session.traces.retain(|other| other.name != trace.name);
        session.traces.push(trace);
    });
    Ok(true)
}

/// The path of a file in the folder that was opened, if it was one, else its name.
fn path(file: &File) -> String {
    let path = Reflect::get(file, &JsValue::from_str("webkitRelativePath"));
    let path = path.ok().and_then(|path| path.as_string()).filter(|path| !path.is_empty());
    path.unwrap_or_else(|| file.name())
}

/// Adds a run beside another; the same file again takes its own place, and a third run that of the first.
fn add_run(runs: &mut Vec<Run>, mut run: Run) {
    runs.retain(|other| other.points != run.points);
    if runs.len() == RUNS {
        runs.remove(0);
    }
    let name = run.name.clone();
    let is_taken = |name: &str| runs.iter().any(|other| other.name == name);
    let free = (2..).map(|number| format!("{name} ({number})"));
    if let Some(other) = free.take(RUNS).find(|other| !is_taken(other)).filter(|_| is_taken(&name))
    {
        run.name = other;
    }
    runs.push(run);
}

/// What stays.
#[derive(Default)]
pub(super) struct Session {
    /// How the reader looks at the file.
    pub(super) wishes: Wishes,
    /// Metrics of runs.
    pub(super) runs: Vec<Run>,
    /// The metric that is drawn beside the rate of success.
    pub(super) key: String,
    /// Rollouts of their iterations.
    pub(super) traces: Vec<Trace>,
    /// Why files of runs were not taken.
    pub(super) problems: Vec<String>,
    /// What hears of changes, while the overview is shown.
    pub(super) changed: Option<Callback<()>>,
}

thread_local! {
    static SESSION: RefCell<Session> = RefCell::new(Session {
        key: "reward/mean".to_owned(),
        ..Session::default()
    });
}

/// Works with what stays.
pub(super) fn with<T>(work: impl FnOnce(&mut Session) -> T) -> T {
    SESSION.with_borrow_mut(work)
}

/// Works with what stays, and has it drawn.
pub(super) fn change(work: impl FnOnce(&mut Session)) {
    let changed = with(|session| {
        work(session);
        session.changed.clone()
    });
    if let Some(changed) = changed {
        changed.emit(());
    }
}

/// The name under which the tab's own storage keeps how the reader looks at a file.
const KEY: &str = "hgpo-overview";

/// The storage; a page inside another keeps nothing.
fn storage() -> Option<Storage> {
    let is_whole = window().parent().ok().flatten().is_some_and(|parent| parent == window());
    if is_whole { window().session_storage().ok().flatten() } else { None }
}

/// Changes how the reader looks at the file, and keeps it; if nothing can be kept, it is gone with the page.
pub(super) fn wish(change: impl FnOnce(&mut Wishes)) {
    with(|Session { wishes, .. }| {
        change(wishes);
        if let (Some(storage), Ok(kept)) = (storage(), serde_json::to_string(wishes)) {
            let _ = storage.set_item(KEY, &kept);
        }
    });
}

impl Session {
    /// Looks at another file as it was looked at before the page was loaded, if it is the same one, and else at all of
    /// it. The rollouts of a run's iterations are looked at alike.
    pub(super) fn turn_to(&mut self, name: &str) {
        if self.wishes.file == name {
            return;
        }
        let is_trace = |name: &str| self.traces.iter().any(|trace| trace.name == name);
        if !is_trace(&self.wishes.file) || !is_trace(name) {
            let kept = storage().and_then(|storage| storage.get_item(KEY).ok().flatten());
            let kept = kept.and_then(|kept| serde_json::from_str::<Wishes>(&kept).ok());
            self.wishes = kept.filter(|kept| kept.file == name).unwrap_or_default();
        }
        name.clone_into(&mut self.wishes.file);
    }
}

#[cfg(test)]
mod tests {
    use super::add_run;
    use crate::overview::model::Run;

    #[test]
    fn two_runs_stand_side_by_side() {
        let run = |value: f64| {
            let text = format!("{{\"iteration\":1,\"kl\":{value}}}\n");
            Run::read("metrics.jsonl", &text).expect("metrics")
        };
        let mut runs = Vec::new();
        let mut names = |value: f64| {
            add_run(&mut runs, run(value));
            runs.iter().map(|run| (run.name.clone(), run.of("kl")[0].1)).collect::<Vec<_>>()
        };
        let [first, second] = ["metrics.jsonl", "metrics.jsonl (2)"].map(str::to_owned);
        assert_eq!(names(1.0), [(first.clone(), 1.0)]);
        assert_eq!(names(1.0).len(), 1, "the same file again");
        assert_eq!(names(2.0), [(first.clone(), 1.0), (second.clone(), 2.0)]);
        assert_eq!(names(3.0), [(second, 2.0), (first, 3.0)]);
    }
}
