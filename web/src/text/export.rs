//! Words of what is taken away and brought in.

use super::words::words;

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
    not_drawn: "The browser could not draw the picture: save the SVG instead" / "브라우저가 그림을 그리지 못했습니다. SVG로 저장하세요";
    whole_batch: "The files contain advantages whitened over all tasks, as hgpo advantages does; the page whitens each task separately." / "파일의 어드밴티지는 hgpo advantages처럼 모든 과제를 함께 백색화한 값입니다. 화면은 과제마다 따로 백색화합니다.";
    pasted: "pasted text" / "붙여넣은 텍스트";

    /// What is said when a file was handed to the browser.
    saved(name: &str): "Saved as {name}" / "{name} 파일로 저장했습니다";
}
