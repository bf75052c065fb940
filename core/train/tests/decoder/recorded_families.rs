//! Every family against recordings: the logits of each model that the repository holds.
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

use std::fs;

use burn::tensor::Device;
use hgpo_train::models::{Architecture, Checkpoint};
use safetensors::SafeTensors;

use crate::qwen2::{logits_off, policy};
use crate::reference_data::held;

#[test]
fn every_family_computes_the_recorded_logits() {
    let unpacked = tempfile::tempdir().unwrap();
    held().unpack(".", unpacked.path());
    let mut recorded = Vec::new();
    let mut folders = vec![unpacked.path().to_owned()];
    while let Some(folder) = folders.pop() {
        let paths = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
        folders.extend(paths.filter(|path| path.is_dir()));
        let Ok(expected) = fs::read(folder.join("oracle.safetensors")) else { continue };
        let file = SafeTensors::deserialize(&expected).unwrap();
        let is_whole = file.names().contains(&"logits");
        let names = if is_whole {
            ["input_ids", "logits"]
        } else {
            ["forward.input_ids", "forward.logits"]
        };
        let off = logits_off(&policy(&folder, &Device::flex()), &expected, names);
        assert!(off < 2e-5, "{} is off by {off}", folder.display());
        recorded.push(Checkpoint::open(&folder).unwrap().description().architecture);
    }
    for architecture in Architecture::ALL {
        let name = architecture.family().name;
        assert!(recorded.contains(&architecture), "core/train/tests/recordings has no {name}");
    }
}
