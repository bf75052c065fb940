//! Episode: the environment, its memory, and what has happened.

use std::collections::BTreeMap;

use hgpo_core::{Discount, Step, Trajectory, discounted_returns};
use hgpo_env::random::Stream;
use hgpo_env::{EnvError, Environment, Observation};
use serde_json::Value;

use super::prompt_format::{Memories, ParsedResponse, PromptError, PromptFormat, RememberedStep};
use crate::TrainerError;
use crate::policy::sampling::SampledToken;

/// The field of a trajectory that holds the numbers which its environment reports.
pub(crate) const INFO: &str = "info";

/// What the policy read and wrote at one step.
#[derive(Clone, Debug)]
pub struct Turn {
    /// Tokens read.
    pub prompt: Vec<u32>,
    /// Tokens written, with their log-probabilities when they were drawn.
    pub response: Vec<SampledToken>,
}

/// A turn whose action was read and announced, and is yet to be carried out.
pub(super) struct Decision {
    turn: Turn,
    answer: ParsedResponse,
}

/// A running or finished episode.
pub struct Episode {
    pub(super) environment: Box<dyn Environment>,
    /// What is seen now.
    now: Observation,
    memories: Memories,
    /// What its responses are drawn with.
    pub stream: Stream,
    /// What the environment draws from.
    chance: Stream,
    /// The episode is over.
    pub done: bool,
    /// The task was completed.
    pub won: bool,
    /// The record, as written to rollouts files.
    pub trajectory: Trajectory,
    /// What the policy read and wrote, a step each.
    pub turns: Vec<Turn>,
    /// Whether the environment drew chance for it, a step each.
    pub drew: Vec<bool>,
    /// What each agent earned, a step each; empty if they share the reward.
    pub(super) earned: Vec<BTreeMap<String, f64>>,
}

impl Episode {
    /// An episode at its first step; answers are drawn from `stream`, and the environment's chance
    /// from the one beside it.
    #[must_use]
    pub fn new(environment: Box<dyn Environment>, trajectory: Trajectory, stream: Stream) -> Self {
        Self {
            now: environment.observe(),
            environment,
            memories: Memories::default(),
            chance: stream.chance(),
            stream,
            done: false,
            won: false,
            trajectory,
            turns: Vec::new(),
            drew: Vec::new(),
            earned: Vec::new(),
        }
    }

    /// Another episode from the same place on: the same environment and memory, nothing recorded,
    /// chance of its own, in its answers as in what they lead to.
    #[must_use]
    pub fn continued(&self, stream: Stream) -> Self {
        let Trajectory { task, trajectory, environment, .. } = &self.trajectory;
        let environment = environment.clone();
        let trajectory =
            Trajectory { environment, ..Trajectory::new(task, trajectory, Vec::new()) };
        let afresh = Self::new(self.environment.snapshot(), trajectory, stream);
        Self { memories: self.memories.clone(), done: self.done, won: self.won, ..afresh }
    }

    /// How much of the task is done, from 0 to 1: 0 or 1 if the environment tells no more.
    #[must_use]
    pub fn score(&self) -> f64 {
        self.environment.score().unwrap_or_else(|| f64::from(u8::from(self.won)))
    }

    /// Responses that are behind it, of `most`: all of them once it is over.
    pub(crate) fn responses_done(&self, most: usize) -> usize {
        if self.done { most } else { self.turns.len().min(most) }
    }

    /// The discounted return of every step.
    pub(crate) fn returns(&self, discount: Discount) -> Vec<f64> {
        let rewards: Vec<f64> = self.trajectory.steps.iter().map(|step| step.reward).collect();
        discounted_returns(&rewards, discount)
    }

    /// The discounted return from the first step on.
    pub(crate) fn first_return(&self, discount: Discount) -> f64 {
        self.returns(discount).first().copied().unwrap_or(0.0)
    }

    /// What the policy reads now.
    ///
    /// # Errors
    /// When the prompt cannot be made.
    pub fn prompt(&self, format: &dyn PromptFormat) -> Result<Vec<u32>, PromptError> {
        let memory = self.memories.of(self.now.agent.as_deref());
        format.prompt(self.environment.instruction(), memory, &self.now)
    }

    /// Carries out a response.
    ///
    /// # Errors
    /// When the response cannot be read, or what plays the environment has failed.
    pub fn act(
        &mut self,
        turn: Turn,
        format: &dyn PromptFormat,
        inadmissible_is_invalid: bool,
    ) -> Result<(), TrainerError> {
        let decision = self.decide(turn, format)?;
        Ok(self.carry_out(decision, inadmissible_is_invalid)?)
    }

    /// Reads a response and announces its action.
    ///
    /// # Errors
    /// When the response cannot be read.
    pub(super) fn decide(
        &mut self,
        turn: Turn,
        format: &dyn PromptFormat,
    ) -> Result<Decision, PromptError> {
        let tokens: Vec<u32> = turn.response.iter().map(|choice| choice.token).collect();
        let answer = format.parse_response(&self.now, &tokens)?;
        self.environment.announce(&answer.action);
        Ok(Decision { turn, answer })
    }

    /// Carries out the action that was announced last.
    ///
    /// # Errors
    /// When what plays the environment has failed.
    pub(super) fn carry_out(
        &mut self,
        Decision { turn, answer }: Decision,
        inadmissible_is_invalid: bool,
    ) -> Result<(), EnvError> {
        let before = self.chance.drawn();
        let outcome = self.environment.step(&answer.action, &mut self.chance);
        if let Some(reason) = self.environment.failure() {
            let name = self.trajectory.environment.as_deref().unwrap_or_default();
            return Err(EnvError::new(name, reason));
        }
        self.drew.push(self.chance.drawn() != before);
        self.earned.extend(self.environment.agent_rewards().cloned());
        let now = std::mem::replace(&mut self.now, self.environment.observe());
        // A broken response is remembered as it was written.
        let action = if answer.valid { answer.action } else { answer.text.clone() };
        let step = RememberedStep { observation: now.text.clone(), action: action.clone() };
        self.memories.push(now.agent.as_deref(), step);
        self.done = outcome.done;
        self.won = outcome.won;
        self.trajectory.success = Some(outcome.won);
        if let Some(info) = self.environment.info() {
            self.trajectory.extra.insert(INFO.to_owned(), Value::Object(info.clone()));
        }
        self.trajectory.steps.push(Step {
            action: Some(action),
            valid: answer.valid && (outcome.admissible || !inadmissible_is_invalid),
            response: Some(answer.text),
            agent: now.agent,
            context: now.context,
            embedding: now.embedding,
            ..Step::new(now.text, outcome.reward)
        });
        self.turns.push(turn);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::word_tokenizer::WordTokenizer;
    use crate::rollout::word_format::WordFormat;
    use crate::test_environment::CoinSuite;
    use hgpo_env::random::Purpose;
    use hgpo_env::{Split, Suite as _};

    const COIN: CoinSuite = CoinSuite { shown: true };

    fn format() -> WordFormat {
        WordFormat::new(WordTokenizer::of(&COIN).unwrap(), 2)
    }

    fn stream(index: u64) -> Stream {
        Stream::new(3, Purpose::Sampling, [0, index])
    }

    fn episode(index: u64) -> Episode {
        let start = COIN.start(Split::Train, 0).unwrap();
        Episode::new(start, Trajectory::new("t", "0", Vec::new()), stream(index))
    }

    fn go(episode: &mut Episode) {
        let token = |token| SampledToken { token, log_probability: 0.0 };
        let response =
            format().response(&episode.now, "go").unwrap().into_iter().map(token).collect();
        episode.act(Turn { prompt: Vec::new(), response }, &format(), true).unwrap();
    }

    fn reward(mut episode: Episode) -> f64 {
        while !episode.done {
            go(&mut episode);
        }
        episode.trajectory.steps.iter().map(|step| step.reward).sum()
    }

    #[test]
    fn attempts_at_a_task_differ_and_the_same_seed_gives_the_same() {
        let rewards = || (0..64).map(|index| reward(episode(index))).collect::<Vec<_>>();
        let heads = rewards().iter().filter(|&&reward| reward > 0.0).count();
        // 32 expected of 64 tosses, with a standard deviation of 4.
        assert!((16..=48).contains(&heads), "{heads}");
        assert_eq!(rewards(), rewards());
    }

    #[test]
    fn restarts_draw_and_record_anew() {
        let start = episode(0);
        let rewards: Vec<f64> = (0..64).map(|i| reward(start.continued(stream(i)))).collect();
        assert!(rewards.contains(&8.0) && rewards.contains(&0.0));
        // The toss is over: who goes on from here has no chance left.
        let mut tossed = episode(0);
        go(&mut tossed);
        assert_eq!(tossed.drew, [true]);
        let rest: Vec<f64> = (0..8).map(|i| reward(tossed.continued(stream(i)))).collect();
        assert!(rest.iter().all(|it| it.to_bits() == rest[0].to_bits()));
        assert_eq!(tossed.continued(stream(0)).trajectory.steps.len(), 0);
        go(&mut tossed);
        assert_eq!(tossed.drew, [true, false]);
    }

    #[test]
    fn steps_keep_what_observations_carry() {
        let mut episode = episode(1);
        go(&mut episode);
        go(&mut episode);
        let [first, second] = &episode.trajectory.steps[..] else { panic!("two steps") };
        assert_eq!((first.state.as_str(), first.action.as_deref()), ("start", Some("go")));
        assert_eq!(first.context.as_deref(), Some("tossed 0"));
        assert_eq!(second.context.as_deref(), Some("tossed 1"));
        assert_eq!(first.agent.as_deref(), Some("thrower"));
        assert_eq!(second.agent.as_deref(), Some("catcher"));
        assert_eq!(second.embedding.as_deref(), Some(&[0.5, -1.0][..]));
        // What one agent saw and did, the other does not remember.
        let remembered =
            |agent| episode.memories.of(agent).iter().map(|it| it.observation.as_str());
        assert_eq!(remembered(Some("thrower")).collect::<Vec<_>>(), ["start"]);
        assert_eq!(remembered(Some("catcher")).count(), 1);
        assert_eq!(remembered(None).count(), 0);
    }
}
