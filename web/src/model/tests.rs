use super::{
    Action, Advantages, Cell, Explained, Field, Kind, Marks, Model, PRESETS, Problem, Source,
    Theme, update,
};
use hgpo_core::Scale;

fn after(model: &Model, actions: impl IntoIterator<Item = Action>) -> Model {
    actions.into_iter().fold(model.clone(), |model, action| update(&model, action))
}

fn load(name: &str, text: &str) -> Action {
    Action::Load { name: name.to_owned(), text: text.to_owned() }
}

const TWO_TASKS: &str = include_str!("../../../scripts/browser/fixtures/two-tasks.rollouts.jsonl");

#[test]
fn the_overview_opens_with_the_groups_of_the_paper() {
    let model = Model::new(Theme::Auto);
    let explained = Explained::new(model.on_stage(), model.selected, &model.controls);
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
fn every_example_opens_with_a_step_of_its_own() {
    for (index, preset) in PRESETS.iter().enumerate() {
        let model = after(&Model::new(Theme::Auto), [Action::Open(index)]);
        let lengths = model.on_stage().lengths();
        assert!(model.selected.step < lengths[model.selected.row], "{}", preset.title);
    }
}

#[test]
fn the_failure_examples_teach_nothing() {
    for index in [2, 3] {
        let model = after(&Model::new(Theme::Auto), [Action::Open(index)]);
        let advantages = Advantages::new(model.on_stage(), &model.controls);
        assert_eq!(advantages.peak.to_bits(), 0.0_f64.to_bits(), "{}", PRESETS[index].title);
    }
    // Whole attempts differ where no step finds company: half of them succeed.
    let model = after(&Model::new(Theme::Auto), [Action::Open(3), Action::Estimator(Kind::Grpo)]);
    assert!(Advantages::new(model.on_stage(), &model.controls).peak > 0.9);
}

#[test]
fn a_file_is_shown_from_its_first_step() {
    let model = after(&Model::new(Theme::Auto), [load("two", TWO_TASKS)]);
    assert_eq!(model.source, Source::File("two".to_owned()));
    assert_eq!((model.rollouts.tasks.len(), model.selected), (2, Cell::default()));
    // R at the gate: 6, 0 and 3 at level 0, 6 and 0 at level 1; centred 3 and 3; (1·3 + 2·3) / 3 = 3.
    let model = after(&model, [Action::Scale(Scale::Mean)]);
    let advantages = Advantages::new(model.on_stage(), &model.controls);
    assert!((advantages.of[0][1] - 3.0).abs() < 1e-12);
    let lonely = after(&model, [Action::Task(1)]);
    assert_eq!(lonely.on_stage().name, "lonely");
}

#[test]
fn a_broken_file_changes_nothing_but_the_problem() {
    let before = after(&Model::new(Theme::Auto), [Action::Select(Cell { row: 1, step: 1 })]);
    let broken = format!("{}\n{{\"task\":", TWO_TASKS.lines().next().unwrap_or_default());
    let model = after(&before, [load("broken", &broken)]);
    let Some(Problem::File { name, message }) = &model.problem else { panic!("no problem said") };
    assert_eq!(name, "broken");
    assert!(message.contains("line 2"), "{message}");
    assert_eq!(Model { problem: None, ..model.clone() }, before);
    // Looking around keeps the words; the next deed takes them away.
    assert!(after(&model, [Action::Focus(Cell::default()), Action::Hover(None)]).problem.is_some());
    assert!(after(&model, [Action::Select(Cell::default())]).problem.is_none());
}

#[test]
fn a_wrong_number_keeps_the_setting() {
    let before = Model::new(Theme::Auto);
    let model = after(&before, [Action::Type(Field::ContextLength, "many".to_owned())]);
    assert_eq!(model.problem, Some(Problem::Field(Field::ContextLength)));
    assert_eq!(model.controls, before.controls);
    let model = after(&model, [Action::Type(Field::ContextLength, "4".to_owned())]);
    assert_eq!((model.problem, model.controls.context_length), (None, 4));
}

#[test]
fn core_admits_the_controls_at_their_limits() {
    let limits = [
        Action::Type(Field::ContextLength, "16".to_owned()),
        Action::Type(Field::Alpha, "10".to_owned()),
    ];
    let model = after(&Model::new(Theme::Auto), limits);
    assert_eq!(model.problem, None);
    assert!(Advantages::new(model.on_stage(), &model.controls).peak.is_finite());
}
