//! Module that is fetched late: parts of the page that few readers open, and what reads and writes files for them.

use crate::agents::{Agents, AgentsProps};
use crate::compare::{Compare, CompareProps};
use crate::explore::view::file_notes::{FileNotes, FileNotesProps};
use crate::explore::view::stage::extent::{ExtentProps, fields};
use crate::export::{Exports, ExportsProps};
use crate::import;
use crate::model::Action;
use crate::overview::{self, Overview, OverviewProps};
use crate::platform::{background, fit};
use crate::state_graph::{StateGraph, state_graph};
use crate::tokens::{self, TokensProps};
use crate::train::{Train, TrainProps};
use crate::truth::{Truth, TruthProps};
use crate::view::keys::keys;
use crate::view::notice::{NoticeProps, notice};
use crate::view::share::{Share, ShareProps};
use std::cell::Cell;
use wasm_split_helpers::{SplitLoaderError, wasm_split};
use web_sys::js_sys::Array;
use yew::{Callback, Html, html};

/// What the module holds.
pub(crate) struct Late {
    /// The overview of what is open.
    pub(crate) overview: fn(OverviewProps) -> Html,
    /// The comparison of estimators.
    pub(crate) compare: fn(CompareProps) -> Html,
    /// The agents of a team, compared.
    pub(crate) agents: fn(AgentsProps) -> Html,
    /// The graph of states.
    pub(crate) state_graph: fn(&StateGraph<'_>) -> Html,
    /// Training.
    pub(crate) train: fn(TrainProps) -> Html,
    /// The estimates of a step beside the truth.
    pub(crate) truth: fn(TruthProps) -> Html,
    /// Notes on the file that is open.
    pub(crate) file_notes: fn(FileNotesProps) -> Html,
    /// The choice of attempts and steps.
    pub(crate) extent: fn(&ExtentProps) -> Html,
    /// The list of the page's keys.
    pub(crate) keys: fn() -> Html,
    /// What can be shared.
    pub(crate) share: fn(ShareProps) -> Html,
    /// What is under way, or was not kept.
    pub(crate) notice: fn(&NoticeProps) -> Html,
    /// The tokens of a step, or what an update on it does to the policy.
    pub(crate) tokens: fn(TokensProps) -> Html,
    /// Reads rollouts of any format, and shows them.
    pub(crate) read: fn(import::Log, Callback<Action>),
    /// Takes files of runs over, and shows them.
    pub(crate) add_runs: fn(Array, Callback<Action>),
    /// Fits a lesson to a room.
    pub(crate) fit: fn(),
    /// What a reader can take away of a work.
    pub(crate) exports: fn(ExportsProps) -> Html,
}

thread_local! {
    static LOADED: Cell<Option<&'static Late>> = const { Cell::new(None) };
}

/// The module, if it is there.
pub(crate) fn get() -> Option<&'static Late> {
    LOADED.get()
}

/// Fetches the module, unless it is there; none where it cannot be had.
pub(crate) async fn fetch() -> Option<&'static Late> {
    if get().is_none() {
        // Nothing of it is drawn without its styles, which are on their way meanwhile.
        let styles = background::late_styles();
        let late = late().await.ok();
        LOADED.set(if styles.await { late } else { None });
    }
    get()
}

/// The module: what this alone refers to is no part of the program that is loaded first.
#[wasm_split(late, fallible)]
#[allow(
    clippy::unnecessary_wraps,
    reason = "that it cannot be fetched is an error of this function"
)]
fn late() -> Result<&'static Late, SplitLoaderError> {
    static LATE: Late = Late {
        overview: |props| html! { <Overview ..props /> },
        compare: |props| html! { <Compare ..props /> },
        agents: |props| html! { <Agents ..props /> },
        state_graph,
        train: |props| html! { <Train ..props /> },
        truth: |props| html! { <Truth ..props /> },
        file_notes: |props| html! { <FileNotes ..props /> },
        extent: fields,
        keys,
        share: |props| html! { <Share ..props /> },
        notice,
        tokens: tokens::view,
        read: import::read,
        add_runs: overview::add,
        fit: fit::watch,
        exports: |props| html! { <Exports ..props /> },
    };
    Ok(&LATE)
}
