//! Rules of `library`: who acts when, what can be done, and what comes of it.

use std::sync::Arc;

use super::ROUNDS;
use super::answer::is_exact_match;
use super::collection::{Collection, FOUND, Question};
use super::settings::LibrarySettings;
use crate::EpisodeSettings;
use crate::team::{ActionForm, Agents};

/// Most facts that can be found.
const MOST: usize = FOUND * (ROUNDS - 1);

/// A member of the team.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Agent {
    /// Says whether enough is known.
    Verifier,
    /// Searches while it is not.
    Searcher,
    /// Answers.
    Answerer,
}

impl Agent {
    /// Every agent.
    pub(super) const ALL: [Self; 3] = [Self::Verifier, Self::Searcher, Self::Answerer];

    /// Its name.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Verifier => "verifier",
            Self::Searcher => "searcher",
            Self::Answerer => "answerer",
        }
    }
}

/// A question, where its answer is, and how it is asked.
#[derive(Debug)]
pub(super) struct Task {
    pub(super) collection: Arc<Collection>,
    pub(super) question: Question,
    pub(super) instruction: String,
    pub(super) settings: LibrarySettings,
    pub(super) episode: EpisodeSettings,
}

impl Task {
    pub(super) fn new(
        collection: Arc<Collection>,
        question: Question,
        settings: LibrarySettings,
        episode: EpisodeSettings,
    ) -> Self {
        let instruction = collection.ask(&question);
        Self { collection, question, instruction, settings, episode }
    }

    /// The name that is asked for.
    pub(super) fn answer(&self) -> &str {
        self.collection.answer(&self.question)
    }

    /// The state before the first step.
    pub(super) fn start(&self) -> State {
        let is_team = self.settings.agents == Agents::Team;
        let agent = is_team.then_some(Agent::Verifier);
        State { round: 1, agent, facts: [0; MOST], count: 0, is_right: None }
    }

    /// The names of the question and of what is known, in the order in which they are first mentioned.
    fn mentioned(&self, state: &State) -> Vec<&str> {
        let Collection { names, facts, .. } = &*self.collection;
        let mut mentioned = vec![self.question.source];
        for fact in state.known().iter().map(|&fact| &facts[fact]) {
            for name in fact.relation.in_order(fact.from, fact.to) {
                if !mentioned.contains(&name) {
                    mentioned.push(name);
                }
            }
        }
        mentioned.into_iter().map(|name| names[name].as_str()).collect()
    }

    /// What can be done. Where any text is an action, these are the searches for mentioned names, and the right answer.
    pub(super) fn acts(&self, state: &State) -> Vec<Act<'_>> {
        if state.is_right.is_some() {
            return Vec::new();
        }
        if state.agent == Some(Agent::Verifier) {
            return vec![Act::Judge(true), Act::Judge(false)];
        }
        let is_listed = self.settings.actions == ActionForm::Listed;
        let names = self.mentioned(state);
        let mut acts = Vec::new();
        if state.can_search() {
            acts.extend(names.iter().map(|name| Act::Search(name)));
        }
        if state.can_answer() && is_listed {
            acts.extend(names.iter().map(|name| Act::Answer(name)));
        } else if state.can_answer() {
            acts.push(Act::Answer(self.answer()));
        }
        acts
    }

    /// What a text does, if it does something.
    pub(super) fn read<'a>(&self, state: &State, text: &'a str) -> Option<Act<'a>> {
        let text = text.trim();
        let is_free = self.settings.actions == ActionForm::Free;
        let is_listed = || self.acts(state).into_iter().any(|act| act.write() == text);
        if state.is_right.is_some() || text.is_empty() || !(is_free || is_listed()) {
            return None;
        }
        let [query, answer] = ["search", "answer"].map(|verb| after_verb(text, verb));
        match state.agent {
            Some(Agent::Verifier) => match text {
                "yes" => Some(Act::Judge(true)),
                "no" => Some(Act::Judge(false)),
                _ => None,
            },
            // Who can do one thing only need not say which.
            Some(Agent::Searcher) => Some(Act::Search(query.unwrap_or(text))),
            Some(Agent::Answerer) => Some(Act::Answer(answer.unwrap_or(text))),
            None => {
                let search = query.filter(|_| state.can_search()).map(Act::Search);
                search.or(answer.map(Act::Answer))
            }
        }
    }

    /// The state that an action leads to.
    pub(super) fn after(&self, state: State, act: Act<'_>) -> State {
        let State { round, agent, .. } = state;
        match act {
            Act::Judge(is_enough) => {
                let next = if is_enough { Agent::Answerer } else { Agent::Searcher };
                State { agent: Some(next), ..state }
            }
            Act::Search(query) => {
                let mut next = State { round: round + 1, ..state };
                for fact in self.collection.search(query, state.known()) {
                    next.add(fact);
                }
                // The last round is for an answer.
                let whose = if next.can_search() { Agent::Verifier } else { Agent::Answerer };
                State { agent: agent.map(|_| whose), ..next }
            }
            Act::Answer(answer) => {
                State { is_right: Some(is_exact_match(answer, self.answer())), ..state }
            }
        }
    }
}

/// What a text says after a verb that it begins with, in whatever case.
fn after_verb<'a>(text: &'a str, verb: &str) -> Option<&'a str> {
    let (first, rest) = text.split_once(char::is_whitespace)?;
    first.eq_ignore_ascii_case(verb).then(|| rest.trim_start())
}

/// All that matters for what comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct State {
    /// From 1 to [`ROUNDS`].
    pub(super) round: usize,
    /// Who has to act; nobody in particular if there is but one.
    pub(super) agent: Option<Agent>,
    /// The numbers of what was found, sorted, and then of nothing.
    facts: [usize; MOST],
    count: usize,
    /// Whether the answer was right, once there is one.
    pub(super) is_right: Option<bool>,
}

impl State {
    /// The numbers of what was found, sorted: the order in which it was found is of no use to anybody.
    pub(super) fn known(&self) -> &[usize] {
        &self.facts[..self.count]
    }

    fn add(&mut self, fact: usize) {
        if let Some(place) = self.facts.get_mut(self.count) {
            *place = fact;
            self.count += 1;
            self.facts[..self.count].sort_unstable();
        }
    }

    fn can_search(&self) -> bool {
        self.round < ROUNDS && matches!(self.agent, None | Some(Agent::Searcher))
    }

    fn can_answer(&self) -> bool {
        matches!(self.agent, None | Some(Agent::Answerer))
    }
}

/// An action.
#[derive(Clone, Copy, Debug)]
pub(super) enum Act<'a> {
    /// Says whether enough is known.
    Judge(bool),
    /// Searches for a text.
    Search(&'a str),
    /// Answers with a text.
    Answer(&'a str),
}

impl Act<'_> {
    /// As an observation lists it.
    pub(super) fn write(self) -> String {
        match self {
            Self::Judge(true) => "yes".to_owned(),
            Self::Judge(false) => "no".to_owned(),
            Self::Search(name) => format!("search {}", name.to_lowercase()),
            Self::Answer(name) => format!("answer {}", name.to_lowercase()),
        }
    }
}
