//! Requests: prompts that wait for an answer, and where the answers go.

use super::sampling::{SampledToken, Sampling};
use hgpo_env::random::Stream;
use serde::{Deserialize, Serialize};

/// Tokens of a response from which on an episode asks again as soon as it has acted, without waiting
/// for others: shorter ones end together anyway.
pub const LONG: usize = 32;

/// A prompt to answer.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Request {
    /// Whose it is: tokens and responses are told with it.
    pub id: usize,
    /// Tokens to read.
    pub prompt: Vec<u32>,
    /// Chance of the response.
    pub stream: Stream,
}

/// Hands prompts to a policy and takes its responses.
pub trait Requests {
    /// Prompts that wait.
    fn waiting(&self) -> usize;

    /// The prompt that has waited longest.
    fn next(&mut self) -> Option<Request>;

    /// Is told every token that is drawn; whether it is the last of its response.
    fn ends(&mut self, id: usize, token: u32) -> bool;

    /// Whether to go on; asked between tokens.
    fn goes_on(&mut self) -> bool {
        true
    }

    /// Takes a request back with its response. If it says no, nothing more is answered.
    fn take(&mut self, request: Request, response: Vec<SampledToken>) -> bool;
}

/// How responses are drawn.
#[derive(Clone, Copy, Debug)]
pub struct Generation {
    /// How a token is chosen.
    pub sampling: Sampling,
    /// Tokens of a response, at most; at least one is drawn.
    pub max_tokens: usize,
    /// Prompts that are answered together, at most.
    pub batch_size: usize,
}

/// Prompts that are all there from the start.
pub(super) struct FixedRequests<'a> {
    pub(super) prompts: &'a [&'a [u32]],
    pub(super) streams: &'a mut [Stream],
    pub(super) ends: &'a mut dyn FnMut(usize, u32) -> bool,
    pub(super) next: usize,
    pub(super) responses: Vec<Vec<SampledToken>>,
}

impl Requests for FixedRequests<'_> {
    fn waiting(&self) -> usize {
        self.prompts.len() - self.next
    }

    fn next(&mut self) -> Option<Request> {
        let id = self.next;
        let prompt = self.prompts.get(id)?.to_vec();
        self.next += 1;
        Some(Request { id, prompt, stream: self.streams[id].clone() })
    }

    fn ends(&mut self, id: usize, token: u32) -> bool {
        (self.ends)(id, token)
    }

    fn take(&mut self, request: Request, response: Vec<SampledToken>) -> bool {
        self.streams[request.id] = request.stream;
        self.responses[request.id] = response;
        true
    }
}
