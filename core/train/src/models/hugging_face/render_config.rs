//! Writer of `config.json` and `generation_config.json`, so that transformers 4 and 5 read them.

use serde_json::{Map, Value, json};

use crate::config::RopeType;
use crate::models::{Description, Precision};

impl Description {
    /// The text of a `config.json` for weights kept in `precision`.
    #[must_use]
    pub fn to_json(&self, precision: Precision) -> String {
        let (model, family) = (&self.model, self.architecture.family());
        let mut config = json!({
            "architectures": [family.class],
            "model_type": family.name,
            "vocab_size": self.vocab_size,
            "hidden_size": model.hidden_size,
            "intermediate_size": model.intermediate_size,
            "num_hidden_layers": model.num_hidden_layers,
            "num_attention_heads": model.num_attention_heads,
            "num_key_value_heads": model.num_key_value_heads,
            "max_position_embeddings": self.max_position_embeddings,
            "hidden_act": "silu",
            "rms_norm_eps": model.rms_norm_eps,
            "rope_theta": model.rope_theta,
            "tie_word_embeddings": model.tie_word_embeddings,
            "torch_dtype": precision.torch_name(),
            "bos_token_id": self.bos_token_id,
            "eos_token_id": self.eos(),
        });
        for field in family.off {
            config[field] = false.into();
        }
        if model.head_dim.is_some() || family.head_dim.is_some() {
            config["head_dim"] = model.head_dim().into();
        }
        if let Some(scaling) = self.rope_scaling() {
            config["rope_scaling"] = scaling;
        }
        format!("{config:#}\n")
    }

    /// The text of a `generation_config.json`, if a token is known that ends texts.
    #[must_use]
    pub fn to_generation_json(&self) -> Option<String> {
        let mut config = Map::new();
        if let Some(token) = self.bos_token_id {
            config.insert("bos_token_id".to_owned(), token.into());
        }
        config.insert("eos_token_id".to_owned(), self.eos());
        let config = Value::Object(config);
        (!self.eos_token_ids.is_empty()).then(|| format!("{config:#}\n"))
    }

    /// None, a number or a list, as transformers writes them.
    fn eos(&self) -> Value {
        match self.eos_token_ids.as_slice() {
            [] => Value::Null,
            [token] => (*token).into(),
            tokens => tokens.into(),
        }
    }

    fn rope_scaling(&self) -> Option<Value> {
        let scaling = self.model.rope_scaling.as_ref()?;
        Some(match scaling.rope_type {
            RopeType::Linear => json!({ "rope_type": "linear", "factor": scaling.factor }),
            RopeType::Llama3 => json!(scaling),
        })
    }
}
