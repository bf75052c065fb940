//! The words of the comparison and of what is taken away.

use super::words::{either, words};
use crate::model::comparison::{Bar, Detail, Silence};

words! {
    attempts: "Attempts" / "시도";
    compare: "Compare estimators" / "추정기 비교";
    compare_hint: "The same steps under several estimators: the chosen one as it is set, the others with its scale, discount and penalty, and their own defaults otherwise" / "같은 단계를 여러 추정기로 나란히 봅니다. 나머지 추정기는 척도, 할인율, 벌점만 선택한 추정기와 같고 그 밖에는 기본값으로 계산합니다";
    shown: "Shown" / "표시할 추정기";
    chosen_one: " (chosen)" / " (선택됨)";
    one_scale: "One colour scale for all" / "모두 같은 색 척도";
    maps: "Advantages at a glance" / "한눈에 보는 어드밴티지";
    step: "Step" / "단계";
    more_rows: "Show more steps" / "단계 더 보기";
    disagreement: "Where they disagree most" / "차이가 가장 큰 단계";
    signal: "Group sizes and steps without signal" / "그룹 크기와 신호 없는 단계";
    signal_meaning: "A step without signal has advantage 0 and teaches nothing: it is alone in its groups, or all returns in them are equal." / "신호 없는 단계는 어드밴티지가 0이라 학습에 기여하지 않습니다. 그룹에 혼자 있거나, 그룹의 리턴이 모두 같기 때문입니다.";
    alone: "Alone" / "혼자";
    all_equal_share: "All equal" / "모두 같음";
    group: "Group" / "그룹";
    sizes_hint: "Number of steps by the size of their group" / "그룹 크기별 단계 수";
    export: "Export" / "내보내기";
    export_rollouts: "Rollouts (JSON Lines)" / "롤아웃 (JSON Lines)";
    export_advantages: "Advantages (JSON Lines)" / "어드밴티지 (JSON Lines)";
    export_table: "Steps with advantages (CSV)" / "어드밴티지를 포함한 단계 표 (CSV)";
    export_svg: "Figure (SVG)" / "그림 (SVG)";
    export_png: "Figure (PNG)" / "그림 (PNG)";
    copy_rollouts: "Copy the rollouts" / "롤아웃 복사";
    copied: "Copied" / "복사했습니다";
    not_copied: "The browser does not allow copying: save the rollouts as a file instead" / "브라우저가 복사를 허용하지 않습니다. 파일로 저장하세요";
    not_drawn: "The browser could not draw the picture: save the SVG instead" / "브라우저가 그림을 그리지 못했습니다. SVG로 저장하세요";
    whole_batch: "The files contain advantages whitened over all tasks, as hgpo advantages does; the page whitens each task separately." / "파일의 어드밴티지는 hgpo advantages처럼 모든 과제를 함께 백색화한 값입니다. 화면은 과제마다 따로 백색화합니다.";
    pasted: "pasted text" / "붙여넣은 텍스트";
}

/// What a screen reader says of a heat map.
pub(crate) fn heat_map(name: &str, rows: usize, columns: usize) -> String {
    either!(
        format!(
            "{name}: heat map of {rows} attempts by {columns} steps. Arrow keys move, Enter chooses."
        ),
        format!(
            "{name}: 시도 {rows}개와 단계 {columns}개의 히트맵. 화살표 키로 이동하고 Enter로 선택합니다."
        ),
    )
}

/// What the marks in a heat map mean.
pub(crate) fn marks(detail: Detail) -> &'static str {
    match detail {
        Detail::Number => either!(
            "Rows are attempts, columns steps; the deeper the colour, the larger the advantage.",
            "행은 시도, 열은 단계입니다. 색이 짙을수록 어드밴티지가 큽니다.",
        ),
        Detail::Sign => either!(
            "Rows are attempts, columns steps; + above zero, \u{2212} below, no sign at zero.",
            "행은 시도, 열은 단계입니다. +는 0보다 큼, \u{2212}는 작음, 표시가 없으면 0입니다.",
        ),
        Detail::Dash => either!(
            "Rows are attempts, columns steps; a dash means below zero.",
            "행은 시도, 열은 단계입니다. 줄이 그어진 칸은 0보다 작습니다.",
        ),
    }
}

/// How often an attempt counts under some estimators, if there are any.
pub(crate) fn counted(names: &[&str]) -> String {
    let names = names.join(", ");
    let [label, once] = [
        super::control("episode_statistics").label,
        super::value("episode_statistics", "trajectories"),
    ];
    match names.as_str() {
        "" => names,
        _ => either!(
            format!(
                "{names}: mean and \u{3c3} count each attempt once for each of its steps; with \u{201c}{label}: {once}\u{201d}, as in the first lesson, just once."
            ),
            format!(
                "{names}: 평균과 \u{3c3}에서 시도마다 단계 수만큼 셉니다. 첫 단원처럼 \u{2018}{label}: {once}\u{2019}로 두면 한 번만 셉니다."
            ),
        ),
    }
}

/// A share of steps, in percent.
pub(crate) fn percent(share: f64) -> String {
    format!("{:.1}\u{a0}%", 100.0 * share)
}

/// How many steps have no signal.
pub(crate) fn no_signal(share: f64) -> String {
    let share = percent(share);
    either!(format!("{share} without signal"), format!("신호 없음 {share}"))
}

/// Why the steps without signal have none, under the chosen estimator.
pub(crate) fn why_silent(name: &str, share: f64, why: Silence) -> String {
    let share = percent(share);
    match why {
        Silence::None => either!(
            format!("With {name}, every step has a signal."),
            format!("{name}에서는 모든 단계에 신호가 있습니다."),
        ),
        Silence::Alone => either!(
            format!(
                "With {name}, {share} of the steps teach nothing, most because no other step has the same state."
            ),
            format!(
                "{name}에서는 단계의 {share}가 학습에 기여하지 않습니다. 대부분 같은 상태의 다른 단계가 없기 때문입니다."
            ),
        ),
        Silence::Alike => either!(
            format!(
                "With {name}, {share} of the steps teach nothing, most because all they are compared with did equally well."
            ),
            format!(
                "{name}에서는 단계의 {share}가 학습에 기여하지 않습니다. 대부분 비교 대상의 리턴이 모두 같기 때문입니다."
            ),
        ),
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

/// What is said when a file was handed to the browser.
pub(crate) fn saved(name: &str) -> String {
    either!(format!("Saved as {name}"), format!("{name} 파일로 저장했습니다"))
}

/// The chosen step below the figure.
pub(crate) fn figure_step(step: &str, advantage: &str) -> String {
    either!(
        format!("Outlined: the groups of {step}, advantage {advantage}"),
        format!("테두리: {step}의 그룹, 어드밴티지 {advantage}"),
    )
}

/// A group below the figure: its level, size and what its members share.
pub(crate) fn figure_group(level: usize, size: usize, weight: &str, advantage: &str) -> String {
    let (steps, shared) = (super::steps(size), super::shared(level));
    either!(
        format!("G{level}: {steps}, {shared}; advantage {advantage}, weight {weight}"),
        format!("G{level}: {steps}, {shared}. 어드밴티지 {advantage}, 가중치 {weight}"),
    )
}

/// What a figure says that does not show all.
pub(crate) fn figure_cut(rows: usize, steps: usize) -> String {
    either!(
        format!("Only the first {rows} attempts and {steps} steps are shown."),
        format!("처음 {rows}개 시도와 {steps}개 단계만 표시합니다."),
    )
}
