//! What a readable address says of the work: `?preset=loop&method=gigpo&context_length=1&select=t2/1`.
//! Options have the names that they have in files, the estimator is called `method` too.

use super::share::{self, Work};
use super::{
    Controls, Document, ESTIMATOR, Explained, INSIDE, Key, Model, PRESETS, Phase, Source,
    estimators, key_of, kind,
};
use hgpo_core::{Declaration, Kind, Options};

/// The estimator's name in addresses.
const METHOD: &str = "method";

/// The longest part of an address that is said again.
const SAID: usize = 60;

/// A part of an address that is left alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ignored {
    /// The part, as `theme=pink`.
    pub(crate) said: String,
    /// What there is instead; empty where nothing is of use.
    pub(crate) known: String,
}

impl Ignored {
    /// A parameter with its value, and what there is instead.
    pub(crate) fn new(key: &str, value: &str, known: String) -> Self {
        let value: String = value.chars().take(SAID).collect();
        Self { said: [key, "=", &value].concat(), known }
    }
}

/// Takes a value over that has been read; what there is instead where it is none.
pub(super) fn set<T>(place: &mut Option<T>, read: Option<T>, known: &[&str]) -> Option<String> {
    let is_known = read.is_some();
    *place = read.or(place.take());
    (!is_known).then(|| known.join(", "))
}

/// What a readable address says of the work.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Asked {
    /// Values of options by their names, [`ESTIMATOR`] for the method.
    settings: Vec<(Key, String)>,
    /// The task on the stage, by its name.
    task: Option<String>,
    /// The step to choose: `TRAJECTORY/STEP`.
    select: Option<String>,
    /// The level to look at.
    level: Option<usize>,
    /// The part of the arithmetic to show last.
    phase: Option<Phase>,
}

impl Asked {
    /// Takes a parameter over; says what there is where its value is none, and nothing of a parameter
    /// of others.
    pub(super) fn take(&mut self, key: &str, value: String) -> Option<String> {
        match key {
            "task" => self.task = Some(value),
            "select" => self.select = Some(value),
            "level" => {
                return set(&mut self.level, value.parse().ok(), &["0", "1", "2", "\u{2026}"]);
            }
            "phase" => {
                return set(&mut self.phase, Phase::of_name(&value), &Phase::ALL.map(Phase::name));
            }
            METHOD => self.settings.push((ESTIMATOR, value)),
            _ => self.settings.extend(key_of(key).map(|option| (option, value))),
        }
        None
    }

    /// The parameters with their values.
    pub(super) fn pairs(&self) -> Vec<(&'static str, String)> {
        let settings = self.settings.iter().map(|(key, value)| (spelt(key), value.clone()));
        let others = [
            ("task", self.task.clone()),
            ("select", self.select.clone()),
            ("level", self.level.map(|level| level.to_string())),
            ("phase", self.phase.map(|phase| phase.name().to_owned())),
        ];
        settings.chain(others.into_iter().filter_map(|(key, value)| Some((key, value?)))).collect()
    }

    /// The name of the example and what else an address has to say so that it stands for a work; none
    /// where only a link can hold it.
    pub(crate) fn of(work: &Work) -> Option<(String, Self)> {
        let Document { ref rollouts, ref controls, task, selected, .. } = work.document;
        let Source::Preset(index) = work.document.source else { return None };
        let preset = &PRESETS[index];
        let on_stage = &rollouts.tasks[task];
        let opening = if task == 0 { preset.load().1 } else { super::Cell::default() };
        let row = &on_stage.rows()[selected.row];
        let address = [&*row.trajectory, "/", &selected.step.to_string()].concat();
        let asked = Self {
            settings: settings(controls),
            task: (task > 0).then(|| on_stage.name.to_string()),
            select: (selected != opening).then_some(address),
            level: work.level.filter(|level| *level < depths(&work.document)),
            phase: work.phase,
        };
        let is_plain = work.document.told.is_none()
            && share::is_example(&work.document)
            && rollouts.own_numbers().is_none();
        let (set, refused) = asked.set(Controls::default());
        let is_same = refused.is_empty() && set.options == controls.options;
        (is_plain && is_same).then(|| (preset.name.clone(), asked))
    }

    /// Controls set as the address says, and what they do not admit.
    fn set(&self, mut controls: Controls) -> (Controls, Vec<&(Key, String)>) {
        let mut left: Vec<_> = self.settings.iter().collect();
        // The method decides which options there are, and one option may admit another.
        let rank = |key: &Key| [ESTIMATOR, INSIDE].iter().position(|first| first == key);
        left.sort_by_key(|(key, _)| rank(key).unwrap_or(2));
        loop {
            let before = left.len();
            left.retain(|(key, value)| match controls.with(key, value) {
                Some(changed) => {
                    controls = changed;
                    false
                }
                None => true,
            });
            if left.len() == before || left.is_empty() {
                return (controls, left);
            }
        }
    }
}

impl Model {
    /// Shows what a readable address asks for, and says what there is where it cannot be had.
    pub(super) fn ask(&mut self, asked: &Asked) {
        if *asked == Asked::default() {
            return;
        }
        let Self { document, ignored, .. } = self;
        let mut refuse =
            |key: &str, value: &str, known| ignored.push(Ignored::new(key, value, known));
        if let Some(name) = &asked.task {
            let tasks = &document.rollouts.tasks;
            match tasks.iter().position(|task| *task.name == **name) {
                Some(task) => (document.task, document.selected) = (task, super::Cell::default()),
                None => refuse("task", name, listed(tasks.iter().map(|task| &*task.name).take(8))),
            }
        }
        let (controls, mut refused) = asked.set(document.controls.clone());
        if share::check(&document.rollouts, &controls.options).is_ok() {
            document.controls = controls;
        } else {
            refused = asked.settings.iter().collect();
        }
        for (key, value) in refused {
            refuse(spelt(key), value, range(key));
        }
        let task = &document.rollouts.tasks[document.task];
        if let Some(address) = &asked.select {
            if let Some(cell) = task.find(address) {
                document.selected = cell;
            } else {
                let first = [&*task.rows()[0].trajectory, "/0, \u{2026}"].concat();
                refuse("select", address, first);
            }
        }
        let depths = depths(document);
        match asked.level {
            Some(level) if level >= depths => {
                let known: Vec<String> = (0..depths).map(|level| level.to_string()).collect();
                refuse("level", &level.to_string(), known.join(", "));
            }
            level => self.level = level.or(self.level),
        }
        self.focus = self.document.selected;
        self.phase = asked.phase.or(self.phase);
    }
}

/// How many levels the chosen step can be looked at.
fn depths(document: &Document) -> usize {
    let task = &document.rollouts.tasks[document.task];
    Explained::new(task, document.selected, &document.controls).levels.len()
}

/// The settings that are not those to begin with.
fn settings(controls: &Controls) -> Vec<(Key, String)> {
    let (usual, back) = (Controls::default(), controls.set_back());
    let is_set = |key: &Key| {
        let before = match *key {
            ESTIMATOR => usual.value(key),
            INSIDE => None,
            _ => back.value(key),
        };
        controls.value(key) != before
    };
    let declared = Declaration::all().into_iter().chain(Options::of_returns());
    let all = std::iter::once(ESTIMATOR).chain(declared.map(|option| option.name));
    all.filter(is_set).filter_map(|key| Some((key, controls.value(key)?))).collect()
}

/// An option as addresses spell it.
fn spelt(key: Key) -> &'static str {
    if key == ESTIMATOR { METHOD } else { key }
}

/// What an option can be.
fn range(key: Key) -> String {
    match kind(key) {
        Kind::Integer { usual, .. } => ["0, 1, \u{2026}, ", &usual.to_string()].concat(),
        Kind::Number { usual, .. } => ["0 \u{2026} ", &usual.to_string()].concat(),
        Kind::Flag => "true, false".to_owned(),
        Kind::Choice(words) => words.join(", "),
        _ => listed(estimators()),
    }
}

/// Names one after the other.
pub(crate) fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::{Asked, Ignored};
    use crate::model::{
        Action, Cell, Chrome, Controls, ESTIMATOR, Edit, EditKind, Model, PRESETS, Phase, Preset,
        Theme, estimators, share, update,
    };

    fn started(query: &str, link: &str) -> Model {
        let model = Model::new(Theme::Auto);
        model.started(&Chrome::parse(query), link, None)
    }

    fn position(name: &str) -> usize {
        Preset::position(name).expect(name)
    }

    fn ignored(model: &Model) -> Vec<(&str, &str)> {
        model.ignored.iter().map(|one| (one.said.as_str(), one.known.as_str())).collect()
    }

    #[test]
    fn every_option_is_set_by_its_name_in_any_order() {
        let model = started(
            "?context_length=1&discount=0.9&alpha=2&base_group=true&weights=verl&method=hgpo&select=t2/1&phase=groups&level=1&preset=loop&utm_source=x",
            "",
        );
        let value = |key| model.document.controls.value(key);
        assert_eq!(value(ESTIMATOR).as_deref(), Some("hgpo"));
        assert_eq!(value("context_length").as_deref(), Some("1"));
        assert_eq!(
            (value("alpha").as_deref(), value("base_group").as_deref()),
            (Some("2"), Some("true"))
        );
        assert_eq!(
            (model.document.selected, model.focus),
            (Cell { row: 1, step: 1 }, Cell { row: 1, step: 1 })
        );
        assert_eq!((model.level, model.phase), (Some(1), Some(Phase::Groups)));
        assert_eq!(ignored(&model), []);
        assert!(!model.history.has_past());
        let deep = started("?preset=loop&level=99", "");
        assert_eq!((deep.level, ignored(&deep)), (None, vec![("level=99", "0, 1, 2")]));
        assert_eq!(ignored(&started("?method=grpo&level=2", ""))[0].0, "level=2");
        let inside = started("?inside=rloo&method=dr-mas&preset=team", "").document.controls;
        assert_eq!(inside.value("inside").as_deref(), Some("rloo"));
    }

    #[test]
    fn values_that_are_none_are_said_with_what_there_is() {
        let model = started(
            "?method=ppo&context_length=99&alpha=x&select=t9/1&level=-1&phase=all&task=none&theme=pink&hide=panel,foo&step=two&lang=fr",
            "",
        );
        assert_eq!(model.document.controls, Controls::default());
        let (said, known): (Vec<_>, Vec<_>) = ignored(&model).into_iter().unzip();
        let all = [
            "level=-1",
            "phase=all",
            "theme=pink",
            "hide=panel,foo",
            "step=two",
            "lang=fr",
            "task=none",
            "method=ppo",
            "context_length=99",
            "alpha=x",
            "select=t9/1",
        ];
        assert_eq!(said, all);
        assert_eq!(known[1], "returns, groups, levels, weights, sum");
        assert_eq!(known[5], "en, ko");
        assert!(known[7].starts_with("grpo, gigpo, hgpo, "));
        assert_eq!(known[8], "0, 1, \u{2026}, 16");
        assert_eq!(update(&model, Action::Noted).ignored, []);
        let long = Ignored::new("theme", &"x".repeat(1000), String::new());
        assert!(long.said.len() < 100);
    }

    #[test]
    fn parameters_are_on_top_of_a_link_and_of_no_other_work() {
        let loops = update(&started("", ""), Action::Open(position("loop")));
        let link = share::encode(&loops.work());
        let model = started("?discount=0.5", &link);
        assert_eq!(model.document.source, loops.document.source);
        assert_eq!(model.document.controls.value("discount").as_deref(), Some("0.5"));
        let edited =
            update(&loops, Action::Edit(Edit(Cell::default(), EditKind::Reward("7".to_owned()))));
        let kept = share::encode(&edited.work());
        let fresh = Model::new(Theme::Auto);
        let named = fresh.started(&Chrome::parse("?method=grpo"), "", Some(&kept));
        assert!(share::is_example(&named.document), "the same for everyone");
    }

    #[test]
    fn an_example_as_it_is_has_an_address_that_is_read() {
        for (index, preset) in PRESETS.iter().enumerate() {
            for name in estimators() {
                let opened = update(&started("", ""), Action::Open(index));
                let set = |key, text: &str| Action::Set(key, text.to_owned());
                let actions = [
                    set(ESTIMATOR, name),
                    set("inside", "gigpo"),
                    set("discount", "0.5"),
                    set("step_weight", "3"),
                    Action::Phase(Some(Phase::Sum)),
                    Action::Level(Some(0)),
                    Action::Select(Cell { row: 1, step: 0 }),
                ];
                let mut model =
                    actions.into_iter().fold(opened, |model, action| update(&model, action));
                if share::check(&model.document.rollouts, &model.document.controls.options).is_err()
                {
                    continue;
                }
                model.problem = None;
                let (example, asked) = Asked::of(&model.work()).expect("readable");
                assert_eq!(example, preset.name);
                let chrome = Chrome { preset: Some(example), asked, ..Chrome::default() };
                let query = chrome.query();
                assert_eq!(Chrome::parse(&query), chrome, "{query}");
                let read = started(&query, "");
                assert_eq!(ignored(&read), [], "{query}");
                // A level that the step is not looked at is none.
                let work = share::Work { level: chrome.asked.level, ..model.work() };
                assert_eq!(share::encode(&read.work()), share::encode(&work), "{query}");
            }
        }
        let plain = update(&started("", ""), Action::Open(position("loop")));
        let chrome = Asked::of(&plain.work()).map(|(preset, asked)| Chrome {
            preset: Some(preset),
            asked,
            ..Chrome::default()
        });
        assert_eq!(chrome.expect("readable").query(), "?preset=loop");
        let edited =
            update(&plain, Action::Edit(Edit(Cell::default(), EditKind::Reward("7".to_owned()))));
        assert_eq!(Asked::of(&edited.work()), None);
    }
}
