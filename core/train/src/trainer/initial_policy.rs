//! Initial policy: what training starts from, with the format of its prompts.

use std::sync::Arc;

use crate::config::{Config, TeamMember};
use crate::policy::Policy;
use crate::policy::table::TablePolicy;
use crate::policy::team::TeamPolicy;
use crate::rollout::digest_format::DigestFormat;
use crate::rollout::prompt_format::PromptFormat;
use crate::rollout::team_format::TeamFormat;

/// A policy and the format of its prompts.
pub type InitialPolicy<P> = (P, Arc<dyn PromptFormat>);

/// An empty table.
#[must_use]
pub fn table(config: &Config) -> InitialPolicy<TablePolicy> {
    (TablePolicy::default(), Arc::new(DigestFormat::new(config.rollout.history_length)))
}

/// The policies of a team, all of which begin alike.
#[must_use]
pub fn of_team<P: Policy>(
    policy: &P,
    inner: Arc<dyn PromptFormat>,
    team: &[TeamMember],
) -> InitialPolicy<TeamPolicy<P>> {
    let numbered = (0..).zip(team);
    let policies = numbered.flat_map(|(number, member)| {
        member.agents.iter().map(move |agent| (agent.clone(), number))
    });
    let format = TeamFormat { inner, policies: policies.collect() };
    let factors = team.iter().map(|member| member.learning_rate_factor).collect();
    (TeamPolicy::new(policy, factors), Arc::new(format))
}

#[cfg(feature = "decoder")]
pub use self::decoder::{from_scratch, with_training_settings};

#[cfg(feature = "decoder")]
mod decoder {
    use std::sync::Arc;

    use burn::tensor::Device;

    use super::InitialPolicy;
    use crate::config::Config;
    use crate::policy::PolicyError;
    use crate::policy::transformer::DecoderPolicy;
    use crate::policy::word_tokenizer::WordTokenizer;
    use crate::rollout::word_format::WordFormat;

    /// A decoder with random weights, for these words.
    ///
    /// # Errors
    /// When the device fails.
    pub fn from_scratch(
        config: &Config,
        words: WordTokenizer,
        device: &Device,
    ) -> Result<InitialPolicy<DecoderPolicy>, PolicyError> {
        let size = words.vocabulary_size();
        let mut policy = DecoderPolicy::new(&config.model, size, config.seed, device)
            .with_gradient_checkpointing(config.learn.gradient_checkpointing);
        if config.initialization.look_back {
            policy = policy.with_induction_init()?;
        }
        let format = WordFormat::new(words, config.rollout.history_length);
        Ok((policy, Arc::new(format)))
    }

    /// A language model that is trained as the settings say.
    #[must_use]
    pub fn with_training_settings(model: DecoderPolicy, config: &Config) -> DecoderPolicy {
        let lora = &config.pretrained.lora;
        let policy = if lora.rank > 0 { model.adapted(lora, config.seed) } else { model };
        policy.with_gradient_checkpointing(config.learn.gradient_checkpointing)
    }
}
