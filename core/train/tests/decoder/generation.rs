//! Generation in a batch says what each prompt alone would be answered: with shared beginnings, equal
//! prompts, rows that end early, and prompts that come while others are being answered.

use std::collections::VecDeque;

use burn::tensor::Device;
use hgpo_env::random::{Purpose, Stream};
use hgpo_train::config::ModelConfig;
use hgpo_train::policy::Policy as _;
use hgpo_train::policy::requests::{Generation, Request, Requests};
use hgpo_train::policy::sampling::{SampledToken, Sampling};
use hgpo_train::policy::transformer::DecoderPolicy;
use hgpo_train::policy::transformer::generation::prefill::READ_TOKENS;

const VOCABULARY: usize = 60;

fn policy() -> DecoderPolicy {
    let config = ModelConfig {
        hidden_size: 32,
        intermediate_size: 48,
        num_hidden_layers: 2,
        ..ModelConfig::default()
    };
    DecoderPolicy::new(&config, VOCABULARY, 11, &Device::flex())
}

fn tokens(count: usize, seed: u64) -> Vec<u32> {
    let mut stream = Stream::new(seed, Purpose::Tasks, [0, 0]);
    (0..count).map(|_| stream.below(VOCABULARY) as u32).collect()
}

/// Responses of at most 40 tokens that end with a token below `ends_below`.
fn answers(
    policy: &DecoderPolicy,
    prompts: &[&[u32]],
    first: usize,
    ends_below: u32,
) -> Vec<Vec<SampledToken>> {
    let mut streams: Vec<Stream> = (0..prompts.len())
        .map(|row| Stream::new(2, Purpose::Sampling, [(first + row) as u64, 0]))
        .collect();
    let mut ends = |_, token| token < ends_below;
    policy
        .generate(prompts, Sampling::at(1.0), 40, &mut streams, &mut ends)
        .expect("the device gives logits back")
}

/// Asserts that each prompt alone is answered as in the batch.
fn assert_same(policy: &DecoderPolicy, prompts: &[Vec<u32>], ends_below: u32) {
    let prompts: Vec<&[u32]> = prompts.iter().map(Vec::as_slice).collect();
    let batch = answers(policy, &prompts, 0, ends_below);
    let longest = batch.iter().map(Vec::len).max();
    assert!(ends_below > 0 || longest == Some(40), "{longest:?}");
    for (row, prompt) in prompts.iter().enumerate() {
        assert_answer(policy, prompt, row, ends_below, &batch[row]);
    }
}

/// Asserts that a prompt alone is answered like this.
fn assert_answer(
    policy: &DecoderPolicy,
    prompt: &[u32],
    row: usize,
    ends_below: u32,
    found: &[SampledToken],
) {
    let alone = &answers(policy, &[prompt], row, ends_below)[0];
    assert_eq!(found.len(), alone.len());
    for (found, expected) in found.iter().zip(alone) {
        assert_eq!(found.token, expected.token);
        let off = (found.log_probability - expected.log_probability).abs();
        assert!(off < 2e-5, "{off}");
    }
}

#[test]
fn batched_prompts_are_answered_as_each_alone() {
    let beginning = tokens(70, 1);
    let with = |end: &[u32]| [&beginning, end].concat();
    let together = [with(&tokens(9, 2)), with(&tokens(3, 3)), with(&tokens(9, 2)), with(&[5])];
    let apart = [tokens(20, 4), tokens(50, 5), tokens(20, 4), tokens(1, 6)];
    for (prompts, ends_below) in [(&together, 4), (&apart, 4), (&together, 0), (&apart, 20)] {
        assert_same(&policy(), prompts, ends_below);
    }
}

#[test]
fn more_tokens_than_are_read_at_once_are_read_in_parts() {
    let config = ModelConfig {
        hidden_size: 8,
        intermediate_size: 8,
        num_hidden_layers: 1,
        num_attention_heads: 1,
        num_key_value_heads: 1,
        ..ModelConfig::default()
    };
    let policy = DecoderPolicy::new(&config, VOCABULARY, 11, &Device::flex());
    let beginning = tokens(300, 1);
    let prompts: Vec<Vec<u32>> =
        (2..8).map(|seed| [&beginning[..], &tokens(3000, seed)].concat()).collect();
    assert!(prompts.len() * 3000 > READ_TOKENS);
    assert_same(&policy, &prompts, 4);
}

#[test]
fn prefixes_shared_by_some_prompts_are_read_once() {
    let (instructions, tasks) = (tokens(60, 1), [tokens(300, 2), tokens(130, 3)]);
    let history = tokens(280, 4);
    let prompt = |task: usize, history: &[u32], seed: u64| {
        [&instructions, &tasks[task], history, &tokens(7 + seed as usize, seed)].concat()
    };
    // One task whose prompts part at once, one of which some share a history too, and one prompt that is
    // the beginning of another.
    let mut prompts: Vec<Vec<u32>> = (5..8).map(|seed| prompt(0, &[], seed)).collect();
    prompts.extend((8..11).flat_map(|seed| [prompt(1, &[], seed), prompt(1, &history, seed)]));
    prompts.push([&instructions[..], &tasks[1]].concat());
    assert_same(&policy(), &prompts, 4);
}

/// Every response's tokens are the prompt of the next one, five times.
struct Talk {
    waiting: VecDeque<Request>,
    answered: Vec<(Vec<u32>, u64, Vec<SampledToken>)>,
    next: usize,
    open: usize,
    most_open: usize,
    /// Rounds of tokens that are drawn still.
    rounds: usize,
}

impl Talk {
    fn ask(&mut self, prompt: Vec<u32>) {
        let stream = Stream::new(2, Purpose::Sampling, [self.next as u64, 0]);
        self.waiting.push_back(Request { id: self.next, prompt, stream });
        self.next += 1;
    }
}

impl Requests for Talk {
    fn waiting(&self) -> usize {
        self.waiting.len()
    }

    fn next(&mut self) -> Option<Request> {
        self.open += 1;
        self.most_open = self.most_open.max(self.open);
        self.waiting.pop_front()
    }

    fn ends(&mut self, _: usize, token: u32) -> bool {
        token < 4
    }

    fn goes_on(&mut self) -> bool {
        let goes_on = self.rounds > 0;
        self.rounds = self.rounds.saturating_sub(1);
        goes_on
    }

    fn take(&mut self, request: Request, response: Vec<SampledToken>) -> bool {
        self.open -= 1;
        if self.next < 100 {
            let tokens: Vec<u32> = response.iter().map(|choice| choice.token).collect();
            self.ask([&request.prompt, &tokens[..]].concat());
        }
        self.answered.push((request.prompt, request.id as u64, response));
        true
    }
}

#[test]
fn prompts_that_come_later_take_the_places_of_those_that_are_answered() {
    for batch_size in [1, 7, 20] {
        answers_as_alone(batch_size);
    }
}

#[test]
fn responses_are_left_in_the_middle_where_they_are_not_to_go_on() {
    let policy = policy();
    let generation = Generation { sampling: Sampling::at(1.0), max_tokens: 1000, batch_size: 2 };
    let mut talk = talk(5);
    (0..4).for_each(|seed| talk.ask(tokens(3, seed)));
    policy.respond(generation, &mut talk).expect("the device gives logits back");
    assert!(talk.answered.len() < 100, "{}", talk.answered.len());
}

/// Nothing asked yet, with so many rounds to go.
fn talk(rounds: usize) -> Talk {
    let (waiting, answered) = (VecDeque::new(), Vec::new());
    Talk { waiting, answered, next: 0, open: 0, most_open: 0, rounds }
}

fn answers_as_alone(batch_size: usize) {
    let policy = policy();
    let mut talk = talk(usize::MAX);
    for seed in 0..20 {
        talk.ask(tokens(1 + 3 * seed as usize, 20 + seed));
    }
    let generation = Generation { sampling: Sampling::at(1.0), max_tokens: 40, batch_size };
    policy.respond(generation, &mut talk).expect("the device gives logits back");
    assert_eq!((talk.answered.len(), talk.most_open), (100, batch_size));
    for (prompt, id, response) in &talk.answered {
        assert_answer(&policy, prompt, *id as usize, 4, response);
    }
}
