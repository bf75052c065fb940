//! What the choices of controls are called.

use super::words::either;
use crate::model::{Key, kind};
use hgpo_core::Kind;

/// What the names of options' values are called. A line each, as that takes least room in the program:
/// a name is called the same in every option that has it.
fn choices() -> &'static str {
    either!(
        "true: on
false: off
mean-std: mean and \u{3c3}
mean: mean only
paper: paper: (k+1)^\u{3b1}
verl: code: (k+2)^\u{3b1}
adaptive: from the data
group: the whole group
others: other attempts
states: last states
summary: summaries
steps: all steps
trajectories: attempts
population: n (population)
sample: n \u{2212} 1 (sample)
zero: 0
keep: the value itself
returns: mean return
potentials: mean return as a potential
process: process of the attempts
recorded: as recorded
0: visits alone
1: one step further
2: two steps further
3: three steps further
fixed-point: fixed point
return: its return
action: value of its action
difference: one gain
gae: all later gains (GAE)
state: same state
task: all steps of the task
nothing: no other step
none: in full
variance: share explained by actions
gated-variance: the same, by visits
actions: two actions seen
failures: share of failures",
        "true: 켜짐
false: 꺼짐
mean-std: 평균과 \u{3c3}
mean: 평균만
paper: 논문: (k+1)^\u{3b1}
verl: 코드: (k+2)^\u{3b1}
adaptive: 데이터에서
group: 그룹 전체
others: 다른 시도
states: 앞선 상태
summary: 요약
steps: 모든 단계
trajectories: 시도
population: n (모집단)
sample: n \u{2212} 1 (표본)
zero: 0
keep: 값 그대로
returns: 평균 리턴
potentials: 퍼텐셜로 본 평균 리턴
process: 시도들의 과정
recorded: 기록된 값
0: 방문만
1: 한 단계 더
2: 두 단계 더
3: 세 단계 더
fixed-point: 고정점
return: 리턴
action: 행동의 가치
difference: 증가분 하나
gae: 이후의 증가분 모두 (GAE)
state: 같은 상태
task: 과제의 모든 단계
nothing: 비교 없음
none: 그대로
variance: 행동이 설명하는 비율
gated-variance: 설명 비율과 방문 수
actions: 두 행동을 본 상태만
failures: 실패 비율",
    )
}

/// The name of a value of a control; the value itself where it has none, as numbers have.
pub(crate) fn value(key: Key, value: &str) -> &str {
    if let Kind::Integer { .. } | Kind::Number { .. } = kind(key) {
        return value;
    }
    let mut choices = choices().lines().filter_map(|line| line.split_once(": "));
    let found = choices.find(|(known, _)| *known == value).map(|(_, called)| called);
    found.unwrap_or_else(|| called(value))
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
    let mut known = CALLED.lines().filter_map(|line| line.split_once(' '));
    known.find(|(known, _)| *known == name).map_or(name, |(_, called)| called)
}
