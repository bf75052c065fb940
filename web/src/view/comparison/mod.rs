//! The task on the stage under several estimators, side by side.

mod differences;
mod maps;
mod markup;
mod sizes;

use crate::{
    model::{
        Action, Cell, Comparison as Compared, Controls, Shared, Task, comparison::Ticks, estimators,
    },
    text::{self, compare as words},
    view::element::{element, plain, tick, word},
};
use std::rc::Rc;
use yew::prelude::*;

/// What the comparison needs.
#[derive(Properties, PartialEq)]
pub(crate) struct ComparisonProps {
    /// The task on the stage.
    pub(crate) task: Shared<Task>,
    /// The setting of every control.
    pub(crate) controls: Controls,
    /// The step that is explained.
    pub(crate) selected: Cell,
    /// The step under the pointer.
    pub(crate) hovered: Option<Cell>,
    /// Where actions go.
    pub(crate) dispatch: Callback<Action>,
}

/// How the reader looks at the comparison.
#[derive(Clone, Copy, PartialEq)]
struct Looks {
    /// Which estimators are shown besides the chosen one.
    ticks: Ticks,
    /// Whether a colour means the same number in all maps.
    one_scale: bool,
    /// How many rows the table has.
    rows: usize,
}

/// The rows that the table has at first.
const ROWS: usize = 10;

/// What is computed for the comparison.
struct Computed {
    compared: Shared<Compared>,
    pictures: Rc<Vec<Html>>,
    below: Html,
}

/// Anew only what changes.
#[hook]
fn use_computed(props: &ComparisonProps, now: Looks, set: &UseStateSetter<Looks>) -> Computed {
    let inputs = (props.task.clone(), props.controls.clone(), now.ticks);
    let compared = use_memo(inputs, |(task, controls, ticks)| {
        Shared::new(Compared::new(task, controls, *ticks))
    });
    let compared = (*compared).clone();
    let pictures = use_memo((compared.clone(), now.one_scale), |(compared, one_scale)| {
        maps::pictures(compared, *one_scale)
    });
    let below = use_memo((compared.clone(), now), |(compared, now)| {
        let more = on_change(*now, set, |looks| looks.rows += 50);
        let parts = vec![
            differences::differences(&props.task, compared, now.rows, more, &props.dispatch),
            sizes::sizes(compared),
        ];
        element("div", "beside", parts)
    });
    Computed { compared, pictures, below: (*below).clone() }
}

/// The comparison of estimators, which follows the chosen step.
#[function_component]
pub(crate) fn Comparison(props: &ComparisonProps) -> Html {
    let looks = use_state_eq(|| Looks { ticks: Ticks::default(), one_scale: false, rows: ROWS });
    let (now, set) = (*looks, looks.setter());
    let Computed { compared, pictures, below } = use_computed(props, now, &set);
    html! {
        <section class="comparison" aria-label={words::compare()}>
            { element("p", "hint", vec![word(words::compare_hint())]) }
            { choice(props.controls.estimator(), now, &set) }
            { maps::maps(props, &compared, &pictures) }
            { below }
        </section>
    }
}

/// A change of the looks.
fn on_change<E: 'static>(
    now: Looks,
    set: &UseStateSetter<Looks>,
    change: impl Fn(&mut Looks) + 'static,
) -> Callback<E> {
    let set = set.clone();
    Callback::from(move |_| {
        let mut next = now;
        change(&mut next);
        set.set(next);
    })
}

/// A tick for every estimator, of which the chosen one cannot be taken away; and one for the scale.
fn choice(chosen: &'static str, now: Looks, set: &UseStateSetter<Looks>) -> Html {
    let one = |name: &'static str, words: &'static str, checked: bool| {
        let onchange = on_change(now, set, move |looks| match name {
            "" => looks.one_scale ^= true,
            _ => looks.ticks = looks.ticks.toggled(name),
        });
        let is_chosen = name == chosen;
        let stays = vec![("disabled", is_chosen.then(|| "disabled".to_owned()))];
        let input = tick(&[("type", "checkbox")], stays, checked || is_chosen, onchange);
        let chosen = if is_chosen { words::chosen_one() } else { "" };
        let name = plain("span", vec![word(words), word(chosen)]);
        element("label", "field flag", vec![input, name])
    };
    let legend = plain("legend", vec![word(words::shown())]);
    let ticks = estimators().map(|name| one(name, estimator(name), now.ticks.has(name)));
    let ticks = element("fieldset", "ticks", std::iter::once(legend).chain(ticks).collect());
    [ticks, one("", words::one_scale(), now.one_scale)].into_iter().collect()
}

/// What the page calls an estimator.
fn estimator(name: &'static str) -> &'static str {
    text::value("estimator", name)
}
