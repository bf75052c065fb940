//! Episode of `chores`.

use super::house::{Action, State};
use super::task::Task;
use super::{shortest_plan, text};
use crate::random::Stream;
use crate::{Environment, EpisodeSettings, Observation, Outcome};

/// A task, the state it has reached, and the steps taken.
#[derive(Clone, Debug)]
pub(super) struct ChoresEnvironment {
    task: Task,
    settings: EpisodeSettings,
    instruction: String,
    state: State,
    steps: usize,
}

impl ChoresEnvironment {
    /// `task` before the first step.
    pub(super) fn new(task: Task, settings: EpisodeSettings) -> Self {
        Self { task, settings, instruction: text::instruction(&task), state: task.start, steps: 0 }
    }

    fn won(&self) -> bool {
        self.task.is_done(&self.state)
    }

    fn done(&self) -> bool {
        self.won() || self.steps >= self.settings.max_steps
    }

    /// The actions that would be carried out now: none once the episode is over.
    fn actions(&self) -> Vec<Action> {
        if self.done() { Vec::new() } else { self.state.actions(&self.task.layout) }
    }

    fn write(&self, action: Action) -> String {
        text::action(&self.task, &self.state, action)
    }
}

impl Environment for ChoresEnvironment {
    fn instruction(&self) -> &str {
        &self.instruction
    }

    fn observe(&self) -> Observation {
        let actions = self.actions();
        let actions = actions.into_iter().map(|it| self.write(it)).collect();
        Observation {
            context: Some(text::context(&self.task, &self.state)),
            ..Observation::listed(text::observation(&self.task, &self.state), actions)
        }
    }

    /// White space around the action is ignored; a step after the end changes nothing.
    fn step(&mut self, action: &str, _: &mut Stream) -> Outcome {
        if self.done() {
            return Outcome { reward: 0.0, done: true, won: self.won(), admissible: false };
        }
        let mut actions = self.actions().into_iter();
        let chosen = actions.find(|&it| self.write(it) == action.trim());
        if let Some(action) = chosen {
            self.state = self.state.after(action);
        }
        self.steps += 1;
        let won = self.won();
        let reward = if won { self.settings.success_reward } else { 0.0 };
        Outcome { reward, done: self.done(), won, admissible: chosen.is_some() }
    }

    fn plan(&self) -> Option<Vec<String>> {
        let mut state = self.state;
        let mut texts = Vec::new();
        for action in shortest_plan::shortest(&self.task, state) {
            texts.push(text::action(&self.task, &state, action));
            state = state.after(action);
        }
        Some(texts)
    }

    fn snapshot(&self) -> Box<dyn Environment> {
        Box::new(self.clone())
    }
}
