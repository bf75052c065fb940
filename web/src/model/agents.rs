//! Agents of a task: who acts at its steps, and how often.

use super::{Cell, Task};
use hgpo_core::{Step, Trajectory};
use std::collections::HashMap;
use yew::AttrValue;

/// An agent of a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Agent {
    /// What its steps call it; empty for those that name none, which are one more agent's.
    pub(crate) name: AttrValue,
    /// How many steps are its own.
    pub(crate) turns: usize,
}

/// What a step calls its agent.
pub(crate) fn agent_of(step: &Step) -> &str {
    step.agent.as_deref().unwrap_or_default()
}

/// The agents of trajectories, in order of appearance.
pub(super) fn agents(trajectories: &[Trajectory]) -> Vec<Agent> {
    let mut places: HashMap<&str, usize> = HashMap::new();
    let mut agents: Vec<Agent> = Vec::new();
    for step in trajectories.iter().flat_map(|own| &own.steps) {
        let name = agent_of(step);
        let place = *places.entry(name).or_insert_with(|| {
            agents.push(Agent { name: name.to_owned().into(), turns: 0 });
            agents.len() - 1
        });
        agents[place].turns += 1;
    }
    agents
}

impl Task {
    /// Whether more than one agent acts.
    pub(crate) fn is_team(&self) -> bool {
        self.agents.len() > 1
    }

    /// The agent of a step, if there are several.
    pub(crate) fn team_agent(&self, cell: Cell) -> Option<&Agent> {
        let name = agent_of(self.step(cell));
        self.agents.iter().find(|agent| self.is_team() && agent.name == name)
    }
}

#[cfg(test)]
mod tests {
    use crate::model::{Cell, PRESETS, Preset, Rollouts};

    fn agents(rollouts: &Rollouts) -> Vec<(&str, usize)> {
        rollouts.tasks[0].agents.iter().map(|agent| (&*agent.name, agent.turns)).collect()
    }

    #[test]
    fn agents_are_listed_as_they_appear_with_their_turns() {
        let example = Preset::position("countdown").expect("an example");
        let (rollouts, chosen) = PRESETS[example].load();
        assert_eq!(agents(&rollouts), [("solver", 8), ("checker", 2)]);
        let task = &rollouts.tasks[0];
        assert!(task.is_team());
        assert_eq!(task.team_agent(chosen).map(|agent| &*agent.name), Some("checker"));
        assert_eq!(task.team_agent(Cell::default()).map(|agent| &*agent.name), Some("solver"));
    }

    #[test]
    fn steps_without_an_agent_are_one_more_agents() {
        let read = |agent: &str| {
            let text = format!(
                r#"{{"task":"g","trajectory":"x","steps":[{{"state":"a","reward":0{agent}}},{{"state":"b","reward":1}}]}}"#
            );
            Rollouts::read(&text).expect("rollouts")
        };
        let (mixed, alone) = (read(r#","agent":"m""#), read(""));
        assert_eq!(agents(&mixed), [("m", 1), ("", 1)]);
        assert!(mixed.tasks[0].is_team());
        assert_eq!(agents(&alone), [("", 2)]);
        assert_eq!(alone.tasks[0].team_agent(Cell::default()), None, "nobody to be told from");
    }
}
