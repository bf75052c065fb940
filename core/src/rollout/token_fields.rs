//! Token fields of a step: names of its token ids, texts, mask, log-probabilities and advantages, which readers keep among
//! the unknown fields ([`Step::extra`](crate::Step::extra)).
//!
//! All but the first are lists with one entry a token of the response, and each may be missing; logarithms are natural. Names
//! are verl's (`AgentLoopOutput`, and the batch of its trainer) or in their style; a step's `prompt` and `response` are texts.

/// Ids of the tokens that the policy read.
pub const PROMPT_IDS: &str = "prompt_ids";
/// Ids of the tokens that it wrote.
pub const RESPONSE_IDS: &str = "response_ids";
/// Text of each token; a character that several tokens write is the last one's.
pub const RESPONSE_TOKENS: &str = "response_tokens";
/// 1 for each token that the loss counts, else 0; without the field, it counts all.
pub const RESPONSE_MASK: &str = "response_mask";
/// Log-probability of each token as it was drawn, by what drew it.
pub const ROLLOUT_LOG_PROBS: &str = "rollout_log_probs";
/// Log-probability of each token under the policy that the update begins with, computed again by what is trained.
pub const OLD_LOG_PROBS: &str = "old_log_probs";
/// Log-probability of each token under the policy after the update.
pub const NEW_LOG_PROBS: &str = "new_log_probs";
/// Entropy, in nats, of the distribution of each token under the policy after the update.
pub const NEW_ENTROPIES: &str = "new_entropies";
/// Log-probability of each token under the reference policy.
pub const REF_LOG_PROBS: &str = "ref_log_probs";
/// Advantage of each token in the loss.
pub const TOKEN_ADVANTAGES: &str = "token_advantages";

/// All of them, in the order in which they are written.
pub const TOKEN_FIELDS: [&str; 10] = [
    PROMPT_IDS,
    RESPONSE_IDS,
    RESPONSE_TOKENS,
    RESPONSE_MASK,
    ROLLOUT_LOG_PROBS,
    OLD_LOG_PROBS,
    NEW_LOG_PROBS,
    NEW_ENTROPIES,
    REF_LOG_PROBS,
    TOKEN_ADVANTAGES,
];
