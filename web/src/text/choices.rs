//! What the choices of controls are called.

use super::words::{Named, find, lines};
use crate::model::{Key, kind};
use hgpo_core::Kind;

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
