//! Words of the graph of states.

use super::words::words;

words! {
    graph: "Graph" / "그래프";
    title: "States, and the steps between them" / "상태와 그 사이의 단계";
    legend: "Thick: many steps. The number is their mean advantage; solid is above 0, dashed below. Outlined: the states that the chosen step\u{2019}s levels compare. Shaded: its attempt\u{2019}s path." / "굵을수록 단계가 많습니다. 숫자는 평균 어드밴티지이고 0보다 크면 실선, 작으면 점선입니다. 테두리는 선택한 단계의 레벨이 비교하는 상태, 옅은 띠는 그 시도가 지나간 길입니다.";
    as_list: "As a list" / "목록으로 보기";
    mean: "mean advantage" / "평균 어드밴티지";
    ended: "end" / "끝";
    /// What a screen reader says of the picture.
    label(nodes: usize, edges: usize): "Graph of {nodes} nodes and {edges} arrows; the list below has all of it" / "노드 {nodes}개와 화살표 {edges}개의 그래프. 아래 목록에 모두 있습니다";
    /// How many states are not drawn.
    left_out(states: usize): "{states} more states, visited less often, are left out." / "덜 방문한 상태 {states}개는 그리지 않았습니다.";
}

/// How attempts ended.
pub(crate) fn end(success: Option<bool>) -> &'static str {
    match success {
        Some(true) => super::success(),
        Some(false) => super::failure(),
        None => ended(),
    }
}

/// What was done, and how often.
pub(crate) fn actions(all: &[(&str, usize)]) -> String {
    let named = all.iter().filter(|(action, _)| !action.is_empty());
    let told = |(action, count): &(&str, usize)| match count {
        1 => (*action).to_owned(),
        _ => format!("{action} \u{d7}{count}"),
    };
    named.map(told).collect::<Vec<_>>().join(", ")
}
