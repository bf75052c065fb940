//! Episode that a process plays. If the process is lost, the episode is played again from its seed with the same
//! actions, and has to look the same.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::Arc;

use hgpo_env::random::Stream;
use hgpo_env::{Actions, Environment, Observation, Outcome, Split};
use serde::de::DeserializeOwned;

use super::pool::{Lost, Place, Pool, Ticket};
use super::protocol::{Request, Start, Stepped};

/// Processes that one episode may lose.
const MOST_LOST: usize = 3;

/// A running episode.
pub(super) struct Session {
    pool: Arc<Pool>,
    split: Split,
    seed: u64,
    max_steps: usize,
    agents: Arc<[String]>,
    instruction: String,
    now: Observation,
    steps: usize,
    done: bool,
    won: bool,
    /// Where it is played; none if nowhere yet.
    place: Option<Place>,
    /// The digest of how it began, and every action that was sent with that of its answer.
    beginning: u64,
    history: Vec<(String, u64)>,
    /// The action that was sent and not answered yet.
    announced: Option<(String, Ticket)>,
    lost: usize,
    failure: Option<String>,
}

impl Session {
    /// The episode of a seed, at its first step.
    ///
    /// # Errors
    /// It cannot be played.
    pub(super) fn start(
        pool: &Arc<Pool>,
        agents: &Arc<[String]>,
        (split, seed): (Split, u64),
        max_steps: usize,
    ) -> Result<Self, String> {
        let mut session = Self {
            pool: Arc::clone(pool),
            split,
            seed,
            max_steps,
            agents: Arc::clone(agents),
            instruction: String::new(),
            now: Observation::new("", Actions::Text),
            steps: 0,
            done: false,
            won: false,
            place: None,
            beginning: 0,
            history: Vec::new(),
            announced: None,
            lost: 0,
            failure: None,
        };
        let start = loop {
            match session.reset() {
                Err(error) => session.bear(error)?,
                Ok(start) => break start,
            }
        };
        session.beginning = digest(&start);
        session.instruction = start.instruction;
        session.now =
            session.observation((start.observation, start.actions, start.agent), false)?;
        Ok(session)
    }

    /// The digest of all that has been seen.
    pub(super) fn digest(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.beginning, &self.history).hash(&mut hasher);
        hasher.finish()
    }

    /// What is wrong with this episode.
    fn problem(&self, reason: &str) -> String {
        let (split, seed, steps) = (self.split.name(), self.seed, self.history.len());
        format!("in the episode of seed {seed} ({split}), after {steps} actions: {reason}")
    }

    /// Goes on after an error, if it is a process that was lost and not too many were.
    fn bear(&mut self, error: Trouble) -> Result<(), String> {
        self.place = None;
        match error {
            Trouble::Lost(Lost::Before) => Ok(()),
            Trouble::Lost(Lost::Over(reason)) => {
                self.lost += 1;
                if self.lost < MOST_LOST {
                    return Ok(());
                }
                let lost = self.lost;
                Err(self.problem(&format!("it has lost {lost} processes; of the last: {reason}")))
            }
            Trouble::Refused(reason) => Err(self.problem(&reason)),
        }
    }

    fn ask<T: DeserializeOwned>(&self, place: Place, request: &Request<'_>) -> Result<T, Trouble> {
        self.take(self.pool.send(place, request))
    }

    fn take<T: DeserializeOwned>(&self, ticket: Ticket) -> Result<T, Trouble> {
        let answer = self.pool.receive(ticket).map_err(Trouble::Lost)?;
        answer.read().map_err(Trouble::Refused)
    }

    /// Starts it in a process.
    fn reset(&mut self) -> Result<Start, Trouble> {
        let place = self.pool.place();
        let (episode, split) = (place.episode, self.split.name());
        let start = self.ask(place, &Request::Reset { episode, seed: self.seed, split })?;
        self.place = Some(place);
        Ok(start)
    }

    /// Where it is played: if its process is lost, in another, up to where it was.
    fn attach(&mut self) -> Result<Place, Trouble> {
        if let Some(place) = self.place.filter(|&place| self.pool.has(place)) {
            return Ok(place);
        }
        let start = self.reset()?;
        let place = self.place.ok_or(Trouble::Lost(Lost::Before))?;
        let (mut is_same, episode) = (digest(&start) == self.beginning, place.episode);
        for (action, expected) in &self.history {
            let step: Stepped = self.ask(place, &Request::Step { episode, action })?;
            is_same &= step_digest(&step) == *expected;
        }
        if is_same {
            return Ok(place);
        }
        Err(Trouble::Refused(
            "played again from its seed with the same actions, it was another one: the environment does not \
             repeat itself, so that a process that is lost cannot be replaced"
                .to_owned(),
        ))
    }

    fn send(&mut self, action: &str) -> Result<Ticket, Trouble> {
        let place = self.attach()?;
        Ok(self.pool.send(place, &Request::Step { episode: place.episode, action }))
    }

    /// Carries out an action in a process.
    fn carry_out(&mut self, action: &str) -> Result<Stepped, String> {
        loop {
            let announced = self.announced.take().filter(|(text, _)| text == action);
            let ticket = announced.map_or_else(|| self.send(action), |(_, ticket)| Ok(ticket));
            match ticket.and_then(|ticket| self.take(ticket)) {
                Ok(step) => return Ok(step),
                Err(error) => self.bear(error)?,
            }
        }
    }

    /// Whether an action is one of those that are listed, or all are possible.
    fn is_admissible(&self, action: &str) -> bool {
        match &self.now.actions {
            Actions::Listed(actions) => actions.iter().any(|it| it == action),
            actions => !actions.is_empty(),
        }
    }

    fn observation(
        &self,
        (text, actions, agent): (String, Option<Vec<String>>, Option<String>),
        is_end: bool,
    ) -> Result<Observation, String> {
        let is_known = match &agent {
            Some(agent) => self.agents.contains(agent),
            None => self.agents.is_empty() || is_end,
        };
        if !is_known {
            let agent = agent.map_or_else(|| "none".to_owned(), |agent| format!("{agent:?}"));
            let agents = self.agents.join(", ");
            return Err(self.problem(&format!(
                "the agent that has to act is {agent}, but the environment's agents are [{agents}]"
            )));
        }
        let actions = match actions {
            _ if is_end => Actions::Listed(Arc::default()),
            Some(actions) if actions.is_empty() => {
                return Err(self.problem("its list of actions is empty, but it is not over"));
            }
            Some(actions) => Actions::Listed(actions.into()),
            None => Actions::Text,
        };
        Ok(Observation { agent, ..Observation::new(text, actions) })
    }

    /// What an action leads to.
    fn try_step(&mut self, action: &str) -> Result<Outcome, String> {
        let mut outcome = Outcome { reward: 0.0, done: false, won: false, admissible: false };
        if self.is_admissible(action) {
            let step = self.carry_out(action)?;
            self.history.push((action.to_owned(), step_digest(&step)));
            outcome.reward = step.reward;
            outcome.admissible = step.valid;
            (self.done, self.won) = (step.is_end(), step.is_won());
            self.now = self.observation((step.observation, step.actions, step.agent), self.done)?;
        }
        self.steps += 1;
        if self.steps >= self.max_steps && !self.done {
            self.done = true;
            self.now.actions = Actions::Listed(Arc::default());
        }
        Ok(Outcome { done: self.done, won: self.won, ..outcome })
    }
}

/// Why there is no answer that can be used.
enum Trouble {
    Lost(Lost),
    Refused(String),
}

fn digest(start: &Start) -> u64 {
    let mut hasher = DefaultHasher::new();
    start.hash(&mut hasher);
    hasher.finish()
}

fn step_digest(step: &Stepped) -> u64 {
    let mut hasher = DefaultHasher::new();
    let Stepped { observation, actions, agent, reward, .. } = step;
    (observation, actions, agent, reward.to_bits()).hash(&mut hasher);
    (step.terminated, step.truncated, step.success, step.valid).hash(&mut hasher);
    hasher.finish()
}

impl Environment for Session {
    fn instruction(&self) -> &str {
        &self.instruction
    }

    fn observe(&self) -> Observation {
        self.now.clone()
    }

    fn announce(&mut self, action: &str) {
        if self.done || self.failure.is_some() || !self.is_admissible(action) {
            return;
        }
        // An episode that has lost its process waits for its turn.
        if let Some(place) = self.place.filter(|&place| self.pool.has(place)) {
            let request = Request::Step { episode: place.episode, action };
            self.announced = Some((action.to_owned(), self.pool.send(place, &request)));
        }
    }

    fn failure(&self) -> Option<&str> {
        self.failure.as_deref()
    }

    fn step(&mut self, action: &str, _: &mut Stream) -> Outcome {
        let over = Outcome { reward: 0.0, done: true, won: self.won, admissible: false };
        if self.done || self.failure.is_some() {
            return over;
        }
        self.try_step(action).unwrap_or_else(|reason| {
            self.failure = Some(reason);
            over
        })
    }

    /// Played from the seed once it goes on.
    fn snapshot(&self) -> Box<dyn Environment> {
        Box::new(Self {
            pool: Arc::clone(&self.pool),
            agents: Arc::clone(&self.agents),
            instruction: self.instruction.clone(),
            now: self.now.clone(),
            history: self.history.clone(),
            failure: self.failure.clone(),
            place: None,
            announced: None,
            lost: 0,
            ..*self
        })
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        if let Some(place) = self.place {
            self.pool.send(place, &Request::Close { episode: place.episode });
        }
    }
}
