//! Words of the comparison of estimators.

use super::words::{words, words_of};
use crate::compare::{Bar, Detail, Silence};

words! {
    compare: "Compare estimators" / "추정기 비교";
    /// The same in two parts, of which a tab shows the first.
    compare_tab: "Compare| estimators" / "추정기 비교|";
    attempts: "Attempts" / "시도";
    compare_hint: "The same steps under several estimators: the chosen one as it is set, the others with its scale, discount and penalty, and their own defaults otherwise" / "같은 단계를 여러 추정기로 나란히 봅니다. 나머지 추정기는 척도, 할인율, 벌점만 선택한 추정기와 같고 그 밖에는 기본값으로 계산합니다";
    shown: "Shown" / "표시할 추정기";
    chosen_one: " (chosen)" / " (선택됨)";
    one_scale: "One colour scale for all" / "모두 같은 색 척도";
    maps: "Advantages at a glance" / "한눈에 보는 어드밴티지";
    more_rows: "Show more steps" / "단계 더 보기";
    disagreement: "Where they disagree most" / "차이가 가장 큰 단계";
    signal: "Group sizes and steps without signal" / "그룹 크기와 신호 없는 단계";
    signal_meaning: "A step without signal has advantage 0 and teaches nothing: it is alone in its groups, or all returns in them are equal." / "신호 없는 단계는 어드밴티지가 0이라 학습에 기여하지 않습니다. 그룹에 혼자 있거나, 그룹의 리턴이 모두 같기 때문입니다.";
    alone: "Alone" / "혼자";
    all_equal_share: "All equal" / "모두 같음";
    split: "Split" / "나뉜 그룹";
    explained: "Explained (by chance)" / "설명 비율 (우연)";
    split_meaning: "Split: of the groups of equal states, the share whose steps have different pasts at that level. Explained: how much of the spread of their returns lies between these pasts, and how much would by chance alone. Well above chance, the past matters." / "나뉜 그룹은 같은 상태의 그룹 가운데 그 레벨에서 과거가 서로 다른 그룹의 비율입니다. 설명 비율은 그 그룹들의 리턴이 흩어진 정도 가운데 과거 사이의 차이가 차지하는 몫이며, 괄호 안은 우연만으로 생길 몫입니다. 우연보다 훨씬 크면 과거가 중요합니다.";
    group: "Group" / "그룹";
    size: "Size" / "크기";
    size_of_group: "Size of the group" / "그룹 크기";
    sizes_hint: "Number of steps by the size of their group" / "그룹 크기별 단계 수";
    /// What a screen reader says of a heat map.
    heat_map(name: &str, rows: usize, columns: usize): "{name}: heat map of {rows} attempts by {columns} steps. Arrow keys move, Enter chooses." / "{name}: 시도 {rows}개와 단계 {columns}개의 히트맵. 화살표 키로 이동하고 Enter로 선택합니다.";
    /// How often an attempt counts under some estimators; and what the page calls the option, and its value, that lets
    /// it count once.
    counted_by_steps(names: &str, [label, once]: [&str; 2]): "{names}: mean and \u{3c3} count each attempt once for each of its steps; with \u{201c}{label}: {once}\u{201d}, as in the first lesson, just once." / "{names}: 평균과 \u{3c3}에서 시도마다 단계 수만큼 셉니다. 첫 단원처럼 \u{2018}{label}: {once}\u{2019}로 두면 한 번만 셉니다.";
    /// What stands in brackets beside an advantage.
    in_brackets(chosen: &str): "In brackets: the difference from {chosen}." / "괄호 안: {chosen}와의 차이.";
    without_signal(share: &str): "{share} without signal" / "신호 없음 {share}";
    all_have_signal(name: &str): "With {name}, every step has a signal." / "{name}에서는 모든 단계에 신호가 있습니다.";
    silent_alone(name: &str, share: &str): "With {name}, {share} of the steps teach nothing, most because no other step has the same state." / "{name}에서는 단계의 {share}가 학습에 기여하지 않습니다. 대부분 같은 상태의 다른 단계가 없기 때문입니다.";
    silent_alike(name: &str, share: &str): "With {name}, {share} of the steps teach nothing, most because all they are compared with did equally well." / "{name}에서는 단계의 {share}가 학습에 기여하지 않습니다. 대부분 비교 대상의 리턴이 모두 같기 때문입니다.";
}

words_of! {
    /// What the marks in a heat map mean.
    marks(Detail) {
        Number: "Rows are attempts, columns steps; the deeper the colour, the larger the advantage." / "행은 시도, 열은 단계입니다. 색이 짙을수록 어드밴티지가 큽니다.";
        Sign: "Rows are attempts, columns steps; + above zero, \u{2212} below, no sign at zero." / "행은 시도, 열은 단계입니다. +는 0보다 큼, \u{2212}는 작음, 표시가 없으면 0입니다.";
        Dash: "Rows are attempts, columns steps; a dash means below zero." / "행은 시도, 열은 단계입니다. 줄이 그어진 칸은 0보다 작습니다.";
    }
}

/// A share of steps, in percent.
pub(crate) fn percent(share: f64) -> String {
    format!("{:.1}\u{a0}%", 100.0 * share)
}

/// How much the past explains, and how much it would by chance; a dash if there is nothing to explain.
pub(crate) fn past_explains(explained: Option<f64>, by_chance: Option<f64>) -> String {
    match (explained, by_chance) {
        (Some(explained), Some(by_chance)) => {
            format!("{} ({})", percent(explained), percent(by_chance))
        }
        _ => "\u{2013}".to_owned(),
    }
}

/// Why the steps without signal have none, under the chosen estimator.
pub(crate) fn why_silent(name: &str, share: f64, why: Silence) -> String {
    match why {
        Silence::None => all_have_signal(name),
        Silence::Alone => silent_alone(name, &percent(share)),
        Silence::Alike => silent_alike(name, &percent(share)),
    }
}

/// The sizes that a bar stands for.
pub(crate) fn sizes(bar: Bar) -> String {
    if bar.from == bar.to {
        bar.from.to_string()
    } else {
        format!("{}\u{2013}{}", bar.from, bar.to)
    }
}
