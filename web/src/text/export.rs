//! Words of what is taken away and brought in.

use super::words::{either, words};

words! {
    export: "Export" / "내보내기";
    export_rollouts: "Rollouts (JSON Lines)" / "롤아웃 (JSON Lines)";
    export_advantages: "Advantages (JSON Lines)" / "어드밴티지 (JSON Lines)";
    export_table: "Steps with advantages (CSV)" / "어드밴티지를 포함한 단계 표 (CSV)";
    export_svg: "Figure (SVG)" / "그림 (SVG)";
    export_png: "Figure (PNG)" / "그림 (PNG)";
    copy_rollouts: "Copy the rollouts" / "롤아웃 복사";
    copied: "Copied" / "복사했습니다";
    not_copied: "The browser does not allow copying: save the rollouts as a file instead" / "브라우저가 복사를 허용하지 않습니다. 파일로 저장하세요";
    width: "Width: one or two columns" / "너비: 한 단 또는 두 단";
    one_column: "85 mm" / "85 mm";
    two_columns: "178 mm" / "178 mm";
    picture_svg: "Picture (SVG)" / "그림 (SVG)";
    picture_png: "Picture (PNG)" / "그림 (PNG)";
    numbers_csv: "Numbers (CSV)" / "수치 (CSV)";
    sum: "Sum" / "합";
    explanation_columns: "Compared with|Value|Mean|σ|A|Weight|Weight × A" / "비교 대상|값|평균|σ|A|가중치|가중치 × A";
    symbols_of_terms: "A: advantage of the value over the mean, divided by σ where the settings say so. \u{2013}: left out." / "A: 평균과 비교한 값의 어드밴티지(설정에 따라 σ로 나눔). \u{2013}: 제외.";
    not_drawn: "The browser could not draw the picture: save the SVG instead" / "브라우저가 그림을 그리지 못했습니다. SVG로 저장하세요";
    whole_batch: "The files contain advantages whitened over all tasks, as hgpo advantages does; the page whitens each task separately." / "파일의 어드밴티지는 hgpo advantages처럼 모든 과제를 함께 백색화한 값입니다. 화면은 과제마다 따로 백색화합니다.";
    pasted: "pasted text" / "붙여넣은 텍스트";

    /// What is said when a file was handed to the browser.
    saved(name: &str): "Saved as {name}" / "{name} 파일로 저장했습니다";
    /// The chosen step below the figure.
    of_figure(step: &str, advantage: &str): "Outlined: the groups of {step}, advantage {advantage}" / "테두리: {step}의 그룹, 어드밴티지 {advantage}";
    /// The explanation as a kind of file.
    of_explanation(kind: &str): "Explanation ({kind})" / "설명 ({kind})";
    /// What a figure says that does not show all.
    of_all([shown, attempts]: [usize; 2], [from, to]: [usize; 2]): "{shown} of {attempts} attempts, steps {from} to {to}; advantages are over all." / "시도 {attempts}개 중 {shown}개, 단계 {from}~{to}. 어드밴티지는 전체로 계산했습니다.";
}

/// A group below the figure: its level, size and what its members share.
pub(crate) fn group(level: usize, size: usize, weight: &str, advantage: &str) -> String {
    let (steps, shared) = (super::steps(size), super::shared(level));
    either!(
        format!("G{level}: {steps}, {shared}; advantage {advantage}, weight {weight}"),
        format!("G{level}: {steps}, {shared}. 어드밴티지 {advantage}, 가중치 {weight}"),
    )
}
