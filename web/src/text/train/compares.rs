//! What estimators compare, and what the numbers of a lane mean.

use super::{of_all_agents, of_each_agent};
use crate::text::words::{Named, either, find, lines, named, words};
use crate::train::model::{INSIDE, setup};
use hgpo_core::Estimator;

words! {
    meanings: "What the numbers mean" / "숫자의 뜻";
    faster: "A lane learns the faster, the more of its steps are compared with steps that are truly alike, and the fewer are wasted. To find out which part of a method helps, take it away: with K = 0, HGPO looks at no past." / "참으로 비슷한 단계와 비교되는 단계가 많을수록, 쓸모없는 단계가 적을수록 빨리 배웁니다. 방법의 어느 부분이 도움이 되는지는 빼 보면 압니다. K = 0이면 HGPO는 과거를 보지 않습니다.";
    whole_attempts: "Compares whole attempts at a task" / "과제의 시도 전체를 서로 비교합니다";
    alike: ": all steps of an attempt, good or bad, are praised or blamed alike." / ". 한 시도의 모든 단계를, 잘했든 못했든 똑같이 칭찬하거나 탓합니다.";
    same_sight: "Compares single steps at which the agent sees the same" / "에이전트에게 똑같이 보이는 단계끼리 비교합니다";
    without_past: ", however it came there." / ". 어떻게 왔는지는 보지 않습니다.";
    with_past(steps: &str, deepest: usize): ", and of these once more those that came the same way, up to {steps} back." / ". 그 가운데 {deepest}단계 전까지 온 길도 같은 단계끼리 다시 비교합니다.";
    success: "Success|Share of attempts that reach the goal: mean over seeds, with the 95 % interval of that mean" / "성공률|목표에 닿은 시도의 비율: 시드 평균과 그 평균의 95 % 구간";
    wasted: "Wasted|Share of all steps that get advantage 0: the policy learns nothing from them" / "쓸모없음|어드밴티지가 0인 단계의 비율: 정책이 그 단계에서는 아무것도 배우지 못합니다";
    entropy: "Entropy|How undecided the policy is, in nats: 1.39 where four actions are all as likely, 0 where it is sure" / "엔트로피|정책이 얼마나 정해지지 않았는지(나트): 네 가지 행동의 확률이 모두 같으면 1.39, 확실하면 0";
    divergence: "KL|How far the policy has come from the one that it began with, in nats" / "KL|처음 정책에서 얼마나 멀어졌는지(나트)";
    same: "Sees the same|A group is the steps at one task at which the agent sees the same: now; now and one step back; and so on" / "똑같이 보임|그룹은 한 과제에서 에이전트에게 똑같이 보이는 단계들입니다: 지금만, 지금과 한 단계 전, 이런 식입니다";
    group_size: "Group of|Steps in the group of a step, on average. Few leave the comparison to chance; many may be of places that only look alike" / "그룹의 단계|한 단계가 든 그룹의 평균 단계 수. 적으면 비교가 우연에 맡겨지고, 많으면 겉보기만 같은 곳이 섞일 수 있습니다";
    alone: "Alone|Share of steps that are alone in their group: nobody to compare with" / "혼자|그룹에 혼자여서 비교할 상대가 없는 단계의 비율";
    no_signal: "No signal|Share of steps that are alone, or whose group came to the same return in all steps" / "신호 없음|혼자이거나, 그룹의 리턴이 모두 같은 단계의 비율";
}

/// What estimators compare, by their names: a sentence, or what follows on [`whole_attempts`].
fn comparisons() -> impl Iterator<Item = Named> {
    lines! {
        "crbc": ", and adds what the action is worth by all ways that attempts went on from there." / ". 거기에 그 행동의 가치를, 그 뒤로 이어진 모든 시도의 길에서 얻어 더합니다.";
        "adastep": ", and then single steps at which the agent sees the same, as far as the action explains what came after." / ". 그다음 에이전트에게 똑같이 보이는 단계끼리, 행동이 그 뒤에 얻은 것을 설명하는 만큼 비교합니다.";
        "ecpo": ", and then what each action brought on average where the agent sees the same, as far as actions matter there." / ". 그다음 에이전트에게 똑같이 보이는 곳에서 행동마다 평균 얼마를 얻었는지를, 행동이 중요한 만큼 비교합니다.";
        "gigpo": ", and then single steps at which the agent sees the same: what came after counts." / ". 그다음 에이전트에게 똑같이 보이는 단계끼리 비교합니다. 그 뒤에 얻은 것이 셉니다.";
        "reinforce-plus-plus": " and at all other tasks: the steps of an attempt, good or bad, are praised or blamed alike." / ". 다른 과제의 시도와도 비교하며, 한 시도의 모든 단계를 똑같이 칭찬하거나 탓합니다.";
        "graph-gpo": ", and adds how near to the goal a step led, on the map of all attempts\u{2019} ways." / ". 거기에 모든 시도의 길을 모은 그림에서 한 단계가 목표에 얼마나 가까이 갔는지를 더합니다.";
        "g2po": ", and adds what the place is worth that a step led to, by all attempts\u{2019} ways." / ". 거기에 한 단계로 닿은 곳의 가치를, 모든 시도의 길에서 얻어 더합니다.";
        "pgpo": "Compares single steps at which the agent sees the same, and adds how far each came in value, the more the more attempts fail." / "에이전트에게 똑같이 보이는 단계끼리 비교하고, 단계마다 늘어난 가치를 실패한 시도가 많을수록 크게 더합니다.";
        "gagpo": "Compares what a step and those after it gain in value with what all steps of the task gain." / "한 단계와 그 뒤의 단계에서 늘어난 가치를 과제의 모든 단계와 비교합니다.";
        "composed": "Compares by parts that you choose: what a state is worth, what a step gets, how far that is trusted, and what it counts." / "직접 고른 부분들로 비교합니다. 상태의 가치, 단계의 몫, 신뢰, 가중치입니다.";
        "dr-mas": "Uses the method within each agent\u{2019}s steps; here all are of one agent." / "에이전트마다 그 단계에 방법을 씁니다. 여기서는 에이전트가 하나입니다.";
    }
}

/// What an estimator compares, in a sentence or two; in a team, whose steps.
pub(crate) fn compares(estimator: &Estimator, is_team: bool) -> String {
    let inside = setup::value(estimator, INSIDE).filter(|_| is_team);
    let inside = inside.and_then(|name| Estimator::default_named(&name).ok());
    if let Some(inside) = inside {
        return of_each_agent(&compares(&inside, false));
    }
    let compared = compared(estimator);
    if is_team { of_all_agents(&compared) } else { compared }
}

fn compared(estimator: &Estimator) -> String {
    if estimator.name() == "hgpo" {
        return of_contexts(estimator.context_length().unwrap_or_default());
    }
    let words = find(comparisons(), estimator.name()).unwrap_or(alike());
    if words.starts_with([',', '.', ':', ' ']) {
        [whole_attempts(), words].concat()
    } else {
        words.to_owned()
    }
}

/// What HGPO compares, up to so many steps back.
fn of_contexts(deepest: usize) -> String {
    let past = match deepest {
        0 => without_past().to_owned(),
        1 => with_past("1 step", 1),
        deepest => with_past(&format!("{deepest} steps"), deepest),
    };
    [same_sight(), &past].concat()
}

/// The numbers that every lane has.
pub(crate) fn stats() -> [Named; 4] {
    [success(), wasted(), entropy(), divergence()].map(named)
}

/// What is told of groups, level by level: what their steps share, and three numbers.
pub(crate) fn groups() -> [Named; 4] {
    [same(), group_size(), alone(), no_signal()].map(named)
}

/// A level, by how far back the same is seen.
pub(crate) fn level(level: usize) -> String {
    match level {
        0 => either!("now", "지금").to_owned(),
        1 => either!("+1 back", "+1 전").to_owned(),
        back => format!("+{back}"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::agent_stats;
    use super::{compares, groups, stats};
    use crate::model::estimators;
    use crate::text::{Language, speak};
    use hgpo_core::{Estimator, Hgpo};

    #[test]
    fn every_estimator_says_what_it_compares_in_both_languages() {
        for language in Language::ALL {
            speak(language);
            let all: Vec<String> = estimators()
                .map(|name| compares(&Estimator::default_named(name).expect(name), false))
                .collect();
            assert!(all.iter().all(|sentence| sentence.ends_with('.')), "{all:?}");
            // GRPO and RLOO compare the same, and no other two.
            let mut different = all.clone();
            different.sort_unstable();
            different.dedup();
            assert_eq!(different.len(), all.len() - 1, "{all:?}");
            let deep = |context_length| {
                compares(&Estimator::Hgpo(Hgpo { context_length, ..Hgpo::default() }), false)
            };
            assert!(deep(4).contains('4') && deep(0) != deep(1));
            let team = ["grpo", "dr-mas"]
                .map(|name| compares(&Estimator::default_named(name).expect(name), true));
            assert!(
                team[0].starts_with(&all[0]) && team[0] != all[0] && team[1] != team[0],
                "{team:?}"
            );
            assert!(
                stats()
                    .iter()
                    .chain(&groups())
                    .chain(&agent_stats())
                    .all(|(name, hint)| !name.is_empty() && hint.len() > 20)
            );
        }
        speak(Language::default());
    }
}
