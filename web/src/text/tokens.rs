//! Words of the tokens of a step, and of the policy's update.

use super::words::{either, words};
use crate::model::number;
use hgpo_core::{Aggregation, Objective, Ratio};

words! {
    tokens: "Tokens" / "토큰";
    recorded: "Tokens: SmolLM2, three updates" / "토큰: SmolLM2의 업데이트 세 번";
    /// What there is to see in the recorded example.
    recorded_note: "SmolLM2-135M learns chores: five attempts in each of three iterations, one a task here, all with the same first prompt. Choose a step and press Tokens: the probability of each token before and after the update, what the clip does to it, and the same prompt in the other iterations." / "SmolLM2-135M이 집안일을 배웁니다. 과제마다 한 번의 반복으로, 시도 다섯 개씩 반복 세 번이며 첫 프롬프트는 모두 같습니다. 단계를 고르고 ‘토큰’을 누르면 토큰마다 업데이트 전후의 확률과 클리핑, 다른 반복의 같은 프롬프트를 볼 수 있습니다.";
    update: "From advantage to policy" / "어드밴티지에서 정책으로";
    prompt(count: usize): "Prompt ({count} tokens)" / "프롬프트(토큰 {count}개)";
    prompt_text: "Prompt" / "프롬프트";
    prompt_ids(count: usize): "The prompt\u{2019}s {count} tokens are recorded as ids alone." / "프롬프트의 토큰 {count}개는 id만 기록되어 있습니다.";
    response: "Response, token by token" / "응답의 토큰";
    /// What the colours of tokens mean.
    legend: "Blue tokens become likelier by the gradient, orange ones less likely, the more the stronger the colour. A dashed frame: the clip holds the token, weight 0. A dotted frame: the loss does not count it." / "파란 토큰은 기울기가 확률을 높이고 주황 토큰은 낮춥니다. 색이 진할수록 가중치가 큽니다. 파선 테두리는 클리핑되어 가중치가 0인 토큰, 점선 테두리는 손실이 세지 않는 토큰입니다.";
    /// A token for who hears it: which it is, its text, its weight.
    heard(place: usize, text: &str, weight: &str): "token {place}: {text}, weight {weight}" / "토큰 {place}: {text}, 가중치 {weight}";
    token(place: usize, of: usize): "Token {place} of {of}" / "토큰 {place}/{of}";
    more(count: usize): "{count} more tokens are not drawn." / "토큰 {count}개를 더 그리지 않았습니다.";
    /// What the update did to the tokens.
    moved(likelier: usize, of: usize): "After the update, {likelier} of {of} tokens are likelier than when they were drawn." / "업데이트 뒤에 토큰 {of}개 중 {likelier}개의 확률이 뽑힐 때보다 높아졌습니다.";
    clipped(count: usize): " Clipped: {count}." / " 클리핑된 토큰: {count}개.";
    without_new: "The file has no log-probabilities after the update, so r = 1 as when it begins." / "파일에 업데이트 뒤의 로그 확률이 없어, 업데이트가 시작될 때처럼 r = 1로 봅니다.";
    estimated: "The file has no advantages of tokens: A is the step\u{2019}s as it is estimated here." / "파일에 토큰의 어드밴티지가 없어, A는 여기서 추정한 단계의 값입니다.";
    probability: "Probability π" / "확률 π";
    log_probability: "log π" / "log π";
    ratio: "Ratio r" / "비율 r";
    advantage: "Advantage A" / "어드밴티지 A";
    interval: "Clip" / "클리핑 구간";
    held_high: "active: r is above it and A > 0, so the gradient is 0" / "클리핑됨: A > 0인데 r이 구간보다 커서 기울기가 0입니다";
    held_low: "active: r is below it and A < 0, so the gradient is 0" / "클리핑됨: A < 0인데 r이 구간보다 작아 기울기가 0입니다";
    held_dual: "active: r is above the dual clip and A < 0, so the gradient is 0" / "클리핑됨: A < 0인데 r이 이중 클리핑보다 커서 기울기가 0입니다";
    outside: "not active: r is outside, but on the side that the loss still corrects" / "클리핑되지 않음: r이 구간 밖이지만 손실이 되돌리는 쪽입니다";
    inside: "not active: r is inside" / "클리핑되지 않음: r이 구간 안에 있습니다";
    uncounted: "The loss does not count this token." / "손실이 이 토큰을 세지 않습니다.";
    weight: "Weight of ∇ log π" / "∇ log π의 가중치";
    /// The weight when the update begins, and at the ratio of now.
    weighs(begin: &str, now: &str): "A = {begin} when the update begins (r = 1), A r = {now} at the ratio after it" / "업데이트가 시작될 때 A = {begin}(r = 1), 뒤의 비율에서 A r = {now}";
    weighs_nothing(begin: &str): "A = {begin} when the update begins (r = 1), 0 at the ratio after it: clipped" / "업데이트가 시작될 때 A = {begin}(r = 1), 뒤의 비율에서는 클리핑되어 0";
    weighs_first(begin: &str): "A = {begin} when the update begins (r = 1)" / "업데이트가 시작될 때 A = {begin}(r = 1)";
    change: "KL of the change (k3)" / "변화의 KL(k3)";
    reference(name: &str): "KL from the reference ({name})" / "기준 정책과의 KL({name})";
    pull(value: &str): "pulls with {value}" / "당기는 힘 {value}";
    entropy: "Entropy H" / "엔트로피 H";
    nats(value: &str): "{value} nats" / "{value} nat";
    /// What the entropy bonus adds to the gradient, beside the policy's term.
    entropy_pulls(bonus: &str, policy: &str): "; the bonus adds \u{2212}η π (log π + H) = {bonus} to the gradient of the token\u{2019}s logit, to which the policy term adds {policy}" / ". 토큰 로짓의 기울기에 엔트로피 보너스가 \u{2212}η π (log π + H) = {bonus}, 정책 항이 {policy}을 더합니다";
    no_entropy(coefficient: &str): "The loss also has the entropy bonus \u{2212}η H, with η = {coefficient}. It is missing here: the file does not have the entropy H of its tokens (new_entropies)." / "손실에는 엔트로피 보너스 \u{2212}η H도 있습니다(η = {coefficient}). 파일에 토큰의 엔트로피 H(new_entropies)가 없어 여기서는 빠져 있습니다.";
    no_coefficient: "The file does not say whether the loss has an entropy bonus (entropy_coefficient); it is shown without one." / "파일에 손실의 엔트로피 보너스 계수(entropy_coefficient)가 없어 보너스 없이 보여 줍니다.";
    loss: "Loss of this token" / "이 토큰의 손실";
    unstated: "The file does not say which loss was used; this is the default one." / "파일에 어떤 손실을 썼는지 없어 기본 손실을 보여 줍니다.";
    /// What a screen reader says of the picture.
    picture(advantage: &str, low: &str, high: &str, points: usize): "The objective as a function of the ratio r at A = {advantage}: flat where the clip holds it, beyond {low} or {high}; {points} points on it" / "A = {advantage}일 때 비율 r에 대한 목적 함수: {low}와 {high} 밖에서 클리핑되면 평평합니다. 점 {points}개";
    axis: "ratio r; dashed: without the clip" / "비율 r. 파선: 클리핑하지 않을 때";
    height: "A r, clipped" / "클리핑한 A r";
    same_prompt: "The same prompt in this file" / "이 파일의 같은 프롬프트";
    same_prompt_hint: "π is the probability of the whole response when it was drawn, and after the update of its iteration." / "π는 응답 전체의 확률로, 뽑힐 때와 그 반복의 업데이트 뒤의 값입니다.";
    before: "π before" / "이전 π";
    after: "π after" / "이후 π";
    logit: "logit" / "로짓";
    other_action: "another action" / "다른 행동";
    rate: "Learning rate η" / "학습률 η";
    updates: "Updates on this batch" / "이 배치의 업데이트 수";
    /// The first change of the logit, and the ratio in the end.
    updated(action: &str, ratio: &str): "The ratio of \u{201c}{action}\u{201d} is r = {ratio}." / "‘{action}’의 비율은 r = {ratio}입니다.";
    stopped(count: usize): "From update {count} on, the clip holds it: the gradient is 0." / "업데이트 {count}부터는 클리핑되어 기울기가 0입니다.";
    no_action: "This step has no action." / "이 단계에는 행동이 없습니다.";
}

/// What a loss is called, with its settings.
pub(crate) fn objective(objective: &Objective) -> String {
    let Objective { ratio, clip_low, clip_high, dual_clip, aggregation, .. } = objective;
    let name = match (ratio, aggregation) {
        (Ratio::Sequence, _) => "GSPO",
        (Ratio::Token, Aggregation::Constant) => "Dr. GRPO",
        (Ratio::Token, _) if clip_high > clip_low => "DAPO",
        (Ratio::Token, _) => "PPO, GRPO",
    };
    let short = |value: f64| number::brief(value);
    let [low, high, dual] = [*clip_low, *clip_high, *dual_clip].map(short);
    let mut parts = vec![name.to_owned(), format!("ε {low}, {high}")];
    if *dual_clip > 0.0 {
        parts.push([either!("dual clip ", "이중 클리핑 "), &dual].concat());
    }
    if objective.compares_with_reference() {
        let beta = short(objective.kl_coefficient);
        let place = if objective.divergence_in_reward {
            either!(" in the reward", "(보상에서 뺌)")
        } else {
            ""
        };
        parts.push(format!("{} β {beta}{place}", objective.divergence));
    }
    let mean = match aggregation {
        Aggregation::Tokens => either!("mean over tokens", "토큰의 평균"),
        Aggregation::Responses => either!("mean over responses", "응답의 평균"),
        Aggregation::Constant => either!("sum by a constant", "합을 상수로 나눔"),
    };
    parts.push(mean.to_owned());
    parts.join(" \u{b7} ")
}
