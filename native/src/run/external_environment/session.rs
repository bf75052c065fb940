//! Episode that a process plays. If the process is lost, the episode is played again from its seed with the same
//! actions, and has to look the same.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher as _};
use std::sync::Arc;

use hgpo_env::random::Stream;
use hgpo_env::{Actions, Environment, Observation, Outcome, Split};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::pool::{Lost, Place, Pool, Ticket};
use super::protocol::{Copied, Planned, Request, Start, Stepped};
use crate::terminal::show_on_stderr;

/// Processes that one episode may lose.
const MOST_LOST: usize = 3;

/// A running episode.
pub(super) struct Session {
    pool: Arc<Pool>,
    split: Split,
    seed: u64,
    max_steps: usize,
    instruction: String,
    now: Observation,
    /// What each agent earned by the last action, if the environment tells.
    earned: Option<BTreeMap<String, f64>>,
    /// The numbers that were reported last.
    info: Map<String, Value>,
    steps: usize,
    done: bool,
    won: bool,
    /// Where it is played; none if nowhere yet.
    place: Option<Place>,
    /// The digest of how it began, and every action that was sent with that of its answer.
    beginning: u64,
    history: Vec<(String, u64)>,
    /// The action that was sent and is yet to be answered.
    announced: Option<(String, Ticket)>,
    lost: usize,
    failure: Option<String>,
}

impl Session {
    /// The episode of a seed, at its first step; its reset may have been sent before.
    ///
    /// # Errors
    /// It cannot be played.
    pub(super) fn start(
        pool: &Arc<Pool>,
        (split, seed): (Split, u64),
        max_steps: usize,
        mut sent: Option<Ticket>,
    ) -> Result<Self, String> {
        let mut session = Self {
            pool: Arc::clone(pool),
            split,
            seed,
            max_steps,
            instruction: String::new(),
            now: Observation::new("", Actions::Text),
            earned: None,
            info: Map::new(),
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
            let ticket = sent.take().unwrap_or_else(|| send_reset(pool, split, seed));
            match session.begin(ticket) {
                Err(error) => session.bear(error)?,
                Ok(start) => break start,
            }
        };
        session.beginning = digest(&start);
        session.instruction = start.instruction;
        session.info = start.info.into_values();
        session.now =
            session.observation((start.observation, start.actions, start.agent), false)?;
        Ok(session)
    }

    /// The same episode, played nowhere yet.
    fn unplaced(&self) -> Self {
        Self {
            pool: Arc::clone(&self.pool),
            instruction: self.instruction.clone(),
            now: self.now.clone(),
            earned: self.earned.clone(),
            info: self.info.clone(),
            history: self.history.clone(),
            failure: self.failure.clone(),
            place: None,
            announced: None,
            lost: 0,
            ..*self
        }
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
            Trouble::Lost(Lost::Stopped) => Err(self.problem("the user asked to stop")),
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

    fn ask<T: DeserializeOwned>(&self, place: Place, request: Request<'_>) -> Result<T, Trouble> {
        self.take(self.pool.send(place, request))
    }

    fn take<T: DeserializeOwned>(&self, ticket: Ticket) -> Result<T, Trouble> {
        let answer = self.pool.receive(ticket).map_err(Trouble::Lost)?;
        answer.read().map_err(Trouble::Refused)
    }

    /// Starts it where its reset was sent.
    fn begin(&mut self, ticket: Ticket) -> Result<Start, Trouble> {
        self.place = Some(ticket.place);
        self.take(ticket)
    }

    /// Where it is played: if its process is lost, in another, up to where it was.
    fn attach(&mut self) -> Result<Place, Trouble> {
        if let Some(place) = self.place.filter(|&place| self.pool.has(place)) {
            return Ok(place);
        }
        let ticket = send_reset(&self.pool, self.split, self.seed);
        let place = ticket.place;
        let mut is_same = digest(&self.begin(ticket)?) == self.beginning;
        for (action, expected) in &self.history {
            let step: Stepped = self.ask(place, step_request(place, action))?;
            is_same &= digest(&step) == *expected;
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
        Ok(self.pool.send(place, step_request(place, action)))
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
        let agents = &self.pool.hello.agents;
        let is_known = match &agent {
            Some(agent) => agents.contains(agent),
            None => agents.is_empty() || is_end,
        };
        if !is_known {
            let agent = agent.map_or_else(|| "none".to_owned(), |agent| format!("{agent:?}"));
            let agents = agents.join(", ");
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

    /// What each agent earned, as a step told it.
    fn told_rewards(
        &self,
        told: Option<BTreeMap<String, f64>>,
    ) -> Result<BTreeMap<String, f64>, String> {
        let told = told.ok_or_else(|| {
            self.problem(
                "it does not tell what each agent earns (agent_rewards), as it said it would",
            )
        })?;
        let agents = &self.pool.hello.agents;
        match told.keys().find(|name| !agents.contains(name)) {
            None => Ok(told),
            Some(name) => Err(self.problem(&format!(
                "it tells what {name:?} earns, but the environment's agents are [{}]",
                agents.join(", ")
            ))),
        }
    }

    /// What an action leads to.
    fn try_step(&mut self, action: &str) -> Result<Outcome, String> {
        let mut outcome = Outcome { reward: 0.0, done: false, won: false, admissible: false };
        self.earned = self.pool.hello.agent_rewards.then(BTreeMap::new);
        if self.is_admissible(action) {
            let step = self.carry_out(action)?;
            self.history.push((action.to_owned(), digest(&step)));
            outcome.reward = step.reward;
            outcome.admissible = step.valid;
            if self.earned.is_some() {
                self.earned = Some(self.told_rewards(step.agent_rewards.clone())?);
            }
            (self.done, self.won) = (step.is_end(), step.is_won());
            self.info.extend(step.info.into_values());
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

fn digest(said: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    said.hash(&mut hasher);
    hasher.finish()
}

/// Asks a process to start an episode.
pub(super) fn send_reset(pool: &Pool, split: Split, seed: u64) -> Ticket {
    let place = pool.place();
    pool.send(place, Request::Reset { episode: place.episode, seed, split: split.name().into() })
}

fn step_request(place: Place, action: &str) -> Request<'_> {
    Request::Step { episode: place.episode, action: action.into() }
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
            let ticket = self.pool.send(place, step_request(place, action));
            self.announced = Some((action.to_owned(), ticket));
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

    /// Made by what plays, if it can; otherwise played from the seed once it goes on.
    fn snapshot(&self) -> Box<dyn Environment> {
        let mut copy = self.unplaced();
        let place = self.place.filter(|&place| self.pool.hello.copies && self.pool.has(place));
        if let Some(place) = place.filter(|_| !self.done) {
            let beside = self.pool.beside(place);
            let request = Request::Copy { episode: place.episode, copy: beside.episode };
            match self.ask::<Copied>(place, request) {
                Ok(_) => copy.place = Some(beside),
                Err(error) => copy.failure = copy.bear(error).err(),
            }
        }
        Box::new(copy)
    }

    fn score(&self) -> Option<f64> {
        self.info.get("score")?.as_f64().filter(|score| (0.0..=1.0).contains(score))
    }

    fn agent_rewards(&self) -> Option<&BTreeMap<String, f64>> {
        self.earned.as_ref()
    }

    fn info(&self) -> Option<&Map<String, Value>> {
        Some(&self.info).filter(|info| !info.is_empty())
    }

    fn plan(&self) -> Option<Vec<String>> {
        if !self.pool.hello.plans {
            return None;
        }
        let mut copy = None;
        loop {
            let place = match self.place.filter(|&place| self.pool.has(place)) {
                Some(place) => Ok(place),
                None => copy.get_or_insert_with(|| self.unplaced()).attach(),
            };
            let found = place.and_then(|place| {
                self.ask::<Planned>(place, Request::Plan { episode: place.episode })
            });
            let copy = copy.get_or_insert_with(|| self.unplaced());
            match found.map_err(|error| copy.bear(error)) {
                Ok(found) => return found.plan,
                Err(Ok(())) => {}
                Err(Err(problem)) => {
                    show_on_stderr(&problem);
                    return None;
                }
            }
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        if let Some(place) = self.place {
            self.pool.send(place, Request::Close { episode: place.episode });
        }
    }
}
