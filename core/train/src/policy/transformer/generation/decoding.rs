//! One new token a row after the other on a graphics adapter: the same kernels each time, with the same buffers, so that
//! they are recorded once and then replayed.

use std::ops::Range;

use burn::tensor::{Int, Tensor, TensorData};

use super::kv_cache::KvCache;
use super::token_sampling::Distribution;
use crate::policy::requests::{Generation, LONG};
use crate::policy::transformer::DecoderPolicy;
use crate::policy::transformer::attention::{Mask, Placement};
use crate::policy::transformer::kernels::replay::Replay;
use crate::policy::transformer::kernels::tensors::overwrite;

/// Steps of a batch of long responses before the next one is recorded, which takes as long as two: batches that change
/// sooner are not worth it.
const BEFORE_RECORDING: usize = 3;

/// What the steps of a batch share.
pub(super) struct Decoding {
    tokens: Tensor<2, Int>,
    places: Tensor<2, Int>,
    placement: Placement,
    steps: usize,
    recorded: Option<Replay<Distribution>>,
}

impl Decoding {
    /// Of `rows` rows whose new tokens stand at some positions.
    pub(super) fn new(policy: &DecoderPolicy, rows: usize, positions: Range<usize>) -> Self {
        let whole = |width: usize| {
            let zeros = TensorData::new(vec![0i32; rows * width], [rows, width]);
            Tensor::<2, Int>::from_data(zeros, &policy.device)
        };
        let (tokens, places) = (whole(1), whole(4));
        let angles = policy.angles(&[positions.collect()]);
        let mask = Mask::Places(places.clone());
        let placement = Placement { queries: angles.clone(), keys: angles, mask };
        Self { tokens, places, placement, steps: 0, recorded: None }
    }

    /// Reads the newest token of every row; what the next ones are drawn from. `places` say of each row where its padding
    /// begins and ends, and at which of the positions its token stands.
    pub(super) fn step(
        &mut self,
        policy: &DecoderPolicy,
        cache: &mut KvCache,
        newest: Vec<i32>,
        places: &[[usize; 3]],
        generation: Generation,
    ) -> Distribution {
        let held = cache.advance() as i32;
        let place = |&[from, until, position]: &[usize; 3]| {
            [from as i32, until as i32, position as i32, held]
        };
        overwrite(&self.tokens, newest);
        overwrite(&self.places, places.iter().flat_map(place).collect());
        let Self { tokens, placement, .. } = self;
        let mut step = || {
            let hidden = policy.decoder.hidden(tokens.clone(), placement, None, Some(&mut *cache));
            Distribution::of(policy.decoder.logits(hidden.squeeze_dim(1)), generation.sampling)
        };
        self.steps += 1;
        if self.steps == BEFORE_RECORDING + 1 && generation.max_tokens >= LONG {
            self.recorded = Replay::record(&policy.device, &mut step);
        }
        match &self.recorded {
            Some(recorded) => replayed(recorded),
            None => step(),
        }
    }
}

/// The output of a step done again.
#[expect(unsafe_code, reason = "see below")]
fn replayed(recorded: &Replay<Distribution>) -> Distribution {
    // SAFETY: the step reads the weights of a policy that answers meanwhile, and tensors of a `Decoding`; it writes into
    // the batch's cache, whose buffers stay as they are until the batch is put together anew, with another `Decoding`. One
    // thread does all of it.
    unsafe { recorded.replay() }.clone()
}
