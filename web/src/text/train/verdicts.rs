//! What is said of the maps of what estimators say.

use crate::text::words::words;

words! {
    options_and_numbers: "Options and numbers" / "설정과 숫자";
    show_truth: "Show the truth" / "참값 보기";
    the_truth: "The truth" / "참값";
    truth_of_world: "What each action was really worth there, computed from the world and the policy that played." / "세계와 그때의 정책에서 계산한, 각 행동의 실제 가치입니다.";
    truth_label: "Map of what is true of each action. Choose a cell for the numbers" / "각 행동의 참값 지도. 칸을 고르면 숫자를 볼 수 있습니다";
    /// The name of the map of an estimator's word.
    verdict_label(lane: &str): "Map of what {lane} says of each action. Choose a cell for the numbers" / "각 행동에 대한 {lane}의 평가 지도. 칸을 고르면 숫자를 볼 수 있습니다";
    praised: "praised" / "칭찬";
    blamed: "blamed" / "탓";
    /// Whose steps they speak of.
    judged_steps(lane: &str, iteration: u64, seed: u64): "A quarter of a cell is a direction; stronger colours are larger advantages. All speak of the same steps: those that {lane} took in iteration {iteration} with seed {seed}." / "칸의 네 조각은 방향이고, 색이 진할수록 어드밴티지가 큽니다. 모두 같은 단계를 평가합니다: {lane}이(가) 시드 {seed}의 반복 {iteration}에서 한 단계입니다.";
    no_verdict_yet: "Press Play: each map then shows which actions its method praises and blames." / "재생을 누르면 각 방법이 어떤 행동을 칭찬하고 탓하는지 지도에 보입니다.";
    agreement: "Agrees with the truth" / "참값과 일치";
    agreement_hint: "How alike this map and that of the truth are: their correlation over all quarters, weighted by steps. 1: the same; 0: nothing in common. Known when training rests, or while the truth is shown." / "이 지도와 참값 지도가 얼마나 같은지: 단계 수를 가중치로 한 모든 조각의 상관. 1이면 같고 0이면 관계가 없습니다. 학습이 멈췄을 때나 참값을 볼 때 알 수 있습니다.";
}
