//! Overview: all tasks of what is open under several estimators, and the runs that files come from.

mod curves;
mod disagreements;
mod histograms;
mod runs;
mod tasks;

use super::exhibit;
use super::model::{
    Disagreement, File, Filter, Found, Histogram, Key, Pair, Sorting, StepKey, csv,
    disagreements as disagree, label,
};
use super::read::{self, methods, offered};
use super::runs::{add, change, wish, with};
use crate::explore::view::controls::is_shown_first;
use crate::explore::view::row::sign;
use crate::export::exhibit_menu;
use crate::model::{Action, Controls, Rollouts, Shared, number};
use crate::platform::{download, focus};
use crate::text::{self, overview as words};
use crate::view::menu::glossary;
use disagreements::Held;
use gloo::file::Blob;
use std::cell::Cell;
use std::rc::Rc;
use web_sys::js_sys::Array;
use yew::prelude::*;

/// Rows that a table has at first, and how many more a press brings.
const ROWS: usize = 50;

/// What is open in the page.
#[derive(Clone, Properties, PartialEq)]
pub(crate) struct OverviewProps {
    /// What the file or example is called.
    pub(crate) name: String,
    /// What the names of files made of it begin with.
    pub(crate) stem: String,
    /// What it holds.
    pub(crate) rollouts: Shared<Rollouts>,
    /// How advantages are estimated.
    pub(crate) controls: Controls,
    /// Where actions go.
    pub(crate) dispatch: Callback<Action>,
}

/// What happens.
pub(crate) enum Message {
    /// How far reading has come.
    Status(String),
    /// The file is read.
    Read(Box<File>),
    /// Other steps are looked for.
    Filter(Filter),
    /// The head of a column of the table of tasks was pressed.
    Sort(Key),
    /// The head of a column of the table of steps was pressed.
    SortSteps(StepKey),
    /// Other estimators are held against each other.
    Against(Pair),
    /// More tasks are to be drawn, and more steps.
    More([usize; 2]),
    /// The steps that meet the filter are to be saved.
    Save,
    /// Runs, or what is to be seen of them, have changed.
    Changed,
}

/// The overview on the screen.
#[derive(Default)]
pub(crate) struct Overview {
    /// Counts what was shown, so that reading of what is not shown any more ends.
    shown: Rc<Cell<u32>>,
    file: Rc<File>,
    disagreements: Vec<Disagreement>,
    /// The words that tell the states of the file apart, among its texts.
    words: Vec<String>,
    /// The estimators that can be held against each other.
    offered: Vec<&'static str>,
    found: Rc<Found>,
    /// The rows that the tables of tasks and of steps have.
    rows: [usize; 2],
    status: String,
}

impl Component for Overview {
    type Message = Message;
    type Properties = OverviewProps;

    fn create(context: &Context<Self>) -> Self {
        let changed = context.link().callback(|()| Message::Changed);
        with(|session| session.changed = Some(changed));
        let mut overview = Self::default();
        overview.begin(context);
        overview
    }

    fn changed(&mut self, context: &Context<Self>, _: &OverviewProps) -> bool {
        self.begin(context);
        true
    }

    fn update(&mut self, context: &Context<Self>, message: Message) -> bool {
        match message {
            Message::Status(status) => self.status = status,
            Message::Read(read) => {
                self.file = Rc::new(*read);
                self.words = self.file.words();
                with(|session| {
                    let wishes = &mut session.wishes;
                    let is_known = |agent: &String| self.file.agents.find(agent).is_some();
                    wishes.filter.agent = wishes.filter.agent.take().filter(is_known);
                    let keys = Key::all(self.file.methods.len());
                    if wishes.sorting.by.is_some_and(|(key, _)| !keys.contains(&key)) {
                        wishes.sorting = Sorting::default();
                    }
                    let keys = StepKey::all(self.file.methods.len());
                    wishes.steps = wishes.steps.filter(|(key, _)| keys.contains(key));
                });
                self.disagree();
                self.filter();
            }
            Message::Filter(filter) => {
                wish(|wishes| wishes.filter = filter);
                self.filter();
            }
            Message::Sort(key) => wish(|it| it.sorting = it.sorting.pressed(key)),
            Message::SortSteps(key) => {
                wish(|wishes| {
                    let falls = wishes.steps.filter(|(by, _)| *by == key).map(|(_, falls)| falls);
                    let is_name = matches!(key, StepKey::Task | StepKey::Step | StepKey::State);
                    wishes.steps = Some((key, falls.map_or(!is_name, |falls| !falls)));
                });
                self.disagree();
            }
            Message::Against(pair) => {
                wish(|wishes| wishes.pair = pair);
                self.begin(context);
            }
            Message::More(more) => {
                self.rows.iter_mut().zip(more).for_each(|(rows, more)| *rows += more);
            }
            Message::Save => {
                let table = csv(&self.file, &self.found);
                let file = Blob::new_with_options(table.as_str(), Some("text/csv"));
                download::save("comparison.csv", file);
            }
            Message::Changed => {}
        }
        true
    }

    fn view(&self, context: &Context<Self>) -> Html {
        let OverviewProps { name, dispatch, .. } = context.props();
        let save = context.link().callback(|_: MouseEvent| Message::Save);
        let save = html! {
            <button type="button" class="button taken" id="save-table" onclick={save}>{ words::save_table() }</button>
        };
        let files = Callback::from({
            let dispatch = dispatch.clone();
            move |files: Array| add(files, dispatch.clone())
        });
        let (runs, curves) = with(|session| {
            (runs::runs(session, name, &files, dispatch), curves::of_session(session, name))
        });
        let has_runs = with(|session| !session.runs.is_empty());
        let drawn = exhibit_menu("curves", words::runs(), || {
            with(|session| exhibit::curves(&session.runs, &curves::keys(session)))
        });
        html! {
            <>
                <div class="overview-head">
                    <h2 id="overview-title">{ words::heading(name) }</h2>
                    <p id="overview-status" class="hint" role="status">{ &self.status }</p>
                    <p id="overview-counts" class="hint">{ tasks::counts(&self.file.methods) }</p>
                </div>
                { section("runs", words::runs(), "", html! {
                    <>{ runs }<div id="overview-curves">{ curves }</div>if has_runs { { drawn } }</>
                }) }
                { section("tasks", words::tasks(), words::tasks_hint(), self.tasks(context)) }
                { section("spread", words::distributions(), words::distributions_hint(), self.spreads(context)) }
                { section("disagreements", words::disagreements(), words::disagreements_hint(),
                    html! { <>{ save }{ self.disagreements(context) }</> }) }
            </>
        }
    }

    fn destroy(&mut self, _: &Context<Self>) {
        self.shown.set(self.shown.get() + 1);
        with(|session| session.changed = None);
    }
}

impl Overview {
    /// Takes up what is open.
    fn begin(&mut self, context: &Context<Self>) {
        let OverviewProps { name, rollouts, controls, .. } = context.props();
        with(|session| session.turn_to(name));
        self.offered = offered(controls, rollouts);
        let is_offered = |name: &String| self.offered.contains(&&**name);
        let pair = with(|session| {
            let Pair { one, other } = &mut session.wishes.pair;
            (*one, *other) = (one.take().filter(is_offered), other.take().filter(is_offered));
            session.wishes.pair.clone()
        });
        let methods = methods(controls, &pair);
        self.rows = [ROWS; 2];
        self.shown.set(self.shown.get() + 1);
        let (shown, link) = (self.shown.clone(), context.link().clone());
        read::read(rollouts.clone(), methods, shown, link);
    }

    /// Finds where the estimators disagree that are held against each other.
    fn disagree(&mut self) {
        let (pair, by) = with(|session| (session.wishes.pair.clone(), session.wishes.steps));
        let (one, others) = pair.of(&self.file);
        self.disagreements = disagree(&self.file, (one, &others), by);
    }

    /// Finds what meets the filter.
    fn filter(&mut self) {
        self.found = Rc::new(with(|session| session.wishes.filter.apply(&self.file)));
        let (file, found) = (&self.file, &self.found);
        let numbers = [found.tasks.len(), file.tasks.len(), found.count, file.steps.len()];
        let numbers = numbers.map(number::count);
        self.status = words::found(numbers.each_ref().map(String::as_str));
        let names: Vec<&str> = file.methods.iter().map(label).collect();
        if let Some((chosen, others)) = names.split_first().filter(|(_, others)| !others.is_empty())
        {
            let against = words::against(chosen, &others.join(", "));
            self.status = [&self.status, ". ", &against].concat();
        }
    }

    fn tasks(&self, context: &Context<Self>) -> Html {
        let link = context.link();
        let (filter, sorting) =
            with(|session| (session.wishes.filter.clone(), session.wishes.sorting));
        let mut order = self.found.tasks.clone();
        sorting.sort(&self.file, &mut order);
        let sort = link.callback(Message::Sort);
        html! {
            <>
                { tasks::filter(&self.file, &filter, &link.callback(Message::Filter)) }
                <div id="overview-tasks">
                    { tasks::tasks(&self.file, &order[..order.len().min(self.rows[0])], (sorting, &sort), &context.props().dispatch) }
                    { more(order.len() > self.rows[0], "#overview-tasks .scrolled", &link.callback(|()| Message::More([ROWS, 0]))) }
                </div>
                <div id="overview-task-columns">{ glossary("meanings", words::columns_title(), tasks::heads(&self.file)) }</div>
            </>
        }
    }

    fn spreads(&self, context: &Context<Self>) -> Html {
        let each = self.file.methods.iter().zip(&self.file.advantages);
        let each = each.map(|(method, advantages)| {
            let own = advantages.iter().zip(&self.found.steps).filter(|(_, meets)| **meets);
            (label(method), Histogram::of(own.map(|(value, _)| *value)))
        });
        let OverviewProps { stem, controls, .. } = context.props();
        let (name, settings) = (stem.clone(), text::settings(controls, &is_shown_first));
        let (file, found) = (self.file.clone(), self.found.clone());
        let make = move || exhibit::distributions(&name, &settings, &file, &found);
        html! {
            <>
                <div id="overview-spreads" class="spreads">{ for each.map(histograms::histogram) }</div>
                { exhibit_menu("distributions", words::distributions(), make) }
            </>
        }
    }

    fn disagreements(&self, context: &Context<Self>) -> Html {
        let rows = self.rows[1];
        let meets = |one: &&Disagreement| self.found.steps[one.step];
        // One more than are drawn, to know whether there are more.
        let all = self.disagreements.iter().filter(meets).take(rows + 1);
        let all: Vec<Disagreement> = all.copied().collect();
        let shown = &all[..all.len().min(rows)];
        let (link, props) = (context.link(), context.props());
        let press = link.callback(|()| Message::More([0, ROWS]));
        let (pair, by) = with(|session| (session.wishes.pair.clone(), session.wishes.steps));
        let (one, others) = pair.of(&self.file);
        let sorting = (by, &link.callback(Message::SortSteps));
        let held = Held { file: &self.file, words: &self.words, one, others: &others };
        let against = link.callback(Message::Against);
        html! {
            <>
                { disagreements::pair(&self.offered, props.controls.estimator(), &pair, &against) }
                <div id="overview-apart">
                    { disagreements::disagreements(&held, shown, sorting, &props.dispatch) }
                    { more(all.len() > rows, "#overview-apart .scrolled", &press) }
                </div>
                <div id="overview-step-columns">{ glossary("meanings", words::columns_title(), disagreements::heads(&self.file)) }</div>
            </>
        }
    }
}

fn section(name: &'static str, title: &'static str, hint: &'static str, content: Html) -> Html {
    let id = format!("{name}-title");
    html! {
        <section class={format!("of-{name}")} aria-labelledby={id.clone()}>
            <h3 {id}>{ title }</h3>
            if !hint.is_empty() { <p class="hint">{ hint }</p> }
            { content }
        </section>
    }
}

/// The button for more rows, if there are more; once there are none, the focus goes on from the table.
fn more(are_more: bool, table: &'static str, press: &Callback<()>) -> Html {
    if !are_more {
        return Html::default();
    }
    let onclick = press.reform(move |_: MouseEvent| focus::go_on(table));
    html! { <button type="button" class="button more-rows" {onclick}>{ words::more() }</button> }
}

/// An advantage with the colour of its sign.
fn amount(value: f64) -> Html {
    html! { <b class={sign(value)}>{ number::signed(value, 2) }</b> }
}
