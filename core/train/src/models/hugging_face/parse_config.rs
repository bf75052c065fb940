//! Parser of `config.json`, of transformers 4 and 5.

use serde_json::{Map, Value};

use super::config_fields::ConfigFields;
use super::rope_config::rotary;
use crate::config::ModelConfig;
use crate::models::hugging_face::strict_json;
use crate::models::{Architecture, Description, Family};
use crate::models::{ModelError, Precision};

impl Description {
    /// Reads the bytes of a `config.json`; errors name it `file`.
    ///
    /// Fields that do not change what the decoder computes are passed over; what would change it
    /// in a way that the decoder does not know is refused.
    ///
    /// # Errors
    /// It is not JSON, a field is missing or out of range, or something is not supported.
    pub fn parse(file: &str, bytes: &[u8]) -> Result<Self, ModelError> {
        let map: Map<String, Value> = strict_json(bytes)
            .map_err(|error| ModelError::damaged(file, format!("not a JSON object: {error}")))?;
        let fields = ConfigFields { file, within: "", map: &map };
        let architecture = architecture(&fields)?;
        refuse_unsupported(&fields, architecture.family())?;
        let description = Self {
            architecture,
            model: shape(&fields, architecture.family())?,
            vocab_size: fields.required("vocab_size")?,
            bos_token_id: fields.optional("bos_token_id")?,
            eos_token_ids: eos_tokens(&fields)?,
            max_position_embeddings: fields.or("max_position_embeddings", 2048)?,
            torch_dtype: precision(&fields)?,
        };
        description.validate(file)?;
        Ok(description)
    }
}

fn architecture(fields: &ConfigFields<'_>) -> Result<Architecture, ModelError> {
    let architecture = Architecture::find(fields.file, &fields.required::<String>("model_type")?)?;
    let classes: Vec<String> = fields.or("architectures", Vec::new())?;
    match classes.first() {
        Some(class) if class != architecture.family().class => {
            Err(ModelError::Architecture { file: fields.file.to_owned(), found: class.clone() })
        }
        _ => Ok(architecture),
    }
}

fn refuse_unsupported(fields: &ConfigFields<'_>, family: &Family) -> Result<(), ModelError> {
    for field in family.off {
        fields.only(field, &false.into())?;
    }
    fields.only("hidden_act", &"silu".into())?;
    fields.only("use_sliding_window", &false.into())?;
    fields.only("mlp_bias", &false.into())?;
    fields.only("pretraining_tp", &1.into())?;
    fields.only("rope_interleaved", &false.into())?;
    fields.only("partial_rotary_factor", &1.0.into())?;
    // Embedding models of these families look at later tokens too.
    fields.only("is_causal", &true.into())?;
    for kind in fields.or::<Vec<String>>("layer_types", Vec::new())? {
        if kind != "full_attention" {
            let problem = format!("'{kind}' is not supported; use 'full_attention'");
            return Err(fields.field_error("layer_types", problem));
        }
    }
    match fields.value("quantization_config") {
        Some(_) => Err(fields.field_error(
            "quantization_config",
            "quantised weights are not supported in safetensors; use the model's f32, f16 or bf16 \
             weights, or a GGUF file",
        )),
        None => Ok(()),
    }
}

fn shape(fields: &ConfigFields<'_>, family: &Family) -> Result<ModelConfig, ModelError> {
    let num_attention_heads = fields.required("num_attention_heads")?;
    let (rope_theta, rope_scaling) = rotary(fields)?;
    Ok(ModelConfig {
        hidden_size: fields.required("hidden_size")?,
        intermediate_size: fields.required("intermediate_size")?,
        num_hidden_layers: fields.required("num_hidden_layers")?,
        num_attention_heads,
        num_key_value_heads: fields.or("num_key_value_heads", num_attention_heads)?,
        rms_norm_eps: fields.or("rms_norm_eps", 1e-6)?,
        rope_theta,
        attention_bias: family.attention_bias,
        query_key_norm: family.query_key_norm,
        tie_word_embeddings: fields.or("tie_word_embeddings", false)?,
        head_dim: fields.optional("head_dim")?.or(family.head_dim),
        rope_scaling,
    })
}

/// One token or a list of them.
fn eos_tokens(fields: &ConfigFields<'_>) -> Result<Vec<u32>, ModelError> {
    match fields.value("eos_token_id") {
        Some(Value::Array(_)) => fields.required("eos_token_id"),
        Some(_) => Ok(vec![fields.required("eos_token_id")?]),
        None => Ok(Vec::new()),
    }
}

/// `dtype` of transformers 5, or `torch_dtype`.
fn precision(fields: &ConfigFields<'_>) -> Result<Option<Precision>, ModelError> {
    let name = if fields.value("dtype").is_some() { "dtype" } else { "torch_dtype" };
    let Some(text) = fields.optional::<String>(name)? else { return Ok(None) };
    let unknown = || {
        let problem = format!("'{text}' is not supported; use float32, float16 or bfloat16");
        fields.field_error(name, problem)
    };
    Precision::from_torch_name(&text).map(Some).ok_or_else(unknown)
}
