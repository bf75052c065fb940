//! What the choices of controls are called.

use super::words::either;
use crate::model::{Key, kind};
use hgpo_core::Kind;
use hgpo_words::options::called;

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
potentials: mean return, as a potential
process: the attempts' process
recorded: as recorded
0: none: means
1: one
2: two
3: three
fixed-point: all: fixed point
return: its return
action: Q of its action
difference: gain in value
gae: all later gains
state: same state
task: all steps
nothing: no other step
none: as it is
variance: explained variance
gated-variance: the same, for many visits
actions: two actions seen
failures: rate of failures",
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
potentials: 평균 리턴(퍼텐셜)
process: 시도들의 과정
recorded: 기록된 값
0: 없음: 평균
1: 하나
2: 둘
3: 셋
fixed-point: 끝까지: 고정점
return: 리턴
action: 행동의 Q
difference: 가치의 증가분
gae: 이후 증가분 모두
state: 같은 상태
task: 모든 단계
nothing: 없음
none: 그대로
variance: 설명된 분산
gated-variance: 같은 비율, 방문이 많을 때
actions: 두 행동이 있을 때
failures: 실패율",
    )
}

/// The name of a value of a control; the value itself where it has none, as numbers have.
pub(crate) fn value(key: Key, value: &str) -> &str {
    if let Kind::Integer { .. } | Kind::Number { .. } = kind(key) {
        return value;
    }
    let mut choices = choices().lines().filter_map(|line| line.split_once(": "));
    let found = choices.find(|(known, _)| *known == value).map(|(_, called)| called);
    found.or_else(|| called(value)).unwrap_or(value)
}
