//! What is said of the map of settings.

use super::{dial, sight};
use crate::text::words::{either, words};
use crate::train::model::Setup;
use crate::train::model::study::{DEPTHS, Kind, sights};

words! {
    study: "Where is it worth it?" / "어디에서 나은가?";
    compute: "Compute" / "계산";
    crossed_label: "Settings" / "설정";
    iterations: "Iterations" / "반복";
    study_hint: "Not everywhere: the maps landmarks and hall are there to show it. This trains every lane in every cell of a table, as it is set above in all else. A number is how much more often the one lane succeeds than the other, in percentage points, with its 95 % interval over seeds (paired by seed). Coloured: the interval leaves 0 out." / "어디서나 낫지는 않습니다. 지도 ‘표지물’과 ‘넓은 방’이 그 예입니다. 표의 칸마다 모든 레인을 학습합니다. 나머지는 위의 설정과 같습니다. 숫자는 한 레인이 다른 레인보다 얼마나 더 자주 성공하는지(퍼센트포인트)와 시드별로 짝지은 95 % 구간입니다. 색이 있으면 구간이 0을 포함하지 않습니다.";
    gain: "Gain" / "이득";
    load_hint: "Sets this above" / "이 설정을 위에 넣습니다";
    /// That the first iterations count.
    first_iterations(count: u64): "the first {count}" / "처음 {count}번";
    /// A lane's gain over another.
    gain_over(own: &str, other: &str): "{own} over {other}" / "{own} 대 {other}";
    /// How many runs are done.
    runs_done(done: usize, all: usize): "{done} of {all} runs done" / "{all}개 중 {done}개 학습됨";
    /// The caption of the table: what its numbers are over, and what can be done with it.
    study_caption(gain: &str, count: u64): "{gain}: mean success over the first {count} iterations. Press a cell to set it above." / "{gain}: 처음 {count}번 반복의 평균 성공률. 칸을 누르면 위에 설정됩니다.";
}

/// Which settings are crossed.
pub(crate) fn crossed(kind: Kind) -> &'static str {
    match kind {
        Kind::SightGroup => either!("what is seen \u{d7} attempts", "보는 것 \u{d7} 시도"),
        Kind::DepthSlip => either!("depth K \u{d7} slip", "깊이 K \u{d7} 미끄러짐"),
    }
}

/// The name of a row.
pub(crate) fn study_row(kind: Kind, setup: &Setup, row: usize) -> String {
    match kind {
        Kind::SightGroup => sights(setup).nth(row).map_or("", sight).to_owned(),
        Kind::DepthSlip => format!("K = {}", DEPTHS.get(row).copied().unwrap_or_default()),
    }
}

/// The name of a column.
pub(crate) fn study_column(kind: Kind, column: usize) -> String {
    let (own, values) = kind.columns();
    format!("{} {}", dial(own).0, own.written(values[column]))
}
