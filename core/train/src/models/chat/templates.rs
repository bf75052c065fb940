//! Chat templates of a model's folder, and which of them is used.

use hgpo_env::json_error::locate_json_error;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::conversation::Conversation;
use super::error::ChatError;
use super::template::ChatTemplate;

const DEFAULT: &str = "default";
const TOOL_USE: &str = "tool_use";
/// Fields of `tokenizer_config.json` that become variables of a template.
const TOKENS: [&str; 7] =
    ["bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token"];

/// A model's chat templates by their names, and the special tokens that they write.
///
/// A model without any is fine as long as no conversation must be rendered; so is one with a broken
/// template.
#[derive(Debug, Default)]
pub struct ChatTemplates {
    named: Vec<(String, Result<ChatTemplate, ChatError>)>,
    tokens: Map<String, Value>,
}

#[derive(Default, Deserialize)]
struct Config {
    chat_template: Option<Written>,
    #[serde(flatten)]
    other: Map<String, Value>,
}

#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "chat_template must be a string, or a list of objects with name and template"
)]
enum Written {
    One(String),
    Many(Vec<Named>),
}

#[derive(Deserialize)]
struct Named {
    name: String,
    template: String,
}

impl ChatTemplates {
    /// Reads the bytes of `tokenizer_config.json` and the text of `chat_template.jinja`, if they
    /// are there. The latter comes before a default template of the former.
    ///
    /// # Errors
    /// When `tokenizer_config.json` is damaged.
    pub fn from_files(config: Option<&[u8]>, jinja: Option<&str>) -> Result<Self, ChatError> {
        let config = config.map_or_else(|| Ok(Config::default()), parse)?;
        let mut sources = match config.chat_template {
            None => Vec::new(),
            Some(Written::One(template)) => vec![(DEFAULT.to_owned(), template)],
            Some(Written::Many(list)) => {
                list.into_iter().map(|named| (named.name, named.template)).collect()
            }
        };
        if let Some(template) = jinja {
            sources.retain(|(name, _)| name != DEFAULT);
            sources.insert(0, (DEFAULT.to_owned(), template.to_owned()));
        }
        let named = sources.into_iter().map(|(name, source)| (name, ChatTemplate::parse(&source)));
        Ok(Self { named: named.collect(), tokens: tokens(&config.other) })
    }

    /// Whether there is no template.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.named.is_empty()
    }

    /// Names of the templates.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.named.iter().map(|(name, _)| name.as_str())
    }

    /// Renders a conversation with the template `tool_use` if there are tools and such a
    /// template, with `default` otherwise.
    ///
    /// # Errors
    /// When there is no such template, when it is not Jinja, refuses the conversation, fails, or
    /// does not come to an end.
    pub fn render(&self, conversation: &Conversation<'_>) -> Result<String, ChatError> {
        let find = |wanted: &str| self.named.iter().find(|(name, _)| name == wanted);
        let with_tools = find(TOOL_USE).filter(|_| conversation.tools.is_some());
        let Some((_, template)) = with_tools.or_else(|| find(DEFAULT)) else {
            let names: Vec<_> = self.names().collect();
            let no_default = || ChatError::NoDefault(names.join(", "));
            return Err(if names.is_empty() { ChatError::NoTemplate } else { no_default() });
        };
        template.as_ref().map_err(Clone::clone)?.render(conversation, &self.tokens)
    }
}

fn parse(bytes: &[u8]) -> Result<Config, ChatError> {
    serde_json::from_slice(bytes).map_err(|error| {
        let (line, column, problem) = locate_json_error(&error);
        ChatError::Config { line, column, problem }
    })
}

/// Texts of the special tokens: a token is a text, or an object that describes it.
fn tokens(config: &Map<String, Value>) -> Map<String, Value> {
    let text = |value: &Value| match value {
        Value::Object(described) => described.get("content").filter(|it| it.is_string()).cloned(),
        value => Some(value.clone()).filter(Value::is_string),
    };
    let one = |name: &str| Some((name.to_owned(), text(config.get(name)?)?));
    let mut tokens: Map<_, _> = TOKENS.into_iter().filter_map(one).collect();
    let more = "additional_special_tokens";
    if let Some(list) = config.get(more).and_then(Value::as_array) {
        tokens.insert(more.to_owned(), list.iter().filter_map(text).collect());
    }
    tokens
}
