//! Episode of `countdown-team`.

use super::expression::{Fraction, evaluate};
use super::operation::Operation;
use super::task::{Task, list};
use super::{AGENTS, CountdownSettings};
use crate::random::Stream;
use crate::team::{ActionForm, Agents};
use crate::{Actions, Environment, EpisodeSettings, Observation, Outcome, Possibility};

const APPROVE: &str = "approve";
const REJECT: &str = "reject";

/// A task, and how far the team has come with it.
#[derive(Clone, Debug)]
pub(super) struct CountdownEnvironment {
    task: Task,
    settings: CountdownSettings,
    episode: EpisodeSettings,
    instruction: String,
    /// The numbers of this attempt that are left, in ascending order.
    numbers: Vec<u32>,
    /// What was done with them.
    operations: Vec<Operation>,
    /// What waits for a verdict, and whether it is worth the target.
    proposal: Option<(String, bool)>,
    rejected: Vec<String>,
    steps: usize,
    /// Whether the task is done, once that is settled.
    verdict: Option<bool>,
}

impl CountdownEnvironment {
    /// `task` before the first step.
    pub(super) fn new(task: Task, settings: &CountdownSettings, episode: EpisodeSettings) -> Self {
        Self {
            instruction: task.instruction(),
            numbers: task.numbers.clone(),
            task,
            settings: settings.clone(),
            episode,
            operations: Vec::new(),
            proposal: None,
            rejected: Vec::new(),
            steps: 0,
            verdict: None,
        }
    }

    fn done(&self) -> bool {
        self.verdict.is_some() || self.steps >= self.episode.max_steps
    }

    fn won(&self) -> bool {
        self.verdict == Some(true)
    }

    fn reward(&self) -> f64 {
        if self.won() { self.episode.success_reward } else { 0.0 }
    }

    fn is_final(&self) -> bool {
        self.rejected.len() + 1 == self.settings.attempts
    }

    fn actions(&self) -> Actions {
        if self.done() {
            return Actions::Listed([].into());
        }
        let texts: Vec<String> = match (&self.proposal, self.settings.actions) {
            (Some(_), _) => [APPROVE, REJECT].map(str::to_owned).into(),
            (None, ActionForm::Free) => return Actions::Text,
            (None, ActionForm::Listed) => {
                let possible = Operation::possible(&self.numbers);
                possible.iter().map(ToString::to_string).collect()
            }
        };
        Actions::Listed(texts.into())
    }

    /// Carries out an action, if it is one.
    fn carry_out(&mut self, action: &str) -> bool {
        match (self.proposal.take(), self.settings.actions) {
            (Some((_, is_right)), _) if action == APPROVE => self.verdict = Some(is_right),
            (Some((text, _)), _) if action == REJECT => {
                self.rejected.push(text);
                self.numbers.clone_from(&self.task.numbers);
                self.operations.clear();
            }
            (Some(proposal), _) => {
                self.proposal = Some(proposal);
                return false;
            }
            (None, ActionForm::Listed) => {
                let mut possible = Operation::possible(&self.numbers).into_iter();
                let Some(chosen) = possible.find(|it| it.to_string() == action) else {
                    return false;
                };
                self.numbers = chosen.after(&self.numbers);
                self.operations.push(chosen);
                if let [only] = self.numbers[..] {
                    let texts: Vec<String> =
                        self.operations.iter().map(ToString::to_string).collect();
                    self.propose(texts.join(", "), only == self.task.target);
                }
            }
            (None, ActionForm::Free) => {
                let Some((value, numbers)) = evaluate(action) else { return false };
                if numbers != self.task.numbers {
                    return false;
                }
                let text = action.split_whitespace().collect::<Vec<_>>().join(" ");
                self.propose(text, value == Fraction::whole(self.task.target));
            }
        }
        true
    }

    fn propose(&mut self, text: String, is_right: bool) {
        if self.is_final() {
            self.verdict = Some(is_right);
        } else {
            self.proposal = Some((text, is_right));
        }
    }

    /// Actions of the solver from these numbers on, after which the proposal is right; none if there is no way.
    fn solved(&self, numbers: &[u32]) -> Option<Vec<String>> {
        let operations = Operation::solution(numbers, self.task.target, &mut |_| 0)?;
        Some(match self.settings.actions {
            ActionForm::Listed => operations.iter().map(ToString::to_string).collect(),
            ActionForm::Free => vec![Operation::expression(&operations)],
        })
    }
}

impl Environment for CountdownEnvironment {
    fn instruction(&self) -> &str {
        &self.instruction
    }

    fn observe(&self) -> Observation {
        let (agent, text) = if let Some((proposal, _)) = &self.proposal {
            (AGENTS[1], format!("proposed: {proposal}."))
        } else {
            let rejected = self.rejected.iter().map(|it| format!(" rejected: {it}."));
            let rejected: String = rejected.collect();
            (AGENTS[0], format!("numbers: {}.{rejected}", list(&self.numbers)))
        };
        let is_team = self.settings.agents == Agents::Team;
        let agent = is_team.then(|| agent.to_owned());
        Observation { agent, ..Observation::new(text, self.actions()) }
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

    /// What is seen, and what was rejected before.
    fn situation(&self) -> Option<String> {
        Some(format!("{} {:?} {:?}", self.observe().text, self.rejected, self.verdict))
    }

    fn possibilities(&self, action: &str) -> Option<Vec<Possibility>> {
        let mut after = Self { steps: 0, ..self.clone() };
        after.carry_out(action.trim());
        let reward = after.reward();
        let next = after.verdict.is_none().then(|| Box::new(after) as Box<dyn Environment>);
        Some(vec![Possibility { probability: 1.0, reward, next }])
    }

    fn plan(&self) -> Option<Vec<String>> {
        let approved = |is_final: bool| (!is_final).then(|| APPROVE.to_owned());
        let from_here = |numbers: &[u32], is_final| {
            Some(self.solved(numbers)?.into_iter().chain(approved(is_final)).collect::<Vec<_>>())
        };
        Some(match &self.proposal {
            _ if self.verdict.is_some() => Vec::new(),
            Some((_, true)) => vec![APPROVE.to_owned()],
            Some((_, false)) => {
                let is_last = self.rejected.len() + 2 == self.settings.attempts;
                let rest = from_here(&self.task.numbers, is_last).unwrap_or_default();
                [vec![REJECT.to_owned()], rest].concat()
            }
            None => match from_here(&self.numbers, self.is_final()) {
                Some(plan) => plan,
                None if self.is_final() => Vec::new(),
                // From here there is no way to the target: the attempt is ended, and another one made.
                None => {
                    let first = Operation::possible(&self.numbers)[0];
                    let mut after = self.clone();
                    after.carry_out(&first.to_string());
                    [vec![first.to_string()], after.plan().unwrap_or_default()].concat()
                }
            },
        })
    }

    fn snapshot(&self) -> Box<dyn Environment> {
        Box::new(self.clone())
    }
}
