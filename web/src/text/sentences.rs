//! What each part of the arithmetic does, in one sentence, told by the kinds of its terms.

use super::words::either;
use crate::model::Phase;
use hgpo_core::{Explanation, Factor, Rule, Scale, Source};

/// What a part of the arithmetic does, in one sentence; nothing for the whole.
pub(crate) fn sentence(phase: Option<Phase>, explanation: &Explanation) -> &'static str {
    match phase {
        None => "",
        Some(Phase::Returns) => of_returns(explanation),
        Some(Phase::Groups) => of_groups(explanation),
        Some(Phase::Levels) => of_levels(explanation),
        Some(Phase::Weights) => of_weights(explanation),
        Some(Phase::Sum) => of_sum(explanation),
    }
}

/// Whether levels share one weight.
fn is_hierarchy(explanation: &Explanation) -> bool {
    explanation.levels().any(|term| term.weighting.is_shared())
}

fn of_returns(explanation: &Explanation) -> &'static str {
    let asks = |of: fn(&Source) -> bool| explanation.values.iter().any(|value| of(&value.source));
    if asks(|source| matches!(source, Source::Return { .. })) {
        either(
            "The return is the sum of the rewards from this step to the end; later ones count less.",
            "이 단계부터 끝까지의 보상을 더하면 리턴입니다. 나중 보상일수록 작게 반영합니다.",
        )
    } else if asks(|source| matches!(source, Source::Nearness { .. })) {
        either(
            "A step is worth how near its next state is to the goal.",
            "단계의 값은 다음 상태가 목표에 가까운 정도입니다.",
        )
    } else if asks(|source| !matches!(source, Source::Score { .. })) {
        either(
            "A step is worth the value of its next state: how the attempts through it ended.",
            "단계의 값은 다음 상태의 가치, 곧 그곳을 지난 시도들의 결과입니다.",
        )
    } else {
        either(
            "The score is the sum of the attempt's rewards, the same for all its steps.",
            "점수는 시도의 모든 보상의 합이며, 그 시도의 모든 단계가 같은 점수를 받습니다.",
        )
    }
}

fn of_groups(explanation: &Explanation) -> &'static str {
    if is_hierarchy(explanation) {
        either(
            "The widest group holds all steps in the same state; each inner one requires one more equal past state.",
            "가장 넓은 그룹에는 같은 상태의 모든 단계가 있고, 안쪽 그룹일수록 과거 상태가 하나씩 더 같습니다.",
        )
    } else if explanation.levels().next().is_some() {
        either(
            "The step is compared twice: its attempt with all attempts, and the step with others in the same state.",
            "두 번 비교합니다. 시도는 모든 시도와, 단계는 같은 상태의 다른 단계와 비교합니다.",
        )
    } else {
        either(
            "The attempt is compared with all attempts at the same task.",
            "시도를 같은 과제의 모든 시도와 비교합니다.",
        )
    }
}

fn of_levels(explanation: &Explanation) -> &'static str {
    let terms = || explanation.terms.iter();
    let divides = |rule: &Rule| matches!(rule, Rule::Deviation { scale: Scale::MeanStd, .. });
    if terms().flat_map(|term| &term.factors).any(|factor| matches!(factor, Factor::Others { .. }))
    {
        either(
            "The score minus the mean of the others, without the step itself.",
            "점수에서 나머지의 평균을 뺍니다. 자기 자신은 평균에 들지 않습니다.",
        )
    } else if terms().any(|term| divides(&term.rule)) {
        either(
            "In each group: how far the value is above or below the mean, in standard deviations.",
            "그룹마다 값이 평균보다 얼마나 높거나 낮은지 표준편차로 잽니다.",
        )
    } else {
        either(
            "In each group: how far the value is above or below the mean.",
            "그룹마다 값이 평균보다 얼마나 높거나 낮은지 봅니다.",
        )
    }
}

fn of_weights(explanation: &Explanation) -> &'static str {
    if is_hierarchy(explanation) {
        either(
            "Deeper groups share more of the past and weigh more; those without a signal are left out, and the others share their weight.",
            "깊은 그룹일수록 과거를 더 공유하므로 가중치가 큽니다. 신호 없는 그룹은 빼고 나머지가 나눕니다.",
        )
    } else if explanation.terms.len() > 1 {
        either(
            "The attempt's term counts in full; the others are multiplied by a weight, an option.",
            "시도의 항은 그대로 더하고 나머지에는 설정한 가중치를 곱합니다.",
        )
    } else {
        either("There is one term, and it counts in full.", "항이 하나이며 그대로 씁니다.")
    }
}

fn of_sum(explanation: &Explanation) -> &'static str {
    if explanation.whitening.is_some() {
        either(
            "The advantage: minus the mean of all steps, divided by their standard deviation.",
            "모든 단계의 평균을 빼고 표준편차로 나누면 어드밴티지입니다.",
        )
    } else if explanation.advantage > 0.0 {
        either(
            "The weighted terms add up to more than 0: training makes this action more likely here.",
            "가중합이 0보다 큽니다. 학습하면 여기서 이 행동의 확률이 높아집니다.",
        )
    } else if explanation.advantage < 0.0 {
        either(
            "The weighted terms add up to less than 0: training makes this action less likely here.",
            "가중합이 0보다 작습니다. 학습하면 여기서 이 행동의 확률이 낮아집니다.",
        )
    } else {
        either(
            "The weighted terms add up to 0: this step teaches nothing.",
            "가중합이 0입니다. 이 단계에서는 배울 것이 없습니다.",
        )
    }
}
