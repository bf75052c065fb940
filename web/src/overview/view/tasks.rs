//! Table of the tasks, and how estimators count their attempts.

use crate::explore::view::field::listed;
use crate::model::{Action, Cell, number};
use crate::overview::model::{File, Filter, Key, Sorting, Task, label};
use crate::text::overview as words;
use hgpo_core::Options;
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// A head of a table, and what it means.
pub(super) type Head = (String, String);

/// The table of some tasks in an order.
pub(super) fn tasks(
    file: &File,
    order: &[usize],
    sorting: (Sorting, &Callback<Key>),
    dispatch: &Callback<Action>,
) -> Html {
    if order.is_empty() {
        return html! { <p class="none">{ words::nothing_found() }</p> };
    }
    let keys = Key::all(file.methods.len());
    html! {
        <div class="scrolled" tabindex="0" role="group" aria-labelledby="tasks-title">
            <table class="tasks" aria-labelledby="tasks-title">
                <thead><tr>{ for keys.iter().map(|key| head(file, *key, sorting)) }</tr></thead>
                <tbody>{ for order.iter().map(|task| row(&file.tasks[*task], *task, &keys, dispatch)) }</tbody>
            </table>
        </div>
    }
}

/// The heads of the table.
pub(super) fn heads(file: &File) -> Vec<Head> {
    Key::all(file.methods.len()).into_iter().map(|key| named(file, key)).collect()
}

/// The name of a column, and what it tells.
fn named(file: &File, key: Key) -> Head {
    if let Key::Opposite(method) = key {
        let name = label(&file.methods[method]);
        return (words::opposite_to(name), words::opposite_hint(name));
    }
    let (name, hint) = words::column(key);
    (name.to_owned(), hint.to_owned())
}

fn head(file: &File, key: Key, (sorting, sort): (Sorting, &Callback<Key>)) -> Html {
    let falls = sorting.by.filter(|(by, _)| *by == key).map(|(_, falls)| falls);
    sortable(named(file, key), falls, sort.reform(move |_: MouseEvent| key))
}

/// A head that sorts its column when it is pressed; whether the column falls, if it is sorted by.
pub(super) fn sortable(
    (name, title): Head,
    falls: Option<bool>,
    onclick: Callback<MouseEvent>,
) -> Html {
    let (order, sign) = match falls {
        Some(true) => (Some("descending"), "\u{25be}"),
        Some(false) => (Some("ascending"), "\u{25b4}"),
        None => (None, ""),
    };
    html! {
        <th scope="col" aria-sort={order}>
            <button type="button" {title} {onclick}>
                { name }<span aria-hidden="true">{ sign }</span>
            </button>
        </th>
    }
}

fn row(task: &Task, place: usize, keys: &[Key], dispatch: &Callback<Action>) -> Html {
    let onclick = dispatch.reform(move |_: MouseEvent| Action::Find(place, Cell::default()));
    let name = html! {
        <th scope="row">
            <button type="button" class="leads" id={format!("task-{place}")}><bdi>{ &task.name }</bdi></button>
            if let Some(instruction) = &task.instruction { <small><bdi>{ instruction }</bdi></small> }
        </th>
    };
    let values = keys.iter().filter_map(|key| value(task, *key)).map(|(value, share)| {
        html! { <td>{ value }if let Some(share) = share { { " " }<small>{ share }</small> }</td> }
    });
    html! { <tr key={place} {onclick}>{ name }{ for values }</tr> }
}

/// What a column says of a task, with its share; none of the name.
fn value(task: &Task, key: Key) -> Option<(String, Option<String>)> {
    let steps = task.steps.len();
    let some_of = |some: usize, all: usize| {
        Some((number::count(some), Some(number::percent(some as f64, all))))
    };
    match key {
        Key::Name => None,
        Key::Attempts => Some((number::count(task.attempts.len()), None)),
        Key::Success => some_of(task.successes, task.attempts.len()),
        Key::Score => Some((number::short(task.score, 2), None)),
        Key::Steps => Some((number::count(steps), None)),
        Key::Silent => some_of(task.silent, steps),
        Key::Opposite(method) => some_of(task.opposite[method - 1], steps),
        Key::Alone => some_of(task.alone, steps),
        Key::Invalid => some_of(task.invalid, steps),
    }
}

/// How often estimators that compare attempts by score count each of them: an estimator does either by its settings,
/// so that two of the same name can differ.
pub(super) fn counts(methods: &[Options]) -> String {
    let counts = |rows: &str, sentence: fn(&str) -> String| {
        let counts_so = |own: &&Options| own.get("episode_statistics") == Some(rows.into());
        let own: Vec<&str> = methods.iter().filter(counts_so).map(label).collect();
        if own.is_empty() { String::new() } else { sentence(&own.join(", ")) + " " }
    };
    counts("steps", words::by_steps) + &counts("trajectories", words::by_attempts)
}

/// The fields of the filter.
pub(super) fn filter(file: &File, filter: &Filter, set: &Callback<Filter>) -> Html {
    let own = || filter.clone();
    let tick = |name: &'static str, checked: bool, other: Filter| {
        let onchange = set.reform(move |_: Event| other.clone());
        html! { <label class="flag"><input type="checkbox" {checked} {onchange} /><span>{ name }</span></label> }
    };
    let oninput = set.reform({
        let filter = filter.clone();
        move |event: InputEvent| Filter {
            text: event.target_unchecked_into::<HtmlInputElement>().value(),
            ..filter.clone()
        }
    });
    html! {
        <fieldset class="wishes">
            <legend>{ words::filter() }</legend>
            { tick(words::only_opposite(), filter.opposite, Filter { opposite: !filter.opposite, ..own() }) }
            { tick(words::only_alone(), filter.alone, Filter { alone: !filter.alone, ..own() }) }
            { tick(words::only_invalid(), filter.invalid, Filter { invalid: !filter.invalid, ..own() }) }
            <label>
                <span>{ words::state_text() }</span>
                <input type="search" id="state-text" value={filter.text.clone()} {oninput} />
            </label>
            if !file.agents.all().is_empty() { { agents(file.agents.all(), filter, set) } }
            <button type="button" class="button" id="clear" onclick={set.reform(|_: MouseEvent| Filter::default())}>
                { words::clear() }
            </button>
        </fieldset>
    }
}

fn agents(all: &[String], filter: &Filter, set: &Callback<Filter>) -> Html {
    let choose = set.reform({
        let filter = filter.clone();
        move |agent: String| Filter {
            agent: Some(agent).filter(|agent| !agent.is_empty()),
            ..filter.clone()
        }
    });
    let any = (String::new(), words::any_agent().to_owned());
    let options = [any].into_iter().chain(all.iter().map(|name| (name.clone(), name.clone())));
    listed("", ["agent", words::agent()], options, filter.agent.clone().unwrap_or_default(), choose)
}

#[cfg(test)]
mod tests {
    use super::{counts, heads as heads_of_tasks};
    use crate::overview::model::tests::{both, methods};
    use crate::overview::view::disagreements::heads;

    #[test]
    fn every_head_is_explained() {
        let file = both();
        let told = heads_of_tasks(&file);
        assert_eq!(told.len(), 10);
        let opposite = told.iter().find(|(name, _)| name == "Opposite in GiGPO");
        assert!(opposite.is_some_and(|(_, meaning)| meaning.starts_with("Steps ")));
        // Task, step, state, three estimators, ranks.
        assert_eq!(heads(&file).len(), 7);
        assert!(told.into_iter().chain(heads(&file)).all(|(_, meaning)| !meaning.is_empty()));
    }

    #[test]
    fn how_attempts_are_counted_follows_the_settings() {
        let mut methods = methods();
        let told = "GRPO, GiGPO: the score of an attempt counts once for each of its steps. ";
        assert_eq!(counts(&methods), told, "HGPO compares no scores");
        methods[1].set("episode_statistics", "trajectories".into()).expect("an option");
        assert_eq!(
            counts(&methods),
            "GiGPO: the score of an attempt counts once for each of its steps. \
             GRPO: the score of every attempt counts once. "
        );
        assert_eq!(counts(&methods[..1]), "");
    }
}
