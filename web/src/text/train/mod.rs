//! Words of training.

mod compares;
mod place;
mod refusal;
mod sentences;
mod settings;
mod team;
mod verdicts;

pub(crate) use compares::*;
pub(crate) use place::*;
pub(crate) use refusal::*;
pub(crate) use sentences::*;
pub(crate) use settings::*;
pub(crate) use team::*;
pub(crate) use verdicts::*;

pub(crate) use super::{
    ControlWords, Named, control, field_agent, options, redo, try_again, undo, value,
};

use crate::text::words::words;

words! {
    world: "The world" / "세계";
    lanes: "Ways to learn it" / "배우는 방법";
    chart: "Success over iterations" / "반복에 따른 성공률";
    map: "World" / "세계";
    own_map: "my own" / "내 지도";
    sight_label: "The agent sees" / "에이전트가 보는 것";
    more_dials: "Settings" / "설정";
    restarts_hint: "\u{21bb} starts again. Every other change goes on with what was learned, and the chart marks it." / "\u{21bb} 표시는 처음부터 다시 시작합니다. 다른 변경은 배운 것을 이어 가며, 차트에 표시됩니다.";
    edit_map: "Edit the map" / "지도 편집";
    edit_hint: "Choose a tile, then press a cell; or move with the arrow keys and press Enter. A new map starts again." / "타일을 고르고 칸을 누르세요. 화살표 키로 옮기고 Enter를 눌러도 됩니다. 지도가 바뀌면 처음부터 다시 시작합니다.";
    tiles: "Tile" / "타일";
    no_brush: "only choose" / "선택만";
    new_maze: "New maze" / "새 미로";
    key_shown: "With or without the key" / "열쇠를 든 때와 들지 않은 때";
    without_key: "without the key" / "열쇠 없이";
    with_key: "with the key" / "열쇠를 들고";
    map_label: "Map. Arrow keys choose a place" / "지도. 화살표 키로 칸을 고릅니다";
    arrows_shown: "Arrows" / "화살표";
    mean_arrows: "mean" / "평균";
    memory_arrows: "by memory" / "기억별";
    lane_drawn: "Lane that is shown" / "보이는 레인";
    seed_drawn: "Seed that is shown" / "보이는 시드";
    pause: "Pause" / "멈춤";
    once: "One iteration" / "한 번 반복";
    again: "Again" / "다시";
    again_hint: "Starts again with the same seeds: the same curves" / "같은 시드로 처음부터: 같은 곡선이 나옵니다";
    other_seeds: "Other seeds" / "다른 시드";
    other_seeds_hint: "Starts again with new seeds: what chance does" / "새 시드로 처음부터: 우연의 영향을 봅니다";
    iteration: "Iteration" / "반복";
    inspect: "Look into this iteration" / "이 반복 들여다보기";
    bar: "Training" / "학습";
    speed_label: "Speed" / "속도";
    chart_label: "Success over iterations. Arrow keys read values" / "반복에 따른 성공률. 화살표 키로 값을 읽습니다";
    as_table: "As a table" / "표로 보기";
    lane_broke: "The worker of this lane could not be loaded, or it stopped. Check the connection, and try again." / "이 레인의 워커를 불러오지 못했거나 워커가 멈췄습니다. 연결을 확인하고 다시 시도하세요.";
    study_broke: "The workers could not be loaded. Check the connection, and try again." / "워커를 불러오지 못했습니다. 연결을 확인하고 다시 시도하세요.";
    worker_stopped: "the worker of its lane stopped" / "레인의 워커가 멈췄습니다";
    fair: "Fair lanes: the same tasks, the same initial policy, the same seeds. Methods differ in scale, which would act like a learning rate, so each batch's advantages are brought to mean 0 and deviation 1 (learn.normalize_advantages)." / "공정한 비교: 과제, 처음 정책, 시드가 모두 같습니다. 방법마다 어드밴티지의 크기가 달라 학습률처럼 작용할 수 있으므로, 배치마다 평균 0, 표준편차 1로 맞춥니다(learn.normalize_advantages).";
}
