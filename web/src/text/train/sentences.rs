//! Sentences with names and numbers in them.

use super::{control, value};
use crate::text::words::either;
use crate::train::model::{Dial, ESTIMATOR, LaneProblem, Model, Speed, options};
use hgpo_core::Estimator;

/// Lets lanes learn: where they stop, if they do.
pub(crate) fn play(until: Option<u64>) -> String {
    match until {
        Some(until) => either!(format!("Play to {until}"), format!("{until}까지 재생")),
        None => either!("Play", "재생").to_owned(),
    }
}

/// A speed.
pub(crate) fn speed(speed: Speed) -> &'static str {
    match speed {
        Speed::Slow => either!("slow", "느리게"),
        Speed::Steady => either!("faster", "빠르게"),
        Speed::Full => either!("full", "최대"),
    }
}

/// What a lane is called: its estimator, and its options if they are not the estimator's own.
pub(crate) fn lane_name(model: &Model, at: usize) -> String {
    let Some(estimator) = model.setup().lanes.get(at) else { return String::new() };
    let own = Estimator::default_named(estimator.name()).unwrap_or_default();
    let mut name = value(ESTIMATOR, estimator.name()).to_owned();
    for key in super::options().filter(|key| *key != ESTIMATOR) {
        let now = options::value(estimator, key);
        if let Some(now) = now.filter(|now| Some(now) != options::value(&own, key).as_ref()) {
            name = [&name, ", ", control(key).label, " ", value(key, &now)].concat();
        }
    }
    name
}

/// The name of a lane's choice of an estimator.
pub(crate) fn lane_number(at: usize) -> String {
    either!(format!("Lane {}", at + 1), format!("레인 {}", at + 1))
}

/// What the map shows.
pub(crate) fn map_legend(lane: &str) -> String {
    either!(
        format!("Shade: visits of the last iteration. Arrows: what {lane} does."),
        format!("음영: 지난 반복의 방문. 화살표: {lane}의 행동."),
    )
}

/// A seed by its number.
pub(crate) fn seed(seed: u64) -> String {
    either!(format!("seed {seed}"), format!("시드 {seed}"))
}

/// An iteration by its number.
pub(crate) fn iteration_number(at: u64) -> String {
    either!(format!("Iteration {at}"), format!("반복 {at}"))
}

/// An iteration of all that were measured.
pub(crate) fn of_iterations(at: u64, last: u64) -> String {
    either!(format!("{at} of {last}"), format!("{at} / {last}"))
}

/// What the lanes say at an iteration.
pub(crate) fn at_iteration(at: u64, values: &str) -> String {
    either!(format!("Iteration {at}. {values}"), format!("반복 {at}. {values}"))
}

/// What the band is.
pub(crate) fn band(seeds: usize) -> String {
    if seeds == 1 {
        return either!(
            "Share of attempts that succeed. One seed has no interval: what chance can do is not seen.".to_owned(),
            "성공한 시도의 비율입니다. 시드가 하나라 구간이 없어 우연의 영향을 볼 수 없습니다.".to_owned(),
        );
    }
    either!(
        format!(
            "Share of attempts that succeed. Line: mean over {seeds} seeds; band: 95 % interval of that mean (Student's t). Dashed uprights: a setting was changed."
        ),
        format!(
            "성공한 시도의 비율입니다. 선: 시드 {seeds}개의 평균, 띠: 그 평균의 95 % 구간(스튜던트 t). 점선 세로줄: 설정을 바꾼 곳."
        ),
    )
}

/// What is heard of training: that it begins, pauses, or where it stands.
pub(crate) fn status(model: &Model) -> String {
    let at = model.iteration();
    if model.is_playing() {
        return either!("Training".to_owned(), "학습 중".to_owned());
    }
    if model.is_stopping() {
        return either!("Stopping".to_owned(), "멈추는 중".to_owned());
    }
    if at == 0 {
        return either!("Ready to train".to_owned(), "학습 준비됨".to_owned());
    }
    let lane = |at: usize| {
        let point = model.lanes[at].point(model.iteration())?;
        Some(format!("{} {:.0} %", lane_name(model, at), 100.0 * point.success.mean))
    };
    let lanes: Vec<String> = (0..model.lanes.len()).filter_map(lane).collect();
    let lanes = lanes.join(", ");
    either!(format!("Paused at iteration {at}: {lanes}"), format!("반복 {at}에서 멈춤: {lanes}"))
}

/// Why true advantages of an iteration that is looked into cannot be told.
pub(crate) fn no_truth(why: &str) -> String {
    either!(
        format!("The true advantages cannot be computed here: {why}."),
        format!("여기서는 참 어드밴티지를 계산할 수 없습니다: {why}."),
    )
}

/// Why true advantages are not computed in a world with too many combinations of place and memory.
pub(crate) fn too_large(combinations: usize) -> String {
    let [steps, memory, slip] =
        [Dial::Steps, Dial::Memory, Dial::Slip].map(|own| super::dial(own).0);
    either!(
        format!(
            "This world is too large for true advantages: {combinations} combinations of place and memory were found, and there are more. In Train, turn down \u{201c}{memory}\u{201d}, \u{201c}{steps}\u{201d} or \u{201c}{slip}\u{201d}, or choose a smaller map."
        ),
        format!(
            "참 어드밴티지를 계산하기에는 너무 큰 세계입니다. 위치와 기억의 조합을 {combinations}개 찾았고 더 있습니다. 학습에서 ‘{memory}’, ‘{steps}’, ‘{slip}’을(를) 줄이거나 더 작은 지도를 고르세요."
        ),
    )
}

/// That lanes are not at the iteration any more that is looked into.
pub(crate) fn truth_is_gone(iteration: Option<u64>) -> String {
    match iteration {
        Some(at) => either!(
            format!(
                "The training has gone on, and knows the true advantages of iteration {at} no more. Go back to iteration {at} in Train, and look into it again."
            ),
            format!(
                "학습이 다른 반복으로 넘어가 반복 {at}의 참 어드밴티지를 더는 알 수 없습니다. 학습에서 반복 {at}(으)로 돌아가 다시 들여다보세요."
            ),
        ),
        None => either!(
            "The training that this was played in is not there any more. Look into an iteration of the training again.".to_owned(),
            "이 시도를 한 학습이 더는 없습니다. 학습의 반복을 다시 들여다보세요.".to_owned(),
        ),
    }
}

/// What a lane's problem is, and what to do.
pub(crate) fn lane_problem(problem: &LaneProblem) -> String {
    let LaneProblem::Refused(problem) = problem else { return super::lane_broke().to_owned() };
    either!(
        format!("Cannot go on: {problem} Change the setting, or press Again."),
        format!("계속할 수 없습니다: {problem} 설정을 바꾸거나 다시를 누르세요."),
    )
}
