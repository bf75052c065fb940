//! Advantages of a rollouts file as the page reads it.

use serde_json::json;
use wasm_bindgen::prelude::wasm_bindgen;

/// What the page makes of a file's bytes, as a JSON object: `advantages`, the lines that it saves with the default
/// estimator, and `remarks` on rows that may be wrong; or `refused`, why it does not open the file.
#[wasm_bindgen]
#[must_use]
pub fn page(file: &[u8]) -> String {
    let (rollouts, noticed) = match hgpo_overview::rewritten(file) {
        Ok(read) => read,
        Err(why) => return json!({"refused": why}).to_string(),
    };
    let remarks: Vec<String> = noticed.remarks().collect();
    // None would be a defect of the page: it writes what it cannot read.
    let advantages = hgpo_overview::advantages(&rollouts, "{}");
    json!({"advantages": advantages, "remarks": remarks}).to_string()
}
