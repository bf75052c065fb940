//! Episode of `library`.

use std::sync::Arc;

use super::rules::{Act, Agent, State, Task};
use crate::random::Stream;
use crate::shortest_path::shortest_path;
use crate::team::ActionForm;
use crate::{Actions, Environment, Observation, Outcome, Possibility};

/// Words of observations and actions, apart from agents, names and facts.
pub(super) const VOCABULARY: &str = ". , : 1 2 3 4 answer found no nothing round search yes";

/// A task, the state it has reached, and the steps taken.
#[derive(Clone, Debug)]
pub(super) struct LibraryEpisode {
    task: Arc<Task>,
    state: State,
    steps: usize,
}

impl LibraryEpisode {
    /// A task before the first step.
    pub(super) fn new(task: Arc<Task>) -> Self {
        let state = task.start();
        Self { task, state, steps: 0 }
    }

    fn won(&self) -> bool {
        self.state.is_right == Some(true)
    }

    fn done(&self) -> bool {
        self.state.is_right.is_some() || self.steps >= self.task.episode.max_steps
    }

    fn reward(&self) -> f64 {
        if self.won() { self.task.episode.success_reward } else { 0.0 }
    }

    /// The facts that were found, as sentences.
    fn found(&self) -> impl Iterator<Item = &str> {
        self.state.known().iter().map(|&fact| self.task.collection.texts[fact].as_str())
    }

    fn actions(&self) -> Actions {
        let is_listed = self.task.settings.actions == ActionForm::Listed
            || self.state.agent == Some(Agent::Verifier);
        if self.done() {
            Actions::Listed(Arc::default())
        } else if is_listed {
            let acts = self.task.acts(&self.state);
            Actions::Listed(acts.into_iter().map(Act::write).collect())
        } else {
            Actions::Text
        }
    }
}

impl Environment for LibraryEpisode {
    fn instruction(&self) -> &str {
        &self.task.instruction
    }

    /// Who has to act, the round, and what was found so far.
    fn observe(&self) -> Observation {
        let State { round, agent, .. } = self.state;
        let whose = agent.map(|it| format!("{}, ", it.name())).unwrap_or_default();
        let found: Vec<&str> = self.found().collect();
        let found = if found.is_empty() { "nothing found.".to_owned() } else { found.join(" ") };
        Observation {
            agent: agent.map(|it| it.name().to_owned()),
            ..Observation::new(format!("{whose}round {round}: {found}"), self.actions())
        }
    }

    /// White space around the action is ignored; a step after the end changes nothing.
    fn step(&mut self, action: &str, _: &mut Stream) -> Outcome {
        if self.done() {
            return Outcome { reward: 0.0, done: true, won: self.won(), admissible: false };
        }
        let act = self.task.read(&self.state, action);
        if let Some(act) = act {
            self.state = self.task.after(self.state, act);
        }
        self.steps += 1;
        let (reward, done, won) = (self.reward(), self.done(), self.won());
        Outcome { reward, done, won, admissible: act.is_some() }
    }

    fn snapshot(&self) -> Box<dyn Environment> {
        Box::new(self.clone())
    }

    /// The round, who has to act, the numbers of the facts that were found, and how it was answered.
    fn situation(&self) -> Option<String> {
        let State { round, agent, is_right, .. } = self.state;
        let agent = agent.map_or("", Agent::name);
        let facts: Vec<String> = self.state.known().iter().map(ToString::to_string).collect();
        let answered = match is_right {
            None => "",
            Some(true) => " right",
            Some(false) => " wrong",
        };
        Some(format!("{round} {agent} {}{answered}", facts.join(",")))
    }

    /// The one that it leads to, which counts no step for the action. `None` for what is no action, and once answered.
    fn possibilities(&self, action: &str) -> Option<Vec<Possibility>> {
        let act = self.task.read(&self.state, action)?;
        let next = Self { state: self.task.after(self.state, act), ..self.clone() };
        let reward = next.reward();
        let next = next.state.is_right.is_none().then(|| Box::new(next) as Box<dyn Environment>);
        Some(vec![Possibility { probability: 1.0, reward, next }])
    }

    /// The facts that lead to the answer, each with whether it was found, the answer, and what else was found.
    fn drawing(&self) -> Option<String> {
        let Task { collection, question, .. } = &*self.task;
        let chain = question.chain.map(|fact| {
            let mark = if self.state.known().contains(&fact) { 'x' } else { ' ' };
            format!("[{mark}] {}", collection.texts[fact])
        });
        let others = self.found().filter(|text| !chain.iter().any(|it| it.ends_with(text)));
        let others = others.map(|text| format!("    {text}"));
        let answer = format!("answer: {}", self.task.answer());
        Some(chain.iter().cloned().chain([answer]).chain(others).collect::<Vec<_>>().join("\n"))
    }

    /// The fewest actions to the right answer, which need not find why it is right. `None` where it was answered
    /// wrongly, or the last round has come and the answer is not among the names that can be chosen.
    fn plan(&self) -> Option<Vec<String>> {
        let task = &*self.task;
        let next = |state| {
            let acts = task.acts(&state).into_iter();
            acts.map(move |act| (act, task.after(state, act))).collect::<Vec<_>>()
        };
        let acts = shortest_path(self.state, |state| state.is_right == Some(true), next);
        let plan: Vec<String> = acts.into_iter().map(Act::write).collect();
        (self.won() || !plan.is_empty()).then_some(plan)
    }
}
