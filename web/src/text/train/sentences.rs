//! Sentences with names and numbers in them.

use super::{control, dial, value};
use crate::text::words::{words, words_of};
use crate::train::model::{Dial, ESTIMATOR, INSIDE, LaneProblem, Model, Speed, setup};

words! {
    /// What the map shows.
    map_legend(lane: &str): "Shade: visits of the last iteration. Arrows: what {lane} does." / "음영: 지난 반복의 방문. 화살표: {lane}의 행동.";
    /// A seed by its number.
    seed(seed: u64): "seed {seed}" / "시드 {seed}";
    /// An iteration by its number.
    iteration_number(at: u64): "Iteration {at}" / "반복 {at}";
    /// An iteration of all that were measured.
    of_iterations(at: u64, last: u64): "{at} of {last}" / "{at} / {last}";
    /// What the lanes say at an iteration.
    at_iteration(at: u64, values: &str): "Iteration {at}. {values}" / "반복 {at}. {values}";
    /// Why true advantages of an iteration that is looked into cannot be told.
    no_truth(why: &str): "The true advantages cannot be computed here: {why}." / "여기서는 참 어드밴티지를 계산할 수 없습니다: {why}.";
    play_on: "Play" / "재생";
    play_until(until: u64): "Play to {until}" / "{until}까지 재생";
    one_seed_band: "Share of attempts that succeed. One seed has no interval: what chance can do is not seen." / "성공한 시도의 비율입니다. 시드가 하나라 구간이 없어 우연의 영향을 볼 수 없습니다.";
    seeds_band(seeds: usize): "Share of attempts that succeed. Line: mean over {seeds} seeds; band: 95 % interval of that mean (Student's t). Dashed uprights: a setting was changed." / "성공한 시도의 비율입니다. 선: 시드 {seeds}개의 평균, 띠: 그 평균의 95 % 구간(스튜던트 t). 점선 세로줄: 설정을 바꾼 곳.";
    in_training: "Training" / "학습 중";
    stopping: "Stopping" / "멈추는 중";
    ready: "Ready to train" / "학습 준비됨";
    paused(at: u64, lanes: &str): "Paused at iteration {at}: {lanes}" / "반복 {at}에서 멈춤: {lanes}";
    too_large_world(combinations: usize, [steps, memory, slip]: [&str; 3]): "This world is too large for true advantages: {combinations} combinations of place and memory were found, and there are more. In Train, turn down \u{201c}{memory}\u{201d}, \u{201c}{steps}\u{201d} or \u{201c}{slip}\u{201d}, or choose a smaller map." / "참 어드밴티지를 계산하기에는 너무 큰 세계입니다. 위치와 기억의 조합을 {combinations}개 찾았고 더 있습니다. 학습에서 ‘{memory}’, ‘{steps}’, ‘{slip}’을(를) 줄이거나 더 작은 지도를 고르세요.";
    gone_on(at: u64): "The training has gone on, and knows the true advantages of iteration {at} no more. Go back to iteration {at} in Train, and look into it again." / "학습이 다른 반복으로 넘어가 반복 {at}의 참 어드밴티지를 더는 알 수 없습니다. 학습에서 반복 {at}(으)로 돌아가 다시 들여다보세요.";
    training_is_gone: "The training that this was played in is not there any more. Look into an iteration of the training again." / "이 시도를 한 학습이 더는 없습니다. 학습의 반복을 다시 들여다보세요.";
    refused_settings(problem: &str): "Cannot go on: {problem} Change the setting, or press Again." / "계속할 수 없습니다: {problem} 설정을 바꾸거나 다시를 누르세요.";
    /// The name of a lane's choice of an estimator, by its number from 1.
    lane_number(number: usize): "Lane {number}" / "레인 {number}";
}

/// Lets lanes learn: where they stop, if they do.
pub(crate) fn play(until: Option<u64>) -> String {
    until.map_or_else(|| play_on().to_owned(), play_until)
}

words_of! {
    /// A speed.
    speed(Speed) {
        Slow: "slow" / "느리게";
        Steady: "faster" / "빠르게";
        Full: "full" / "최대";
    }
}

/// What a lane is called: its estimator, the one inside it, and its options if they are not the estimator's own.
pub(crate) fn lane_name(model: &Model, at: usize) -> String {
    let Some(estimator) = model.setup().lanes.get(at) else { return String::new() };
    let own = setup::unchanged(estimator);
    let mut name = value(ESTIMATOR, estimator.name()).to_owned();
    for key in super::options().filter(|key| *key != ESTIMATOR) {
        let now = setup::value(estimator, key);
        let is_other = |now: &String| Some(now) != setup::value(&own, key).as_ref();
        if let Some(now) = now.filter(|now| key == INSIDE || is_other(now)) {
            name = [&name, ", ", control(key).label, " ", value(key, &now)].concat();
        }
    }
    name
}

/// What the band is.
pub(crate) fn band(seeds: usize) -> String {
    if seeds == 1 { one_seed_band().to_owned() } else { seeds_band(seeds) }
}

/// What is heard of training: that it begins, pauses, or where it stands.
pub(crate) fn status(model: &Model) -> String {
    let iteration = model.iteration();
    if model.is_playing() {
        return in_training().to_owned();
    }
    if model.is_stopping() {
        return stopping().to_owned();
    }
    if iteration == 0 {
        return ready().to_owned();
    }
    let lane = |at: usize| {
        let point = model.lanes[at].point(iteration)?;
        Some(format!("{} {:.0} %", lane_name(model, at), 100.0 * point.success.mean))
    };
    paused(iteration, &(0..model.lanes.len()).filter_map(lane).collect::<Vec<_>>().join(", "))
}

/// Why true advantages are not computed in a world with too many combinations of place and memory.
pub(crate) fn too_large(combinations: usize) -> String {
    too_large_world(combinations, [Dial::Steps, Dial::Memory, Dial::Slip].map(|own| dial(own).0))
}

/// That lanes are not at the iteration any more that is looked into.
pub(crate) fn truth_is_gone(iteration: Option<u64>) -> String {
    iteration.map_or_else(|| training_is_gone().to_owned(), gone_on)
}

/// What a lane's problem is, and what to do.
pub(crate) fn lane_problem(problem: &LaneProblem) -> String {
    match problem {
        LaneProblem::Broke => super::lane_broke().to_owned(),
        LaneProblem::Refused(problem) => refused_settings(problem),
    }
}
