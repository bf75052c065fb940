//! What each part of the arithmetic does, in one sentence, told by the kinds of its terms.

use super::words::{either, words};
use crate::model::{Phase, number};
use hgpo_core::{Comparison, ExplainedTerm, Explanation, Factor, Rule, Scale, Source, Weighting};
use std::cmp::Ordering;

words! {
    teaches_nothing: "the step teaches nothing." / "이 단계에서는 배울 것이 없습니다.";
    more_likely: "training makes this action more likely." / "학습하면 이 행동의 확률이 높아집니다.";
    less_likely: "training makes this action less likely." / "학습하면 이 행동의 확률이 낮아집니다.";
    return_and_gain: "The return is the sum of the rewards from this step on; the gain is what its next state is worth more than its own." / "이 단계부터의 보상을 더하면 리턴이고, 다음 상태의 가치에서 이 상태의 가치를 빼면 증가분입니다.";
    sum_of_rewards: "The return is the sum of the rewards from this step to the end; later ones count less." / "이 단계부터 끝까지의 보상을 더하면 리턴입니다. 나중 보상일수록 작게 반영합니다.";
    nearness: "A step is worth how near its next state is to the goal." / "단계의 값은 다음 상태가 목표에 가까운 정도입니다.";
    worth_of_action: "An action is worth what came of it whenever it was done in this state." / "행동의 값은 이 상태에서 그 행동을 할 때마다 나온 결과의 평균입니다.";
    later_gains: "A step is worth what it and later steps gain in value; later gains count less." / "단계의 값은 그 단계와 이후 단계에서 늘어난 가치이며, 나중 것일수록 작게 반영합니다.";
    gain: "A step is worth what it gains: the value of its next state less that of its own." / "단계의 값은 늘어난 가치, 곧 다음 상태의 가치에서 이 상태의 가치를 뺀 것입니다.";
    worth_of_next_state: "A step is worth the value of its next state: how the attempts through it ended." / "단계의 값은 다음 상태의 가치, 곧 그곳을 지난 시도들의 결과입니다.";
    score: "The score is the sum of the attempt's rewards, the same for all its steps." / "점수는 시도의 모든 보상의 합이며, 그 시도의 모든 단계가 같은 점수를 받습니다.";
    nested_groups: "The widest group holds all steps in the same state; each inner one requires one more equal past state." / "가장 넓은 그룹에는 같은 상태의 모든 단계가 있고, 안쪽 그룹일수록 과거 상태가 하나씩 더 같습니다.";
    same_state: "The step is compared with the other steps in the same state." / "단계를 같은 상태의 다른 단계와 비교합니다.";
    nothing_compared: "Nothing is compared: the value counts as it is." / "비교하지 않고 값을 그대로 씁니다.";
    all_steps: "The step is compared with all steps of the task." / "단계를 과제의 모든 단계와 비교합니다.";
    compared_twice: "The step is compared twice: its attempt with all attempts, and the step with others in the same state." / "두 번 비교합니다. 시도는 모든 시도와, 단계는 같은 상태의 다른 단계와 비교합니다.";
    all_attempts: "The attempt is compared with all attempts at the same task." / "시도를 같은 과제의 모든 시도와 비교합니다.";
    above_others: "The score minus the mean of the others, without the step itself." / "점수에서 나머지의 평균을 뺍니다. 자기 자신은 평균에 들지 않습니다.";
    above_mean_trusted: "In each group: how far the value is above or below the mean, times how far that can be trusted." / "그룹마다 값이 평균보다 얼마나 높거나 낮은지 보고, 그것을 믿을 만한 정도를 곱합니다.";
    above_mean_deviations: "In each group: how far the value is above or below the mean, in standard deviations." / "그룹마다 값이 평균보다 얼마나 높거나 낮은지 표준편차로 잽니다.";
    above_mean: "In each group: how far the value is above or below the mean." / "그룹마다 값이 평균보다 얼마나 높거나 낮은지 봅니다.";
    one_level: "One level counts alone; the others are left out." / "레벨 하나만 쓰고 나머지는 뺍니다.";
    deeper_weigh_more: "Deeper groups share more of the past and weigh more; those without a signal are left out, and the others share their weight." / "깊은 그룹일수록 과거를 더 공유하므로 가중치가 큽니다. 신호 없는 그룹은 빼고 나머지가 나눕니다.";
    terms_weighted: "Every term is multiplied by its weight." / "항마다 그 가중치를 곱합니다.";
    attempt_in_full: "The attempt's term counts in full; the others are multiplied by a weight, an option." / "시도의 항은 그대로 더하고 나머지에는 설정한 가중치를 곱합니다.";
    one_term: "There is one term, and it counts in full." / "항이 하나이며 그대로 씁니다.";
    whitened: "The advantage: minus the mean of all steps, divided by their standard deviation." / "모든 단계의 평균을 빼고 표준편차로 나누면 어드밴티지입니다.";
    sum_above: "The weighted terms add up to more than 0: training makes this action more likely here." / "가중합이 0보다 큽니다. 학습하면 여기서 이 행동의 확률이 높아집니다.";
    sum_below: "The weighted terms add up to less than 0: training makes this action less likely here." / "가중합이 0보다 작습니다. 학습하면 여기서 이 행동의 확률이 낮아집니다.";
    sum_is_zero: "The weighted terms add up to 0: this step teaches nothing." / "가중합이 0입니다. 이 단계에서는 배울 것이 없습니다.";
}

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

/// Why the advantage has its sign, in one sentence, and what follows from it.
pub(crate) fn because(explanation: &Explanation) -> String {
    let all = (0..explanation.values.len()).filter_map(|value| clause(explanation, value));
    let (clauses, sides): (Vec<String>, Vec<Ordering>) = all.unzip();
    let advantage = explanation.advantage.total_cmp(&0.0);
    let follows = match advantage {
        _ if explanation.advantage == 0.0 => teaches_nothing(),
        Ordering::Greater => more_likely(),
        _ => less_likely(),
    };
    if clauses.is_empty() {
        let alone = either!("There is nothing to compare it with", "비교할 대상이 없습니다");
        return either!(format!("{alone}: {follows}"), format!("{alone}. {follows}"));
    }
    let agrees = sides.iter().all(|side| *side == advantage);
    let (so, korean) =
        if agrees { (", so", "따라서") } else { ("; in sum,", "모두 더하면") };
    either!(
        format!("Its {}{so} {follows}", clauses.join(", and its ")),
        format!("{}. {korean} {follows}", clauses.join(". ")),
    )
}

/// How one of the compared values stands to the means that it is compared with, where it is.
fn clause(explanation: &Explanation, value: usize) -> Option<(String, Ordering)> {
    // A value from which nothing is subtracted, not even in the end, is held against 0.
    let is_bare =
        |term: &ExplainedTerm| matches!(term.rule, Rule::Value) && explanation.whitening.is_none();
    let counts = |term: &&ExplainedTerm| {
        let is_compared = !term.alone || is_bare(term);
        term.value == value && term.skipped.is_none() && is_compared && term.weight != 0.0
    };
    let mean = |term: &ExplainedTerm| if is_bare(term) { 0.0 } else { term.mean };
    let counted = || explanation.terms.iter().filter(counts);
    let means: Vec<f64> = counted().map(mean).collect();
    let bare = counted().any(is_bare);
    let own = &explanation.values[value];
    let above = means.iter().any(|mean| own.number > *mean);
    let below = means.iter().any(|mean| own.number < *mean);
    let number = number::short(own.number, 4);
    let list: Vec<String> = means.iter().map(|mean| number::short(*mean, 4)).collect();
    let list = list.join(", ");
    let (name, korean) = match own.source {
        Source::Return { .. } => ("return", "리턴"),
        Source::Score { .. } => ("score", "점수"),
        Source::Difference(_) | Source::Differences { .. } => ("gain", "증가분"),
        _ => ("value", "값"),
    };
    let of = match means.len() {
        _ if bare => "",
        1 => " the mean of its group",
        _ => " the means of its groups",
    };
    let (list, korean_of) =
        if bare { (list, "") } else { (format!("({list})"), "그룹의 평균") };
    let (how, how_korean, side) = match (above, below) {
        (true, true) => ("lies between", " 사이에 있습니다", Ordering::Equal),
        (true, false) => ("beats", "보다 높습니다", Ordering::Greater),
        (false, true) => ("is below", "보다 낮습니다", Ordering::Less),
        (false, false) => ("equals", "과 같습니다", Ordering::Equal),
    };
    (!means.is_empty()).then(|| {
        let words = either!(
            format!("{name} {number} {how}{of} {list}"),
            format!("{korean} {number}: {korean_of}{list}{how_korean}"),
        );
        (words, side)
    })
}

/// Whether levels share one weight.
fn is_hierarchy(explanation: &Explanation) -> bool {
    explanation.levels().any(|term| term.weighting.is_shared() || is_left_out(term))
}

/// Whether an option chooses another term alone.
fn is_left_out(term: &ExplainedTerm) -> bool {
    matches!(term.weighting, Weighting::LeftOut)
}

fn of_returns(explanation: &Explanation) -> &'static str {
    let asks = |of: fn(&Source) -> bool| explanation.values.iter().any(|value| of(&value.source));
    let asks_returns = asks(|source| matches!(source, Source::Return { .. }));
    match (asks_returns, asks(Source::is_difference)) {
        (true, true) => return_and_gain(),
        (true, false) => sum_of_rewards(),
        _ if asks(|source| matches!(source, Source::Nearness { .. })) => nearness(),
        _ if asks(|source| matches!(source, Source::Action { .. })) => worth_of_action(),
        _ if asks(|source| matches!(source, Source::Differences { .. })) => later_gains(),
        (_, true) if !asks(|source| matches!(source, Source::NextState(_))) => gain(),
        _ if asks(|source| !matches!(source, Source::Score { .. })) => worth_of_next_state(),
        _ => score(),
    }
}

fn of_groups(explanation: &Explanation) -> &'static str {
    let is_of_attempt = |term: &ExplainedTerm| term.comparison == Comparison::Episode;
    let compares_attempts = explanation.terms.iter().any(is_of_attempt);
    match (compares_attempts, explanation.levels().next().is_some()) {
        _ if is_hierarchy(explanation) => nested_groups(),
        (true, true) => compared_twice(),
        (true, false) => all_attempts(),
        (false, true) => same_state(),
        _ if explanation.terms.iter().all(|term| matches!(term.rule, Rule::Value)) => {
            nothing_compared()
        }
        _ => all_steps(),
    }
}

fn of_levels(explanation: &Explanation) -> &'static str {
    let divides = |rule: &Rule| matches!(rule, Rule::Deviation { scale: Scale::MeanStd, .. });
    let mut factors = explanation.terms.iter().flat_map(|term| &term.factors).peekable();
    if factors.peek().is_none() {
        let is_divided = explanation.terms.iter().any(|term| divides(&term.rule));
        if is_divided { above_mean_deviations() } else { above_mean() }
    } else if factors.any(|factor| matches!(factor, Factor::Others { .. })) {
        above_others()
    } else {
        above_mean_trusted()
    }
}

fn of_weights(explanation: &Explanation) -> &'static str {
    let is_in_full = |term: &ExplainedTerm| {
        term.comparison == Comparison::Episode && matches!(term.weighting, Weighting::One)
    };
    match explanation.terms.len() {
        _ if explanation.levels().any(is_left_out) => one_level(),
        _ if is_hierarchy(explanation) => deeper_weigh_more(),
        0 | 1 => one_term(),
        _ if explanation.terms.iter().any(is_in_full) => attempt_in_full(),
        _ => terms_weighted(),
    }
}

fn of_sum(explanation: &Explanation) -> &'static str {
    match explanation.advantage {
        _ if explanation.whitening.is_some() => whitened(),
        above if above > 0.0 => sum_above(),
        below if below < 0.0 => sum_below(),
        _ => sum_is_zero(),
    }
}
