//! What the controls are called, what they do, where each comes from, and what can be chosen in them.

use super::words::{Named, find, lines, words};
use crate::model::{Key, kind};
use hgpo_core::Kind;

/// The words of a control.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ControlWords {
    /// Its name.
    pub(crate) label: &'static str,
    /// What it does.
    pub(crate) hint: &'static str,
    /// Where it comes from: a paper, or the reference code.
    pub(crate) source: &'static str,
}

/// The words of every option with a control, in the order of the page: its name, hint and source.
fn table() -> impl Iterator<Item = Named> {
    lines! {
        "estimator": "Method|What a step is compared with|papers below" / "방법|단계를 무엇과 비교할지|아래 논문";
        "inside": "Within agents|The method within each agent's steps|Dr. MAS, arXiv 2602.08847" / "에이전트별 방법|에이전트마다 그 단계에 쓰는 방법|Dr. MAS, arXiv 2602.08847";
        "mean": "Mean over|The agent's own steps, or all steps of the task; GRPO within agents only|Dr. MAS, arXiv 2602.08847" / "평균의 대상|그 에이전트의 단계, 또는 과제의 모든 단계. 에이전트별 방법이 GRPO일 때만 씁니다|Dr. MAS, arXiv 2602.08847";
        "deviation": "\u{3c3} over|The agent's own steps, or all steps of the task; GRPO within agents only|Dr. MAS, arXiv 2602.08847" / "\u{3c3}의 대상|그 에이전트의 단계, 또는 과제의 모든 단계. 에이전트별 방법이 GRPO일 때만 씁니다|Dr. MAS, arXiv 2602.08847";
        "turns": "Turns|All turns of an agent together, or its nth turns with each other; GRPO or RLOO within agents only|AT-GRPO and mmGRPO" / "차례|에이전트의 모든 차례를 함께 비교하거나 n번째 차례끼리 비교합니다. 에이전트별 방법이 GRPO나 RLOO일 때만 씁니다|AT-GRPO와 mmGRPO";
        "context_length": "Depth K|How many earlier states two steps must share at the deepest level|HGPO, ICLR 2026" / "깊이 K|가장 깊은 레벨에서 두 단계가 공유해야 하는 앞선 상태의 수|HGPO, ICLR 2026";
        "alpha": "Exponent \u{3b1}|How much more longer histories count; 0: all count the same|HGPO, ICLR 2026" / "지수 \u{3b1}|더 긴 과거를 얼마나 더 중요하게 볼지 정합니다. 0이면 모두 같습니다|HGPO, ICLR 2026";
        "scale": "Scale|Whether centred returns are divided by the group's standard deviation|GRPO and Dr. GRPO" / "척도|평균을 뺀 리턴을 그룹의 표준편차로 나눌지 정합니다|GRPO와 Dr. GRPO";
        "weights": "Weights|The paper's formula, that of the paper's code, or from the data|HGPO, ICLR 2026" / "가중치|논문의 식, 논문 코드의 식, 또는 데이터에서 추정|HGPO, ICLR 2026";
        "base_group": "Base group|Adds an episode term; needs the code's weights|verl-agent" / "기본 그룹|시도 항을 더합니다. 코드의 가중치가 필요합니다|verl-agent";
        "baseline": "Baseline|A step's whole group, or only the steps of other attempts|hgpo-core" / "기준선|그룹 전체, 또는 다른 시도의 단계만|hgpo-core";
        "history": "Context|The last states, or the steps' own summaries of the past|hgpo-core" / "맥락|앞선 상태들, 또는 단계에 적힌 과거 요약|hgpo-core";
        "only_level": "Only level|One level of the hierarchy alone|hgpo-core" / "한 레벨만|계층의 한 레벨만 씁니다|hgpo-core";
        "state_value": "Value of a state|The mean return of its visits, also as a potential; by the process of the attempts; or as recorded|hgpo-core" / "상태의 가치|방문의 평균 리턴, 퍼텐셜로 본 평균 리턴, 시도들이 이루는 과정에서 구한 값, 또는 기록된 값|hgpo-core";
        "depth": "Process depth|How often Bellman's equation is applied to the values of states|CRBC, arXiv 2609.35082" / "과정 깊이|상태의 가치에 벨먼 방정식을 적용하는 횟수|CRBC, arXiv 2609.35082";
        "credit": "Credit|What a step gets: its return, the value of its action, one gain in value, or all later gains|hgpo-core" / "단계의 몫|단계가 받는 값: 리턴, 행동의 가치, 가치의 증가분 하나, 또는 이후의 증가분 모두|hgpo-core";
        "lambda": "Decay \u{3bb}|How much later gains count|GAGPO, arXiv 2605.13217" / "감쇠 \u{3bb}|나중 증가분을 얼마나 반영할지 정합니다|GAGPO, arXiv 2605.13217";
        "shrinkage": "Shrinkage \u{3ba}|Visits that draw the value of an action toward that of its state|ECPO, arXiv 2606.05885" / "수축 \u{3ba}|행동의 가치를 상태의 가치 쪽으로 끌어당기는 방문 수|ECPO, arXiv 2606.05885";
        "among": "Compared with|The steps in the same state, all steps of the task, or nothing|hgpo-core" / "비교 대상|같은 상태의 단계, 과제의 모든 단계, 또는 비교 없음|hgpo-core";
        "trust": "Trust|How far the credit counts: in full, or by what was seen in the state or task|hgpo-core" / "신뢰|단계의 몫을 그대로 쓸지, 상태나 과제에서 본 것에 따라 줄일지 정합니다|hgpo-core";
        "saturation": "Saturation \u{3c4}|Visits that trust three quarters of the explained share; 0: any number trusts all of it|ECPO, arXiv 2606.05885" / "포화 \u{3c4}|설명 비율의 4분의 3을 믿게 하는 방문 수. 0이면 방문 수와 상관없이 모두 믿습니다|ECPO, arXiv 2606.05885";
        "variance_epsilon": "Variance \u{3b5}|Added to the variance that the explained part is divided by|ECPO, arXiv 2606.05885" / "분산 \u{3b5}|설명된 분산을 나누는 분산에 더하는 수|ECPO, arXiv 2606.05885";
        "failure_exponent": "Failure exponent|How much less the credit counts the more attempts succeed|PGPO, arXiv 2609.02236" / "실패 지수|성공한 시도가 많을수록 단계의 몫을 얼마나 줄일지 정합니다|PGPO, arXiv 2609.02236";
        "episode_weight": "Episode weight|Weight of the episode's term|CRBC, arXiv 2609.35082" / "시도 가중치|시도 항의 가중치|CRBC, arXiv 2609.35082";
        "return_weight": "Return weight|Weight of the return among equal states, beside the credit|hgpo-core" / "리턴 가중치|단계의 몫에 더하는, 같은 상태 사이의 리턴 항의 가중치|hgpo-core";
        "step_weight": "Step weight w|Weight of the step term beside the episode's|GiGPO, arXiv 2505.10978" / "단계 가중치 w|시도 항에 더하는 단계 항의 가중치|GiGPO, arXiv 2505.10978";
        "floor": "Least \u{3c3}|What the step's deviation counts as at least; 0: no such bound|CRBC, arXiv 2609.35082" / "최소 \u{3c3}|단계 항의 표준편차를 적어도 이 값으로 봅니다. 0이면 그런 하한이 없습니다|CRBC, arXiv 2609.35082";
        "episode_statistics": "Episode mean over|All steps of the task, or one score per attempt|verl-agent" / "시도 평균|과제의 모든 단계, 또는 시도마다 점수 하나|verl-agent";
        "task_baseline": "Task mean first|Subtracts the task's mean before whitening|REINFORCE++, arXiv 2501.03262" / "과제 평균 빼기|백색화 전에 과제 평균을 뺍니다|REINFORCE++, arXiv 2501.03262";
        "graph_discount": "Graph discount|How fast nearness to the goal fades with distance|GraphGPO" / "그래프 할인율|목표까지의 거리에 따라 값이 줄어드는 정도|GraphGPO";
        "value_discount": "Value discount|Discount of the values of states|G2PO and CRBC" / "가치 할인율|상태 가치의 할인율|G2PO와 CRBC";
        "std": "Step \u{3c3}|Variance over n (population) or n \u{2212} 1 (sample)|verl-agent" / "단계 \u{3c3}|분산을 n(모집단) 또는 n \u{2212} 1(표본)로 나눕니다|verl-agent";
        "singleton": "Step alone|Advantage in a group of one: 0, or the value itself|verl-agent" / "혼자인 단계|단독 그룹의 어드밴티지: 0, 또는 값 그대로|verl-agent";
        "step_std": "Step \u{3c3}|Variance over n (population) or n \u{2212} 1 (sample)|verl-agent" / "단계 \u{3c3}|분산을 n(모집단) 또는 n \u{2212} 1(표본)로 나눕니다|verl-agent";
        "step_singleton": "Step alone|Advantage in a group of one: 0, or the value itself|verl-agent" / "혼자인 단계|단독 그룹의 어드밴티지: 0, 또는 값 그대로|verl-agent";
        "episode_std": "Episode \u{3c3}|Variance over n (population) or n \u{2212} 1 (sample)|verl-agent" / "시도 \u{3c3}|분산을 n(모집단) 또는 n \u{2212} 1(표본)로 나눕니다|verl-agent";
        "episode_singleton": "Episode alone|Advantage in a group of one: 0, or the value itself|verl-agent" / "혼자인 시도|단독 그룹의 어드밴티지: 0, 또는 값 그대로|verl-agent";
        "base_std": "Base \u{3c3}|Variance over n (population) or n \u{2212} 1 (sample)|verl-agent" / "기본 그룹 \u{3c3}|분산을 n(모집단) 또는 n \u{2212} 1(표본)로 나눕니다|verl-agent";
        "base_singleton": "Base alone|Advantage in a group of one: 0, or the value itself|verl-agent" / "혼자인 기본 그룹|단독 그룹의 어드밴티지: 0, 또는 값 그대로|verl-agent";
        "discount": "Discount \u{3b3}|How much a reward counts one step earlier|0.95 in GiGPO and HGPO" / "할인율 \u{3b3}|보상이 한 단계 앞에서 반영되는 비율|GiGPO와 HGPO에서 0.95";
        "invalid_penalty": "Invalid penalty|Subtracted at steps with an invalid answer, and only there|0.1 in verl-agent" / "형식 벌점|응답 형식이 틀린 단계에서만 뺍니다|verl-agent에서 0.1";
    }
}

/// Every option with a control, in the order of the page.
pub(crate) fn options() -> impl Iterator<Item = Key> {
    table().map(|(key, _)| key)
}

/// The words of a control; of an option without words its name.
pub(crate) fn control(key: Key) -> ControlWords {
    let of = |(known, words): (&str, &'static str)| {
        let mut parts = words.split('|').filter(|_| known == key);
        Some(ControlWords { label: parts.next()?, hint: parts.next()?, source: parts.next()? })
    };
    let unknown = ControlWords { label: key, hint: "", source: "" };
    table().find_map(of).unwrap_or(unknown)
}

words! {
    whole_number(label: &str, usual: u64): "{label}: a whole number from 0 to {usual}." / "{label}: 0부터 {usual}까지의 정수입니다.";
    number_to(label: &str, usual: f64): "{label}: a number from 0 to {usual}." / "{label}: 0부터 {usual}까지의 숫자입니다.";
    not_together(label: &str): "{label}: not with the other options." / "{label}: 다른 설정과 함께 쓸 수 없습니다.";
}

/// Why a control does not admit what was typed.
pub(crate) fn control_problem(key: Key) -> String {
    let label = control(key).label;
    match kind(key) {
        Kind::Integer { usual, .. } => whole_number(label, usual),
        Kind::Number { usual, .. } => number_to(label, usual),
        _ => not_together(label),
    }
}

/// Why the rollouts do not admit what was chosen.
pub(crate) fn unfit(key: Key, why: &str) -> String {
    [control(key).label, ": ", why].concat()
}

/// What the names of options' values are called. A line each, as that takes least room in the program:
/// a name is called the same in every option that has it.
fn choices() -> impl Iterator<Item = Named> {
    lines! {
        "true": "on" / "켜짐";
        "false": "off" / "꺼짐";
        "mean-std": "mean and \u{3c3}" / "평균과 \u{3c3}";
        "mean": "mean only" / "평균만";
        "paper": "paper: (k+1)^\u{3b1}" / "논문: (k+1)^\u{3b1}";
        "verl": "code: (k+2)^\u{3b1}" / "코드: (k+2)^\u{3b1}";
        "adaptive": "from the data" / "데이터에서";
        "group": "the whole group" / "그룹 전체";
        "others": "other attempts" / "다른 시도";
        "agent": "the agent's steps" / "그 에이전트의 단계";
        "all": "all steps" / "모든 단계";
        "together": "all together" / "모두 함께";
        "apart": "by number" / "번호별로";
        "truncated": "by number, those all attempts have" / "번호별로, 모든 시도에 있는 차례만";
        "filled": "by number, filled with last turns" / "번호별로, 마지막 차례로 채움";
        "states": "last states" / "앞선 상태";
        "summary": "summaries" / "요약";
        "steps": "all steps" / "모든 단계";
        "trajectories": "attempts" / "시도";
        "population": "n (population)" / "n (모집단)";
        "sample": "n \u{2212} 1 (sample)" / "n \u{2212} 1 (표본)";
        "zero": "0" / "0";
        "keep": "the value itself" / "값 그대로";
        "returns": "mean return" / "평균 리턴";
        "potentials": "mean return as a potential" / "퍼텐셜로 본 평균 리턴";
        "process": "process of the attempts" / "시도들의 과정";
        "recorded": "as recorded" / "기록된 값";
        "0": "visits alone" / "방문만";
        "1": "one step further" / "한 단계 더";
        "2": "two steps further" / "두 단계 더";
        "3": "three steps further" / "세 단계 더";
        "fixed-point": "fixed point" / "고정점";
        "return": "its return" / "리턴";
        "action": "value of its action" / "행동의 가치";
        "difference": "one gain" / "증가분 하나";
        "gae": "all later gains (GAE)" / "이후의 증가분 모두 (GAE)";
        "state": "same state" / "같은 상태";
        "task": "all steps of the task" / "과제의 모든 단계";
        "nothing": "no other step" / "비교 없음";
        "none": "in full" / "그대로";
        "variance": "share explained by actions" / "행동이 설명하는 비율";
        "gated-variance": "the same, by visits" / "설명 비율과 방문 수";
        "actions": "two actions seen" / "두 행동을 본 상태만";
        "failures": "share of failures" / "실패 비율";
    }
}

/// The name of a value of a control; the value itself where it has none, as numbers have.
pub(crate) fn value(key: Key, value: &str) -> &str {
    if let Kind::Integer { .. } | Kind::Number { .. } = kind(key) {
        return value;
    }
    find(choices(), value).unwrap_or_else(|| called(value))
}

/// What estimators are called, a line each.
const CALLED: &str = "grpo GRPO
gigpo GiGPO
hgpo HGPO
rloo RLOO
reinforce-plus-plus REINFORCE++
graph-gpo GraphGPO
g2po G2PO
crbc CRBC
pgpo PGPO
adastep AdaStep
ecpo ECPO
gagpo GAGPO
composed Composed
dr-mas Dr. MAS";

/// What an estimator is called, by its name in files.
pub(crate) fn called(name: &str) -> &str {
    find(CALLED.lines().filter_map(|line| line.split_once(' ')), name).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::{control, options};
    use crate::model::{ESTIMATOR, Key, estimators, key_of, kind};
    use crate::text::{Language, speak, value};
    use hgpo_core::{Declaration, Kind, Options};

    /// States are compared by equality on the page; links with other options open all the same.
    const WITHOUT_CONTROL: [Key; 3] = ["similarity", "threshold", "linkage"];

    #[test]
    fn every_option_and_every_choice_has_words_in_both_languages() {
        let declared = Declaration::all().into_iter().chain(Options::of_returns());
        let drawn = declared.map(|option| option.name).chain([ESTIMATOR]);
        let missing: Vec<Key> = drawn
            .filter(|key| !WITHOUT_CONTROL.contains(key) && options().all(|known| known != *key))
            .collect();
        assert_eq!(missing, [""; 0], "add their words to OPTIONS");
        assert!(options().all(|key| key_of(key).is_some()), "an option that core does not have");
        for language in Language::ALL {
            speak(language);
            for key in options() {
                let words = control(key);
                let all = [words.label, words.hint, words.source];
                assert!(all.iter().all(|word| !word.is_empty()), "{key}: {words:?}");
                if let Kind::Choice(names) = kind(key) {
                    assert!(names.iter().all(|name| value(key, name) != *name), "{key}");
                }
            }
            for name in estimators() {
                assert_ne!(value(ESTIMATOR, name), name, "{name} has no name on the page");
            }
        }
        speak(Language::default());
    }
}
