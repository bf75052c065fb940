//! The overview on the screen: what the page calls, and what is kept between two calls.

mod comparison;
mod draw;
mod events;
mod export;
mod files;
mod kept;
mod part;
mod picture;
mod read;
mod told;

use crate::model::{Disagreement, File, Found, Run, Wishes, rewritten};
pub use comparison::compare;
pub use export::hand_over;
use files::Trace;
use gloo::{
    events::EventListener,
    utils::{document, document_element},
};
use hgpo_words::Language;
use std::cell::RefCell;
use told::Told;
use wasm_bindgen::{JsCast, JsValue, prelude::wasm_bindgen};
use web_sys::{
    Element, HtmlElement,
    js_sys::{Array, Function, Uint8Array, futures::spawn_local},
};

/// Rows that a table has at first, and how many more a press brings.
const ROWS: usize = 50;

/// What is on the screen.
struct Screen {
    /// What it is drawn in.
    root: Element,
    /// What is open in the page.
    told: Told,
    /// Gives the trajectories of a task, by number, as JSON Lines; opens a step, given a task, an attempt
    /// and a time; opens rollouts, given a name, JSON Lines, and what is to be told about them.
    answer: Function,
    /// What hears the reader, as long as it is kept.
    listeners: Vec<EventListener>,
}

/// Everything that the overview knows.
struct Page {
    screen: Option<Screen>,
    /// Counts what was shown, so that reading of what is not shown any more ends.
    shown: u32,
    file: File,
    found: Found,
    disagreements: Vec<Disagreement>,
    wishes: Wishes,
    /// The rows that the tables of tasks and of steps have.
    rows: [usize; 2],
    runs: Vec<Run>,
    /// The metric that is drawn beside the rate of success.
    key: String,
    traces: Vec<Trace>,
    /// The trace to be opened as soon as there is a screen.
    wanted: Option<usize>,
    problems: Vec<String>,
}

impl Page {
    fn new() -> Self {
        Self {
            screen: None,
            shown: 0,
            file: File::default(),
            found: Found::default(),
            disagreements: Vec::new(),
            wishes: Wishes::default(),
            rows: [ROWS; 2],
            runs: Vec::new(),
            key: "reward/mean".to_owned(),
            traces: Vec::new(),
            wanted: None,
            problems: Vec::new(),
        }
    }

    /// Which of the traces is open in the page.
    fn trace(&self) -> Option<usize> {
        let open = &self.screen.as_ref()?.told.name;
        self.traces.iter().position(|trace| trace.name == *open)
    }
}

thread_local! {
    static PAGE: RefCell<Page> = RefCell::new(Page::new());
}

/// Works with what the overview knows. Nothing of the page around it may be called meanwhile: that could
/// call the overview.
fn with<T>(work: impl FnOnce(&mut Page) -> T) -> T {
    PAGE.with_borrow_mut(work)
}

/// Draws the overview of what is open in the page's element `overview`.
///
/// `told` holds the file's name, the settings as JSON and the number of tasks; the page says its language.
/// `answer(number)` gives a task's trajectories as JSON Lines. `answer(task, attempt, time)` is called when
/// the reader chooses a step, and `answer(name, text, notice)` when another file was read: `text` is null
/// if it could not be, and `notice` says why, or what is to be told about the file.
#[wasm_bindgen]
pub fn show(told: &Array, answer: Function) {
    let Some(root) = document().get_element_by_id("overview") else { return };
    let word = |place: u32| told.get(place).as_string().unwrap_or_default();
    let tasks = told.get(2).as_f64().unwrap_or_default() as usize;
    let language = document_element().get_attribute("lang").unwrap_or_default();
    let told = Told::new(&language, word(0), &word(1), tasks);
    crate::text::speak(told.language);
    let number = with(|page| {
        let before = page.screen.take();
        let is_same = before.as_ref().is_some_and(|screen| screen.root == root);
        let listeners = match before {
            Some(screen) if is_same => screen.listeners,
            _ => events::listen(&root),
        };
        page.shown += 1;
        page.rows = [ROWS; 2];
        kept::turn_to(page, &told);
        page.screen = Some(Screen { root, told, answer, listeners });
        if !is_same {
            draw::frame(page);
        }
        draw::heading(page);
        draw::runs(page);
        page.shown
    });
    read::read(number);
    files::open_wanted();
}

/// Ends what is going on: the element is gone, and the focus goes on from the chosen step if it was in it.
#[wasm_bindgen]
pub fn hide() {
    let gone = with(|page| {
        page.shown += 1;
        page.file = File::default();
        page.found = Found::default();
        page.disagreements = Vec::new();
        page.screen.take()
    });
    drop(gone);
    let is_nowhere = document().active_element().is_none_or(|active| active.tag_name() == "BODY");
    let step = document().query_selector("[role=grid] .step[tabindex='0']").ok().flatten();
    if let Some(step) =
        step.and_then(|step| step.dyn_into::<HtmlElement>().ok()).filter(|_| is_nowhere)
    {
        // What cannot have the focus leaves it where it is.
        let _ = step.focus();
    }
}

/// Takes over files of runs: metrics, and rollouts of iterations. Calls `answer(true)` when that is done.
#[wasm_bindgen]
pub fn add(files: Array, answer: Function) {
    spawn_local(async move {
        files::add(files).await;
        // Whoever is gone needs no answer.
        drop(answer.call1(&JsValue::NULL, &JsValue::TRUE));
    });
}

/// Reads a file of rollouts of any format for the page, given its name and what it holds, as text or as bytes: calls
/// `answer(name, rollouts, notice)` with them as JSON Lines and what is to be told about them, or
/// `answer(name, null, problem)`.
#[wasm_bindgen(js_name = read)]
pub fn read_rollouts(file: &Array, answer: &Function) {
    let language = document_element().get_attribute("lang").unwrap_or_default();
    crate::text::speak(Language::of_tag(&language).unwrap_or_default());
    let content = file.get(1);
    let bytes =
        content.as_string().map_or_else(|| Uint8Array::new(&content).to_vec(), String::into_bytes);
    let (rollouts, told) = match rewritten(&bytes) {
        Ok((rollouts, noticed)) => (rollouts.into(), crate::text::noticed(noticed)),
        Err(problem) => (JsValue::NULL, problem),
    };
    // Whoever is gone needs no answer.
    drop(answer.call3(&JsValue::NULL, &file.get(0), &rollouts, &told.into()));
}
