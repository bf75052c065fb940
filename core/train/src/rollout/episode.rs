//! One running episode: the environment, its memory, and what has happened.

use hgpo_core::{Step, Trajectory};
use hgpo_env::Environment;
use hgpo_env::random::Stream;

use super::prompt::{Format, Memory, PromptError};
use crate::policy::sampling::Choice;

/// What the policy read and wrote at one step.
#[derive(Clone, Debug)]
pub struct Turn {
    /// Tokens read.
    pub prompt: Vec<u32>,
    /// Tokens written, with their log-probabilities when they were drawn.
    pub response: Vec<Choice>,
}

/// A running or finished episode.
pub struct Episode {
    environment: Box<dyn Environment>,
    memory: Vec<Memory>,
    /// What its responses are drawn with.
    pub stream: Stream,
    /// The episode is over.
    pub done: bool,
    /// The task was completed.
    pub won: bool,
    /// The record, as written to rollouts files.
    pub trajectory: Trajectory,
    /// What the policy read and wrote, a step each.
    pub turns: Vec<Turn>,
}

impl Episode {
    /// An episode at its first step.
    #[must_use]
    pub fn new(environment: Box<dyn Environment>, trajectory: Trajectory, stream: Stream) -> Self {
        Self {
            environment,
            memory: Vec::new(),
            stream,
            done: false,
            won: false,
            trajectory,
            turns: Vec::new(),
        }
    }

    /// Another episode from the same place on: the same environment and memory, nothing recorded,
    /// chance of its own.
    #[must_use]
    pub fn continued(&self, stream: Stream) -> Self {
        let Trajectory { task, trajectory, .. } = &self.trajectory;
        Self {
            environment: self.environment.snapshot(),
            memory: self.memory.clone(),
            stream,
            done: self.done,
            won: self.won,
            trajectory: Trajectory::new(task, trajectory, Vec::new()),
            turns: Vec::new(),
        }
    }

    /// What the policy reads now.
    ///
    /// # Errors
    /// When the prompt cannot be made.
    pub fn prompt(&self, format: &dyn Format) -> Result<Vec<u32>, PromptError> {
        let now = self.environment.observe();
        format.prompt(self.environment.instruction(), &self.memory, &now)
    }

    /// Carries out a response.
    ///
    /// # Errors
    /// When the response cannot be read.
    pub fn act(
        &mut self,
        turn: Turn,
        format: &dyn Format,
        inadmissible_is_invalid: bool,
    ) -> Result<(), PromptError> {
        let now = self.environment.observe();
        let tokens: Vec<u32> = turn.response.iter().map(|choice| choice.token).collect();
        let answer = format.answer(&now, &tokens)?;
        let outcome = self.environment.step(&answer.action);
        // A broken response is remembered as it was written.
        let action = if answer.valid { answer.action } else { answer.text.clone() };
        self.memory.push(Memory { observation: now.text.clone(), action: action.clone() });
        self.done = outcome.done;
        self.won = outcome.won;
        self.trajectory.success = Some(outcome.won);
        self.trajectory.steps.push(Step {
            action: Some(action),
            valid: answer.valid && (outcome.admissible || !inadmissible_is_invalid),
            response: Some(answer.text),
            ..Step::new(now.text, outcome.reward)
        });
        self.turns.push(turn);
        Ok(())
    }
}
