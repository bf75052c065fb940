//! Menus of what can be taken away: of a work, and of every picture.

use super::exhibit::{Column, Exhibit, Panel};
use super::grid::Grid;
use super::{Kind, Outcome, explanation, hand_over, save, tables, title};
use crate::explore::view::controls::is_shown_first;
use crate::model::{Document, Explained, Visible, number};
use crate::platform::download;
use crate::text::{self, export as words};
use crate::view::menu::{close, menu, segmented};
use std::cell::Cell;
use std::rc::Rc;
use yew::prelude::*;

thread_local! {
    /// How wide pictures are, as it was chosen last.
    static COLUMN: Cell<Column> = const { Cell::new(Column::One) };
}

/// What makes an exhibit when it is asked for.
type Make = Rc<dyn Fn() -> Exhibit>;

/// Buttons that do something and close the menu.
fn buttons(all: Vec<(String, Callback<()>)>) -> Html {
    let one = |(name, act): (String, Callback<()>)| {
        let onclick = move |event: MouseEvent| {
            act.emit(());
            close(&event);
        };
        html! { <li><button type="button" {onclick}>{ name }</button></li> }
    };
    html! { <ul>{ for all.into_iter().map(one) }</ul> }
}

/// The choice of a width.
#[hook]
fn use_column(name: &'static str) -> Html {
    let update = use_force_update();
    let choose = Callback::from(move |column: Column| {
        COLUMN.set(column);
        update.force_update();
    });
    let chosen = COLUMN.get();
    let choices = [(Column::One, words::one_column()), (Column::Two, words::two_columns())];
    let choices = choices.map(|(column, name)| (column, name, column == chosen));
    segmented(name, ["", words::width()], choices, &choose)
}

/// What makes each kind of file of an exhibit, by the words for each.
fn files(make: &Make, names: &[(Kind, String)], say: &Callback<Outcome>) -> Html {
    let one = |(kind, name): &(Kind, String)| {
        let (make, say, kind) = (make.clone(), say.clone(), *kind);
        let act = Callback::from(move |()| hand_over(&make(), kind, COLUMN.get(), &say));
        (name.clone(), act)
    };
    buttons(names.iter().map(one).collect())
}

/// What the menu of a picture needs.
#[derive(Properties)]
struct ExhibitMenuProps {
    /// Its name in the page.
    id: &'static str,
    /// What it is of.
    of: &'static str,
    make: Make,
}

impl PartialEq for ExhibitMenuProps {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id && Rc::ptr_eq(&self.make, &other.make)
    }
}

/// The menu of a picture, by a name in the page and what it is of: the picture as SVG or PNG, and its numbers.
pub(crate) fn exhibit_menu(
    id: &'static str,
    of: &'static str,
    make: impl Fn() -> Exhibit + 'static,
) -> Html {
    html! { <ExhibitMenu {id} {of} make={Rc::new(make) as Make} /> }
}

#[function_component]
fn ExhibitMenu(props: &ExhibitMenuProps) -> Html {
    let outcome = use_state_eq(Outcome::default);
    let set = outcome.setter();
    let say = Callback::from(move |new| set.set(new));
    let column = use_column(props.id);
    let kinds = [
        (Kind::Svg, words::picture_svg()),
        (Kind::Png, words::picture_png()),
        (Kind::Csv, words::numbers_csv()),
    ];
    let kinds = kinds.map(|(kind, name)| (kind, name.to_owned()));
    let mark = if outcome.done.is_empty() { "" } else { " \u{2713}" };
    let name = html! {
        <>{ words::export() }<span class="unseen">{ ": " }{ props.of }</span><span class="done">{ mark }</span></>
    };
    let contents = html! { <>{ column }{ files(&props.make, &kinds, &say) }</> };
    html! {
        <div class="of-exhibit" data-exhibit={props.id}>
            { menu("exhibit", name, vec![contents]) }
            <p class="unseen said" role="status">{ &outcome.done }</p>
            <p class={(!outcome.problem.is_empty()).then_some("problem")} role="alert">{ outcome.problem }</p>
        </div>
    }
}

/// What the menu of a work needs.
#[derive(Clone, Properties, PartialEq)]
pub(crate) struct ExportsProps {
    /// The work.
    pub(crate) document: Document,
    /// What of the task on the stage is shown.
    pub(crate) visible: Visible,
    /// Where it goes what became of a file.
    pub(crate) say: Callback<Outcome>,
}

/// The files of a work: its rollouts, tables of all tasks, and the pictures of the task on the stage.
#[function_component]
pub(crate) fn Exports(props: &ExportsProps) -> Html {
    let ExportsProps { document, say, .. } = props;
    let column = use_column("export-width");
    let act = |act: fn(&Document, &Callback<Outcome>)| {
        let props = props.clone();
        Callback::from(move |()| act(&props.document, &props.say))
    };
    let data = vec![
        (words::export_rollouts().to_owned(), act(rollouts)),
        (words::copy_rollouts().to_owned(), act(copy)),
        (words::export_advantages().to_owned(), act(advantages)),
        (words::export_table().to_owned(), act(steps)),
    ];
    let whole = document.controls.options.estimator.needs_whole_batch()
        && document.rollouts.tasks.len() > 1;
    let figure: Make = Rc::new({
        let (document, visible) = (document.clone(), props.visible.clone());
        move || figure(&document, &visible)
    });
    let explained: Make = Rc::new({
        let document = document.clone();
        move || explanation::explanation(&document, settings(&document))
    });
    let of_figure = [(Kind::Svg, words::export_svg()), (Kind::Png, words::export_png())];
    let of_explained =
        [Kind::Svg, Kind::Png, Kind::Csv].map(|kind| (kind, words::of_explanation(ending(kind))));
    html! {
        <>
            { buttons(data) }
            if whole { <p class="hint">{ words::whole_batch() }</p> }
            { column }
            { files(&figure, &of_figure.map(|(kind, name)| (kind, name.to_owned())), say) }
            { files(&explained, &of_explained, say) }
        </>
    }
}

const fn ending(kind: Kind) -> &'static str {
    match kind {
        Kind::Svg => "SVG",
        Kind::Png => "PNG",
        Kind::Csv => "CSV",
    }
}

fn settings(document: &Document) -> String {
    text::settings(&document.controls, &is_shown_first)
}

/// The grid of the task on the stage, with the groups of the chosen step.
fn figure(document: &Document, visible: &Visible) -> Exhibit {
    let Document { controls, selected, .. } = document;
    let task = &document.rollouts.tasks[document.task];
    let extent = (visible.rows(), visible.steps.clone());
    let explained = Explained::new(task, *selected, controls);
    let step = text::step_name(&task.rows()[selected.row].trajectory, selected.step);
    let advantage = number::signed(explained.explanation.advantage, 3);
    let mut notes = vec![words::of_figure(&step, &advantage)];
    for each in explained.comparisons() {
        let Some(level) = each.level() else { continue };
        let weight = number::short(each.term.weight, 3);
        let advantage = number::signed(each.term.advantage, 3);
        notes.push(words::group(level, each.members.len(), &weight, &advantage));
    }
    notes.extend(visible.extent_in(task).map(|(attempts, steps)| words::of_all(attempts, steps)));
    Exhibit {
        name: document.source.stem(),
        title: title(document),
        settings: settings(document),
        panels: vec![Panel::Grid(Grid::new(task, *selected, controls, extent))],
        notes,
        numbers: Vec::new(),
    }
}

/// Saves the rollouts of a work as a file.
pub(crate) fn save_rollouts(document: &Document) {
    rollouts(document, &Callback::noop());
}

fn rollouts(document: &Document, say: &Callback<Outcome>) {
    let name = document.source.stem() + ".rollouts.jsonl";
    save(&name, &document.rollouts.written(), "application/jsonl", say);
}

fn copy(document: &Document, say: &Callback<Outcome>) {
    let done =
        say.reform(|allowed| Outcome::of(allowed, words::copied().to_owned(), words::not_copied()));
    download::copy(&document.rollouts.written(), done);
}

fn advantages(document: &Document, say: &Callback<Outcome>) {
    let text = tables::advantages(&document.rollouts, &document.controls.options);
    table(document, ".advantages.jsonl", text, "application/jsonl", say);
}

fn steps(document: &Document, say: &Callback<Outcome>) {
    let text = tables::steps(&document.rollouts, &document.controls.options);
    table(document, ".csv", text, "text/csv", say);
}

/// Hands a table over that could be made.
fn table(
    document: &Document,
    ending: &str,
    text: Option<String>,
    kind: &'static str,
    say: &Callback<Outcome>,
) {
    match text {
        Some(text) => save(&(document.source.stem() + ending), &text, kind, say),
        None => say.emit(Outcome::of(false, String::new(), words::not_drawn())),
    }
}
