//! The words of the stage: its levels, its editor, and what is said after a change.

use super::words::words;
use super::{either, refusal, step_name};
use crate::model::{Cell, Edit, EditKind, Origin, Refusal, Task};

words! {
    deepest_shared: "the deepest group that a step shares with the chosen one" / "선택한 단계와 함께 든 가장 깊은 그룹";
    every_level: "all" / "전체";
    extent: "Attempts and steps" / "시도와 단계";
    extent_attempts: "Attempts" / "시도";
    /// What attempts and steps can be chosen.
    extent_hint(attempts: usize, last: usize): "Attempts by number from 1 to {attempts}, such as 1-4, 7; steps as one range from 0 to {last}, such as 0-5" / "시도는 1~{attempts}의 번호(예: 1-4, 7), 단계는 0~{last}의 범위 하나(예: 0-5)";
    /// How much is shown.
    shown_of([shown, attempts]: [usize; 2], [from, to]: [usize; 2]): "{shown} of {attempts}, t = {from}\u{2013}{to}" / "{attempts}개 중 {shown}개, t = {from}\u{2013}{to}";
    compact: "Compact" / "작게";
    compact_hint: "Small cells: the state, and the sign and size of its advantage as a colour" / "작은 칸: 상태, 그리고 색으로 나타낸 어드밴티지의 부호와 크기";
    keep_hint: "Enter saves, Esc returns to the step" / "Enter로 저장, Esc로 단계로 돌아가기";
    step_part: "Step" / "단계";
    attempt_part: "Attempt" / "시도";
    field_agent: "Agent" / "에이전트";
    unnamed_agent: "(no name)" / "(이름 없음)";
    field_summary: "Summary of the past" / "과거 요약";
    attempt_name: "Attempt" / "시도";
    more_fields: "More" / "더 보기";
    more_fields_hint: "Agent, and summary of the past" / "에이전트와 과거 요약";
    field_outcome: "Outcome" / "결과";
    outcome_unknown: "unknown" / "알 수 없음";
    field_valid: "valid" / "형식 맞음";
    insert_after: "Insert|Insert a step after this one (N)" / "삽입|이 단계 뒤에 단계 추가 (N)";
    delete_step: "Delete|Delete the step (Delete)" / "삭제|단계 삭제 (Delete)";
    step_earlier: "Earlier|Swap with the previous step (Alt+←)" / "앞으로|앞 단계와 자리 바꾸기 (Alt+←)";
    step_later: "Later|Swap with the next step (Alt+→)" / "뒤로|다음 단계와 자리 바꾸기 (Alt+→)";
    split_here: "Split|End the attempt before this step; the rest becomes a new one (S)" / "나누기|이 단계 앞에서 시도를 끝내고 나머지를 새 시도로 (S)";
    add_attempt: "New|Add an attempt at the end" / "새 시도|맨 아래에 시도 추가";
    duplicate_attempt: "Copy|Duplicate the attempt (D)" / "복제|시도 복제 (D)";
    merge_attempts: "Merge|Append the attempt below (M)" / "합치기|아래 시도를 이어 붙이기 (M)";
    attempt_up: "Up|Swap with the attempt above (Alt+↑)" / "위로|위 시도와 자리 바꾸기 (Alt+↑)";
    attempt_down: "Down|Swap with the attempt below (Alt+↓)" / "아래로|아래 시도와 자리 바꾸기 (Alt+↓)";
    remove_attempt: "Remove|Remove the attempt" / "제거|시도 제거";
    undone: "Undone." / "되돌렸습니다.";
    redone: "Redone." / "다시 실행했습니다.";
    began_later: "no state that far back" / "그만큼 앞선 상태 없음";
    other_summary: "different summary" / "다른 요약";

    /// The heading of the editor.
    edit_step(name: &str): "Edit {name}" / "{name} 편집";
    /// What the button of a trajectory's name does.
    edit_attempt(name: &str): "Edit attempt {name}" / "시도 {name} 편집";
}

/// What an agent is called.
pub(crate) fn agent_name(name: &str) -> &str {
    if name.is_empty() { unnamed_agent() } else { name }
}

/// Who leaves a group from one level to the next.
pub(crate) fn split_leaving(number: usize, level: usize) -> String {
    let back = level + 1;
    let leave = if number == 1 { "leaves" } else { "leave" };
    either!(
        match back {
            1 => format!("{number} {leave}, with a different state before:"),
            _ => format!("{number} {leave}, with a different state {back} steps before:"),
        },
        format!("{number}개가 빠집니다. {back}단계 앞의 상태가 다름:"),
    )
}

/// What tells members that leave.
pub(crate) fn split_origin(task: &Task, origin: Origin) -> String {
    match origin {
        Origin::State(cell) => task.state(cell).name.to_string(),
        Origin::Start => began_later().to_owned(),
        Origin::Summary => other_summary().to_owned(),
    }
}

/// Why a change was not made, and where.
pub(crate) fn edit_refused(task: &Task, cell: Cell, why: Refusal) -> String {
    let place = task.nearest(cell);
    [&*step_name(&task.rows()[place.row].trajectory, place.step), ": ", refusal(why)].concat()
}

/// What a screen reader says when a change was made. `task` is as it was before.
pub(crate) fn edit_done(task: &Task, edit: &Edit) -> String {
    let Edit(place, change) = edit;
    let cell = task.nearest(*place);
    let attempt = task.rows()[cell.row].trajectory.as_str();
    let step = step_name(attempt, cell.step);
    let (name, english, korean) = match change {
        EditKind::Insert => (step.as_str(), "a step was added after it", "뒤에 단계 추가됨"),
        EditKind::Delete => (step.as_str(), "deleted", "삭제됨"),
        EditKind::Earlier => (step.as_str(), "moved one step earlier", "한 단계 앞으로 옮김"),
        EditKind::Later => (step.as_str(), "moved one step later", "한 단계 뒤로 옮김"),
        EditKind::Split => (step.as_str(), "starts a new attempt", "새 시도로 나뉨"),
        EditKind::Rename(_) | EditKind::Success(_) => (attempt, "changed", "변경됨"),
        EditKind::Add => ("", "an attempt was added at the end", "맨 아래에 시도 추가됨"),
        EditKind::Duplicate => (attempt, "copied below", "아래에 복제됨"),
        EditKind::Remove => (attempt, "removed", "제거됨"),
        EditKind::Up => (attempt, "moved up", "위로 옮김"),
        EditKind::Down => (attempt, "moved down", "아래로 옮김"),
        EditKind::Merge => (attempt, "merged with the attempt below", "아래 시도와 합쳐짐"),
        _ => (step.as_str(), "changed", "변경됨"),
    };
    let what = either!(english, korean);
    if name.is_empty() { what.to_owned() } else { format!("{name}: {what}") }
}
