use super::{
    Action, Advantages, Cell, ESTIMATOR, Edit, EditKind, Explained, Marks, Model, PRESETS, Preset,
    Problem, Refusal, Reply, Rollouts, Shared, Shown, Source, Tab, Theme, update,
};
use crate::import::Log;
use hgpo_core::format::{Layout, read_log};

fn opened() -> Model {
    Model::new(Theme::Auto)
}

fn example(name: &str) -> usize {
    Preset::position(name).expect("an example")
}

fn set(key: super::Key, text: &str) -> Action {
    Action::Set(key, text.to_owned())
}

fn after(model: &Model, actions: impl IntoIterator<Item = Action>) -> Model {
    actions.into_iter().fold(model.clone(), |model, action| update(&model, action))
}

fn load(name: &str, text: &str) -> Action {
    Action::Load {
        name: name.to_owned(),
        rollouts: Shared::new(Rollouts::read(text).expect("rollouts")),
    }
}

const TWO_TASKS: &str = include_str!("../../../scripts/browser/fixtures/two-tasks.rollouts.jsonl");

#[test]
fn the_overview_opens_with_the_groups_of_the_paper() {
    let model = opened();
    let explained =
        Explained::new(model.on_stage(), model.document.selected, &model.document.controls);
    assert_eq!(explained.sizes(), [4, 3, 2]);
    let marks = Marks::new(model.on_stage(), &explained.levels);
    let deepest = |row: usize, step: usize| marks.of[row][step];
    assert_eq!(
        [deepest(0, 2), deepest(1, 2), deepest(2, 3), deepest(3, 2)],
        [Some(2), Some(2), Some(1), Some(0)]
    );
    assert_eq!(marks.of.iter().flat_map(|row| row.iter()).flatten().count(), 4);
}

#[test]
fn the_failure_examples_teach_nothing() {
    for index in ["alike", "alone"].map(example) {
        let model = after(&opened(), [Action::Open(index)]);
        let advantages = Advantages::new(model.on_stage(), &model.document.controls);
        assert_eq!(advantages.peak.to_bits(), 0.0_f64.to_bits(), "{}", PRESETS[index].name);
    }
    // Whole attempts differ where no step finds company: half of them succeed.
    let model = after(&opened(), [Action::Open(example("alone")), set(ESTIMATOR, "grpo")]);
    assert!(Advantages::new(model.on_stage(), &model.document.controls).peak > 0.9);
}

#[test]
fn agents_that_no_step_names_are_missed() {
    let team = after(&opened(), [set(ESTIMATOR, "dr-mas")]);
    assert!(team.document.lacks_agents() && !opened().document.lacks_agents());
    let named = TWO_TASKS.replacen("\"reward\"", "\"agent\":\"one\",\"reward\"", 1);
    assert!(!after(&team, [load("named", &named)]).document.lacks_agents());
    assert!(after(&team, [load("two", TWO_TASKS)]).document.lacks_agents());
}

#[test]
fn a_file_is_shown_from_its_first_step() {
    let model = after(&opened(), [load("two", TWO_TASKS)]);
    assert_eq!(model.document.source, Source::File("two".to_owned()));
    assert_eq!(
        (model.document.rollouts.tasks.len(), model.document.selected),
        (2, Cell::default())
    );
    // R at the gate: 6, 0 and 3 at level 0, 6 and 0 at level 1; centred 3 and 3; (1·3 + 2·3) / 3 = 3.
    let model = after(&model, [set("scale", "mean")]);
    let advantages = Advantages::new(model.on_stage(), &model.document.controls);
    assert!((advantages.of[0][1] - 3.0).abs() < 1e-12);
    let lonely = after(&model, [Action::Find(1, Cell::default())]);
    assert_eq!(lonely.on_stage().name, "lonely");
}

#[test]
fn a_broken_file_changes_nothing_but_the_problem() {
    let before = after(&opened(), [Action::Select(Cell { row: 1, step: 1 })]);
    let broken = format!("{}\n{{\"task\":", TWO_TASKS.lines().next().unwrap_or_default());
    let log = Log::new("broken".to_owned(), broken.into_bytes());
    let Err(message) = read_log(&log.bytes, &Layout::default()) else { panic!("it was read") };
    let model = after(&before, [Action::Problem(Some(Problem::File { name: log.name, message }))]);
    let Some(Problem::File { name, message }) = &model.problem else { panic!("no problem said") };
    assert_eq!(name, "broken");
    assert!(message.contains("line 2"), "{message}");
    assert_eq!(Model { problem: None, ..model.clone() }, before);
    // Looking around keeps the words; the next action takes them away.
    assert!(after(&model, [Action::Focus(Cell::default()), Action::Hover(None)]).problem.is_some());
    assert!(after(&model, [Action::Select(Cell::default())]).problem.is_none());
}

#[test]
fn a_wrong_number_keeps_the_setting() {
    let before = opened();
    let model = after(&before, [set("context_length", "many")]);
    assert_eq!(model.problem, Some(Problem::Control("context_length")));
    assert_eq!(model.document.controls, before.document.controls);
    let model = after(&model, [set("context_length", "4")]);
    assert_eq!(
        (model.problem, model.document.controls.value("context_length")),
        (None, Some("4".to_owned()))
    );
}

#[test]
fn core_admits_the_controls_at_their_limits() {
    let limits = [set("context_length", "16"), set("alpha", "10")];
    let model = after(&opened(), limits);
    assert_eq!(model.problem, None);
    assert!(Advantages::new(model.on_stage(), &model.document.controls).peak.is_finite());
}

#[test]
fn changes_are_undone_and_redone_with_their_place() {
    let start = opened();
    let other = Cell { row: 1, step: 1 };
    let edited = after(
        &start,
        [
            Action::Select(other),
            Action::Edit(Edit(other, EditKind::State("s9".to_owned()))),
            set("alpha", "2"),
        ],
    );
    assert_eq!(edited.on_stage().state(other).name, "s9");
    let undone = after(&edited, [Action::Undo]);
    assert_eq!(undone.document.controls, start.document.controls);
    let undone = after(&undone, [Action::Select(Cell::default()), Action::Undo]);
    assert_eq!(undone.on_stage().state(other).name, "s1");
    assert_eq!(undone.document.selected, other, "where the change was made");
    assert!(!undone.history.has_past() && !undone.is_edited());
    let redone = after(&undone, [Action::Redo, Action::Redo]);
    assert_eq!(redone.document, edited.document);
    let reset = after(&edited, [Action::Reset]);
    assert_eq!(reset.document.rollouts, start.document.rollouts);
    assert_eq!(reset.document.controls, edited.document.controls, "the settings stay");
    assert_eq!(after(&reset, [Action::Undo]).document, edited.document);
}

#[test]
fn a_refused_change_changes_nothing_but_the_problem() {
    let start = opened();
    let place = Cell { row: 0, step: 0 };
    let refused = after(&start, [Action::Edit(Edit(place, EditKind::Earlier))]);
    assert_eq!(refused.problem, Some(Problem::Edit(place, Refusal::Edge)));
    assert_eq!(Model { problem: None, ..refused }, start);
}

#[test]
fn an_edit_leaves_the_looks_of_the_other_states_alone() {
    let start = opened();
    let first = Cell { row: 0, step: 0 };
    let number = |model: &Model, row, step| model.on_stage().state(Cell { row, step }).number;
    let before: Vec<usize> = (1..4).map(|step| number(&start, 0, step)).collect();
    let new = after(&start, [Action::Edit(Edit(first, EditKind::State("hall".to_owned())))]);
    assert_eq!((1..4).map(|step| number(&new, 0, step)).collect::<Vec<_>>(), before);
    assert_eq!(number(&new, 1, 0), number(&start, 0, 0), "s0 is still there");
    assert!(!before.contains(&number(&new, 0, 0)));
    // The number of a state that is gone is free for another.
    let gone = after(&new, [Action::Edit(Edit(first, EditKind::State("porch".to_owned())))]);
    assert_eq!(number(&gone, 0, 0), number(&new, 0, 0));
}

#[test]
fn a_lesson_that_speaks_of_a_level_shows_it_in_the_cells() {
    super::lesson::tests::have_lessons();
    let at = |stop| {
        let place = super::Place::find("context", Some(stop)).expect("a stop");
        let asking = update(&opened(), Action::Go(Tab::Learn(Some(place))));
        assert_eq!(asking.shown(), Shown::Withheld, "before it is answered");
        update(&asking, Action::Reply(Reply::Show, String::new()))
    };
    // Stop 4 of "context" looks at level 1 of t3, step 1: 7.29 beside 0, mean 3.645.
    let model = at(4);
    assert_eq!(model.shown(), Shown::Level(1));
    let controls = &model.document.controls;
    let own = Advantages::of_level(model.on_stage(), controls, 1);
    assert!((own.of[2][1] - 3.645).abs() < 1e-12, "{:?}", own.of);
    let whole = Advantages::new(model.on_stage(), controls);
    assert!((own.of[2][1] - whole.of[2][1]).abs() > 0.1);
    assert_eq!(at(1).shown(), Shown::Returns);
    let explored = after(&model, [Action::Keep, Action::Level(Some(1))]);
    assert_eq!(explored.shown(), Shown::Advantages, "any file may be there");
}
