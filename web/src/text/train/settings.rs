//! What is set of a training is called: dials, worlds, and the settings that a study crosses.

use crate::text::words::{Named, either, find, named, words, words_of};
use crate::train::model::study::{DEPTHS, Kind, sights};
use crate::train::model::{Dial, Setup};
use hgpo_env::gridworld::{ObservationMode, World};

words! {
    /// What a dial does whose change begins again.
    starts_again(hint: &str): "{hint}. Starts again" / "{hint}. 처음부터 다시 시작합니다";
}

words_of! {
    both_of(Dial) {
        Slip: "Slip|Chance that a move goes to one of its two sides" / "미끄러짐|이동이 옆으로 새는 확률";
        Reward: "Reward|What the goal is worth" / "보상|목표의 가치";
        Cost: "Cost|What entering a cost cell takes away" / "비용|비용 칸에 들어갈 때 잃는 값";
        Steps: "Step limit|Steps after which an attempt ends" / "단계 한도|시도가 끝나는 단계 수";
        Memory: "Memory|Past observations and actions that the policy sees, in every lane; not the estimators' K" / "기억|정책이 보는 지난 관측과 행동의 수(모든 레인에서 같음). 추정기의 K와는 다릅니다";
        Group: "Attempts a task|Attempts at each task, which are compared: the size G of a group in papers" / "과제당 시도|과제마다 비교되는 시도의 수. 논문에서 말하는 그룹 크기 G";
        Tasks: "Tasks|Tasks of an iteration" / "과제|한 반복의 과제 수";
        Discount: "Discount \u{3b3}|How much a reward counts one step earlier" / "할인율 \u{3b3}|보상이 한 단계 앞에서 반영되는 비율";
        Rate: "Learning rate|How far one update goes" / "학습률|한 번의 갱신이 나아가는 정도";
        Seeds: "Seeds a lane|Runs of each lane, over which the mean and its interval are" / "레인의 시드|레인마다 반복하는 실행 수. 평균과 구간을 여기서 구합니다";
        Seed: "First seed|The others follow it" / "첫 시드|나머지는 이어지는 번호입니다";
    }
}

/// A dial's name, and what it does.
pub(crate) fn dial(dial: Dial) -> Named {
    named(both_of(dial))
}

words_of! {
    /// How much is seen.
    sight(ObservationMode) {
        Walls: "walls only" / "벽만";
        Labels: "walls, labels" / "벽과 이름표";
        Place: "exact place" / "정확한 위치";
    }
}

/// In Korean: a world's name in settings, what it is called, and what it is there to show, a line each.
const KOREAN: &str =
    "signpost|이정표|두 갈림길이 똑같아 보이고, 두 걸음 앞의 이름표가 어느 쪽이 맞는지 알려 줍니다.
remote|먼 이정표|이름표가 네 걸음 앞에 있어, 마지막 두 걸음의 기억 밖에 있습니다.
switchback|되돌이길|똑같아 보이는 복도가 오고 가며, 어떻게 왔는지만이 다음 갈 곳을 알려 줍니다.
comb|빗|빗살이 모두 똑같아 보이고, 앞선 걸음만이 구별해 줍니다.
locked|잠긴 문|같은 복도라도 보이지 않는 열쇠를 들면 더 가치가 있습니다.
landmarks|표지물|똑같아 보이는 곳이 없어 과거가 새로 알려 주는 것이 없습니다.
hall|넓은 방|위치가 보이고 미끄러져 같은 과거가 거의 되풀이되지 않으므로, 그 그룹은 너무 작습니다.
shortcut|지름길|가장 짧은 길은 비용이 드는 칸을 지나고, 이동이 미끄러집니다.
toll|통행료|출발할 때 우연이 통행료를 물리고, 똑같아 보이는 복도가 목표에 가깝기도 멀기도 합니다.";

fn korean(name: &str) -> Option<Named> {
    find(KOREAN.lines().filter_map(|line| line.split_once('|')), name).map(named)
}

/// The name of a world.
pub(crate) fn world_name(name: &str) -> String {
    either!(name.replace('-', " "), korean(name).map_or(name, |world| world.0).to_owned())
}

/// What a world is there to show.
pub(crate) fn shows(world: &World) -> String {
    either!(
        sentence(world.shows),
        korean(world.name).map_or(world.shows, |world| world.1).to_owned()
    )
}

/// A sentence of words that begin small and end without a point.
fn sentence(words: &str) -> String {
    let mut letters = words.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).chain(['.']).collect()
}

words! {
    study: "Where is it worth it?" / "어디에서 나은가?";
    compute: "Compute" / "계산";
    crossed_label: "Settings" / "설정";
    iterations: "Iterations" / "반복";
    study_hint: "Not everywhere: the maps landmarks and hall are there to show it. This trains every lane in every cell of a table, as it is set above in all else. A number is how much more often the one lane succeeds than the other, in percentage points, with its 95 % interval over seeds (paired by seed). Coloured: the interval leaves 0 out." / "어디서나 낫지는 않습니다. 지도 ‘표지물’과 ‘넓은 방’이 그 예입니다. 표의 칸마다 모든 레인을 학습합니다. 나머지는 위의 설정과 같습니다. 숫자는 한 레인이 다른 레인보다 얼마나 더 자주 성공하는지(퍼센트포인트)와 시드별로 짝지은 95 % 구간입니다. 색이 있으면 구간이 0을 포함하지 않습니다.";
    no_gain_expected: "Before you compute: no two places look alike here, so a history tells no places apart. Expect it to gain nothing over K = 0." / "계산하기 전에: 여기서는 똑같아 보이는 곳이 없어 과거로 구별할 것이 없습니다. K = 0보다 나을 것이 없을 것입니다.";
    gain_expected([alike, places]: [usize; 2]): "Before you compute: {alike} of {places} places look like another one here, and a history can tell them apart. It may gain something over K = 0." / "계산하기 전에: 여기서는 {places}곳 가운데 {alike}곳이 다른 곳과 똑같아 보이고, 과거로 구별할 수 있습니다. K = 0보다 나을 수 있습니다.";
    why_different: "Why one way may learn faster" / "더 빨리 배우는 이유";
    /// Why lanes differ: whom they blame for bad luck.
    luck_differs(cost: &str): "Who slips onto a hatched cell loses {cost}, by bad luck alone. Comparing whole attempts blames all of their steps for it; comparing single steps blames none that come after it." / "빗금 칸으로 미끄러지면 운이 나빴을 뿐인데 {cost}만큼 잃습니다. 시도 전체를 비교하면 그 시도의 모든 단계가 탓을 받고, 단계를 비교하면 그 뒤의 단계는 탓을 받지 않습니다.";
    /// Why lanes differ: which places they take for one.
    places_differ([alike, places]: [usize; 2]): "{alike} of {places} places look like another one: comparing what the agent sees takes them for one place; comparing how it came there, too, tells them apart." / "{places}곳 가운데 {alike}곳이 다른 곳과 똑같아 보입니다. 보이는 것만 비교하면 한 곳으로 여기고, 어떻게 왔는지도 비교하면 구별합니다.";
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

/// What is to be expected where so many places of so many look like another one.
pub(crate) fn expected([alike, places]: [usize; 2]) -> String {
    if alike == 0 { no_gain_expected().to_owned() } else { gain_expected([alike, places]) }
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

#[cfg(test)]
mod tests {
    use super::{korean, sentence};
    use hgpo_env::gridworld::WORLDS;

    #[test]
    fn every_world_has_words_in_both_languages() {
        let missing: Vec<&str> =
            WORLDS.iter().map(|world| world.name).filter(|name| korean(name).is_none()).collect();
        assert_eq!(missing, [""; 0], "add their words to KOREAN");
        assert_eq!(sentence("two junctions"), "Two junctions.");
    }
}
