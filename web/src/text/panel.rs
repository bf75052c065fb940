//! The words of the panel: the arithmetic, its parts, and the keys.

use super::control;
use super::words::{Named, either, lines, named, words, words_of};
use crate::model::{Phase, key_of, number};
use hgpo_core::Source;

words! {
    for_invalid: "penalty: invalid answer" / "벌점: 응답 형식이 틀렸습니다";
    only_member: "alone: left out" / "혼자: 제외";
    all_equal: "all equal: left out" / "모두 같음: 제외";
    at_the_mean: "at the mean: left out" / "평균과 같음: 제외";
    alone_is_zero: "alone: nothing to compare with" / "혼자: 비교할 대상이 없습니다";
    equal_is_zero: "all values are equal" / "값이 모두 같습니다";
    mean_is_zero: "the value equals the mean" / "값이 평균과 같습니다";
    keeps_its_value: "alone, so it keeps its value" / "혼자이므로 값을 그대로 둡니다";
    gate: " (gate: " / " (게이트: ";
    gate_is_closed: "the gate is closed" / "게이트가 닫혀 있습니다";
    no_baseline: "nothing is subtracted" / "아무것도 빼지 않습니다";
    no_baseline_yet: "nothing is subtracted yet" / "아직 아무것도 빼지 않습니다";
    without_own: "without its own attempt" / "자기 시도는 제외";
    sample_deviation: "of a sample: over n \u{2212} 1" / "표본: n \u{2212} 1로 나눔";
    population_deviation: "of all: over n" / "전체: n으로 나눔";
    of_other_group: "of other steps than the mean" / "평균과는 다른 단계들의 값";
    counts_as_zero: "alone, so it counts as 0" / "혼자이므로 0으로 봅니다";
    counts_as_one: "of one step alone, so it counts as 1" / "단계가 하나뿐이므로 1로 봅니다";
    deviation_of: "\u{3c3} is of" / "\u{3c3}의 대상";
    of_whole_group: "of the whole group, with its own attempt" / "자기 시도를 포함한 그룹 전체";
    no_spread: "all values are equal" / "값이 모두 같습니다";
    adaptive: "B is how far the data support a level" / "B는 데이터가 그 레벨을 뒷받침하는 정도입니다";
    always_one: "by definition" / "정의";
    over: "the end: nothing comes any more" / "끝: 더 올 보상이 없습니다";
    another_alone: "another level counts alone" / "다른 레벨만 씁니다";
    terms: "The terms of the advantage" / "어드밴티지의 항";
    batch_deviation: "the deviation of the same values" / "같은 값의 표준편차";
    nothing_counts: "no level sets this step apart" / "이 단계를 다른 단계와 구별하는 레벨이 없습니다";
    began_there: "no step that far back" / "그만큼 앞선 단계가 없음";
    left_by_summary: "a different summary of the past" / "과거 요약이 다름";
    symbols_title: "What the symbols mean" / "기호의 뜻";
    estimate_and_truth: "Estimate and truth" / "추정과 참값";
    step_through: "Step through the arithmetic" / "계산을 단계별로 보기";
    back: "Back" / "이전";
    play: "Play" / "재생";
    pause: "Pause" / "일시 정지";
    forward: "Forward" / "다음";
    whole: "All" / "전체";
    help: "Keys" / "단축키";
    help_title: "Keys of this page" / "이 페이지의 단축키";
    close: "Close" / "닫기";
    keys_stage: "In the steps" / "단계에서";
    keys_page: "Anywhere" / "어디서나";
    single_keys: "Keys without Ctrl or Alt do something" / "Ctrl이나 Alt 없이 누르는 단축키 사용";
    defaults: "Defaults" / "기본값";
    defaults_hint: "Resets every option of this method" / "이 방법의 모든 설정을 초기화합니다";
    options_hint: "Point at an option to read what it does and where it comes from." / "설정을 가리키면 설명과 출처가 나옵니다.";
    source_of: "Source" / "출처";
    is_default: "default" / "기본값";
    to_the_goal(steps: usize): "d = {steps}: steps left to the goal from its next state" / "d = {steps}: 다음 상태에서 목표까지 남은 단계";
    out_of_reach(steps: usize): "d = {steps}: goal out of reach: the largest distance plus 1" / "d = {steps}: 목표에 갈 수 없음: 가장 먼 거리 + 1";
    counted_once: "by score; each counts once" / "점수로 비교하며 시도마다 한 번씩 셉니다";
    counted_by_step(values: usize): "by score; each counts once for each of its steps, {values} in all" / "점수로 비교하며 시도마다 단계 수만큼 셉니다(모두 {values}번)";
    by_score(steps: &str): "{steps}, by score" / "{steps}, 점수로";
    by_gain(steps: &str): "{steps}, by gain" / "{steps}, 늘어난 가치로";
    the_goal: "the goal" / "목표";
    failed_end: "the end of a failed attempt" / "실패한 시도의 끝";
    /// What a state is worth as its step says.
    recorded: "as recorded" / "기록된 값";

    /// Why the step has no deeper levels.
    no_such_past(levels: usize, step: usize): "No level {levels} or deeper: step {step} has too short a past." / "단계 {step}의 과거가 짧아 레벨 {levels}부터는 없습니다.";
    /// What the sign of a group does when pressed.
    look_at(level: usize): "Pin level {level}" / "레벨 {level} 고정";
    /// Where the mean of a batch comes from.
    batch_mean(steps: usize): "the mean over all {steps} steps of the task" / "과제의 모든 단계 {steps}개의 평균";
}

/// Keys in the steps, with `|` between those that do the same, and what they do.
pub(crate) fn keys_in_steps() -> impl Iterator<Item = Named> {
    lines! {
        "\u{2190}|\u{2192}|\u{2191}|\u{2193}": "go to the next step or attempt" / "이웃한 단계나 시도로 이동";
        "Home|End": "first or last step" / "처음이나 마지막 단계";
        "PageUp|PageDown": "several attempts up or down" / "여러 시도 위나 아래로";
        "Enter": "explain the step" / "단계 설명 보기";
        "e|F2": "edit the step" / "단계 편집";
        "n": "insert a step after it" / "뒤에 단계 넣기";
        "Delete": "delete the step" / "단계 지우기";
        "Alt + \u{2190} \u{2192} \u{2191} \u{2193}": "move the step or the attempt" / "단계나 시도 옮기기";
        "d": "duplicate the attempt" / "시도 복제";
        "s": "split the attempt before the step" / "단계 앞에서 시도 나누기";
        "m": "merge the attempt with the next" / "다음 시도와 합치기";
    }
}

/// Keys anywhere on the page, in the same way.
pub(crate) fn keys_anywhere() -> impl Iterator<Item = Named> {
    lines! {
        "Ctrl + Z": "undo" / "되돌리기";
        "Ctrl + Shift + Z": "redo" / "다시 하기";
        "[|]": "back and forward through the arithmetic" / "계산의 이전이나 다음 부분";
        "p": "play or pause" / "재생 또는 일시 정지";
        "\u{2190}|\u{2192}": "within a sum: the next value" / "합 안에서: 옆의 값";
        "?": "these keys" / "이 단축키 목록";
        "A": "in a lecture: show or hide the answer" / "강의에서: 정답 보이기, 숨기기";
        "Esc": "close, or cancel typing" / "닫기, 또는 입력 취소";
    }
}

/// A control's name with the key that does the same.
pub(crate) fn with_key(name: &str, key: &str) -> String {
    format!("{name} ({key})")
}

/// The default of an option.
pub(crate) fn default_value(value: &str) -> String {
    format!("{}: {value}", is_default())
}

/// A weight that is what an option says, by the option's name.
pub(crate) fn weight_of_option(name: &str) -> String {
    let label = key_of(name).map_or(name, |key| control(key).label);
    [label, either!(", an option", ", 설정")].concat()
}

/// How far a step brings the goal.
pub(crate) fn distance(steps: usize, reaches: bool) -> String {
    if reaches { to_the_goal(steps) } else { out_of_reach(steps) }
}

/// What the end of an attempt is worth.
pub(crate) fn end(success: bool) -> &'static str {
    if success { the_goal() } else { failed_end() }
}

/// How often the attempts count that are compared by score.
pub(crate) fn counted(attempts: usize, values: usize) -> String {
    if attempts == values { counted_once().to_owned() } else { counted_by_step(values) }
}

/// Who a step is compared with in a term, and by what.
pub(crate) fn compared(source: &Source, size: usize) -> String {
    let steps = super::steps(size);
    match source {
        Source::Score { .. } => by_score(&steps),
        Source::Difference(_) | Source::Differences { .. } => by_gain(&steps),
        _ => steps,
    }
}

/// That steps are left out of the group of a level, before the reason.
pub(crate) fn left_out(level: usize) -> String {
    let level = number::subscript(level);
    either!(format!("Left out of G{level}: "), format!("G{level}에서 빠진 이유: "))
}

/// What keeps steps out of the groups further in: where they came from.
pub(crate) fn came_from(steps: usize) -> String {
    match steps {
        1 => either!("came from", "바로 앞 상태가").to_owned(),
        _ => either!(format!("{steps} steps earlier in"), format!("{steps}단계 전 상태가")),
    }
}

words_of! {
    both_of(Phase) {
        Returns: "Returns|What the step is worth" / "리턴|단계의 값";
        Groups: "Groups|What it is compared with" / "그룹|비교 대상";
        Levels: "Levels|How it does in each group" / "레벨|그룹별 성적";
        Weights: "Weights|How much each group counts" / "가중치|그룹별 비중";
        Sum: "Sum|The advantage" / "합|어드밴티지";
    }
}

/// The name of a part of the arithmetic, and its heading.
pub(crate) fn phase(phase: Phase) -> Named {
    named(both_of(phase))
}

/// The symbols, several of one meaning side by side, with what they mean. A line each, as that takes
/// least room in the program.
pub(crate) fn symbols() -> impl Iterator<Item = Named> {
    lines! {
        "t": "step, counted from 0" / "단계, 0부터 셈";
        "r": "reward" / "보상";
        "R": "return: the rewards from this step on, later ones discounted" / "리턴: 이 단계부터의 보상 합, 나중 것은 할인";
        "S": "score: the sum of the attempt's rewards" / "점수: 시도의 보상 합";
        "\u{3b3}": "discount: what a reward one step later is worth now" / "할인율: 한 단계 뒤의 보상이 지금 갖는 값";
        "V": "what a state is worth" / "상태의 가치";
        "x": "what the step leads to is worth" / "단계가 이르는 곳의 가치";
        "Q": "what the action is worth in the state" / "그 상태에서 행동의 가치";
        "\u{3b4}, y, z": "gain in what states are worth" / "상태 가치의 증가분";
        "d": "steps left to the goal" / "목표까지 남은 단계";
        "g": "as an index: of the goal" / "첨자로는 목표";
        "E, \u{394}, E\u{394}": "whole attempts (E), gains (\u{394})" / "시도 전체(E), 증가분(\u{394})";
        "G": "group: steps with the same state and k equal states before" / "그룹: 상태와 앞선 상태 k개가 같은 단계";
        "k, l": "level of a group" / "그룹의 레벨";
        "\u{3bc}": "mean of the group" / "그룹의 평균";
        "\u{3c3}": "standard deviation of the group" / "그룹의 표준편차";
        "A": "advantage: how much better than the group" / "어드밴티지: 그룹보다 얼마나 나은지";
        "w": "weight of the level in the sum" / "합에서 레벨의 가중치";
        "\u{3b1}": "how much more longer histories count" / "더 긴 과거를 더 중요하게 보는 정도";
        "B": "how far the data support a level; as an index, the batch" / "데이터가 레벨을 뒷받침하는 정도. 첨자로는 배치";
        "10\u{207b}\u{2076}": "keeps the divisor from being 0" / "0으로 나누지 않게 하는 수";
    }
}

/// What a symbol means.
pub(crate) fn meaning(symbol: &str) -> &'static str {
    let is_of = |known: &str| known.split(", ").any(|one| one == symbol);
    symbols().find(|(known, _)| is_of(known)).map_or("", |(_, meaning)| meaning)
}

/// What the small number under a fraction is for.
pub(crate) fn epsilon_meaning() -> &'static str {
    symbols().last().map_or("", |(_, meaning)| meaning)
}

#[cfg(test)]
mod symbol_tests {
    use super::{epsilon_meaning, meaning, symbols};
    use crate::text::{Language, speak};

    #[test]
    fn every_symbol_has_a_meaning_in_both_languages() {
        let listed = |language| {
            speak(language);
            let known: Vec<&str> = symbols().map(|(symbol, _)| symbol).collect();
            assert!(
                known
                    .iter()
                    .flat_map(|symbol| symbol.split(", "))
                    .all(|one| !meaning(one).is_empty())
            );
            known
        };
        assert_eq!(listed(Language::Korean), listed(Language::English));
        speak(Language::default());
        assert_eq!(meaning("R"), "return: the rewards from this step on, later ones discounted");
        assert_eq!((meaning("z"), meaning("\u{394}")), (meaning("y"), meaning("E")));
        assert_eq!((meaning("?"), epsilon_meaning()), ("", "keeps the divisor from being 0"));
    }
}
