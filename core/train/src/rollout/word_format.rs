//! Word format: prompts for policies trained from scratch, a token a word, marks between the parts.

use hgpo_env::Observation;

use super::prompt_format::{
    ParsedResponse, PromptError, PromptFormat, RememberedStep, StopCondition,
};
use crate::policy::word_tokenizer::WordTokenizer;

/// Prompts of words and marks.
#[derive(Clone, Debug)]
pub struct WordFormat {
    tokenizer: WordTokenizer,
    history_length: usize,
}

impl WordFormat {
    /// The file of a checkpoint that has the words.
    pub const FILE: &str = "words.json";

    /// Prompts with the last `history_length` pairs.
    #[must_use]
    pub fn new(tokenizer: WordTokenizer, history_length: usize) -> Self {
        Self { tokenizer, history_length }
    }

    fn stop(&self) -> u32 {
        self.tokenizer.word("</action>")
    }

    /// The words between `<action>` and `</action>`: at least one, and nothing else.
    fn words<'a>(&self, response: &'a [u32]) -> Option<&'a [u32]> {
        let is_word = |token: &u32| !self.tokenizer.is_mark(*token);
        match response {
            [first, words @ .., last]
                if *first == self.tokenizer.word("<action>")
                    && *last == self.stop()
                    && !words.is_empty()
                    && words.iter().all(is_word) =>
            {
                Some(words)
            }
            _ => None,
        }
    }
}

impl PromptFormat for WordFormat {
    /// The last K (observation, action) pairs, the current observation, the choices, the task, and the agent that
    /// has to act, if there are several. The task comes late: at the same place before the answer in every prompt,
    /// it is found sooner by a small policy.
    fn prompt(
        &self,
        instruction: &str,
        memory: &[RememberedStep],
        now: &Observation,
    ) -> Result<Vec<u32>, PromptError> {
        let mut tokens = Vec::new();
        let mut add = |mark: &str, text: &str| {
            tokens.push(self.tokenizer.word(mark));
            tokens.extend(self.tokenizer.encode(text));
        };
        for past in &memory[memory.len().saturating_sub(self.history_length)..] {
            add("<observation>", &past.observation);
            add("<did>", &past.action);
        }
        add("<observation>", &now.text);
        let choices = now.actions.describe();
        add("<choices>", choices.first().map_or("", String::as_str));
        choices.iter().skip(1).for_each(|choice| add("|", choice));
        add("<task>", instruction);
        tokens.extend(now.agent.iter().flat_map(|agent| self.tokenizer.encode(agent)));
        Ok(tokens)
    }

    fn observation(&self, text: &str) -> Result<Vec<u32>, PromptError> {
        Ok(self.tokenizer.encode(text))
    }

    fn response(&self, _now: &Observation, action: &str) -> Result<Vec<u32>, PromptError> {
        let mut tokens = vec![self.tokenizer.word("<action>")];
        tokens.extend(self.tokenizer.encode(action));
        tokens.push(self.stop());
        Ok(tokens)
    }

    fn stop_condition(&self) -> StopCondition<'_> {
        let stop = self.stop();
        Box::new(move |token| token == stop)
    }

    /// `<action>`, at least one word, `</action>`, and nothing else.
    fn parse_response(
        &self,
        _now: &Observation,
        response: &[u32],
    ) -> Result<ParsedResponse, PromptError> {
        let words = self.words(response);
        Ok(ParsedResponse {
            text: self.tokenizer.decode(response),
            action: words.map(|words| self.tokenizer.decode(words)).unwrap_or_default(),
            valid: words.is_some(),
        })
    }

    fn prompt_text(&self, prompt: &[u32]) -> Result<Option<String>, PromptError> {
        Ok(Some(self.tokenizer.decode(prompt)))
    }

    fn token_texts(&self, response: &[u32]) -> Result<Option<Vec<String>>, PromptError> {
        Ok(Some(self.tokenizer.token_texts(response)))
    }

    /// The words, whose numbers the policy has learned.
    fn file(&self) -> Option<(&'static str, Vec<u8>)> {
        Some((Self::FILE, serde_json::to_vec_pretty(&self.tokenizer).unwrap_or_default()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hgpo_env::Actions;

    fn format() -> WordFormat {
        WordFormat::new(
            WordTokenizer::new(["go", "to", "hall", "mug", "take"].map(String::from)),
            1,
        )
    }

    fn now() -> Observation {
        Observation::listed("mug", vec!["take mug".into(), "go to hall".into()])
    }

    fn memory(observation: &str, action: &str) -> RememberedStep {
        RememberedStep { observation: observation.into(), action: action.into() }
    }

    #[test]
    fn the_prompt_holds_only_the_last_pairs() {
        let format = format();
        let memory = [memory("mug", "take mug"), memory("hall", "go to hall")];
        let prompt = format.prompt("take mug", &memory, &now()).unwrap();
        assert_eq!(
            format.tokenizer.decode(&prompt),
            "<observation> hall <did> go to hall <observation> mug \
             <choices> take mug | go to hall <task> take mug"
        );
    }

    #[test]
    fn agents_are_told_who_they_are_after_the_task() {
        let format =
            WordFormat::new(WordTokenizer::new(["hall", "mug", "walker"].map(String::from)), 0);
        let now =
            Observation { agent: Some("Walker".into()), ..Observation::new("hall", Actions::Text) };
        let prompt = format.prompt("mug", &[], &now).unwrap();
        let text = "<observation> hall <choices> <task> mug walker";
        assert_eq!(format.tokenizer.decode(&prompt), text);
    }

    #[test]
    fn only_the_whole_format_is_valid() {
        let format = format();
        let response = format.response(&now(), "go to hall").unwrap();
        let answer = format.parse_response(&now(), &response).unwrap();
        assert_eq!((answer.action.as_str(), answer.valid), ("go to hall", true));
        assert_eq!(answer.text, "<action> go to hall </action>");
        let texts = format.token_texts(&response).unwrap().unwrap();
        assert_eq!(texts, ["<action>", " go", " to", " hall", " </action>"]);
        let (start, stop) = (response[0], response[4]);
        for broken in [&response[1..], &response[..4], &[start, stop], &[start, start, stop], &[]] {
            assert!(!format.parse_response(&now(), broken).unwrap().valid, "{broken:?}");
        }
        let mut ending = format.stop_condition();
        assert_eq!(response.iter().position(|&token| ending(token)), Some(4));
    }
}
