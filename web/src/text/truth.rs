//! Words of the estimates beside the truth.

use super::words::{Named, lines, named, words};

words! {
    no_workers: "This needs a browser with module workers." / "모듈 워커를 지원하는 브라우저가 필요합니다.";
    /// The true advantage, the value of the action, and that of the policy.
    worth([truth, action, policy]: [String; 3]): "True advantage {truth}: from here on, this action is worth {action} on average (Q), and what the policy does {policy} (V)." / "참 어드밴티지 {truth}: 여기서부터 이 행동은 평균 {action}(Q), 정책대로 하면 평균 {policy}(V)을 얻습니다.";
    draw_anew: "Draw the attempts anew" / "시도를 새로 뽑기";
    draw_many: "Draw 200 groups" / "200번 뽑기";
    draw_hint: "The same policy in the same process, drawn again: what an estimate is always wrong about is its bias, what it owes to chance its spread." / "같은 과정에서 같은 정책으로 다시 뽑습니다. 추정이 언제나 틀리는 정도가 편향이고, 우연에 따라 달라지는 정도가 표준편차입니다.";
    /// That an attempt was edited beyond what the process can do.
    misfit(attempt: &str, step: usize): "{attempt} cannot come from this process any more (step {step} differs), so nothing is known of its true advantages. Undo the edit, or draw new attempts." / "{attempt}은(는) 이제 이 과정에서 나올 수 없으므로(단계 {step}이 다름) 참 어드밴티지를 알 수 없습니다. 편집을 되돌리거나 시도를 새로 뽑으세요.";
    ambiguous: "Several situations look like this step, and its attempt does not tell which it was: its true advantage is not known." / "이 단계처럼 보이는 상황이 여럿이고 시도만으로는 구별할 수 없어 참 어드밴티지를 알 수 없습니다.";
    truth_name: "truth" / "참값";
    here: "here" / "여기";
    mean: "mean" / "평균";
    bias: "bias" / "편향";
    spread: "spread" / "표준편차";
    estimates_drawn: "Estimates" / "추정값 수";
    axis: "Advantage" / "어드밴티지";
    whole: "the advantage: the weighted sum" / "어드밴티지: 가중합";
    by_comparison: "the advantage by this comparison alone" / "이 비교만으로 구한 어드밴티지";
    overall: "Over all steps of all samples" / "모든 표본의 모든 단계";
    squared_bias: "bias\u{b2}" / "편향\u{b2}";
    variance: "variance" / "분산";
    together: "together" / "합";
    /// How many groups, of how many attempts, and how often the decision came up.
    drawn([samples, attempts, steps]: [usize; 3]): "{samples} groups of {attempts} attempts were drawn; this decision came up {steps} times." / "시도 {attempts}개씩 {samples}번 뽑았고 이 결정은 {steps}번 나왔습니다.";
    line: " The line is the truth." / " 선이 참값입니다.";
    other_unit: "These estimates are divided by a standard deviation, so they have another unit than the truth and do not stand beside it." / "이 추정값은 표준편차로 나눈 것이어서 참값과 단위가 다릅니다.";
    set_scale: "Set Scale to \u{201c}mean only\u{201d}" / "척도를 ‘평균만’으로 바꾸기";
    name_of_bias: "bias|mean of the estimates, less the truth" / "편향|추정값의 평균에서 참값을 뺀 것";
    name_of_spread: "spread|standard deviation of the estimates" / "표준편차|추정값이 흩어진 정도";
    name_of_error: "bias\u{b2} + variance|the mean squared error" / "편향\u{b2} + 분산|평균 제곱 오차";
    /// What a screen reader says of a histogram.
    picture(count: usize, mean: &str, spread: &str): "{count} estimates, mean {mean}, spread {spread}" / "추정값 {count}개, 평균 {mean}, 표준편차 {spread}";
}

/// The symbols, with what they mean.
pub(crate) fn symbols() -> impl Iterator<Item = Named> {
    let letters = lines! {
        "A_k": "among steps with the same state and k equal states before" / "상태와 앞선 상태 k개가 같은 단계끼리";
        "A_E": "among whole attempts" / "시도 전체끼리";
        "Q": "what this action is worth: the rewards from here on, on average" / "이 행동의 가치: 여기서부터의 보상 평균";
        "V": "what the policy is worth here, over all its actions" / "여기서 정책의 가치: 모든 행동에 걸친 평균";
        "Q \u{2212} V": "the true advantage" / "참 어드밴티지";
    };
    let names = [name_of_bias(), name_of_spread(), name_of_error()].map(named);
    [("A", whole())].into_iter().chain(letters).chain(names)
}
