//! The words about how a file was made.

use super::{
    control, options, value,
    words::{either, words},
};
use crate::model::{Controls, ESTIMATOR, INSIDE, Key, Made};

words! {
    as_recorded: "Estimate as recorded" / "기록대로 추정";
    as_recorded_hint: "Uses the recorded method and options" / "파일에 기록된 방법과 설정을 씁니다";
    edited_since: ". Edited since: not saved with your changes." / ". 편집했으므로 함께 저장되지 않습니다.";
    said: "Recorded with: " / "기록 조건: ";
    all_the_same: "Opened anyway: " / "그래도 열었습니다: ";
}

/// How a file says it was made, or why that is not understood; nothing where it says nothing.
pub(crate) fn made(made: &Made, is_edited: bool) -> String {
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
    [said(), &parts.join(" \u{b7} "), since].concat()
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
    let told = told(controls, tells);
    let dot = if told.is_empty() { "" } else { " \u{b7} " };
    [value(ESTIMATOR, controls.estimator()), dot, &told].concat()
}

/// Those of the method's options that are to be told.
pub(crate) fn told(controls: &Controls, tells: &dyn Fn(Key) -> bool) -> String {
    let mut words = String::new();
    for key in options().filter(|key| *key != ESTIMATOR && tells(key)) {
        if let Some(set) = controls.value(key) {
            words.push_str(if words.is_empty() { "" } else { " \u{b7} " });
            words.push_str(control(key).label);
            words.push(' ');
            words.push_str(value(key, &set));
        }
    }
    words
}
