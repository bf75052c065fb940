//! Runs: what is open of some, as metrics and as rollouts of several iterations.

use super::{Action, change};
use crate::explore::view::field::{listed, use_slider};
use crate::overview::model::Run;
use crate::overview::runs::{Session, Trace};
use crate::platform::files::picked;
use crate::platform::focus;
use crate::text::overview as words;
use std::collections::BTreeSet;
use web_sys::js_sys::Array;
use yew::prelude::*;

/// The files of some runs and the controls of what is shown of them, which is called `name`.
pub(super) fn runs(
    session: &Session,
    name: &str,
    files: &Callback<Array>,
    dispatch: &Callback<Action>,
) -> Html {
    let picked = files.reform(|event: Event| picked(&event));
    let are_many = session.runs.iter().flat_map(|run| &run.points).any(|points| points.len() >= 40);
    html! {
        <>
            <p class="problem" role="alert">{ session.problems.join(" ") }</p>
            <div class="fields">
                <div class="field file">
                    <input type="file" id="run-files" class="unseen" multiple=true accept=".jsonl,.ndjson,.json,.csv"
                        aria-describedby="runs-hint" onchange={picked} />
                    <label class="button" for="run-files">{ words::open_run() }</label>
                </div>
                if !session.runs.is_empty() { { legend(session) }{ metrics(session) } }
                if session.traces.len() > 1 { { slider(&session.traces, name, dispatch) } }
            </div>
            <p class="hint" id="runs-hint">{ words::runs_hint() }if are_many { { " " }{ words::bold_line() } }</p>
        </>
    }
}

/// The runs by the looks of their curves, each with a button that takes it away.
fn legend(session: &Session) -> Html {
    let one = |(place, run): (usize, &Run)| {
        let remove = Callback::from(move |_: MouseEvent| {
            change(|session| drop(session.runs.remove(place)));
            focus::go_on("#run-files");
        });
        html! {
            <li key={run.name.clone()} class={format!("run{place}")}>
                <span><bdi>{ &run.name }</bdi></span>
                <button type="button" class="button" onclick={remove}>
                    { words::remove() }<span class="unseen">{ " " }{ &run.name }</span>
                </button>
            </li>
        }
    };
    html! { <ul class="legend-of-runs">{ for session.runs.iter().enumerate().map(one) }</ul> }
}

/// The choice of a metric besides the rate of success.
fn metrics(session: &Session) -> Html {
    let mut known = BTreeSet::new();
    let keys = session.runs.iter().flat_map(|run| &run.keys).filter(|key| known.insert(*key));
    let options = keys.map(|key| (key.clone(), key.clone()));
    let choose = Callback::from(|key: String| change(|session| session.key = key));
    listed("field", ["metric", words::metric()], options, session.key.clone(), choose)
}

/// The rollouts by their iterations.
fn slider(traces: &[Trace], name: &str, dispatch: &Callback<Action>) -> Html {
    let shown = traces.iter().position(|trace| trace.name == name).unwrap_or(traces.len() - 1);
    let named = traces
        .iter()
        .enumerate()
        .map(|(place, trace)| words::trace_of(place + 1, traces.len(), &trace.describe()));
    let (all, dispatch) = (traces.to_vec(), dispatch.clone());
    let open = Callback::from(move |place: usize| {
        if let Some(trace) = all.get(place) {
            trace.open(dispatch.clone());
        }
    });
    html! { <Slider names={named.collect::<Vec<_>>()} {shown} {open} /> }
}

#[derive(Properties, PartialEq)]
struct SliderProps {
    names: Vec<String>,
    shown: usize,
    open: Callback<usize>,
}

/// The slider of iterations.
#[function_component]
fn Slider(props: &SliderProps) -> Html {
    let SliderProps { names, shown, open } = props;
    let (at, oninput, onchange) = use_slider(*shown, open);
    let at = at.min(names.len() - 1);
    html! {
        <label class="field trace">
            <span>{ words::traces() }</span>
            <input type="range" id="trace" min="0" max={(names.len() - 1).to_string()} value={at.to_string()}
                aria-valuetext={names[at].clone()} {oninput} {onchange} />
            <output for="trace" id="trace-name"><bdi>{ &names[at] }</bdi></output>
        </label>
    }
}
