//! Prefill: reading prompts into a cache, what several begin with once.
//!
//! Prompts of a batch share the words of their instructions; those of a group also their task, and
//! often what has happened so far. Sorted, they form a tree of beginnings, which is read from its root.

use burn::tensor::Tensor;

use super::kv_cache::KvCache;
use crate::distinct::distinct;
use crate::policy::transformer::DecoderPolicy;
use crate::policy::transformer::indices;
use crate::policy::transformer::operations::has_kernels;
use crate::policy::transformer::selected_positions::SelectedPositions;

/// Tokens that prompts must share to be read apart: for fewer, a pass of its own does not pay.
const SHARED: usize = 48;
/// Tokens that some of the prompts must save, all together, to be read apart from the others.
const SAVED: usize = 256;
/// Tokens times weights of a layer that are computed on a graphics adapter while the 20 kernels of a layer are started
/// (0.2 ms, 10¹³ operations a second, two for each): what reading prompts apart must save there.
const START: usize = 1_000_000_000;
/// Tokens of prompts, padding included, that are read at once: what a layer makes of them has to fit
/// into memory beside the cache.
pub const READ_TOKENS: usize = 1 << 14;

/// A prompt and its number.
type Numbered<'a> = (usize, &'a [u32]);

/// Prompts that were read, in the order in which that happened.
#[derive(Default)]
struct Done {
    numbers: Vec<usize>,
    caches: Vec<KvCache>,
    logits: Vec<Tensor<2>>,
}

impl DecoderPolicy {
    /// The cache of some prompts, with room for `more` tokens, and the logits after each one's last
    /// token.
    pub(super) fn read_prompts(&self, prompts: &[&[u32]], more: usize) -> (KvCache, Tensor<2>) {
        // Episodes of a group ask the same until they part: an equal prompt is read once.
        let (different, rows) = distinct(prompts.iter().copied());
        let longest = different.iter().map(|prompt| prompt.len()).max().unwrap_or(0);
        let mut sorted: Vec<Numbered<'_>> = different.iter().copied().enumerate().collect();
        sorted.sort_by_key(|&(_, prompt)| prompt);
        let empty = KvCache::new(self.config.num_hidden_layers, longest + more);
        let mut done = Done::default();
        self.read_branch(&sorted, 0, empty, &mut done);
        let mut places = vec![0; different.len()];
        for (place, &number) in done.numbers.iter().enumerate() {
            places[number] = place;
        }
        let rows: Vec<usize> = rows.into_iter().map(|row| places[row]).collect();
        let (mut cache, logits) = (KvCache::join(done.caches, more), Tensor::cat(done.logits, 0));
        if rows.iter().copied().eq(0..different.len()) {
            return (cache, logits);
        }
        cache.spread(&rows);
        let rows = indices(rows.into_iter().map(|row| row as i32), &self.device);
        (cache, logits.select(0, rows))
    }

    /// Reads prompts, sorted, of which `before` tokens are in the cache.
    fn read_branch(
        &self,
        prompts: &[Numbered<'_>],
        mut before: usize,
        mut cache: KvCache,
        done: &mut Done,
    ) {
        let shared = shared(prompts);
        if prompts.len() > 1
            && shared >= before + SHARED
            && self.pays(prompts.len(), shared - before)
        {
            let beginning = &prompts[0].1[before..shared];
            let selected = SelectedPositions::new(self, before, &[0], 1, beginning.len());
            let (placement, tokens) =
                (self.causal(before, beginning.len()), self.padded(&[beginning]));
            let _ = self.decoder.hidden(tokens, &placement, Some(&selected), Some(&mut cache));
            before = shared;
        }
        let mut rest = Vec::new();
        for branch in prompts.chunk_by(|a, b| common(a.1, b.1) >= before + SHARED) {
            let shared = self::shared(branch) - before;
            if (branch.len() - 1) * shared >= SAVED && self.pays(branch.len(), shared) {
                self.read_branch(branch, before, cache.clone(), done);
            } else {
                rest.extend_from_slice(branch);
            }
        }
        rest.sort_by_key(|&(number, prompt)| (prompt.len(), number));
        let longest = rest.last().map_or(0, |&(_, prompt)| prompt.len() - before);
        for part in rest.chunks((READ_TOKENS / longest.max(1)).max(1)) {
            let mut cache = cache.clone();
            cache.spread(&vec![0; part.len()]);
            let ends: Vec<&[u32]> = part.iter().map(|(_, prompt)| &prompt[before..]).collect();
            done.logits.push(self.read_ends(&ends, before, &mut cache));
            done.caches.push(cache);
            done.numbers.extend(part.iter().map(|&(number, _)| number));
        }
    }

    /// Whether a pass of its own is started sooner than it saves prompts that share so many tokens.
    fn pays(&self, prompts: usize, shared: usize) -> bool {
        let model = &self.config;
        let heads = 2 * (model.num_attention_heads + model.num_key_value_heads) * model.head_dim();
        let weights = model.hidden_size * (heads + 3 * model.intermediate_size);
        !has_kernels(&self.device) || (prompts - 1) * shared * weights >= START
    }

    /// Reads what follows on `before` tokens of the cache; logits after the last token of each row.
    fn read_ends(&self, ends: &[&[u32]], before: usize, cache: &mut KvCache) -> Tensor<2> {
        let tokens = self.padded(ends);
        let width = tokens.dims()[1];
        let last: Vec<usize> = ends.iter().map(|end| end.len().saturating_sub(1)).collect();
        let selected = SelectedPositions::new(self, before, &last, 1, width);
        let placement = self.causal(before, width);
        let hidden = self.decoder.hidden(tokens, &placement, Some(&selected), Some(cache));
        self.decoder.logits(hidden.squeeze_dim(1))
    }
}

/// Tokens that two prompts begin with; never all of one, as something has to be left to read.
fn common(a: &[u32], b: &[u32]) -> usize {
    let same = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    same.min(a.len().saturating_sub(1)).min(b.len().saturating_sub(1))
}

/// Tokens that all prompts begin with, of sorted ones; never all of one.
fn shared(sorted: &[Numbered<'_>]) -> usize {
    let neighbours = sorted.windows(2).map(|pair| common(pair[0].1, pair[1].1));
    neighbours.min().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_prefixes_are_never_whole_prompts() {
        let long: Vec<u32> = (0..100).collect();
        let with = |last: u32| [&long[..], &[last]].concat();
        let (a, b) = (with(7), with(8));
        let of = |prompts: &[&[u32]]| {
            let mut sorted: Vec<Numbered<'_>> = prompts.iter().copied().enumerate().collect();
            sorted.sort_by_key(|&(_, prompt)| prompt);
            shared(&sorted)
        };
        assert_eq!(of(&[&a, &b]), 100);
        assert_eq!(of(&[&a, &b, &long]), 99);
        assert_eq!(of(&[&a, &b, &long[..60]]), 59);
        assert_eq!(of(&[&a, &long[..40]]), 39);
        assert_eq!(of(&[&a, &[5]]), 0);
        assert_eq!(of(&[&a]), 0);
        assert_eq!(of(&[]), 0);
    }
}
