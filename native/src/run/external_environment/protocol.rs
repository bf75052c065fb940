//! Protocol between a run and what plays its environment: one JSON object a line, version 1.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Version of the protocol.
pub(super) const VERSION: u32 = 1;

/// A request.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "method", rename_all = "lowercase")]
pub(super) enum Request<'a> {
    /// Opens the conversation.
    Hello { protocol: u32 },
    /// Starts an episode.
    Reset { episode: u64, seed: u64, split: Cow<'a, str> },
    /// Carries out an action.
    Step { episode: u64, action: Cow<'a, str> },
    /// Makes another episode that goes on from where this one is.
    Copy { episode: u64, copy: u64 },
    /// Asks for the actions that finish an episode.
    Plan { episode: u64 },
    /// Ends an episode; there is no answer.
    Close { episode: u64 },
}

/// A request with its number.
#[derive(Serialize, Deserialize)]
pub(super) struct Numbered<'a> {
    pub(super) id: u64,
    #[serde(flatten, borrow)]
    pub(super) request: Request<'a>,
}

impl Request<'_> {
    /// The line that is sent.
    pub(super) fn line(self, id: u64) -> Vec<u8> {
        // Texts and numbers can always be written.
        let mut line = serde_json::to_vec(&Numbered { id, request: self }).unwrap_or_default();
        line.push(b'\n');
        line
    }
}

/// An answer, of which only the number is known.
#[derive(Clone, Debug)]
pub(super) struct Answer {
    pub(super) id: u64,
    fields: Map<String, Value>,
}

impl Answer {
    /// Reads the line of an answer.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(super) fn parse(line: &[u8]) -> Result<Self, String> {
        let problem = |problem: &str| {
            let shown: String = String::from_utf8_lossy(line).trim_end().chars().take(80).collect();
            format!("{problem}: {shown:?}")
        };
        let read: Result<Map<String, Value>, _> = serde_json::from_slice(line);
        let mut fields = read.map_err(|_| problem("it wrote a line that is no JSON object"))?;
        let id = fields.remove("id").and_then(|id| id.as_u64());
        let id =
            id.ok_or_else(|| problem("it wrote a line without the number of a request (id)"))?;
        Ok(Self { id, fields })
    }

    /// What it says.
    ///
    /// # Errors
    /// What the environment says is wrong, or why this is no such answer.
    pub(super) fn read<T: DeserializeOwned>(mut self) -> Result<T, String> {
        if let Some(error) = self.fields.remove("error") {
            let text = error.as_str().map_or_else(|| error.to_string(), ToOwned::to_owned);
            return Err(text.chars().take(1000).collect());
        }
        T::deserialize(Value::Object(self.fields))
            .map_err(|error| format!("its answer is not what the protocol says: {error}"))
    }
}

/// Answer to [`Request::Hello`].
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Hello {
    pub(super) protocol: u32,
    #[serde(default)]
    pub(super) agents: Vec<String>,
    /// Whether steps tell what each agent earns.
    #[serde(default)]
    pub(super) agent_rewards: bool,
    /// Whether episodes can be copied.
    #[serde(default)]
    pub(super) copies: bool,
    /// Whether it knows how an episode is finished.
    #[serde(default)]
    pub(super) plans: bool,
}

/// Numbers that an environment reports of an episode, by their names.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(transparent)]
pub(super) struct Info(BTreeMap<String, f64>);

impl Info {
    /// As they are written into traces.
    pub(super) fn into_values(self) -> Map<String, Value> {
        self.0.into_iter().map(|(name, value)| (name, value.into())).collect()
    }
}

impl Hash for Info {
    fn hash<H: Hasher>(&self, state: &mut H) {
        for (name, value) in &self.0 {
            (name, value.to_bits()).hash(state);
        }
    }
}

/// Answer to [`Request::Reset`].
#[derive(Clone, Debug, Deserialize, Hash)]
#[serde(deny_unknown_fields)]
pub(super) struct Start {
    pub(super) instruction: String,
    pub(super) observation: String,
    /// None for free text.
    #[serde(default)]
    pub(super) actions: Option<Vec<String>>,
    #[serde(default)]
    pub(super) agent: Option<String>,
    #[serde(default)]
    pub(super) info: Info,
}

/// Answer to [`Request::Step`].
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Stepped {
    pub(super) observation: String,
    #[serde(default)]
    pub(super) actions: Option<Vec<String>>,
    #[serde(default)]
    pub(super) agent: Option<String>,
    pub(super) reward: f64,
    /// What each agent earned, if that is told.
    #[serde(default)]
    pub(super) agent_rewards: Option<BTreeMap<String, f64>>,
    pub(super) terminated: bool,
    pub(super) truncated: bool,
    /// Whether the task is done; by default an end with a reward above 0.
    #[serde(default)]
    pub(super) success: Option<bool>,
    /// Whether the action was admissible.
    #[serde(default = "yes")]
    pub(super) valid: bool,
    #[serde(default)]
    pub(super) info: Info,
}

impl Hash for Stepped {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let Self { observation, actions, agent, reward, .. } = self;
        (observation, actions, agent, reward.to_bits()).hash(state);
        let earned = self.agent_rewards.iter().flatten();
        earned.for_each(|(name, reward)| (name, reward.to_bits()).hash(state));
        (self.terminated, self.truncated, self.success, self.valid, &self.info).hash(state);
    }
}

/// Answer to [`Request::Copy`].
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Copied {}

/// Answer to [`Request::Plan`].
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Planned {
    /// None if it knows no way.
    pub(super) plan: Option<Vec<String>>,
}

fn yes() -> bool {
    true
}

impl Stepped {
    /// Whether the episode is over.
    pub(super) fn is_end(&self) -> bool {
        self.terminated || self.truncated
    }

    /// Whether the task is done.
    pub(super) fn is_won(&self) -> bool {
        self.success.unwrap_or(self.terminated && self.reward > 0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_lines_and_answers_are_read_strictly() {
        let line = Request::Step { episode: 3, action: "a\n\"b\"".into() }.line(7);
        let expected =
            "{\"id\":7,\"method\":\"step\",\"episode\":3,\"action\":\"a\\n\\\"b\\\"\"}\n";
        assert_eq!(std::str::from_utf8(&line).unwrap(), expected);
        let Numbered { id, request } = serde_json::from_slice(&line).unwrap();
        assert_eq!(request.line(id), line);
        let read = |line: &str| Answer::parse(line.as_bytes()).and_then(Answer::read::<Stepped>);
        let full =
            r#"{"id": 1, "observation": "x", "reward": 1, "terminated": true, "truncated": false"#;
        let read_with = |more: &str| read(&format!("{full}{more}}}"));
        let step = read_with("").unwrap();
        assert!(step.is_end() && step.is_won() && step.valid && step.actions.is_none());
        assert!(!read_with(r#", "success": false, "info": {"score": 0.5}"#).unwrap().is_won());
        let info = read_with(r#", "info": {"score": "high"}"#).unwrap_err();
        assert!(info.contains("expected f64"), "{info}");
        assert!(read_with(r#", "rewards": 3"#).unwrap_err().contains("unknown field `rewards`"));
        assert_eq!(read(r#"{"id": 1, "error": "no such door"}"#).unwrap_err(), "no such door");
        assert!(read("{\"id\": 1}").unwrap_err().contains("missing field"));
        assert!(read("hello").unwrap_err().contains("no JSON object: \"hello\""));
        assert!(read("{}").unwrap_err().contains("(id)"));
    }
}
