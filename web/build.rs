//! What the page is built with of the lists of examples and lessons: the words of one language, of every one for
//! tests; the examples in Korean; and how it is linked.

use serde_json::{Map, Value};
use std::error::Error;
use std::path::Path;
use std::{env, fs};

const LISTS: [&str; 2] = ["presets", "lessons"];

fn main() -> Result<(), Box<dyn Error>> {
    let folder = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("../assets");
    let out = env::var("OUT_DIR")?;
    let out = Path::new(&out);
    for name in LISTS {
        let path = folder.join(name).join(format!("{name}.json"));
        println!("cargo::rerun-if-changed={}", path.display());
        let list: Value = serde_json::from_str(&fs::read_to_string(path)?)?;
        for language in ["en", "ko", "every"] {
            let own = serde_json::to_string(&spoken(list.clone(), language))?;
            fs::write(out.join(format!("{name}.{language}.json")), own)?;
        }
    }
    korean_examples(&folder.join("presets"), out)?;
    // By them, what is fetched late is split off the program.
    if env::var("CARGO_CFG_TARGET_FAMILY")? == "wasm" {
        println!("cargo::rustc-link-arg-bins=--emit-relocs");
    }
    Ok(())
}

/// Writes the examples with the states and actions that `korean.json` has for theirs.
fn korean_examples(folder: &Path, out: &Path) -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed={}", folder.display());
    let korean: Map<String, Value> =
        serde_json::from_str(&fs::read_to_string(folder.join("korean.json"))?)?;
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
        if !name.ends_with(".rollouts.jsonl") {
            continue;
        }
        let mut written = String::new();
        for line in fs::read_to_string(&path)?.lines() {
            let mut attempt: Value = serde_json::from_str(line)?;
            for step in attempt["steps"].as_array_mut().into_iter().flatten() {
                for key in ["state", "action"] {
                    let word = step[key].as_str().and_then(|word| korean.get(word)).cloned();
                    if let Some(word) = word {
                        step[key] = word;
                    }
                }
            }
            written += &(attempt.to_string() + "\n");
        }
        fs::write(out.join(name), written)?;
    }
    Ok(())
}

/// A value with texts of one language in place of those of every language.
fn spoken(value: Value, language: &str) -> Value {
    match value {
        Value::Object(mut texts) if texts.contains_key(language) => {
            texts.remove(language).unwrap_or_default()
        }
        Value::Object(fields) => {
            fields.into_iter().map(|(key, value)| (key, spoken(value, language))).collect()
        }
        Value::Array(items) => items.into_iter().map(|item| spoken(item, language)).collect(),
        other => other,
    }
}
