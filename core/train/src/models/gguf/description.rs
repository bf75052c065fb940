//! Description of a model from the metadata of its GGUF file.

use super::metadata::{ArchitectureEntries, Metadata};
use super::{GgufFile, rope_scaling};
use crate::config::ModelConfig;
use crate::models::tensor_layout::{EMBEDDING, HEAD, name_in_gguf};
use crate::models::{Architecture, Description, ModelError};

impl GgufFile {
    /// The model's shape and special tokens.
    ///
    /// # Errors
    /// An entry is missing or out of range, or the architecture is not supported.
    pub fn description(&self) -> Result<Description, ModelError> {
        let metadata = &self.metadata;
        check_whole(metadata)?;
        let name = metadata.required("general.architecture", Metadata::text)?;
        let architecture = Architecture::find(&metadata.file, name)?;
        let entries = ArchitectureEntries { metadata, architecture };
        entries.only("expert_count", Metadata::whole, 0_u64)?;
        entries.only("attention.sliding_window", Metadata::whole, 0_u64)?;
        // Embedding models of these families look at later tokens too.
        entries.only("attention.causal", Metadata::bool, true)?;
        let description = Description {
            architecture,
            model: shape(self, &entries)?,
            vocab_size: vocabulary_size(self)?,
            bos_token_id: metadata.whole("tokenizer.ggml.bos_token_id")?,
            eos_token_ids: eos_tokens(metadata)?,
            max_position_embeddings: entries.required("context_length")?,
            torch_dtype: None,
        };
        description.validate(&metadata.file)?;
        // They are compared with what the shape gives, which has to make sense first.
        let rope_scaling = rope_scaling::scaling(self, &entries, &description.model)?;
        let model = ModelConfig { rope_scaling, ..description.model };
        let description = Description { model, ..description };
        description.validate(&metadata.file)?;
        Ok(description)
    }
}

/// Refuses a file that holds a part of a model.
fn check_whole(metadata: &Metadata) -> Result<(), ModelError> {
    let file = &metadata.file;
    if metadata.text("general.type")? == Some("adapter") {
        let problem = "a LoRA adapter, not a model; merge it into its model first \
                       (`llama-export-lora -m MODEL.gguf --lora ADAPTER.gguf -o NEW.gguf`)";
        return Err(ModelError::unsupported(file, problem));
    }
    match metadata.whole::<u64>("split.count")? {
        None | Some(0 | 1) => Ok(()),
        Some(count) => {
            let part = metadata.whole::<u64>("split.no")?.unwrap_or(0).saturating_add(1);
            let first = first_part(file, part, count);
            let problem = format!(
                "part {part} of {count} of a split model; put the parts together first \
                 (`llama-gguf-split --merge {first} NEW.gguf`)"
            );
            Err(ModelError::unsupported(file, problem))
        }
    }
}

/// The name of the first part, by that of another one.
fn first_part(file: &str, part: u64, count: u64) -> String {
    let end = |part: u64| format!("-{part:05}-of-{count:05}.gguf");
    match file.strip_suffix(&end(part)) {
        Some(start) => format!("{start}{}", end(1)),
        None => format!("FIRST{}", end(1)),
    }
}

fn shape(file: &GgufFile, entries: &ArchitectureEntries<'_>) -> Result<ModelConfig, ModelError> {
    let hidden_size = entries.required("embedding_length")?;
    let heads = entries.required("attention.head_count")?;
    let head_dim = entries.whole("attention.key_length")?;
    let width = head_dim.or(hidden_size.checked_div(heads)).unwrap_or(0);
    entries.only("attention.value_length", Metadata::whole, width)?;
    entries.only("rope.dimension_count", Metadata::whole, width)?;
    let epsilon = entries.name("attention.layer_norm_rms_epsilon");
    Ok(ModelConfig {
        hidden_size,
        intermediate_size: entries.required("feed_forward_length")?,
        num_hidden_layers: entries.required("block_count")?,
        num_attention_heads: heads,
        num_key_value_heads: entries.whole("attention.head_count_kv")?.unwrap_or(heads),
        rms_norm_eps: entries.metadata.required(&epsilon, Metadata::float)?,
        rope_theta: entries.float("rope.freq_base")?.unwrap_or(10_000.0),
        attention_bias: entries.architecture.family().attention_bias,
        query_key_norm: entries.architecture.family().query_key_norm,
        // A file does not have the embedding twice.
        tie_word_embeddings: file.info(&name_in_gguf(HEAD)).is_none(),
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

#[cfg(test)]
mod tests {
    use super::first_part;

    #[test]
    fn the_first_part_is_named_after_the_others() {
        assert_eq!(first_part("a/m-00002-of-00003.gguf", 2, 3), "a/m-00001-of-00003.gguf");
        assert_eq!(first_part("renamed.gguf", 2, 3), "FIRST-00001-of-00003.gguf");
    }
}
