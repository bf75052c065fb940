//! Description of a model from the metadata of its GGUF file.

use super::architecture_entries::ArchitectureEntries;
use super::metadata::Metadata;
use super::partial_file::check_whole;
use super::tensor_names::name_in_gguf;
use super::{GgufFile, rope_scaling};
use crate::config::ModelConfig;
use crate::models::tensor_layout::EMBEDDING;
use crate::models::{Architecture, Description, ModelError};

pub(super) fn describe(file: &GgufFile) -> Result<Description, ModelError> {
    const ARCHITECTURE: &str = "general.architecture";
    let metadata = &file.metadata;
    check_whole(metadata)?;
    let name = metadata.text(ARCHITECTURE)?.ok_or_else(|| metadata.missing(ARCHITECTURE))?;
    let architecture = Architecture::find(metadata.file(), name)?;
    let entries = ArchitectureEntries { metadata, architecture };
    entries.only("expert_count", 0)?;
    entries.only("attention.sliding_window", 0)?;
    entries.causal()?;
    let description = Description {
        architecture,
        model: shape(file, &entries)?,
        vocab_size: vocabulary_size(file)?,
        bos_token_id: metadata.whole("tokenizer.ggml.bos_token_id")?,
        eos_token_ids: eos_tokens(metadata)?,
        max_position_embeddings: entries.required("context_length")?,
        torch_dtype: None,
    };
    description.validate(metadata.file())?;
    // They are compared with what the shape gives, which has to make sense first.
    let rope_scaling = rope_scaling::scaling(file, &entries, &description.model)?;
    let model = ModelConfig { rope_scaling, ..description.model };
    let description = Description { model, ..description };
    description.validate(metadata.file())?;
    Ok(description)
}

fn shape(file: &GgufFile, entries: &ArchitectureEntries<'_>) -> Result<ModelConfig, ModelError> {
    let hidden_size = entries.required("embedding_length")?;
    let heads = entries.required("attention.head_count")?;
    let head_dim = entries.whole("attention.key_length")?;
    let width = head_dim.or(hidden_size.checked_div(heads)).unwrap_or(0);
    entries.only("attention.value_length", width)?;
    entries.only("rope.dimension_count", width)?;
    let epsilon = "attention.layer_norm_rms_epsilon";
    Ok(ModelConfig {
        hidden_size,
        intermediate_size: entries.required("feed_forward_length")?,
        num_hidden_layers: entries.required("block_count")?,
        num_attention_heads: heads,
        num_key_value_heads: entries.whole("attention.head_count_kv")?.unwrap_or(heads),
        rms_norm_eps: entries
            .float(epsilon)?
            .ok_or_else(|| entries.metadata.missing(&entries.name(epsilon)))?,
        rope_theta: entries.float("rope.freq_base")?.unwrap_or(10_000.0),
        attention_bias: entries.architecture.family().attention_bias,
        query_key_norm: entries.architecture.family().query_key_norm,
        tie_word_embeddings: file.is_tied(),
        head_dim: head_dim.filter(|width| width.checked_mul(heads) != Some(hidden_size)),
        rope_scaling: None,
    })
}

/// Rows of the embedding: the tokenizer may know fewer tokens.
fn vocabulary_size(file: &GgufFile) -> Result<usize, ModelError> {
    let name = name_in_gguf(EMBEDDING);
    let found = file.info(&name).and_then(|tensor| tensor.shape.first().copied());
    found.ok_or_else(|| ModelError::Missing { file: file.name().to_owned(), name })
}

/// The token that ends texts, then the one that ends turns, if it is another.
fn eos_tokens(metadata: &Metadata) -> Result<Vec<u32>, ModelError> {
    let mut tokens: Vec<u32> = Vec::new();
    for name in ["tokenizer.ggml.eos_token_id", "tokenizer.ggml.eot_token_id"] {
        tokens.extend(metadata.whole::<u32>(name)?.filter(|token| !tokens.contains(token)));
    }
    Ok(tokens)
}
