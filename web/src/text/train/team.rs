//! Words of the team: what it is, what its agents' numbers mean, and the table of what their words came to mean.

use crate::text::words::{Named, named, words};

words! {
    team: "team of two" / "둘로 된 팀";
    team_shows: "A team makes up a language. The guide knows which thing is wanted in which room, but can only say a word; the walker hears it, sees its own room, and acts. At the start no word means anything." / "팀이 언어를 만들어 냅니다. 안내자(guide)는 어떤 물건을 어느 방에 두어야 하는지 알지만 단어 하나만 말할 수 있습니다. 실행자(walker)는 그 말을 듣고 자기 방을 보며 행동합니다. 처음에는 어떤 단어에도 뜻이 없습니다.";
    /// The title of the table.
    language(lane: &str): "What words mean to {lane}" / "{lane}의 단어 뜻";
    word: "Word" / "단어";
    word_for: "Said for" / "말한 목적";
    word_done: "Walker did" / "실행자의 행동";
    word_right: "Right" / "맞음";
    /// How many words led to what was needed.
    right_of(share: &str, said: usize): "After {share} of {said} words, the walker did what was needed." / "단어 {said}개 가운데 {share} 다음에 실행자가 필요한 행동을 했습니다.";
    language_hint: "Last iteration, one seed. Said for: the step that was needed next when the word was said. Right: how often the walker then took that step. The two most frequent of each; a word can mean different things in different rooms." / "지난 반복, 시드 하나. 말한 목적: 단어를 말할 때 다음에 필요했던 행동. 맞음: 실행자가 그 행동을 한 비율. 각각 가장 잦은 두 가지를 보입니다. 같은 단어도 방에 따라 뜻이 다를 수 있습니다.";
    no_words_yet: "Press Play or One iteration to see what words are said for, and what the walker makes of them." / "재생이나 한 번 반복을 누르면 단어를 무엇 때문에 말하고 실행자가 어떻게 알아듣는지 볼 수 있습니다.";
    no_truth_of_team: "True advantages are computed of worlds with a map, and not of a team." / "참 어드밴티지는 지도가 있는 세계에서 계산하며, 팀에서는 계산하지 않습니다.";
    /// What an estimator compares, if it is each agent's steps by themselves.
    of_each_agent(compared: &str): "{compared} Each agent by itself." / "{compared} 에이전트마다 따로 합니다.";
    /// What an estimator compares, if it is all agents' steps together.
    of_all_agents(compared: &str): "{compared} All agents together." / "{compared} 모든 에이전트를 함께 합니다.";
    agent_turns: "Turns|Turns of the agent in an attempt, on average: guide and walker take turns, one word and one step" / "차례|한 시도에서 에이전트의 평균 차례 수: 안내자의 한 단어와 실행자의 한 행동이 번갈아 이어집니다";
    agent_success: "Success|Share of the attempts that the agent acted in that succeeded: both act in all" / "성공률|에이전트가 참여한 시도 가운데 성공한 비율: 둘은 모든 시도에 참여합니다";
    agent_moment: "A²|Mean of the agent's squared advantages, as the estimator gives them: how hard its turns pull on the policy" / "A²|추정기가 준 에이전트의 어드밴티지 제곱의 평균: 그 차례가 정책을 얼마나 세게 움직이는지";
    agent_entropy: "Entropy|How undecided the agent is, in nats: the guide among the words, the walker among the steps that are possible" / "엔트로피|에이전트가 얼마나 정해지지 않았는지(나트): 안내자는 단어 사이에서, 실행자는 가능한 행동 사이에서";
}

/// What is told of each agent.
pub(crate) fn agent_stats() -> [Named; 4] {
    [agent_turns(), agent_success(), agent_moment(), agent_entropy()].map(named)
}
