//! What is said of a place.

use crate::text::words::{either, words};
use hgpo_env::gridworld::{Direction, Position, Tile};

words! {
    choose_place: "Choose a cell of the map to see what each policy does there, and how one iteration changes it." / "지도의 칸을 고르면 각 정책의 행동과 한 번의 반복이 바꾼 것을 볼 수 있습니다.";
    nothing_yet: "Press Play or One iteration to see what is learned here." / "재생이나 한 번 반복을 누르면 여기서 배운 것을 볼 수 있습니다.";
    one_step: "One step of learning: before and after the last iteration" / "학습 한 걸음: 지난 반복의 앞과 뒤";
    not_there: "Not visited in the last iteration." / "지난 반복에서 방문하지 않았습니다.";
    action: "Action" / "행동";
    steps: "Steps" / "단계";
    truth: "True" / "참값";
    said_hint: "Mean advantage in standard deviations of the batch, as lanes learn from it. True: that of the world under the policy that played, where it can be computed." / "레인이 학습에 쓰는 대로, 배치의 표준편차를 단위로 한 평균 어드밴티지입니다. 참값은 그 정책에서 세계의 실제 어드밴티지이며, 계산할 수 있을 때 보입니다.";
    /// What the agent sees there.
    sees(text: &str): "The agent sees \u{201c}{text}\u{201d}." / "에이전트가 보는 것: \u{201c}{text}\u{201d}";
    /// That there are more memories than are shown.
    more_memories(count: usize): "and {count} more pasts" / "그 밖의 기억 {count}개";
    /// What the estimators speak of.
    said_title(lane: &str): "What each estimator says of the steps that {lane} took here" / "{lane}이(가) 여기서 한 단계에 대한 각 추정기의 평가";
    a_cell: "A cell of the map" / "지도의 칸";
    cell_at([row, column]: [usize; 2]): "The cell in row {row}, column {column}" / "{row}행 {column}열의 칸";
    tile_at([row, column]: [usize; 2], tile: &str): "row {row}, column {column}: {tile}" / "{row}행 {column}열: {tile}";
    without_memory: "Without a past" / "기억 없이";
    after_steps(steps: &str): "After {steps}" / "{steps} 다음";
    key_held(past: &str): "{past} (key held)" / "{past} (열쇠 있음)";
}

/// The title of what is shown of a place.
pub(crate) fn place_title(place: Option<Position>) -> String {
    let at = |place: Position| cell_at([place.row + 1, place.column + 1]);
    place.map_or_else(|| a_cell().to_owned(), at)
}

/// A side.
pub(crate) fn side(direction: Direction) -> &'static str {
    let sides = either!(["up", "down", "left", "right"], ["위", "아래", "왼쪽", "오른쪽"]);
    sides[direction as usize]
}

/// A tile.
pub(crate) fn tile(tile: Tile) -> String {
    match tile {
        Tile::Floor => either!("floor", "바닥").to_owned(),
        Tile::Wall => either!("wall", "벽").to_owned(),
        Tile::Start => either!("start", "출발").to_owned(),
        Tile::Goal => either!("goal", "목표").to_owned(),
        Tile::Key => either!("key", "열쇠").to_owned(),
        Tile::Door => either!("door", "문").to_owned(),
        Tile::Cost => either!("cost", "비용").to_owned(),
        Tile::Label(letter) => either!(format!("label {letter}"), format!("이름표 {letter}")),
    }
}

/// A place as it is heard.
pub(crate) fn place_label(place: Position, own: Tile, visits: usize) -> String {
    let label = tile_at([place.row + 1, place.column + 1], &tile(own));
    if visits == 0 { label } else { format!("{label}, {}", super::visits(visits)) }
}

/// How often a place was visited.
pub(crate) fn visits(count: usize) -> String {
    either!(
        if count == 1 { "1 visit".to_owned() } else { format!("{count} visits") },
        format!("방문 {count}회"),
    )
}

/// What an agent has in mind: what it saw and did before, the oldest first.
pub(crate) fn memory(past: &[(String, String)], has_key: bool) -> String {
    let step = |(seen, done): &(String, String)| {
        let side = Direction::named(done).map_or("\u{2022}", arrow);
        format!("\u{201c}{seen}\u{201d} {side}")
    };
    let steps = past.iter().map(step).collect::<Vec<_>>().join(", ");
    let past = if past.is_empty() { without_memory().to_owned() } else { after_steps(&steps) };
    if has_key { key_held(&past) } else { past }
}

/// An arrow to a side.
pub(crate) fn arrow(direction: Direction) -> &'static str {
    ["\u{2191}", "\u{2193}", "\u{2190}", "\u{2192}"][direction as usize]
}
