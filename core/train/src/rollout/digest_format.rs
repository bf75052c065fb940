//! Digest format: prompts for a policy that is a table, numbers that stand for memories and actions.

use hgpo_env::Observation;
use rapidhash::v3::rapidhash_v3;

use super::prompt_format::{
    ParsedResponse, PromptError, PromptFormat, RememberedStep, StopCondition,
};
use crate::policy::table;

/// Prompts of digests; a response is the place of an action in the list.
///
/// A memory is the instruction, the last pairs of observation and action, the current observation, and the agent that has
/// to act, if there are several: what a policy of words reads. Two memories that differ have different digests, but for one chance in
/// 2⁶⁴ a pair.
#[derive(Clone, Copy, Debug)]
pub struct DigestFormat {
    history_length: usize,
}

/// Bytes that hold most memories.
const USUAL_LENGTH: usize = 512;

impl DigestFormat {
    /// Memories of the last `history_length` pairs.
    #[must_use]
    pub fn new(history_length: usize) -> Self {
        Self { history_length }
    }
}

/// The digest of texts, none of which runs into the next; `bytes` is room for them.
fn digest<'a>(bytes: &mut Vec<u8>, texts: impl IntoIterator<Item = &'a str>) -> u64 {
    bytes.clear();
    for text in texts {
        bytes.extend_from_slice(&(text.len() as u64).to_le_bytes());
        bytes.extend_from_slice(text.as_bytes());
    }
    rapidhash_v3(bytes)
}

impl PromptFormat for DigestFormat {
    fn prompt(
        &self,
        instruction: &str,
        memory: &[RememberedStep],
        now: &Observation,
    ) -> Result<Vec<u32>, PromptError> {
        let listed = now.actions.listed();
        if listed.is_empty() {
            return Err(PromptError::new(
                "a table policy needs listed actions, and this environment has none: list them \
                 (`admissible_actions` of an environment of your own), or train a language model (--model)",
            ));
        }
        let past = &memory[memory.len().saturating_sub(self.history_length)..];
        let pairs = past.iter().flat_map(|it| [it.observation.as_str(), it.action.as_str()]);
        let mut bytes = Vec::with_capacity(USUAL_LENGTH);
        let texts = [instruction].into_iter().chain(pairs).chain([now.text.as_str()]);
        let texts = texts.chain(now.agent.as_deref());
        let memory = digest(&mut bytes, texts);
        let actions = listed.iter().map(|action| digest(&mut bytes, [action.as_str()]));
        Ok(table::prompt(memory, actions))
    }

    fn response(&self, now: &Observation, action: &str) -> Result<Vec<u32>, PromptError> {
        let place = now.actions.listed().iter().position(|listed| listed == action);
        let place = place.ok_or_else(|| {
            PromptError::new(format!(
                "a table policy needs listed actions, and '{action}' is not one: use \
                 policy.kind=decoder, or warm_start.episodes=0 if it is to be imitated"
            ))
        })?;
        Ok(vec![place as u32])
    }

    /// Every response is one token.
    fn stop_condition(&self) -> StopCondition<'_> {
        Box::new(|_| true)
    }

    fn parse_response(
        &self,
        now: &Observation,
        response: &[u32],
    ) -> Result<ParsedResponse, PromptError> {
        let place = response.first().map(|&token| token as usize);
        let action = place.and_then(|place| now.actions.listed().get(place)).cloned();
        let valid = action.is_some();
        let action = action.unwrap_or_default();
        Ok(ParsedResponse { text: action.clone(), action, valid })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn now(text: &str) -> Observation {
        Observation::listed(text, vec!["left".into(), "right".into()])
    }

    fn memory(observation: &str, action: &str) -> RememberedStep {
        RememberedStep { observation: observation.into(), action: action.into() }
    }

    fn of_agent(text: &str, agent: &str) -> Observation {
        Observation { agent: Some(agent.into()), ..now(text) }
    }

    #[test]
    fn a_memory_is_the_last_pairs_and_the_present() {
        let format = DigestFormat::new(1);
        let prompt =
            |past: &[RememberedStep], text| format.prompt("goal", past, &now(text)).unwrap();
        let here = prompt(&[memory("a", "left")], "b");
        // Memory and two actions, two tokens each.
        assert_eq!(here.len(), 6);
        assert_eq!(here, prompt(&[memory("z", "z"), memory("a", "left")], "b"));
        for other in [
            prompt(&[memory("a", "right")], "b"),
            prompt(&[memory("al", "eft")], "b"),
            prompt(&[], "b"),
            prompt(&[memory("a", "left")], "c"),
            format.prompt("goal", &[memory("a", "left")], &of_agent("b", "walker")).unwrap(),
        ] {
            assert_ne!(here[..2], other[..2]);
            assert_eq!(here[2..], other[2..]);
        }
    }

    #[test]
    fn a_response_is_a_place_in_the_list() {
        let format = DigestFormat::new(0);
        let now = now("a");
        let response = format.response(&now, "right").unwrap();
        assert_eq!(response, [1]);
        let answer = format.parse_response(&now, &response).unwrap();
        assert_eq!((answer.action.as_str(), answer.valid), ("right", true));
        assert!(!format.parse_response(&now, &[2]).unwrap().valid);
        assert!(!format.parse_response(&now, &[]).unwrap().valid);
        assert!(format.response(&now, "up").is_err());
        let nothing = Observation::listed("a", vec![]);
        assert!(format.prompt("goal", &[], &nothing).is_err());
    }
}
