//! Words of the comparison of a team's agents.

use super::words::words;

words! {
    agents: "One normalisation for all agents, or one for each" / "모든 에이전트를 함께 정규화하거나 따로 정규화하기";
    together: "all" / "전체";
    meaning: "The mean of A², its second moment, says how hard an agent\u{2019}s steps pull on the policy. With mean μ and deviation σ of all steps (GRPO) it is (σ_k² + (μ_k − μ)²) / σ², well above 1 for an agent that acts mostly in attempts which end unlike the rest; compared with itself alone (Dr. MAS), every agent has about 1, or 1 − 1/n of n turns with the σ of a sample." / "A²의 평균(2차 모멘트)은 한 에이전트의 단계가 정책을 얼마나 세게 움직이는지 나타냅니다. 모든 단계의 평균 μ와 표준편차 σ를 쓰면(GRPO) (σ_k² + (μ_k − μ)²) / σ²이 되어, 나머지와 다르게 끝나는 시도에서 주로 행동하는 에이전트는 1보다 훨씬 커집니다. 자기 자신하고만 비교하면(Dr. MAS) 모든 에이전트가 1에 가깝습니다(표본 표준편차를 쓰면 차례 n개에서 1 − 1/n).";
    idle: "An agent whose scores are all equal has nothing to compare with in Dr. MAS: its advantages are 0, and a single step keeps its score." / "점수가 모두 같은 에이전트는 Dr. MAS에서 비교할 것이 없어 어드밴티지가 0입니다. 단계가 하나뿐이면 점수를 그대로 받습니다.";
    turns: "Turns" / "차례";
    mean_score: "Mean score" / "평균 점수";
    with_grpo: "A² with GRPO" / "GRPO의 A²";
    with_dr_mas: "A² with Dr. MAS" / "Dr. MAS의 A²";
}

/// The heads of the table.
pub(crate) fn heads() -> [&'static str; 6] {
    [super::field_agent(), turns(), mean_score(), "\u{3c3}", with_grpo(), with_dr_mas()]
}
