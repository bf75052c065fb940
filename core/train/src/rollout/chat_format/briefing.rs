//! Briefing of a language model: messages as templates, in a TOML file.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::answer_contract::AnswerContract;
use crate::models::chat::{ChatError, ChatTemplate, Conversation, Message};
use crate::rollout::prompt_format::RememberedStep;

/// The variables of a template.
const VARIABLES: [&str; 6] = ["task", "step", "history", "observation", "admissible", "agent"];

/// A briefing that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum BriefingError {
    /// The file is not what it should be.
    #[error("{0}")]
    File(#[from] toml::de::Error),
    /// There is nothing in it.
    #[error("no messages: start each with [[messages]], role and content")]
    Empty,
    /// The template of a message is not Jinja.
    #[error("message {number}: {error}")]
    Template {
        /// Which message, from 1.
        number: usize,
        /// What is wrong.
        error: ChatError,
    },
    /// A template asks for something that there is not.
    #[error("message {number} uses '{name}'; available are {}", VARIABLES.join(", "))]
    Variable {
        /// Which message, from 1.
        number: usize,
        /// What it asks for.
        name: String,
    },
    /// The model is never told one of the things that it cannot do without.
    #[error("no message contains '{0}'")]
    Untold(&'static str),
}

/// What a language model is told at every step.
#[derive(Debug)]
pub struct Briefing {
    /// The form of an answer.
    pub(super) contract: AnswerContract,
    messages: Vec<(String, ChatTemplate)>,
}

/// What is there to be told.
pub(super) struct Scene<'a> {
    pub(super) task: &'a str,
    /// Steps before those of the history.
    pub(super) first: usize,
    pub(super) history: &'a [RememberedStep],
    pub(super) observation: &'a str,
    pub(super) admissible: &'a [String],
    /// Who has to act, if there are several.
    pub(super) agent: Option<&'a str>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    contract: AnswerContract,
    messages: Vec<Written>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    role: String,
    content: String,
}

impl Briefing {
    /// Reads a TOML file: `contract` is `reasoning` or `compact`; each of `messages` has a `role` and
    /// a `content`, which is a Jinja template. Its variables: `task`, `step` (the number of the step
    /// to take, from 1), `history` (past steps, each with `step`, `observation` and `action`),
    /// `observation`, `admissible` (the actions that would be carried out, as an agent is told), and
    /// `agent` (the name of the one that has to act; nothing if there is but one).
    ///
    /// # Errors
    /// When the file is not TOML, lacks a part, or a template is broken or asks for something else;
    /// and if no message tells the task or the observation.
    pub fn parse(text: &str) -> Result<Self, BriefingError> {
        let file: File = toml::from_str(text)?;
        if file.messages.is_empty() {
            return Err(BriefingError::Empty);
        }
        let mut told = Vec::new();
        let mut messages = Vec::with_capacity(file.messages.len());
        for (number, Written { role, content }) in (1..).zip(file.messages) {
            let template = ChatTemplate::parse(&content)
                .map_err(|error| BriefingError::Template { number, error })?;
            for name in template.variables() {
                if !VARIABLES.contains(&name.as_str()) {
                    return Err(BriefingError::Variable { number, name });
                }
                told.push(name);
            }
            messages.push((role, template));
        }
        let untold =
            ["task", "observation"].into_iter().find(|name| !told.iter().any(|it| it == name));
        match untold {
            Some(name) => Err(BriefingError::Untold(name)),
            None => Ok(Self { contract: file.contract, messages }),
        }
    }

    pub(super) fn messages(&self, scene: &Scene<'_>) -> Result<Vec<Message>, ChatError> {
        let variables = scene.variables();
        let message = |(role, template): &(String, ChatTemplate)| {
            let text = template.render(&Conversation::new(&[], super::NOW), &variables)?;
            Ok(Message::new(role, text.trim()))
        };
        self.messages.iter().map(message).collect()
    }
}

impl Scene<'_> {
    /// The values of [`VARIABLES`].
    fn variables(&self) -> Map<String, Value> {
        let step = |(index, past): (usize, &RememberedStep)| {
            json!({
                "step": self.first + index + 1,
                "observation": past.observation,
                "action": past.action,
            })
        };
        let values: [Value; VARIABLES.len()] = [
            self.task.into(),
            (self.first + self.history.len() + 1).into(),
            self.history.iter().enumerate().map(step).collect(),
            self.observation.into(),
            self.admissible.into(),
            self.agent.into(),
        ];
        VARIABLES.map(str::to_owned).into_iter().zip(values).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hgpo_env::registry::{Entry, Prompt, entries};

    fn told(briefing: &Briefing, scene: &Scene<'_>) -> Vec<(String, String)> {
        let messages = briefing.messages(scene).unwrap();
        messages.iter().map(|it| (it.role().to_owned(), it.text())).collect()
    }

    #[test]
    fn built_in_briefings_tell_everything() {
        let history =
            [RememberedStep { observation: "A hall.".into(), action: "go to kitchen".into() }];
        let admissible = ["take mug".to_owned(), "look".to_owned()];
        let of = |it: &'static Entry| it.prompts.iter().map(|prompt| (it.name, prompt));
        for (environment, &Prompt { name, text }) in entries().flat_map(of) {
            let briefing = Briefing::parse(text).unwrap();
            let scene = Scene {
                task: "find the mug",
                first: 4,
                history: &history,
                observation: "A kitchen.",
                admissible: &admissible,
                agent: None,
            };
            let told = told(&briefing, &scene);
            assert_eq!(told.iter().map(|it| it.0.as_str()).collect::<Vec<_>>(), ["system", "user"]);
            // A drawing begins on a line of its own, and in a shop there are actions, not commands.
            let asked = told[1].1.replace("saw:\n", "saw: ").replace("see:\n", "see: ");
            let asked = asked.replace("Possible actions:", "Possible commands:");
            assert_eq!(
                asked,
                "Goal: find the mug\n\nStep 5. You saw: A hall.\nYou did: go to kitchen\n\
                 Step 6. You see: A kitchen.\n\nPossible commands:\ntake mug\nlook",
                "{environment} {name}"
            );
            let reasoning = briefing.contract == AnswerContract::Reasoning;
            assert_eq!(reasoning, name == "reasoning");
            assert_eq!(told[0].1.contains("<think>"), reasoning);
        }
    }

    #[test]
    fn agents_are_told_their_names() {
        let text = "contract = \"compact\"\n[[messages]]\nrole = \"user\"\n\
                    content = \"{% if agent %}{{ agent }}: {% endif %}{{ task }} {{ observation }}\"\n";
        let briefing = Briefing::parse(text).unwrap();
        let scene = |agent| Scene {
            task: "Guess.",
            first: 0,
            history: &[],
            observation: "A word.",
            admissible: &[],
            agent,
        };
        for (agent, said) in
            [(None, "Guess. A word."), (Some("guesser"), "guesser: Guess. A word.")]
        {
            assert_eq!(told(&briefing, &scene(agent))[0].1, said);
        }
    }

    #[test]
    fn a_broken_briefing_is_refused_with_its_place() {
        let refused = |text: &str| Briefing::parse(text).unwrap_err().to_string();
        let message = |content: &str| {
            format!(
                "contract = \"compact\"\n[[messages]]\nrole = \"user\"\ncontent = \"{content}\"\n"
            )
        };
        assert!(refused("contract = \"loose\"\nmessages = []").contains("unknown variant `loose`"));
        assert!(refused("contract = \"compact\"\nmessages = []").starts_with("no messages"));
        assert!(
            refused("contract = \"compact\"\nmessages = []\ntask = 1").contains("unknown field")
        );
        assert!(refused(&message("{{ task }")).starts_with("message 1: "));
        assert_eq!(
            refused(&message("{{ task }} {{ observation }} {{ goal }}")),
            "message 1 uses 'goal'; available are task, step, history, observation, admissible, agent"
        );
        assert_eq!(refused(&message("{{ task }}")), "no message contains 'observation'");
        assert!(
            Briefing::parse(&message("{{ task }} {{ observation }} {{ range(step) }}")).is_ok()
        );
    }
}
