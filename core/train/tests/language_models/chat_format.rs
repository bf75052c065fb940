//! What a language model is told and how it is read: prompts, their limit, the end of a response.
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

use std::sync::Arc;

use hgpo_env::Observation;
use hgpo_train::models::chat::ChatTemplates;
use hgpo_train::models::tokenizer::{Tokenizer, from_gguf};
use hgpo_train::rollout::chat_format::{Briefing, ChatFormat};
use hgpo_train::rollout::prompt_format::{PromptFormat as _, RememberedStep};
use proptest::prelude::*;

use crate::byte_tokenizer::{END, metadata};

const BRIEFING: &str = r#"
contract = "compact"
[[messages]]
role = "user"
content = """
{{ task }}.{% for past in history %} {{ past.step }} {{ past.observation }} > {{ past.action }}.
{%- endfor %} {{ step }} {{ observation }}: {{ admissible | join("/") }}"""
"#;

fn format(max_prompt_tokens: usize) -> ChatFormat {
    let mut metadata = metadata("gpt-2");
    let template = "{% for m in messages %}[{{ m.role }}] {{ m.content }}<|end|>{% endfor %}";
    metadata.chat_template = Some(template.to_owned());
    let files = from_gguf(&metadata).unwrap();
    let tokenizer = Tokenizer::from_files(&files.tokenizer, Some(&files.config), None).unwrap();
    let templates = ChatTemplates::from_files(Some(&files.config), None).unwrap();
    ChatFormat {
        tokenizer: Arc::new(tokenizer),
        templates: Arc::new(templates),
        briefing: Arc::new(Briefing::parse(BRIEFING).unwrap()),
        history_length: 2,
        max_prompt_tokens,
        thinking: None,
    }
}

fn memory() -> Vec<RememberedStep> {
    let step = |observation: &str, action: &str| RememberedStep {
        observation: observation.into(),
        action: action.into(),
    };
    vec![step("first", "a"), step("second", "b"), step("third", "c")]
}

fn now() -> Observation {
    Observation::listed("fourth", vec!["x".into(), "y".into()])
}

fn prompt(format: &ChatFormat) -> Result<String, String> {
    let tokens = format.prompt("Task", &memory(), &now()).map_err(|error| error.to_string())?;
    assert!(tokens.len() <= format.max_prompt_tokens);
    Ok(format.tokenizer.decode(&tokens).unwrap())
}

#[test]
fn a_prompt_that_is_too_long_loses_the_oldest_and_keeps_the_task() {
    let whole = "[user] Task. 2 second > b. 3 third > c. 4 fourth: x/y<|end|>";
    let told = |most| prompt(&format(most)).unwrap();
    let count = format(1000).prompt("Task", &memory(), &now()).unwrap().len();
    assert_eq!(told(1000), whole);
    assert_eq!(told(count), whole);
    assert_eq!(told(count - 1), "[user] Task. 3 third > c. 4 fourth: x/y<|end|>");
    // Without history it has 27 tokens: a letter each, and the end.
    assert_eq!(told(27), "[user] Task. 4 fourth: x/y<|end|>");
    assert_eq!(told(26), "[user] Task. 4 ourth: x/y<|end|>");
    assert_eq!(told(21), "[user] Task. 4 : x/y<|end|>");
    let error = prompt(&format(20)).unwrap_err();
    assert!(error.contains("takes 21 tokens even without"), "{error}");
}

#[test]
fn a_response_ends_with_its_action_or_its_turn() {
    let format = format(1000);
    let ends = |tokens: &[u32]| {
        let mut ending = format.stop_condition();
        tokens.iter().position(|&token| ending(token))
    };
    let response = format.response(&now(), "go to hall").unwrap();
    assert_eq!(ends(&response), Some(response.len() - 1));
    assert_eq!(ends(&response[..response.len() - 1]), None);
    assert_eq!(ends(&[response[0], END, response[1]]), Some(1));
    let answer = format.parse_response(&now(), &response).unwrap();
    assert_eq!((answer.action.as_str(), answer.valid), ("go to hall", true));
    assert_eq!(answer.text, "<action>go to hall</action>");
    assert!(!format.parse_response(&now(), &[response[0], END]).unwrap().valid);
}

#[test]
fn conversations_of_ones_own_keep_the_template_and_the_limit() {
    let messages = [("system", "Add."), ("user", "1 + 1?")];
    let messages = messages.map(|(role, text)| (role.to_owned(), text.to_owned()));
    let long = format(1000);
    let conversations = long.conversations().unwrap();
    let prompt = conversations.prompt(&messages).unwrap();
    assert_eq!(long.tokenizer.decode(&prompt).unwrap(), "[system] Add.<|end|>[user] 1 + 1?<|end|>");
    let response = [prompt[0], END];
    assert_eq!(conversations.text(&response).unwrap(), "[");
    assert_eq!(response.map(|token| conversations.is_end(token)), [false, true]);
    let short = format(prompt.len() - 1);
    let error = short.conversations().unwrap().prompt(&messages).unwrap_err().to_string();
    assert!(error.contains("raise it"), "{error}");
}

proptest! {
    #[test]
    fn prompts_never_exceed_their_limit(
        observation in "\\PC{0,80}", task in "\\PC{0,20}", most in 20_usize..300,
    ) {
        let format = format(most);
        let now = Observation::listed(observation, vec!["look".into()]);
        if let Ok(tokens) = format.prompt(&task, &memory(), &now) {
            prop_assert!(tokens.len() <= most);
            let text = format.tokenizer.decode(&tokens).unwrap();
            prop_assert!(text.contains(task.trim()), "{text}");
        }
    }

    #[test]
    fn every_answer_can_be_read(text in "(<think>|</think>|<action>|</action>|\\PC){0,40}") {
        let format = format(1000);
        let tokens =
            format.tokenizer.encode(&text, hgpo_train::models::tokenizer::SpecialTokenHandling::Text);
        format.parse_response(&now(), &tokens.unwrap()).unwrap();
    }
}
