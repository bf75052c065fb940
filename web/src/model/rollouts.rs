//! A rollouts file, task by task, with a name and a number for every state.

use super::agents::{Agent, agents};
use super::elision::elided;
use super::{Cell, Edit, Refusal, Shared};
use hgpo_core::format::{self, Provenance};
use hgpo_core::{Batch, Error, Options, Step, Trajectory};
use std::collections::{BTreeSet, HashMap, HashSet};
use yew::AttrValue;

/// A rollouts file, read.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rollouts {
    /// The tasks, in the order of the file; never none.
    pub(crate) tasks: Vec<Shared<Task>>,
    /// How they were made, where the file says so.
    pub(crate) made: Option<Shared<Made>>,
    /// Whether trajectories are not those of the file any more.
    pub(crate) is_edited: bool,
    /// What is to be told about the file that they were read from.
    pub(crate) noticed: String,
}

/// The first line of a file, where it is no trajectory.
#[derive(Debug)]
pub(crate) struct Made {
    /// The line as it was read, also with fields that mean nothing here.
    line: String,
    /// What it says, or why it is not understood.
    pub(crate) said: Result<Provenance, String>,
}

impl Made {
    /// What a file's first line says.
    fn new(line: &str) -> Self {
        let said = Provenance::from_line(line).map_err(|error| error.to_string());
        Self { line: line.to_owned(), said }
    }
}

/// The trajectories from one initial state. Rows of the stage are its trajectories.
#[derive(Debug)]
pub(crate) struct Task {
    /// The task's name.
    pub(crate) name: AttrValue,
    /// Its trajectories: what core computes with, as tasks do not influence each other.
    pub(crate) batch: Batch,
    /// Its distinct states by number: in order of appearance, and after them what edits brought.
    pub(crate) states: Vec<State>,
    /// Who acts, in order of appearance.
    pub(crate) agents: Vec<Agent>,
    /// Position in `states` of the state of every step, row by row.
    state_of: Vec<Vec<usize>>,
}

/// A state: the text that grouping compares.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct State {
    /// Its own number among the task's states, which edits leave alone.
    pub(crate) number: usize,
    /// A name of a few letters: the text itself where it is that short.
    pub(crate) name: AttrValue,
    /// The text.
    pub(crate) text: AttrValue,
    /// The words that tell it from the task's other states; none where the name says it all.
    pub(crate) words: AttrValue,
}

/// The longest text that is its own name.
const SHORT: usize = 8;

impl Rollouts {
    /// Reads rollouts as they are [written](Rollouts::written), or says what is wrong with them.
    pub(crate) fn read(text: &str) -> Result<Self, Error> {
        let (made, trajectories) = format::read_written(text)?;
        Self::new(made, trajectories)
    }

    /// Trajectories, task by task, after a line that says how they were made.
    ///
    /// # Errors
    /// What [`Batch::new`] refuses.
    pub(crate) fn new(made: Option<&str>, all: Vec<Trajectory>) -> Result<Self, Error> {
        let tasks = Self::by_task(all).into_iter().map(Task::read);
        Ok(Self::of(made, tasks.collect::<Result<_, _>>()?))
    }

    /// Tasks, after a line that says how they were made.
    pub(crate) fn of(made: Option<&str>, tasks: Vec<Task>) -> Self {
        let made = made.map(|line| Shared::new(Made::new(line)));
        Self { tasks: tasks.into_iter().map(Shared::new).collect(), made, ..Self::default() }
    }

    /// The trajectories of each task, in the order of the first.
    pub(crate) fn by_task(all: Vec<Trajectory>) -> Vec<Vec<Trajectory>> {
        let mut place_of: HashMap<&str, usize> = HashMap::new();
        let mut places = Vec::new();
        for trajectory in &all {
            let next = place_of.len();
            places.push(*place_of.entry(&trajectory.task).or_insert(next));
        }
        let mut trajectories = vec![Vec::new(); place_of.len()];
        for (trajectory, place) in all.into_iter().zip(places) {
            trajectories[place].push(trajectory);
        }
        trajectories
    }

    /// How much text they are, about.
    pub(crate) fn text_size(&self) -> usize {
        let length = |text: Option<&String>| text.map_or(0, String::len);
        let steps = self.all().flat_map(|own| &own.steps);
        let texts = |step: &Step| {
            let Step { action, context, observation, prompt, response, .. } = step;
            let all = [action, context, observation, prompt, response];
            all.map(|text| length(text.as_ref())).iter().sum::<usize>()
        };
        // A step has about so many letters around its texts.
        steps.map(|step| 48 + step.state.len() + texts(step)).sum()
    }

    /// The rollouts with a task changed, and the step that is chosen then.
    ///
    /// # Errors
    /// Why the change cannot be made.
    pub(crate) fn edited(&self, task: usize, edit: &Edit) -> Result<(Self, Cell), Refusal> {
        let before = &self.tasks[task];
        let mut rows = before.rows().to_vec();
        let selected = edit.apply(&mut rows)?;
        let after = Task::new(rows, &before.states).expect("edits keep a batch valid");
        Ok((self.with(task, Shared::new(after)), selected))
    }

    /// The rollouts with another task in the place of one.
    pub(crate) fn with(&self, place: usize, task: Shared<Task>) -> Self {
        let mut changed = Self { is_edited: true, ..self.clone() };
        changed.tasks[place] = task;
        changed
    }

    /// The numbers of the states of every task, in order of appearance; none where they are those
    /// that a file as it is read has.
    pub(crate) fn own_numbers(&self) -> Option<Vec<Vec<usize>>> {
        let numbers: Vec<Vec<usize>> =
            self.tasks.iter().map(|task| task.numbers_by_time()).collect();
        let as_read = |own: &Vec<usize>| own.iter().copied().eq(0..own.len());
        (!numbers.iter().all(as_read)).then_some(numbers)
    }

    /// The rollouts as read, with states numbered as [`Rollouts::own_numbers`] tells; a task whose
    /// numbers do not fit stays as it is.
    pub(crate) fn with_numbers(mut self, numbers: &[Vec<usize>]) -> Self {
        for (task, own) in self.tasks.iter_mut().zip(numbers) {
            let mut distinct = own.clone();
            distinct.sort_unstable();
            distinct.dedup();
            if distinct.len() == task.states.len() {
                let numbered = |(number, state): (&usize, &State)| {
                    State::new(*number, &state.text, String::new())
                };
                let known: Vec<State> = own.iter().zip(&task.states).map(numbered).collect();
                *task = Shared::new(Task::new(task.rows().to_vec(), &known).expect("it was read"));
            }
        }
        self
    }

    /// How the file says that its advantages were estimated.
    pub(crate) fn recorded(&self) -> Option<&Options> {
        self.made.as_ref()?.said.as_ref().ok()?.options.as_ref()
    }

    /// All trajectories, task by task.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Trajectory> {
        self.tasks.iter().flat_map(|task| task.rows())
    }

    /// The rollouts as a file, which says how they were made as long as they are as they were read.
    pub(crate) fn written(&self) -> String {
        let made = self.made.iter().filter(|_| !self.is_edited);
        let first = made.map(|made| made.line.clone() + "\n");
        first.chain(self.tasks.iter().map(|task| task.written())).collect()
    }

    /// The number of trajectories.
    pub(crate) fn trajectories(&self) -> usize {
        self.tasks.iter().map(|task| task.rows().len()).sum()
    }

    /// The number of steps.
    pub(crate) fn steps(&self) -> usize {
        self.tasks.iter().map(|task| task.batch.step_count()).sum()
    }
}

impl Task {
    /// A task as it is read.
    ///
    /// # Errors
    /// What [`Batch::new`] refuses.
    pub(crate) fn read(trajectories: Vec<Trajectory>) -> Result<Self, Error> {
        Self::new(trajectories, &[])
    }

    /// A task. States that were known `before` keep their numbers, and with them their looks.
    fn new(trajectories: Vec<Trajectory>, before: &[State]) -> Result<Self, Error> {
        let texts = states_by_time(&trajectories);
        let words = elided(&texts);
        let mut numbers: Vec<_> = numbers(&texts, before).into_iter().zip(words).collect();
        numbers.sort_by_key(|((_, number), _)| *number);
        let place: HashMap<&str, usize> =
            numbers.iter().enumerate().map(|(place, ((text, _), _))| (*text, place)).collect();
        let place_of = |step: &Step| place[step.state.as_str()];
        let state_of =
            trajectories.iter().map(|own| own.steps.iter().map(place_of).collect()).collect();
        let states = numbers.into_iter();
        let states = states.map(|((text, number), words)| State::new(number, text, words));
        let states = states.collect();
        let name = trajectories.first().map(|first| first.task.clone()).unwrap_or_default().into();
        let agents = agents(&trajectories);
        Ok(Self { name, states, agents, state_of, batch: Batch::new(trajectories)? })
    }

    /// Its trajectories as JSON Lines.
    pub(crate) fn written(&self) -> String {
        let mut text = Vec::new();
        format::write_jsonl(&mut text, self.rows()).expect("memory takes what was read");
        String::from_utf8(text).unwrap_or_default()
    }

    /// The step of an address `TRAJECTORY/STEP`.
    pub(crate) fn find(&self, address: &str) -> Option<Cell> {
        let (name, step) = address.rsplit_once('/')?;
        let row = self.rows().iter().position(|row| row.trajectory == name)?;
        let step = step.parse().ok().filter(|step| *step < self.rows()[row].steps.len())?;
        Some(Cell { row, step })
    }

    /// The step of the task that is nearest to a place.
    pub(crate) fn nearest(&self, Cell { row, step }: Cell) -> Cell {
        let row = row.min(self.rows().len() - 1);
        Cell { row, step: step.min(self.rows()[row].steps.len() - 1) }
    }

    /// The trajectories, one a row.
    pub(crate) fn rows(&self) -> &[Trajectory] {
        self.batch.trajectories()
    }

    /// The number of steps of every row.
    pub(crate) fn lengths(&self) -> Vec<usize> {
        self.rows().iter().map(|row| row.steps.len()).collect()
    }

    /// A step.
    pub(crate) fn step(&self, cell: Cell) -> &Step {
        &self.rows()[cell.row].steps[cell.step]
    }

    /// The state of a step.
    pub(crate) fn state(&self, cell: Cell) -> &State {
        &self.states[self.position(cell)]
    }

    /// The position of a step's state among the states.
    pub(crate) fn position(&self, cell: Cell) -> usize {
        self.state_of[cell.row][cell.step]
    }

    /// The numbers of the states in order of appearance.
    fn numbers_by_time(&self) -> Vec<usize> {
        let known = number_of(&self.states);
        states_by_time(self.rows()).into_iter().map(|text| known[text]).collect()
    }

    /// Whether every state is told by its name alone.
    pub(crate) fn is_brief(&self) -> bool {
        self.states.iter().all(|state| state.words.is_empty())
    }
}

/// The number of every state: the one it had, or the least that is free.
fn numbers<'a>(texts: &[&'a str], before: &[State]) -> Vec<(&'a str, usize)> {
    let known = number_of(before);
    let taken: BTreeSet<usize> = texts.iter().filter_map(|text| known.get(text)).copied().collect();
    let mut free = (0..).filter(|number| !taken.contains(number));
    let mut number = |text: &&str| known.get(text).copied().or_else(|| free.next());
    texts.iter().map(|text| (*text, number(text).unwrap_or_default())).collect()
}

/// The numbers of states by their texts.
fn number_of(states: &[State]) -> HashMap<&str, usize> {
    states.iter().map(|state| (&*state.text, state.number)).collect()
}

/// The distinct states as they appear, time by time: the shared initial state comes first.
fn states_by_time(trajectories: &[Trajectory]) -> Vec<&str> {
    let longest = trajectories.iter().map(|own| own.steps.len()).max().unwrap_or(0);
    let at = |time| trajectories.iter().filter_map(move |own| own.steps.get(time));
    let mut seen = HashSet::new();
    let texts = (0..longest).flat_map(at).map(|step| step.state.as_str());
    texts.filter(|text| seen.insert(*text)).collect()
}

impl State {
    fn new(number: usize, text: &str, words: String) -> Self {
        let short = !text.is_empty() && text.chars().count() <= SHORT;
        let name = if short { text.to_owned() } else { letters(number) };
        let words = if short { String::new() } else { words };
        Self { number, name: name.into(), text: text.to_owned().into(), words: words.into() }
    }

    /// The text, unless the name says it all.
    pub(crate) fn long_text(&self) -> AttrValue {
        if self.words.is_empty() { AttrValue::default() } else { self.text.clone() }
    }
}

/// A, B, …, Z, AA, AB, …
fn letters(mut number: usize) -> String {
    let mut name = Vec::new();
    loop {
        name.push(char::from(b'A' + (number % 26) as u8));
        match (number / 26).checked_sub(1) {
            Some(rest) => number = rest,
            None => break,
        }
    }
    name.iter().rev().collect()
}

#[cfg(test)]
mod tests {
    use super::letters;

    #[test]
    fn states_are_named_like_columns_of_a_sheet() {
        assert_eq!([0, 25, 26, 27, 701, 702].map(letters), ["A", "Z", "AA", "AB", "ZZ", "AAA"]);
    }
}
