//! Words of the figure.

use super::words::{either, words};

words! {
    /// The chosen step below the figure.
    step(step: &str, advantage: &str): "Outlined: the groups of {step}, advantage {advantage}" / "테두리: {step}의 그룹, 어드밴티지 {advantage}";
    /// What a figure says that does not show all.
    cut(rows: usize, steps: usize): "Only the first {rows} attempts and {steps} steps are shown." / "처음 {rows}개 시도와 {steps}개 단계만 표시합니다.";
}

/// A group below the figure: its level, size and what its members share.
pub(crate) fn group(level: usize, size: usize, weight: &str, advantage: &str) -> String {
    let (steps, shared) = (super::steps(size), super::shared(level));
    either!(
        format!("G{level}: {steps}, {shared}; advantage {advantage}, weight {weight}"),
        format!("G{level}: {steps}, {shared}. 어드밴티지 {advantage}, 가중치 {weight}"),
    )
}
