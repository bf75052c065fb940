//! What the policy reads and writes, in tokens.

use crate::env::Observation;
use crate::policy::tokenizer::Tokenizer;

/// Builds prompts from an episode's memory and reads actions from responses.
#[derive(Clone, Debug)]
pub struct Format {
    tokenizer: Tokenizer,
    history_length: usize,
}

/// What a response says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The action's words; empty where the format is broken.
    pub action: String,
    /// The response kept the format.
    pub valid: bool,
}

/// One past step as the prompt repeats it: the observation before the action, and the action.
#[derive(Clone, Debug)]
pub struct Memory {
    observation: Vec<u32>,
    action: Vec<u32>,
}

impl Format {
    /// Prompts with the last `history_length` pairs.
    #[must_use]
    pub fn new(tokenizer: Tokenizer, history_length: usize) -> Self {
        Self { tokenizer, history_length }
    }

    /// The tokenizer in use.
    #[must_use]
    pub fn tokenizer(&self) -> &Tokenizer {
        &self.tokenizer
    }

    /// The token that ends a response.
    #[must_use]
    pub fn stop(&self) -> u32 {
        self.tokenizer.mark("</action>")
    }

    /// A step to remember.
    #[must_use]
    pub fn remember(&self, observation: &str, action: &str) -> Memory {
        Memory {
            observation: self.tokenizer.encode(observation),
            action: self.tokenizer.encode(action),
        }
    }

    /// The last K (observation, action) pairs, the current observation, the choices, the task. The
    /// task comes last: at the same place before the answer in every prompt, it is found sooner by a
    /// small policy.
    #[must_use]
    pub fn prompt(&self, instruction: &str, memory: &[Memory], now: &Observation) -> Vec<u32> {
        let mark = |name| self.tokenizer.mark(name);
        let mut tokens = Vec::new();
        for past in &memory[memory.len().saturating_sub(self.history_length)..] {
            tokens.push(mark("<observation>"));
            tokens.extend(&past.observation);
            tokens.push(mark("<did>"));
            tokens.extend(&past.action);
        }
        tokens.push(mark("<observation>"));
        tokens.extend(self.tokenizer.encode(&now.text));
        tokens.push(mark("<choices>"));
        for (index, action) in now.admissible.iter().enumerate() {
            if index > 0 {
                tokens.push(mark("|"));
            }
            tokens.extend(self.tokenizer.encode(action));
        }
        tokens.push(mark("<task>"));
        tokens.extend(self.tokenizer.encode(instruction));
        tokens
    }

    /// The response that states an action.
    #[must_use]
    pub fn response(&self, action: &str) -> Vec<u32> {
        let mut tokens = vec![self.tokenizer.mark("<action>")];
        tokens.extend(self.tokenizer.encode(action));
        tokens.push(self.stop());
        tokens
    }

    /// Reads a response: `<action>`, at least one word, `</action>`, and nothing else.
    #[must_use]
    pub fn answer(&self, response: &[u32]) -> Answer {
        let is_word = |token: &u32| !self.tokenizer.is_mark(*token);
        match response {
            [first, words @ .., last]
                if *first == self.tokenizer.mark("<action>")
                    && *last == self.stop()
                    && !words.is_empty()
                    && words.iter().all(is_word) =>
            {
                Answer { action: self.tokenizer.decode(words), valid: true }
            }
            _ => Answer { action: String::new(), valid: false },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn format() -> Format {
        Format::new(Tokenizer::new(["go", "to", "hall", "mug", "take"].map(String::from)), 1)
    }

    #[test]
    fn the_prompt_holds_only_the_last_pairs() {
        let format = format();
        let memory = [format.remember("mug", "take mug"), format.remember("hall", "go to hall")];
        let now = Observation {
            text: "mug".into(),
            admissible: vec!["take mug".into(), "go to hall".into()],
        };
        let prompt = format.prompt("take mug", &memory, &now);
        assert_eq!(
            format.tokenizer().decode(&prompt),
            "<observation> hall <did> go to hall <observation> mug \
             <choices> take mug | go to hall <task> take mug"
        );
    }

    #[test]
    fn only_the_whole_format_is_valid() {
        let format = format();
        let response = format.response("go to hall");
        assert_eq!(format.answer(&response), Answer { action: "go to hall".into(), valid: true });
        let (start, stop) = (format.tokenizer().mark("<action>"), format.stop());
        for broken in [&response[1..], &response[..4], &[start, stop], &[start, start, stop], &[]] {
            assert!(!format.answer(broken).valid, "{broken:?}");
        }
    }
}
