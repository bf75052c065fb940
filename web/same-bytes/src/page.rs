//! Advantages of a rollouts file as the page reads it.

use hgpo_core::{Batch, Options, Signal, estimate, format};
use serde_json::json;
use wasm_bindgen::prelude::wasm_bindgen;

/// What the page makes of a file's bytes, with columns named as on the command line, as a JSON object: `advantages`, the
/// lines that it saves with the default estimator, and `remarks` on rows that may be wrong; or `refused`, why it does not
/// open the file.
#[wasm_bindgen]
#[must_use]
pub fn page(file: &[u8], columns: &str) -> String {
    let named = if columns.is_empty() { Ok(format::Columns::default()) } else { columns.parse() };
    let layout = named.map(|columns| format::Layout { columns, ..format::Layout::default() });
    let layout = layout.map_err(|why| why.to_string());
    match layout.and_then(|layout| format::rewrite(file, &layout)) {
        Ok((rollouts, noticed)) => {
            // None would be a defect of the page: it writes what it cannot read.
            let (advantages, signal) = advantages(&rollouts).unzip();
            let remarks: Vec<String> = noticed
                .remarks()
                .chain(signal.and_then(|signal: Signal| signal.remark()))
                .collect();
            json!({"advantages": advantages, "remarks": remarks}).to_string()
        }
        Err(why) => json!({"refused": why}).to_string(),
    }
}

fn advantages(rollouts: &str) -> Option<(String, Signal)> {
    let batch = Batch::new(format::read_written(rollouts).ok()?.1).ok()?;
    let estimate = estimate(&batch, &Options::default()).ok()?;
    let mut lines = Vec::new();
    format::write_advantages(&mut lines, &batch, &estimate).ok()?;
    let mut signal = Signal::default();
    signal.observe(&batch, &estimate);
    Some((String::from_utf8(lines).ok()?, signal))
}
