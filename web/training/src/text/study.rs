//! What is said of the map of settings.

use super::{
    dial, sight,
    words::{either, words},
};
use crate::model::{
    Dial,
    study::{DEPTHS, ITERATIONS, Kind},
};
use hgpo_env::gridworld::Sight;

words! {
    study: "Where is it worth it?" / "어디에서 나은가?";
    compute: "Compute" / "계산";
    crossed_label: "Settings" / "설정";
    gain: "Gain" / "이득";
    load_hint: "Sets this above" / "이 설정을 위에 넣습니다";
}

/// What the map is of.
pub(crate) fn study_hint() -> String {
    either!(
        format!(
            "Trains every lane in every cell of a table, as it is set above in all else. A number is the difference of mean success over the first {ITERATIONS} iterations, in percentage points, with its 95 % interval over seeds (paired by seed). Coloured: the interval leaves 0 out."
        ),
        format!(
            "표의 칸마다 모든 레인을 학습합니다. 나머지는 위의 설정과 같습니다. 숫자는 처음 {ITERATIONS}번 반복의 평균 성공률 차이(퍼센트포인트)와 시드별로 짝지은 95 % 구간입니다. 색이 있으면 구간이 0을 포함하지 않습니다."
        ),
    )
}

/// Which settings are crossed.
pub(crate) fn crossed(kind: Kind) -> &'static str {
    match kind {
        Kind::SightGroup => either!("what is seen \u{d7} group size", "보는 것 \u{d7} 그룹 크기"),
        Kind::DepthSlip => either!("depth K \u{d7} slip", "깊이 K \u{d7} 미끄러짐"),
    }
}

/// A lane's gain over another.
pub(crate) fn gain_over(own: &str, other: &str) -> String {
    either!(format!("{own} over {other}"), format!("{own} 대 {other}"))
}

/// How many runs are done.
pub(crate) fn runs_done(done: usize, all: usize) -> String {
    either!(format!("{done} of {all} runs done"), format!("{all}개 중 {done}개 학습됨"))
}

/// The caption of the table.
pub(crate) fn study_caption(gain: &str) -> String {
    either!(
        format!("{gain}. Press a cell to set it above."),
        format!("{gain}. 칸을 누르면 위에 설정됩니다.")
    )
}

/// The name of a row.
pub(crate) fn study_row(kind: Kind, row: usize) -> String {
    match kind {
        Kind::SightGroup => Sight::ALL.get(row).map_or("", |own| sight(*own)).to_owned(),
        Kind::DepthSlip => format!("K = {}", DEPTHS.get(row).copied().unwrap_or_default()),
    }
}

/// The name of a column.
pub(crate) fn study_column(kind: Kind, column: usize) -> String {
    let own = match kind {
        Kind::SightGroup => Dial::Group,
        Kind::DepthSlip => Dial::Slip,
    };
    format!("{} {}", dial(own).0, own.written(kind.column_value(column)))
}
