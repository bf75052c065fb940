//! The words about how a file was made.

use super::words::{either, words};
use super::{control, options, value};
use crate::model::{Controls, ESTIMATOR, INSIDE, Key, Made};

words! {
    as_recorded: "Estimate as recorded" / "기록대로 추정";
    as_recorded_hint: "Uses the recorded method and options" / "파일에 기록된 방법과 설정을 씁니다";
    edited_since: ". Edited since: not saved with your changes." / ". 편집했으므로 함께 저장되지 않습니다.";
    former_settings: "Settings from before" / "이전 설정으로";
    former_settings_hint: "Takes back the settings that came with the file" / "파일에서 가져온 설정을 되돌립니다";
    said: "Recorded with: " / "기록 조건: ";
    in_use: "Estimated as it was recorded: " / "기록된 설정으로 추정: ";
    all_the_same: "Opened anyway: " / "그래도 열었습니다: ";
}

/// How a file says it was made, and whether the settings that it was recorded with are those `is_in_use`; or why that is
/// not understood; nothing where it says nothing.
pub(crate) fn made(made: &Made, is_edited: bool, is_in_use: bool) -> String {
    let made = match &made.said {
        Ok(made) => made,
        Err(why) => return [all_the_same(), why].concat(),
    };
    let number = |name: &str, number: Option<u64>| Some([name, " ", &number?.to_string()].concat());
    let parts = [
        made.environment.clone(),
        number(either!("seed", "시드"), made.seed),
        number(either!("iteration", "반복"), made.iteration),
        made.options.clone().map(|options| recorded(&Controls::of(options))),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    if parts.is_empty() {
        return String::new();
    }
    let since = if is_edited { edited_since() } else { "" };
    let said = if is_in_use && made.options.is_some() { in_use() } else { said() };
    [said, &parts.join(" \u{b7} "), since].concat()
}

/// The method, its discount, and what is not its default.
fn recorded(controls: &Controls) -> String {
    let usual = controls.set_back();
    settings(controls, &|key| {
        [INSIDE, "discount"].contains(&key) || controls.value(key) != usual.value(key)
    })
}

/// The method with those of its options that are to be told.
pub(crate) fn settings(controls: &Controls, tells: &dyn Fn(Key) -> bool) -> String {
    let (method, told) = (value(ESTIMATOR, controls.estimator()), told(controls, tells));
    if told.is_empty() { method.to_owned() } else { [method, " \u{b7} ", &told].concat() }
}

/// Those of the method's options that are to be told.
pub(crate) fn told(controls: &Controls, tells: &dyn Fn(Key) -> bool) -> String {
    let keys = options().filter(|key| *key != ESTIMATOR && tells(key));
    let told = |key| Some([control(key).label, " ", value(key, &controls.value(key)?)].concat());
    keys.filter_map(told).collect::<Vec<_>>().join(" \u{b7} ")
}

#[cfg(test)]
mod tests {
    use crate::model::{
        Action, Cell, Edit, EditKind, Model, PRESETS, Problem, Refusal, Rollouts, Shared, Source,
        Theme, share, update,
    };
    use crate::text;

    const ATTEMPTS: &str = r#"{"task":"g","trajectory":"x","steps":[{"state":"a","reward":4}]}
{"task":"g","trajectory":"y","steps":[{"state":"a","reward":0}]}"#;

    const FIRST: &str = r#"{"seed":3,"environment":"chores","iteration":120,"note":"mine","discount":0.5,"estimator":{"name":"gigpo","scale":"mean","step_weight":2.0}}"#;

    /// The page with a file of a first line and two attempts.
    fn opened(first: &str) -> Model {
        let model = Model::new(Theme::Auto);
        let text = [first, ATTEMPTS].join("\n");
        let rollouts = Shared::new(Rollouts::read(&text).expect("rollouts"));
        update(&model, Action::Load { name: "trace".to_owned(), rollouts })
    }

    fn after(model: &Model, actions: impl IntoIterator<Item = Action>) -> Model {
        actions.into_iter().fold(model.clone(), |model, action| update(&model, action))
    }

    fn edit(reward: &str) -> Action {
        Action::Edit(Edit(Cell::default(), EditKind::Reward(reward.to_owned())))
    }

    fn notice(model: &Model) -> String {
        let rollouts = &model.document.rollouts;
        let is_in_use = model.document.recorded().is_none();
        let told = |made| text::made(made, rollouts.is_edited, is_in_use);
        rollouts.made.as_deref().map_or_else(String::new, told)
    }

    #[test]
    fn a_recorded_file_opens_with_its_settings_and_undo_leads_to_those_from_before() {
        let before = Model::new(Theme::Auto);
        let model = opened(FIRST);
        assert_eq!(model.problem, None);
        let value = |key| model.document.controls.value(key).unwrap_or_default();
        assert_eq!(
            ["estimator", "scale", "step_weight", "discount", "invalid_penalty"].map(value),
            ["gigpo", "mean", "2", "0.5", "0.1"]
        );
        assert!(model.has_former_settings());
        assert!(notice(&model).starts_with("Estimated as it was recorded: chores"));
        let back = after(&model, [Action::Undo]);
        assert_eq!(back.document.rollouts, model.document.rollouts, "the file stays");
        assert_eq!(back.document.controls, before.document.controls);
        assert!(!back.has_former_settings(), "before that was other work");
        assert_eq!(
            notice(&back),
            "Recorded with: chores \u{b7} seed 3 \u{b7} iteration 120 \u{b7} GiGPO \u{b7} Scale mean only \u{b7} Step weight w 2 \u{b7} Discount \u{3b3} 0.5"
        );
    }

    #[test]
    fn files_recorded_alike_keep_what_was_set_since() {
        let load = || {
            let rollouts =
                Shared::new(Rollouts::read(&[FIRST, ATTEMPTS].join("\n")).expect("read"));
            Action::Load { name: "next".to_owned(), rollouts }
        };
        let set = after(&opened(FIRST), [Action::Set("discount", "0.25".to_owned()), load()]);
        assert_eq!(set.document.controls.value("discount").as_deref(), Some("0.25"));
        let kept = after(&opened(FIRST), [load()]);
        assert_eq!(kept.document.recorded(), None);
        let other = after(&set, [Action::Open(0), load()]);
        assert_eq!(other.document.recorded(), None, "after other work");
    }

    #[test]
    fn settings_are_taken_from_the_file_when_asked_and_that_is_undone() {
        let model = after(&opened(FIRST), [Action::Undo]);
        assert!(model.document.recorded().is_some());
        let taken = after(&model, [Action::Recorded]);
        let controls = &taken.document.controls;
        let value = |key| controls.value(key).unwrap_or_default();
        assert_eq!(
            ["estimator", "scale", "step_weight", "discount", "invalid_penalty"].map(value),
            ["gigpo", "mean", "2", "0.5", "0.1"]
        );
        assert_eq!(taken.document.recorded(), None, "nothing differs any more");
        assert_eq!(after(&taken, [Action::Recorded]), taken, "and nothing is to be undone twice");
        assert_eq!(after(&taken, [Action::Undo]).document, model.document);
        let other = after(&taken, [Action::Set("discount", "1".to_owned())]);
        assert!(other.document.recorded().is_some());
    }

    #[test]
    fn the_line_is_written_again_until_the_trajectories_are_edited() {
        let model = opened(FIRST);
        let first = |model: &Model| {
            model.document.rollouts.written().lines().next().unwrap_or_default().to_owned()
        };
        assert_eq!(first(&model), FIRST);
        let set = after(&model, [Action::Set("discount", "1".to_owned())]);
        assert_eq!(first(&set), FIRST, "how it is looked at changes nothing");
        let edited = after(&model, [edit("7")]);
        assert!(first(&edited).starts_with(r#"{"task":"g","trajectory":"x""#));
        assert!(notice(&edited).ends_with(text::edited_since()));
        let set = after(&edited, [Action::Set("discount", "1".to_owned())]);
        assert!(set.document.recorded().is_some(), "what it says can still be asked for");
        for back in [Action::Undo, Action::Reset] {
            assert_eq!(first(&after(&edited, [back])), FIRST);
        }
    }

    #[test]
    fn links_hold_the_line() {
        let model = opened(FIRST);
        let work = share::decode(&share::encode(&model.work())).expect("what was encoded");
        assert_eq!(work.document.rollouts.written(), model.document.rollouts.written());
        assert!(work.document.rollouts.recorded().is_some());
    }

    #[test]
    fn a_line_that_is_not_understood_is_said_and_stops_nothing() {
        let strange = r#"{"seed":"three","estimator":{"name":"hgpo"}}"#;
        let model = opened(strange);
        assert_eq!(
            (&model.problem, &model.document.source),
            (&None, &Source::File("trace".into()))
        );
        let said = notice(&model);
        assert!(said.contains("line 1") && said.contains("`seed`"), "{said}");
        assert_eq!(model.document.recorded(), None);
        assert!(model.document.rollouts.written().starts_with(strange), "nothing is lost");
    }

    #[test]
    fn a_line_that_says_nothing_is_kept_in_silence() {
        let first = r#"{"iteration":null,"note":"mine"}"#;
        let model = opened(first);
        assert_eq!((notice(&model).as_str(), model.document.recorded()), ("", None));
        assert!(model.document.rollouts.written().starts_with(first));
    }

    #[test]
    fn options_that_the_rollouts_have_no_data_for_are_refused() {
        let first = r#"{"estimator":{"name":"hgpo","similarity":{"metric":"embedding"}}}"#;
        let model = opened(first);
        assert_eq!((&model.problem, model.has_former_settings()), (&None, false));
        let refused = after(&model, [Action::Recorded]);
        assert_eq!(refused.problem, Some(Problem::Edit(Cell::default(), Refusal::Estimator)));
        assert_eq!(refused.document, model.document);
    }

    #[test]
    fn the_examples_say_nothing() {
        assert!(PRESETS.iter().all(|preset| preset.load().0.made.is_none()));
    }
}
