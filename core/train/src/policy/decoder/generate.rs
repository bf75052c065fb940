//! Generation in batches with a cache, one token a row at a time.
//!
//! A batch is continuous: a row whose response has ended makes room for a prompt that waits, while
//! the others go on (Yu et al. 2022, Orca). Rows whose response has ended leave the batch when
//! enough others can take their places, or when half of it has ended.

use burn::tensor::{Tensor, TensorData};
use hgpo_env::random::Stream;

use super::attention::Placement;
use super::cache::Cache;
use super::drawing::draw_rows;
use super::weights::WeightsError;
use super::{HIDDEN, Policy};
use crate::policy::sampling::{Choice, Sampling};

/// Tokens of a response from which on rows that have ended leave: shorter ones end together anyway.
pub const LONG: usize = 32;
/// A waiting prompt enters when this share of the open rows can enter with it: each time, the cache
/// is copied.
const ENTER: usize = 8;

/// A prompt to answer.
#[derive(Clone, Debug)]
pub struct Request {
    /// Whose it is: tokens and responses are told with it.
    pub id: usize,
    /// Tokens to read.
    pub prompt: Vec<u32>,
    /// Chance of the response.
    pub stream: Stream,
}

/// Hands prompts to a batch and takes the responses.
pub trait Desk {
    /// Prompts that wait.
    fn waiting(&self) -> usize;

    /// The prompt that has waited longest.
    fn next(&mut self) -> Option<Request>;

    /// Is told every token that is drawn; whether it is the last of its response.
    fn ends(&mut self, id: usize, token: u32) -> bool;

    /// Takes a request back with its response. Where it says no, nothing more is answered.
    fn take(&mut self, request: Request, response: Vec<Choice>) -> bool;
}

/// How responses are drawn.
#[derive(Clone, Copy, Debug)]
pub struct Speaking {
    /// How a token is chosen.
    pub sampling: Sampling,
    /// Tokens of a response, at most; at least one is drawn.
    pub max_tokens: usize,
    /// Rows of a batch, at most.
    pub batch_size: usize,
}

/// One row of the cache.
struct Row {
    /// Tokens of the row left of the batch's width; what follows up to the width is padding.
    held: usize,
    /// The newest token, which is not in the cache yet.
    newest: u32,
    /// What it answers, until it has ended.
    open: Option<(Request, Vec<Choice>)>,
}

/// A batch in the middle of its responses.
struct Batch {
    rows: Vec<Row>,
    cache: Cache,
    /// Tokens that the cache held when the rows were put together.
    width: usize,
    /// Tokens a row since then.
    rounds: usize,
}

impl Policy {
    /// Draws one response of at most `max_tokens` a prompt; row i uses `streams[i]` alone. Every
    /// token is told to `ends(row, token)`, which says whether it is the response's last.
    ///
    /// # Errors
    /// When the device does not give logits back.
    pub fn generate(
        &self,
        prompts: &[&[u32]],
        sampling: Sampling,
        max_tokens: usize,
        streams: &mut [Stream],
        ends: &mut dyn FnMut(usize, u32) -> bool,
    ) -> Result<Vec<Vec<Choice>>, WeightsError> {
        let mut desk =
            Fixed { prompts, streams, ends, next: 0, responses: vec![Vec::new(); prompts.len()] };
        let batch_size = prompts.len();
        self.answer(Speaking { sampling, max_tokens, batch_size }, &mut desk)?;
        Ok(desk.responses)
    }

    /// Answers what waits at a desk, until nothing waits and nothing is open.
    ///
    /// # Errors
    /// When the device does not give logits back.
    pub fn answer(&self, speaking: Speaking, desk: &mut dyn Desk) -> Result<(), WeightsError> {
        let mut batch = Batch { rows: vec![], cache: Cache::default(), width: 0, rounds: 0 };
        loop {
            if batch.is_due(desk.waiting(), speaking)
                && !self.regroup(&mut batch, speaking, desk)?
            {
                return Ok(());
            }
            if batch.open() == 0 {
                if desk.waiting() == 0 {
                    return Ok(());
                }
                continue;
            }
            let logits = self.read_next(&mut batch);
            if !draw(&mut batch.rows, logits, speaking, desk)? {
                return Ok(());
            }
        }
    }

    /// Puts the rows that are open and the prompts that wait together, and draws the first token of
    /// the new ones. Whether to go on.
    fn regroup(
        &self,
        batch: &mut Batch,
        speaking: Speaking,
        desk: &mut dyn Desk,
    ) -> Result<bool, WeightsError> {
        let room = speaking.batch_size.max(1) - batch.open();
        let requests: Vec<Request> = std::iter::from_fn(|| desk.next()).take(room).collect();
        let prompts: Vec<&[u32]> = requests.iter().map(|it| it.prompt.as_slice()).collect();
        let mut parts: Vec<Cache> = batch.leave().into_iter().collect();
        let mut go_on = true;
        let mut rows = std::mem::take(&mut batch.rows);
        if !requests.is_empty() {
            let (cache, logits) = self.read_prompts(&prompts, speaking.max_tokens);
            parts.push(cache);
            let held = |request: Request| Row {
                held: request.prompt.len(),
                newest: 0,
                open: Some((request, Vec::new())),
            };
            let mut new: Vec<Row> = requests.into_iter().map(held).collect();
            go_on = draw(&mut new, logits, speaking, desk)?;
            rows.extend(new);
        }
        *batch = Batch {
            cache: Cache::join(parts, speaking.max_tokens),
            width: rows.iter().map(|row| row.held).max().unwrap_or(0),
            rounds: 0,
            rows,
        };
        Ok(go_on)
    }

    /// Reads the newest token of every row (rows that have ended read it again, to no effect).
    fn read_next(&self, batch: &mut Batch) -> Tensor<2> {
        let newest: Vec<[u32; 1]> = batch.rows.iter().map(|row| [row.newest]).collect();
        let newest: Vec<&[u32]> = newest.iter().map(<[u32; 1]>::as_slice).collect();
        let positions: Vec<Vec<usize>> =
            batch.rows.iter().map(|row| vec![row.held + batch.rounds]).collect();
        // A row sees what it holds and all tokens since, not the padding between them.
        let (width, total) = (batch.width, batch.width + batch.rounds + 1);
        let bias: Vec<f32> = batch
            .rows
            .iter()
            .flat_map(|row| {
                let padding = row.held..width;
                (0..total).map(move |at| if padding.contains(&at) { HIDDEN } else { 0.0 })
            })
            .collect();
        let shape = [batch.rows.len(), 1, 1, 1, total];
        let bias = Tensor::from_data(TensorData::new(bias, shape), &self.device);
        let angles = self.angles(&positions);
        let placement = Placement { queries: angles.clone(), keys: angles, bias };
        let tokens = self.padded(&newest);
        let hidden = self.decoder.hidden(tokens, &placement, None, Some(&mut batch.cache));
        batch.rounds += 1;
        self.decoder.logits(hidden.squeeze_dim(1))
    }
}

impl Batch {
    fn open(&self) -> usize {
        self.rows.iter().filter(|row| row.open.is_some()).count()
    }

    /// Whether rows should be put together anew.
    fn is_due(&self, waiting: usize, speaking: Speaking) -> bool {
        let open = self.open();
        let enter = waiting.min(speaking.batch_size.max(1).saturating_sub(open));
        if enter > 0 {
            return enter * ENTER >= open;
        }
        speaking.max_tokens >= LONG && open > 0 && 2 * open <= self.rows.len()
    }

    /// Drops the rows that have ended: the cache of the others, if any, without padding between their
    /// tokens.
    fn leave(&mut self) -> Option<Cache> {
        let rounds = self.width..self.width + self.rounds;
        let (mut sources, mut slots) = (Vec::new(), Vec::new());
        for (at, row) in self.rows.iter_mut().enumerate().filter(|(_, row)| row.open.is_some()) {
            sources.push(at);
            slots.push((0..row.held).chain(rounds.clone()).collect());
            row.held += self.rounds;
        }
        self.rows.retain(|row| row.open.is_some());
        let cache = std::mem::take(&mut self.cache);
        (!sources.is_empty()).then(|| cache.pick(&sources, &slots))
    }
}

/// Draws the next token of every open row, and hands in the responses that end. Whether to go on.
fn draw(
    rows: &mut [Row],
    logits: Tensor<2>,
    speaking: Speaking,
    desk: &mut dyn Desk,
) -> Result<bool, WeightsError> {
    let streams = rows.iter_mut().map(|row| Some(&mut row.open.as_mut()?.0.stream)).collect();
    let choices = draw_rows(logits, speaking.sampling, streams)?;
    for (row, choice) in rows.iter_mut().zip(choices) {
        let (Some(choice), Some((request, mut response))) = (choice, row.open.take()) else {
            continue;
        };
        response.push(choice);
        row.newest = choice.token;
        if desk.ends(request.id, choice.token) || response.len() >= speaking.max_tokens {
            if !desk.take(request, response) {
                return Ok(false);
            }
        } else {
            row.open = Some((request, response));
        }
    }
    Ok(true)
}

/// Prompts that are all there from the start.
struct Fixed<'a> {
    prompts: &'a [&'a [u32]],
    streams: &'a mut [Stream],
    ends: &'a mut dyn FnMut(usize, u32) -> bool,
    next: usize,
    responses: Vec<Vec<Choice>>,
}

impl Desk for Fixed<'_> {
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

    fn take(&mut self, request: Request, response: Vec<Choice>) -> bool {
        self.streams[request.id] = request.stream;
        self.responses[request.id] = response;
        true
    }
}
