//! The comparison of estimators on the screen: what the page calls, and what is kept between two calls.

mod draw;
mod events;
mod pointer;

use crate::model::{
    Comparison,
    comparison::{HeatMap, Ticks},
};
use gloo::{
    events::EventListener,
    utils::{document, document_element},
};
use hgpo_core::{Batch, Options, format, read_json};
use hgpo_words::{Cell, Language};
use std::cell::RefCell;
use wasm_bindgen::{JsCast, JsValue, prelude::wasm_bindgen};
use web_sys::{
    Element,
    js_sys::{Array, Function},
};

/// How the reader looks at the comparison.
#[derive(Clone, Copy)]
struct Looks {
    /// Which estimators are shown besides the chosen one.
    ticks: Ticks,
    /// Whether a colour means the same number in all maps.
    one_scale: bool,
    /// How many rows the table has.
    rows: usize,
}

/// The rows that the table has at first, and how many more a press brings.
const ROWS: [usize; 2] = [10, 50];

impl Default for Looks {
    fn default() -> Self {
        Self { ticks: Ticks::default(), one_scale: false, rows: ROWS[0] }
    }
}

/// What is compared.
struct Compared {
    /// The task on the stage.
    batch: Batch,
    /// The steps of every attempt.
    lengths: Vec<usize>,
    /// Every estimator as it is set, in the order of the page.
    methods: Vec<Options>,
    /// The name of the chosen one.
    chosen: String,
    /// What the page calls the option that lets attempts count once, and its value.
    option: [String; 2],
    /// Those that are shown.
    comparison: Comparison,
}

/// What is on the screen.
struct Screen {
    /// What it is drawn in.
    root: Element,
    /// Which of the states of the page it shows.
    version: f64,
    looks: Looks,
    compared: Compared,
    /// The step that is explained.
    selected: Cell,
    /// The step that is pointed at.
    hovered: Option<Cell>,
    /// Whether the pointer is on the maps.
    is_in_maps: bool,
    /// Hears the reader: `answer(row, step)` points at a step, `answer(null)` at none, and
    /// `answer(row, step, true)` chooses one.
    answer: Function,
    /// What hears the reader, as long as it is kept.
    listeners: Vec<EventListener>,
}

impl Compared {
    /// Reads what the page tells: the attempts as JSON Lines, the settings of every estimator as a JSON
    /// array, the name of the chosen one, and what an option and its value are called.
    fn read(told: &Array, ticks: Ticks) -> Option<Self> {
        let word = |place: u32| told.get(place).as_string();
        let batch = Batch::new(format::read_written(&word(0)?).ok()?.1).ok()?;
        let methods = serde_json::from_value(read_json(&word(1)?).ok()?);
        let (methods, chosen): (Vec<Options>, _) = (methods.ok()?, word(2)?);
        let comparison = Comparison::new(&batch, &methods, &chosen, ticks)?;
        let lengths = batch.trajectories().iter().map(|own| own.steps.len()).collect();
        Some(Self { batch, lengths, methods, chosen, option: [word(3)?, word(4)?], comparison })
    }

    /// The measures of the maps.
    fn map(&self) -> HeatMap {
        HeatMap::of(&self.lengths)
    }

    /// Compares again, after other estimators were ticked.
    fn compare(&mut self, ticks: Ticks) {
        if let Some(comparison) = Comparison::new(&self.batch, &self.methods, &self.chosen, ticks) {
            self.comparison = comparison;
        }
    }
}

thread_local! {
    static SCREEN: RefCell<Option<Screen>> = const { RefCell::new(None) };
}

/// Shows the task on the stage under several estimators in the page's element `comparison`.
///
/// `given` holds the number of the state that the page is in, row and step of the chosen step, and those of
/// the step pointed at if there is one. `answer()` gives the attempts as JSON Lines, the settings of every
/// estimator as a JSON array, the name of the chosen one, and what the page calls the option with which
/// attempts count once, and its value; it is asked once a state. `answer(row, step)` points at a step,
/// `answer(null)` at none, `answer(row, step, true)` chooses one, and `answer(false)` says that nothing can
/// be shown.
#[wasm_bindgen]
pub fn compare(given: &Array, answer: Function) {
    let before = SCREEN.take();
    let Some(root) = document().get_element_by_id("comparison") else { return };
    let number = |place: u32| given.get(place).as_f64();
    let cell = |place: u32| {
        let (row, step) = (number(place)? as usize, number(place + 1)? as usize);
        Some(Cell { row, step })
    };
    let (version, hovered) = (number(0).unwrap_or_default(), cell(3));
    let selected = cell(1).unwrap_or_default();
    let before = before.filter(|screen| screen.root == root);
    let screen = match before {
        Some(screen) if screen.version.to_bits() == version.to_bits() => {
            Screen { selected, hovered, answer, ..screen }
        }
        before => {
            let looks = before.as_ref().map_or_else(Looks::default, |screen| screen.looks);
            let Some(compared) = asked(&answer, looks.ticks) else {
                // Whoever is gone needs no answer.
                drop(answer.call1(&JsValue::NULL, &JsValue::FALSE));
                return;
            };
            let is_new = before.is_none();
            let listeners = before.map_or_else(|| events::listen(&root), |screen| screen.listeners);
            let screen = Screen {
                root,
                version,
                looks,
                compared,
                selected,
                hovered,
                is_in_maps: false,
                answer,
                listeners,
            };
            draw::all(&screen, is_new);
            screen
        }
    };
    draw::pointed(&screen);
    SCREEN.set(Some(screen));
}

/// What the page answers when it is asked what to show.
fn asked(answer: &Function, ticks: Ticks) -> Option<Compared> {
    let language = document_element().get_attribute("lang").unwrap_or_default();
    crate::text::speak(Language::of_tag(&language).unwrap_or_default());
    let told = answer.call0(&JsValue::NULL).ok()?.dyn_into::<Array>().ok()?;
    Compared::read(&told, ticks)
}
