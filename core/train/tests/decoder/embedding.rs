//! Embeddings of texts: the mean of the vectors after the final norm.
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

use burn::tensor::{Device, Tensor, TensorData};
use hgpo_env::random::{Purpose, Stream};
use hgpo_train::config::ModelConfig;
use hgpo_train::policy::Policy as _;
use hgpo_train::policy::transformer::DecoderPolicy;
use hgpo_train::policy::transformer::generation::prefill::READ_TOKENS;

const VOCABULARY: usize = 60;
const SIZE: usize = 16;

fn policy() -> DecoderPolicy {
    let config = ModelConfig { hidden_size: SIZE, num_hidden_layers: 2, ..ModelConfig::default() };
    DecoderPolicy::new(&config, VOCABULARY, 11, &Device::flex())
}

fn tokens(count: usize, seed: u64) -> Vec<u32> {
    let mut stream = Stream::new(seed, Purpose::Tasks, [0, 0]);
    (0..count).map(|_| stream.below(VOCABULARY) as u32).collect()
}

fn embeddings(texts: &[&[u32]]) -> Vec<Vec<f64>> {
    policy().embed(texts).unwrap().unwrap()
}

fn assert_near(left: &[f64], right: &[f64]) {
    assert_eq!((left.len(), right.len()), (SIZE, SIZE));
    for (left, right) in left.iter().zip(right) {
        assert!((left - right).abs() < 1e-5, "{left} {right}");
    }
}

#[test]
fn text_embeddings_are_means_of_final_hidden_vectors() {
    // Logits are linear in the vectors, so that means of one are means of the other.
    let (policy, text) = (policy(), tokens(7, 1));
    let expected: Vec<f32> = numbers(policy.logits(&[&text]).mean_dim(1));
    let mean: Vec<f32> = embeddings(&[&text])[0].iter().map(|value| *value as f32).collect();
    let mean = Tensor::<2>::from_data(TensorData::new(mean, [1, SIZE]), policy.device());
    let found = numbers(policy.decoder.logits(mean));
    assert_eq!((found.len(), expected.len()), (VOCABULARY, VOCABULARY));
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() < 1e-5, "{found} {expected}");
    }
}

fn numbers<const D: usize>(tensor: Tensor<D>) -> Vec<f32> {
    tensor.into_data().try_to_vec().unwrap()
}

#[test]
fn a_text_is_embedded_alone_as_among_others() {
    let texts = [tokens(3, 1), tokens(90, 2), Vec::new(), tokens(1, 3), tokens(90, 2)];
    let together = embeddings(&texts.each_ref().map(Vec::as_slice));
    for (text, found) in texts.iter().zip(&together) {
        assert_near(found, &embeddings(&[text])[0]);
    }
    assert!(together[2].iter().all(|value| *value == 0.0));
    assert!(embeddings(&[]).is_empty());
}

#[test]
fn more_tokens_than_are_read_at_once_are_read_in_parts() {
    let texts: Vec<Vec<u32>> = (0..70).map(|seed| tokens(240 + seed, seed as u64)).collect();
    assert!(texts.iter().map(Vec::len).sum::<usize>() > READ_TOKENS);
    let texts: Vec<&[u32]> = texts.iter().map(Vec::as_slice).collect();
    let together = embeddings(&texts);
    for text in [0, 35, 69] {
        assert_near(&together[text], &embeddings(&[texts[text]])[0]);
    }
}
