//! Generation in a batch says what each prompt alone would be answered: with a shared beginning, equal
//! prompts, and rows that end early.

use burn::tensor::Device;
use hgpo_native::config::ModelConfig;
use hgpo_native::policy::Policy;
use hgpo_native::policy::generate::READ_TOKENS;
use hgpo_native::policy::sampling::{Choice, Sampling};
use hgpo_native::random::{Purpose, Stream};

const VOCABULARY: usize = 60;

fn policy() -> Policy {
    let config = ModelConfig {
        hidden_size: 32,
        intermediate_size: 48,
        num_hidden_layers: 2,
        ..ModelConfig::default()
    };
    Policy::new(&config, VOCABULARY, 11, &Device::flex())
}

fn tokens(count: usize, seed: u64) -> Vec<u32> {
    let mut stream = Stream::new(seed, Purpose::Tasks, [0, 0]);
    (0..count).map(|_| stream.below(VOCABULARY) as u32).collect()
}

/// Responses of at most 40 tokens that end with a token below `ends_below`.
fn answers(policy: &Policy, prompts: &[&[u32]], first: usize, ends_below: u32) -> Vec<Vec<Choice>> {
    let mut streams: Vec<Stream> = (0..prompts.len())
        .map(|row| Stream::new(2, Purpose::Sampling, [(first + row) as u64, 0]))
        .collect();
    let mut ends = |_, token| token < ends_below;
    policy
        .generate(prompts, Sampling::at(1.0), 40, &mut streams, &mut ends)
        .expect("the device gives logits back")
}

/// Asserts that each prompt alone is answered as in the batch.
fn assert_same(policy: &Policy, prompts: &[Vec<u32>], ends_below: u32) {
    let prompts: Vec<&[u32]> = prompts.iter().map(Vec::as_slice).collect();
    let batch = answers(policy, &prompts, 0, ends_below);
    let longest = batch.iter().map(Vec::len).max();
    assert!(ends_below > 0 || longest == Some(40), "{longest:?}");
    for (row, prompt) in prompts.iter().enumerate() {
        let alone = &answers(policy, &[prompt], row, ends_below)[0];
        assert_eq!(batch[row].len(), alone.len());
        for (found, expected) in batch[row].iter().zip(alone) {
            assert_eq!(found.token, expected.token);
            let off = (found.log_probability - expected.log_probability).abs();
            assert!(off < 2e-5, "{off}");
        }
    }
}

#[test]
fn a_batch_says_what_each_prompt_alone_is_answered() {
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
    let policy = Policy::new(&config, VOCABULARY, 11, &Device::flex());
    let beginning = tokens(300, 1);
    let prompts: Vec<Vec<u32>> =
        (2..8).map(|seed| [&beginning[..], &tokens(3000, seed)].concat()).collect();
    assert!(prompts.len() * 3000 > READ_TOKENS);
    assert_same(&policy, &prompts, 4);
}
