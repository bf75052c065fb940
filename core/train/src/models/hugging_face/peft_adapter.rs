//! PEFT adapters, which are refused in the place of models.

use hgpo_env::files::{Files, ListedFile, join};
use serde_json::Value;

use crate::models::ByteSource;

/// The file that says what an adapter is.
const CONFIG: &str = "adapter_config.json";

/// What is wrong with a folder that holds an adapter, which is no model by itself, and what to do.
pub(in crate::models) fn problem(
    files: &dyn Files,
    folder: &str,
    listed: &[ListedFile],
) -> Option<String> {
    listed.iter().find(|it| it.name == CONFIG)?;
    let base = match base(files, folder) {
        Some(base) => format!("the model '{base}'"),
        None => "another model".to_owned(),
    };
    Some(format!(
        "{CONFIG} says that it is a PEFT adapter of {base}, not a model; merge the two and use the new \
         folder: in Python, `AutoPeftModelForCausalLM.from_pretrained(ADAPTER).merge_and_unload()\
         .save_pretrained(NEW)`, and copy the tokenizer's files (if it is merged already, delete {CONFIG})"
    ))
}

/// The model that an adapter belongs to, if its file says so.
fn base(files: &dyn Files, folder: &str) -> Option<String> {
    let config = ByteSource::open(files, &join(folder, CONFIG)).ok()??;
    let bytes = config.read(0, config.length()).ok()?;
    let config: Value = serde_json::from_slice(&bytes).ok()?;
    config.get("base_model_name_or_path")?.as_str().map(str::to_owned)
}
