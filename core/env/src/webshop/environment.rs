//! Episode of `webshop`.

use super::goals::WantedOption;
use super::{Session, Telling};
use crate::random::{Purpose, Stream};
use crate::{Actions, Environment, EpisodeSettings, Observation, Outcome};

/// A visit, and the steps taken.
#[derive(Clone, Debug)]
pub struct WebshopEnvironment {
    session: Session,
    telling: Telling,
    settings: EpisodeSettings,
    steps: usize,
}

impl WebshopEnvironment {
    /// A visit before the first step.
    #[must_use]
    pub fn new(session: Session, telling: Telling, settings: EpisodeSettings) -> Self {
        Self { session, telling, settings, steps: 0 }
    }

    /// The visit.
    #[must_use]
    pub fn session(&self) -> &Session {
        &self.session
    }

    fn won(&self) -> bool {
        self.session.reward().is_some_and(|reward| reward.score >= 1.0)
    }

    fn done(&self) -> bool {
        self.session.reward().is_some() || self.steps >= self.settings.max_steps
    }
}

impl Environment for WebshopEnvironment {
    fn instruction(&self) -> &str {
        &self.session.goal().instruction
    }

    /// The page without what is asked for, which is the same on all pages of a visit: in the form of the
    /// reference's prompts, each text in quotation marks, with marks around what can be clicked, or in lines.
    fn observe(&self) -> Observation {
        let search = !self.done() && self.session.has_search();
        let mut clickables = if self.done() { Vec::new() } else { self.session.clickables() };
        if search && self.telling == Telling::Lines {
            // The original lists a button that does nothing.
            clickables.retain(|it| it != "search");
        }
        let actions = Actions::Free { search, clickables };
        Observation::new(self.session.anchor(self.telling), actions)
    }

    /// White space around the action is ignored. A search is possible on every page, as in the original,
    /// though only the first offers it. A step after the end changes nothing.
    fn step(&mut self, action: &str, chance: &mut Stream) -> Outcome {
        if self.done() {
            return Outcome { reward: 0.0, done: true, won: self.won(), admissible: false };
        }
        let admissible = self.session.act(action.trim(), chance);
        self.steps += 1;
        let won = self.won();
        let reward = if won { self.settings.success_reward } else { 0.0 };
        Outcome { reward, done: self.done(), won, admissible }
    }

    fn snapshot(&self) -> Box<dyn Environment> {
        Box::new(self.clone())
    }

    /// What was bought, in the original's measure; 0 before.
    fn score(&self) -> Option<f64> {
        Some(self.session.reward().map_or(0.0, |reward| reward.score))
    }

    fn original(&self) -> Option<String> {
        Some(self.session.render(self.telling))
    }

    /// The way to the product that the goal was made of: a search in the words of the instruction, or by
    /// its title if those do not find it. Empty if buying it is not all that is asked for.
    fn plan(&self) -> Option<Vec<String>> {
        Some(purchase(&self.session).unwrap_or_default())
    }
}

/// The actions that buy the product that the goal was made of with the options that are wanted; none if that does not earn everything.
fn purchase(from: &Session) -> Option<Vec<String>> {
    if from.reward().is_some() {
        return None;
    }
    let goal = from.goal();
    let product = from.shop.catalogue().product(goal.product)?;
    let queries = [request_without_price(&goal.instruction), &product.title];
    let (query, place) = queries.into_iter().find_map(|text| {
        let query = text.replace(['[', ']', '\n'], " ");
        let results = from.shop.search(&query.to_lowercase());
        Some((query, results.iter().position(|&place| place == goal.product)?))
    })?;
    let mut actions = vec![format!("search[{query}]")];
    actions.extend((0..place / from.shop.on_a_page).map(|_| "click[next >]".to_owned()));
    actions.push(format!("click[{}]", product.asin.to_lowercase()));
    let value = |option: &WantedOption| match option {
        WantedOption::Named(_, value) | WantedOption::Plain(value) => format!("click[{value}]"),
    };
    actions.extend(goal.options.iter().map(value));
    actions.push("click[buy now]".to_owned());
    earns_everything(from, &actions).then_some(actions)
}

/// What is asked for, without the price.
fn request_without_price(instruction: &str) -> &str {
    let end = instruction.rfind(", and price lower than ").unwrap_or(instruction.len());
    let text = &instruction[..end];
    text.strip_prefix("Find me ").unwrap_or(text)
}

fn earns_everything(from: &Session, actions: &[String]) -> bool {
    let mut tried = from.clone();
    // Nothing in a plan is left to chance.
    let mut chance = Stream::new(0, Purpose::WarmStartPlay, [0, 0]).chance();
    let possible = actions.iter().all(|action| tried.act(action, &mut chance));
    possible && tried.reward().is_some_and(|reward| reward.score >= 1.0)
}
