//! Environment of chance for tests: what an action leads to is drawn.

use hgpo_env::random::Stream;
use hgpo_env::{EnvError, Environment, Observation, Outcome, Possibility, Split, Suite};

/// Two steps, whatever is done: the first tosses a coin, the second earns 8 if it fell on heads.
#[derive(Clone, Debug)]
pub(crate) struct CoinSuite {
    /// Whether the coin is seen.
    pub(crate) shown: bool,
}

#[derive(Clone, Debug)]
struct Toss {
    shown: bool,
    heads: Option<bool>,
    done: bool,
}

impl Environment for Toss {
    fn instruction(&self) -> &'static str {
        "go"
    }

    fn observe(&self) -> Observation {
        let text = match self.heads {
            None => "start",
            Some(_) if !self.shown => "coin",
            Some(true) => "heads",
            Some(false) => "tails",
        };
        Observation {
            agent: Some(if self.heads.is_none() { "thrower" } else { "catcher" }.into()),
            context: Some(format!("tossed {}", u8::from(self.heads.is_some()))),
            embedding: Some(vec![0.5, -1.0]),
            ..Observation::listed(text, vec!["go".into()])
        }
    }

    fn step(&mut self, action: &str, chance: &mut Stream) -> Outcome {
        let reward = if self.heads == Some(true) && !self.done { 8.0 } else { 0.0 };
        self.done = self.heads.is_some();
        self.heads = self.heads.or_else(|| Some(chance.uniform() < 0.5));
        Outcome { reward, done: self.done, won: reward > 0.0, admissible: action == "go" }
    }

    fn snapshot(&self) -> Box<dyn Environment> {
        Box::new(self.clone())
    }

    fn situation(&self) -> Option<String> {
        Some(self.heads.map_or("start", |heads| if heads { "heads" } else { "tails" }).to_owned())
    }

    fn possibilities(&self, _action: &str) -> Option<Vec<Possibility>> {
        let tossed = |heads| Self { heads: Some(heads), ..self.clone() };
        let toss = |heads| Possibility {
            probability: 0.5,
            reward: 0.0,
            next: Some(Box::new(tossed(heads))),
        };
        let end = |heads| Possibility {
            probability: 1.0,
            reward: if heads { 8.0 } else { 0.0 },
            next: None,
        };
        Some(self.heads.map_or_else(|| [true, false].map(toss).into(), |heads| vec![end(heads)]))
    }
}

impl Suite for CoinSuite {
    fn name(&self) -> &'static str {
        "coin"
    }

    fn start(&self, _: Split, _: u64) -> Result<Box<dyn Environment>, EnvError> {
        Ok(Box::new(Toss { shown: self.shown, heads: None, done: false }))
    }

    fn max_steps(&self) -> usize {
        2
    }

    fn vocabulary(&self) -> Result<Option<Vec<String>>, EnvError> {
        Ok(Some(["coin", "go", "heads", "start", "tails"].map(String::from).to_vec()))
    }

    fn agents(&self) -> Vec<&str> {
        vec!["thrower", "catcher"]
    }

    fn gives_embeddings(&self) -> bool {
        true
    }
}
