//! Episode of `webshop`.

use super::{Session, Telling, purchase_plan};
use crate::random::Stream;
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
        let actions = if self.done() {
            Actions::Free { search: false, clickables: Vec::new() }
        } else {
            let search = self.session.has_search();
            let mut clickables = self.session.clickables();
            if search && self.telling == Telling::Lines {
                // The original lists a button that does nothing.
                clickables.retain(|it| it != "search");
            }
            Actions::Free { search, clickables }
        };
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
        Some(self.session.told(self.telling))
    }

    /// The way to the product that the goal was made of: a search in the words of the instruction, or by
    /// its title if those do not find it. Empty if buying it is not all that is asked for.
    fn plan(&self) -> Option<Vec<String>> {
        Some(purchase_plan::plan(&self.session))
    }
}
