//! Answer contract: what an answer looks like, and when it is invalid.

use serde::Deserialize;

use crate::rollout::prompt_format::ParsedResponse;

const START: &str = "<action>";
/// Characters of an answer without an action that are tried as one.
const LAST: usize = 30;
/// CJK ideographs; an answer in another script than the prompt's is invalid.
const IDEOGRAPHS: std::ops::RangeInclusive<char> = '\u{4e00}'..='\u{9fff}';

/// The form of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AnswerContract {
    /// `<think>…</think><action>…</action>`.
    Reasoning,
    /// `<action>…</action>`.
    Compact,
}

impl AnswerContract {
    /// The text that ends an answer.
    pub const STOP: &str = "</action>";

    /// The answer that states an action.
    #[must_use]
    pub fn response(self, action: &str) -> String {
        let thought = match self {
            Self::Reasoning => "<think>This brings me closer to the goal.</think>",
            Self::Compact => "",
        };
        format!("{thought}{START}{action}{}", Self::STOP)
    }

    /// Reads an answer.
    ///
    /// # Rules
    /// Those of the reference implementation of the method (verl-agent): the answer is put into lower
    /// case; the action is what stands between the first `<action>` and the first `</action>`,
    /// without white space around it. It is invalid if one of the two is missing, if it has an
    /// ideograph (U+4E00 to U+9FFF), and, with reasoning, if `<think>` or `</think>` is missing in
    /// that spelling. Whether the environment admits the action is not looked at. If a tag is
    /// missing, the last 30 characters are tried as the action, though the step stays invalid.
    #[must_use]
    pub fn read(self, text: String) -> ParsedResponse {
        let lower = text.to_lowercase();
        let (start, end) = (lower.find(START), lower.find(Self::STOP));
        let thought =
            self == Self::Compact || (text.contains("<think>") && text.contains("</think>"));
        let foreign = text.chars().any(|it| IDEOGRAPHS.contains(&it));
        let (action, found) = if let (Some(start), Some(end)) = (start, end) {
            // Tags in the wrong order have nothing between them.
            (lower.get(start + START.len()..end).unwrap_or_default().trim().to_owned(), true)
        } else {
            let skipped = lower.chars().count().saturating_sub(LAST);
            (lower.chars().skip(skipped).collect(), false)
        };
        ParsedResponse { valid: found && thought && !foreign, action, text }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(contract: AnswerContract, text: &str) -> (String, bool) {
        let answer = contract.read(text.to_owned());
        assert_eq!(answer.text, text);
        (answer.action, answer.valid)
    }

    #[test]
    fn an_answer_keeps_the_contract_or_is_invalid() {
        use AnswerContract::{Compact, Reasoning};
        let good = |action: &str| (action.to_owned(), true);
        let bad = |action: &str| (action.to_owned(), false);
        assert_eq!(read(Compact, "<action>go to hall</action>"), good("go to hall"));
        assert_eq!(read(Compact, "Well: <Action> Go To Hall\n</ACTION> ok"), good("go to hall"));
        assert_eq!(read(Compact, "<action>a</action><action>b</action>"), good("a"));
        assert_eq!(read(Compact, "</action><action>go"), good(""));
        assert_eq!(read(Compact, "go to hall"), bad("go to hall"));
        // 34 characters, of which the last 30 are tried.
        assert_eq!(
            read(Compact, "<action>go to the end of the world"),
            bad("ion>go to the end of the world")
        );
        assert_eq!(read(Compact, "<action>去</action>"), bad("去"));
        assert_eq!(read(Compact, ""), bad(""));
        assert_eq!(read(Reasoning, "<action>go</action>"), bad("go"));
        assert_eq!(read(Reasoning, "<think>so</think><action>go</action>"), good("go"));
        assert_eq!(read(Reasoning, "<THINK>so</THINK><action>go</action>"), bad("go"));
        assert_eq!(read(Reasoning, "<think>so <action>go</action>"), bad("go"));
        for contract in [Compact, Reasoning] {
            assert_eq!(read(contract, &contract.response("take mug")), good("take mug"));
        }
    }
}
