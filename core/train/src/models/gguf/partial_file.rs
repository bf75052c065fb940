//! Partial GGUF files, which are not a whole model: one part of several, or an adapter.

use super::metadata::Metadata;
use crate::models::ModelError;

/// Refuses a file that holds a part of a model.
pub(super) fn check_whole(metadata: &Metadata) -> Result<(), ModelError> {
    let file = metadata.file();
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

#[cfg(test)]
mod tests {
    use super::first_part;

    #[test]
    fn the_first_part_is_named_after_the_others() {
        assert_eq!(first_part("a/m-00002-of-00003.gguf", 2, 3), "a/m-00001-of-00003.gguf");
        assert_eq!(first_part("renamed.gguf", 2, 3), "FIRST-00001-of-00003.gguf");
    }
}
