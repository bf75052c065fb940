//! Messages between a remote policy and its workers.

use hgpo_env::random::Stream;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::policy::requests::Request;
use crate::policy::sampling::{SampledToken, Sampling};
use crate::policy::{LossGradient, Passage, PolicyError, TokenScore};

/// A prompt and a response.
type Text = (Vec<u32>, Vec<u32>);

/// What is to be done.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Job {
    /// One response a prompt; they end where the format says.
    Generate { prompts: Vec<(Vec<u32>, Stream)>, sampling: Sampling, max_tokens: usize },
    /// Responses to requests, some of which are made in answer to others.
    Respond { requests: Vec<Request>, sampling: Sampling, max_tokens: usize, batch_size: usize },
    /// Scores of response tokens.
    Score { passages: Vec<Text>, temperature: f64 },
    /// A gradient; the gradients of the loss are asked for.
    Gradient { passages: Vec<Text>, temperature: f64 },
}

/// What is asked in the middle of a job.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Question {
    /// The gradients of the loss at scores.
    #[serde(rename = "Slopes")]
    LossGradients(Vec<TokenScore>),
    /// What follows from a response.
    Next { id: usize, response: Vec<SampledToken>, stream: Box<Stream> },
}

/// What is answered.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Reply {
    /// Gradients of the loss at the scores that were sent.
    #[serde(rename = "Slopes")]
    LossGradients(Vec<LossGradient>),
    /// Whether to go on, and what is asked for now.
    Next { goes_on: bool, requests: Vec<Request> },
}

/// What a job came to.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum JobResult {
    /// Responses, and the streams after them.
    Responses(Vec<(Vec<SampledToken>, Stream)>),
    /// All requests are answered.
    Answered,
    /// Scores of response tokens.
    Scores(Vec<TokenScore>),
    /// What [`super::PortablePolicy::write_gradient`] writes.
    Gradient(#[serde(with = "serde_bytes")] Vec<u8>),
    /// It could not be done.
    Failed(PolicyError),
}

impl JobResult {
    /// Why it could not be done, as what can be sent: an error of another kind as its text.
    pub(super) fn failed(error: PolicyError) -> Self {
        use PolicyError::{NoProbabilities, NotFinite, OutOfMemory, Overflow, Workers};
        Self::Failed(match error {
            NoProbabilities | NotFinite(_) | OutOfMemory(_) | Overflow(_) | Workers(_) => error,
            other => Workers(other.to_string()),
        })
    }
}

pub(super) fn texts(passages: &[Passage<'_>]) -> Vec<Text> {
    passages.iter().map(|it| (it.prompt.to_vec(), it.response.to_vec())).collect()
}

pub(super) fn passages(texts: &[Text]) -> Vec<Passage<'_>> {
    texts.iter().map(|(prompt, response)| Passage { prompt, response }).collect()
}

/// A value as bytes (MessagePack, which keeps every bit of a number).
///
/// # Errors
/// Never of what is written here: it has names and numbers only.
pub(crate) fn encode(value: &impl Serialize) -> Result<Vec<u8>, PolicyError> {
    rmp_serde::to_vec(value).map_err(|error| not_understood(&error))
}

/// A value of bytes.
///
/// # Errors
/// They are not such a value.
pub(crate) fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, PolicyError> {
    rmp_serde::from_slice(bytes).map_err(|error| not_understood(&error))
}

fn not_understood(error: &dyn std::fmt::Display) -> PolicyError {
    PolicyError::Workers(format!("what was said between a run and its workers is damaged: {error}"))
}
