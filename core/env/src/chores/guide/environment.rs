//! Episode of `guide-and-walker`.

use super::super::house::{Action, State};
use super::super::shortest_plan;
use super::super::task::Task;
use super::super::text::action as write;
use super::{AGENTS, GuideSettings, text};
use crate::random::Stream;
use crate::team::{ActionForm, Agents};
use crate::{Actions, Environment, EpisodeSettings, Observation, Outcome, Possibility};

/// A task, and how far the agents have come with it.
#[derive(Clone, Debug)]
pub(super) struct GuideEpisode {
    task: Task,
    settings: GuideSettings,
    episode: EpisodeSettings,
    state: State,
    /// What the guide said, once it is the walker's turn.
    heard: Option<String>,
    steps: usize,
}

impl GuideEpisode {
    /// `task` before the first step.
    pub(super) fn new(task: Task, settings: GuideSettings, episode: EpisodeSettings) -> Self {
        Self { task, settings, episode, state: task.start, heard: None, steps: 0 }
    }

    fn won(&self) -> bool {
        self.task.is_done(&self.state)
    }

    fn done(&self) -> bool {
        self.won() || self.steps >= self.episode.max_steps
    }

    fn reward(&self) -> f64 {
        if self.won() { self.episode.success_reward } else { 0.0 }
    }

    fn is_guides_turn(&self) -> bool {
        self.settings.agents == Agents::Team && self.heard.is_none()
    }

    fn write(&self, action: Action) -> String {
        write(&self.task, &self.state, action)
    }

    fn walks(&self) -> Vec<Action> {
        self.state.actions(&self.task.layout)
    }

    fn actions(&self) -> Actions {
        let listed = if self.done() {
            Vec::new()
        } else if !self.is_guides_turn() {
            self.walks().into_iter().map(|it| self.write(it)).collect()
        } else if self.settings.actions == ActionForm::Free {
            return Actions::Text;
        } else {
            text::utterances(&self.task, self.settings.words)
        };
        Actions::Listed(listed.into())
    }

    /// What is heard when the guide says this, if it can.
    fn said(&self, utterance: &str) -> Option<String> {
        let words = self.settings.words;
        match self.settings.actions {
            ActionForm::Free => text::heard(utterance, words),
            ActionForm::Listed => {
                text::utterances(&self.task, words).into_iter().find(|it| it == utterance)
            }
        }
    }

    /// Carries out an action, if it is one.
    fn carry_out(&mut self, action: &str) -> bool {
        if self.is_guides_turn() {
            self.heard = self.said(action);
            return self.heard.is_some();
        }
        let chosen = self.walks().into_iter().find(|&it| self.write(it) == action);
        if let Some(chosen) = chosen {
            self.state = self.state.after(chosen);
            self.heard = None;
        }
        chosen.is_some()
    }
}

impl Environment for GuideEpisode {
    fn instruction(&self) -> &str {
        text::INSTRUCTION
    }

    fn observe(&self) -> Observation {
        let map = || text::map(&self.task, &self.state);
        let here = || text::here(&self.task, &self.state);
        let (agent, seen) = match (self.settings.agents, &self.heard) {
            (Agents::One, _) => (None, format!("{} {}", map(), here())),
            (Agents::Team, None) => (Some(AGENTS[0]), map()),
            (Agents::Team, Some(heard)) => (Some(AGENTS[1]), format!("{} heard: {heard}.", here())),
        };
        Observation {
            agent: agent.map(str::to_owned),
            context: Some(text::context(&self.state)),
            ..Observation::new(seen, self.actions())
        }
    }

    /// White space around the action is ignored; a step after the end changes nothing.
    fn step(&mut self, action: &str, _: &mut Stream) -> Outcome {
        if self.done() {
            return Outcome { reward: 0.0, done: true, won: self.won(), admissible: false };
        }
        let admissible = self.carry_out(action.trim());
        self.steps += 1;
        Outcome { reward: self.reward(), done: self.done(), won: self.won(), admissible }
    }

    fn snapshot(&self) -> Box<dyn Environment> {
        Box::new(self.clone())
    }

    /// The whole house, and what was heard.
    fn situation(&self) -> Option<String> {
        self.drawing()
    }

    /// The one that it leads to, which counts no step for the action. `None` for what is no action.
    fn possibilities(&self, action: &str) -> Option<Vec<Possibility>> {
        let mut next = Self { steps: 0, ..self.clone() };
        if next.won() || !next.carry_out(action.trim()) {
            return None;
        }
        let reward = next.reward();
        let next = (!next.won()).then(|| Box::new(next) as Box<dyn Environment>);
        Some(vec![Possibility { probability: 1.0, reward, next }])
    }

    /// Every room with what is in it, hidden things in parentheses; `@` marks the walker, an arrow what is wanted.
    fn drawing(&self) -> Option<String> {
        Some(text::drawing(&self.task, &self.state, self.heard.as_deref()))
    }

    fn plan(&self) -> Option<Vec<String>> {
        let mut state = self.state;
        let mut is_guides_turn = self.is_guides_turn();
        let mut plan = Vec::new();
        for action in shortest_plan::shortest(&self.task, state) {
            let written = write(&self.task, &state, action);
            if is_guides_turn {
                plan.push(text::utterance(&written, self.settings.words));
            }
            plan.push(written);
            state = state.after(action);
            is_guides_turn = self.settings.agents == Agents::Team;
        }
        Some(plan)
    }
}
