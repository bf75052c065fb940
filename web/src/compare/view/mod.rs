//! Comparison of estimators, side by side: maps of their advantages, differences, sizes of groups.

mod maps;
mod sizes;

use super::exhibit::Compared;
use super::model::{Comparison, HeatMap};
use crate::explore::view::arithmetic::notation;
use crate::export::exhibit_menu;
use crate::model::{Action, Cell, Controls, ESTIMATOR, Shared, Task, Visible, estimators, number};
use crate::platform::{dom, focus};
use crate::text::{self, called, compare as words, export};
use hgpo_core::Options;
use maps::{maps, readout};
use sizes::{differences, sizes};
use std::cell::RefCell;
use yew::prelude::*;

/// The rows that the table has at first, and how many more a press brings.
const ROWS: [usize; 2] = [10, 50];

/// Rows that a page key moves by.
const PAGE: usize = 10;

/// What the comparison needs.
#[derive(Clone, Properties, PartialEq)]
pub(crate) struct CompareProps {
    /// The task on the stage.
    pub(crate) task: Shared<Task>,
    /// The settings of the chosen estimator, and of others.
    pub(crate) controls: Controls,
    /// What of the task is shown.
    pub(crate) visible: Visible,
    /// The step that is explained.
    pub(crate) selected: Cell,
    /// The step that is pointed at.
    pub(crate) hovered: Option<Cell>,
    /// Whether it is of the reader's own work, not of a lesson's.
    pub(crate) is_own: bool,
    /// Where actions go.
    pub(crate) dispatch: Callback<Action>,
}

/// Every estimator that takes the task, as it is set, in the order of the page.
fn methods(task: &Task, controls: &Controls) -> Vec<Options> {
    let of = |name: &'static str| {
        if name == controls.estimator() {
            return Some(controls.options.clone());
        }
        let other = controls.with(ESTIMATOR, name)?.options;
        other.check(&task.batch).ok().map(|()| other)
    };
    estimators().filter_map(of).collect()
}

/// The estimators that are ticked, and whether all maps have one scale.
type Choice = (Vec<&'static str>, bool);

thread_local! {
    /// What the reader chose last: the comparison goes when another part of the page is shown.
    static CHOICE: RefCell<Option<Choice>> = const { RefCell::new(None) };
}

/// What the reader of their own work chose last; at first, and in lessons, from whole attempts over single states to
/// histories.
fn last_choice(is_own: bool) -> Choice {
    let last = CHOICE.with_borrow(Clone::clone).filter(|_| is_own);
    last.unwrap_or_else(|| (estimators().take(3).collect(), false))
}

/// The comparison.
#[function_component]
pub(crate) fn Compare(props: &CompareProps) -> Html {
    let CompareProps { task, controls, visible, selected, hovered, dispatch, .. } = props;
    let ticked = use_state_eq(|| last_choice(props.is_own).0);
    let one_scale = use_state_eq(|| last_choice(props.is_own).1);
    use_effect_with(
        ((*ticked).clone(), *one_scale, props.is_own),
        |(ticked, one_scale, is_own)| {
            if *is_own {
                CHOICE.set(Some((ticked.clone(), *one_scale)));
            }
        },
    );
    let rows = use_state_eq(|| ROWS[0]);
    let chosen = controls.estimator();
    let of = (task.clone(), controls.clone());
    let methods = use_memo(of.clone(), |(task, controls)| methods(task, controls));
    let compared = use_memo((of, (*ticked).clone()), |((task, _), ticked)| {
        Comparison::new(&task.batch, &methods, chosen, ticked).map(Shared::new)
    });
    let Some(compared) = &*compared else { return Html::default() };
    let (task_of, controls_of, compared_of) = (task.clone(), controls.clone(), compared.clone());
    let own = Compared { task: task_of, controls: controls_of, of: compared_of };
    let lengths = visible.lengths(task);
    let map = HeatMap::of(&lengths);
    let known = |cell: &Cell| {
        let rows = task.rows();
        rows.get(cell.row).is_some_and(|row| cell.step < row.steps.len())
    };
    let pointed = hovered.filter(known);
    let choice = methods.iter().map(|options| {
        let name = options.estimator.name();
        let toggle = Callback::from({
            let ticked = ticked.clone();
            move |_: Event| {
                let others = ticked.iter().copied().filter(|ticked| *ticked != name);
                let own = (!ticked.contains(&name)).then_some(name);
                ticked.set(others.chain(own).collect());
            }
        });
        let is_chosen = name == chosen;
        let words = [called(name), if is_chosen { words::chosen_one() } else { "" }].concat();
        tick(name, words, [is_chosen || ticked.contains(&name), is_chosen], toggle)
    });
    let scale = Callback::from({
        let one_scale = one_scale.clone();
        move |_: Event| one_scale.set(!*one_scale)
    });
    let more = Callback::from({
        let rows = rows.clone();
        move |_: MouseEvent| {
            rows.set(*rows + ROWS[1]);
            focus::go_on(".differences button");
        }
    });
    html! {
        <>
            <p class="hint">{ words::compare_hint() }</p>
            <fieldset class="ticks"><legend>{ words::shown() }</legend>{ for choice }</fieldset>
            { tick("", words::one_scale().to_owned(), [*one_scale, false], scale) }
            <section class="maps" aria-labelledby="maps-title">
                <h3 id="maps-title">{ words::maps() }</h3>
                <p class="hint">{ words::marks(map.detail) }</p>
                <p class="hint counted">{ counted(compared) }</p>
                if let Some(extent) = visible.extent_in(task) { <p class="hint">{ export::of_all(extent.0, extent.1) }</p> }
                { maps(props, compared, &lengths, (map, *one_scale), pointed) }
                { exhibit_menu("maps", words::maps(), {
                    let (own, visible, one_scale) = (own.clone(), visible.clone(), *one_scale);
                    move || own.maps(&visible, one_scale)
                }) }
                <div aria-live="polite">{ readout(task, compared, pointed.unwrap_or(*selected)) }</div>
            </section>
            <div class="beside">
                <div>
                    { differences(task, compared, *rows, more, dispatch) }
                    { exhibit_menu("differences", words::disagreement(), {
                        let (own, rows) = (own.clone(), *rows);
                        move || own.differences(rows)
                    }) }
                </div>
                <div>
                    { sizes(compared) }
                    { exhibit_menu("sizes", words::sizes_hint(), move || own.sizes()) }
                </div>
            </div>
        </>
    }
}

/// A box that is ticked or not, and can be or not, for the estimator of a name or, without one, for the scale.
fn tick(
    name: &str,
    words: String,
    [checked, disabled]: [bool; 2],
    onchange: Callback<Event>,
) -> Html {
    html! {
        <label class="field flag" key={name}>
            <input type="checkbox" id={format!("tick-{name}")} {checked} {disabled} {onchange} />
            <span>{ words }</span>
        </label>
    }
}

/// Which of the estimators count an attempt as often as it has steps.
fn counted(compared: &Comparison) -> String {
    let by_steps = compared.columns.iter().filter(|column| column.counts_steps);
    let by_steps: Vec<&str> = by_steps.map(|column| called(column.name)).collect();
    if by_steps.is_empty() {
        return String::new();
    }
    let key = "episode_statistics";
    let once = [text::control(key).label, text::value(key, "trajectories")];
    words::counted_by_steps(&by_steps.join(", "), once)
}

/// A signed number in the colour of its sign.
fn amount(value: f64, digits: usize) -> Html {
    notation::amount(value, number::signed(value, digits))
}
