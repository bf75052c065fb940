//! The truth: the estimates of a step beside what is true of it, as a background worker finds out that knows the process.

mod exhibit;
mod histogram;
mod view;

use crate::model::{Action, Cell, Controls, Shared, Task};
use crate::platform::background::BackgroundWorker;
use crate::platform::{fetch, focus};
use crate::text::truth as words;
use crate::train::{self, IterationProcess};
use crate::view::late::{load_failure, on_its_way};
use hgpo_core::Trajectory;
use hgpo_core::process::simulation::SimulationReport;
use hgpo_worker::process::message::{Answer, Truth as Found};
use serde_json::{Value, json};
use std::cell::{Cell as Kept, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;
use yew::platform::pinned::oneshot::{self, Sender};
use yew::platform::spawn_local;
use yew::prelude::*;

/// A step, and what its attempts come from.
#[derive(Clone, Properties, PartialEq)]
pub(crate) struct TruthProps {
    /// The process: the name of an example, or none where it is of the training.
    pub(crate) process: String,
    /// The task on the stage.
    pub(crate) task: Shared<Task>,
    /// How advantages are estimated.
    pub(crate) controls: Controls,
    /// The step.
    pub(crate) selected: Cell,
    /// Where actions go.
    pub(crate) dispatch: Callback<Action>,
}

/// What is shown of a step.
#[derive(Clone)]
struct Shown {
    of: TruthProps,
    found: Found,
    study: Option<SimulationReport>,
}

/// Why nothing is shown; none where something could not be loaded.
type Lack = Option<String>;

/// How many groups are drawn, and what they depend on.
type Draws = (usize, u64);

thread_local! {
    /// The worker, which begins when it is first asked.
    static WORKER: RefCell<Option<BackgroundWorker>> = const { RefCell::new(None) };
    /// What hears the answers, which keep the order of the requests.
    static WAITING: RefCell<VecDeque<Sender<Answer>>> = RefCell::default();
    /// The file of the last process of an example, and the process.
    static EXAMPLE: RefCell<(String, AttrValue)> = RefCell::default();
    /// The groups of the last press, which are drawn of every step that is chosen afterwards.
    static DRAWS: Kept<Draws> = Kept::default();
    /// How often attempts were drawn anew.
    static DRAWN: Kept<u64> = Kept::default();
}

/// Groups that a press draws.
const SAMPLES: usize = 200;

/// The estimates of a step beside the truth.
#[function_component]
pub(crate) fn Truth(props: &TruthProps) -> Html {
    let shown = use_state(|| None::<Result<Shown, Lack>>);
    let draws = use_state_eq(|| DRAWS.get());
    // The button that had the focus will be gone.
    let is_set = use_mut_ref(|| false);
    let is_missing = matches!(&*shown, Some(Err(None)));
    use_effect_with((props.clone(), *draws, is_missing), {
        let (shown, is_set) = (shown.setter(), is_set.clone());
        move |(props, draws, is_missing)| {
            let is_wanted = Rc::new(Kept::new(!is_missing));
            let (is_latest, props, draws) = (is_wanted.clone(), props.clone(), *draws);
            spawn_local(async move {
                if is_latest.get() {
                    let found = look(props, draws).await;
                    if is_latest.get() {
                        shown.set(Some(found));
                        if is_set.replace(false) {
                            focus::go_on(".draws button");
                        }
                    }
                }
            });
            move || is_wanted.set(false)
        }
    });
    let (anew, again) = (shown.setter(), shown.setter());
    let draw_anew = Callback::from({
        let props = props.clone();
        move |_: MouseEvent| {
            let (props, anew) = (props.clone(), anew.clone());
            spawn_local(async move {
                match draw(&props).await {
                    Ok(attempts) => props.dispatch.emit(Action::Redraw(attempts)),
                    Err(lack) => anew.set(Some(Err(lack))),
                }
            });
        }
    });
    let draw_many = Callback::from(move |_: MouseEvent| {
        DRAWS.set((SAMPLES, draws.1 + 1));
        draws.set(DRAWS.get());
    });
    let set_scale = props.dispatch.reform(move |_: MouseEvent| {
        is_set.replace(true);
        Action::Set("scale", "mean".to_owned())
    });
    match &*shown {
        None => on_its_way(),
        Some(Ok(shown)) => view::view(shown, [draw_anew, draw_many, set_scale]),
        Some(Err(Some(why))) => html! { <p class="problem" role="alert">{ why }</p> },
        Some(Err(None)) => load_failure("truth", move || again.set(None)),
    }
}

/// What there is to show of a step.
async fn look(of: TruthProps, (samples, seed): Draws) -> Result<Shown, Lack> {
    let (process, situation) = process(&of).await?;
    let request = json!({
        "discount": of.controls.options.discount,
        "attempt": of.task.rows()[of.selected.row],
        "step": of.selected.step,
        "situation": situation,
    });
    let Answer::Truth(found) = ask("truth", &process, &request).await? else { return Err(None) };
    let mut shown = Shown { of, found, study: None };
    if samples > 0 && matches!(found, Found::Known { .. }) {
        let request = json!({
            "options": shown.of.controls.options,
            "attempts": shown.of.task.rows().len(),
            "samples": samples,
            "seed": seed,
        });
        if let Answer::Study(study) = ask("study", &process, &request).await? {
            shown.study = Some(study);
        }
    }
    Ok(shown)
}

/// As many attempts at the task as there are, drawn anew.
async fn draw(of: &TruthProps) -> Result<Vec<Trajectory>, Lack> {
    let (process, _) = process(of).await?;
    DRAWN.set(DRAWN.get() + 1);
    let (task, attempts) = (&*of.task.name, of.task.rows().len());
    let request = json!({ "task": task, "attempts": attempts, "seed": DRAWN.get() });
    match ask("draw", &process, &request).await? {
        Answer::Draw(attempts) => Ok(attempts),
        _ => Err(None),
    }
}

/// The process, and the situation in it in which the step was taken, if somebody saw that.
async fn process(of: &TruthProps) -> Result<(AttrValue, Option<usize>), Lack> {
    let TruthProps { process: name, task, selected, .. } = of;
    if name.is_empty() {
        let found = train::process(task.name.to_string()).await?;
        let situation = situation(&found, task, *selected);
        return Ok((found.process, situation));
    }
    let file = ["processes/", name, if is_korean(task) { ".ko.json" } else { ".json" }].concat();
    if EXAMPLE.with_borrow(|(known, _)| *known != file) {
        let text = fetch::text(&file).await.ok_or(None)?;
        EXAMPLE.set((file, text.into()));
    }
    Ok((EXAMPLE.with_borrow(|(_, text)| text.clone()), None))
}

/// Whether the attempts at an example are in Korean, by most of their actions: those that were edited keep their language
/// when that of the page is changed.
fn is_korean(task: &Task) -> bool {
    let actions = || task.rows().iter().flat_map(|row| &row.steps).flat_map(|step| &step.action);
    2 * actions().filter(|action| !action.is_ascii()).count() > actions().count()
}

/// The situation in which a step of the training was seen to be taken, if its attempt is as it was played.
fn situation(found: &IterationProcess, task: &Task, cell: Cell) -> Option<usize> {
    let start = format!("{{\"task\":{},", json!(*task.name));
    let mut played = found.rollouts.lines().filter(|line| line.starts_with(&start));
    let written = task.written();
    let own = written.lines().nth(cell.row)?;
    let place = played.position(|line| line == own)?;
    *found.situations.get(place)?.get(cell.step)?
}

/// What the worker answers about a process, which may be megabytes of text and goes on unread.
async fn ask(kind: &str, process: &str, request: &Value) -> Result<Answer, Lack> {
    let fields = request.to_string();
    let text = format!("{{\"{kind}\":{{\"process\":{process},{}}}", &fields[1..]);
    let is_asked = WORKER.with_borrow_mut(|worker| {
        let begin = || BackgroundWorker::begin("hgpo-worker", &Callback::from(hear));
        *worker = worker.take().or_else(begin);
        worker.as_ref().is_some_and(|worker| worker.ask(&text))
    });
    if !is_asked {
        return Err(Some(words::no_workers().to_owned()));
    }
    let (waiting, answer) = oneshot::channel();
    WAITING.with_borrow_mut(|all| all.push_back(waiting));
    match answer.await {
        Ok(Answer::Error(why)) => Err(Some(why)),
        answer => answer.map_err(|_| None),
    }
}

/// Hands an answer on; none if the worker broke, which nobody waits for then any more.
fn hear(answer: Option<Answer>) {
    let first = WAITING.with_borrow_mut(VecDeque::pop_front);
    if let (Some(answer), Some(first)) = (answer, first) {
        // Who is gone needs to hear nothing.
        drop(first.send(answer));
    } else {
        WORKER.take();
        WAITING.take();
    }
}

#[cfg(test)]
mod tests {
    use super::is_korean;
    use crate::model::{
        Action, Cell, Edit, EditKind, Language, Model, PRESETS, Theme, speak, update,
    };

    #[test]
    fn the_process_has_the_language_of_the_attempts_also_once_they_are_edited() {
        for (language, other) in [(Language::English, "\u{bb38}"), (Language::Korean, "door")] {
            speak(language);
            for index in (0..PRESETS.len()).filter(|index| PRESETS[*index].has_process) {
                let opened = update(&Model::new(Theme::Auto), Action::Open(index));
                let edit = Edit(Cell::default(), EditKind::Action(other.to_owned()));
                let edited = update(&opened, Action::Edit(edit));
                for model in [opened, edited] {
                    let name = &PRESETS[index].name;
                    assert_eq!(is_korean(model.on_stage()), language == Language::Korean, "{name}");
                }
            }
        }
        speak(Language::English);
    }
}
