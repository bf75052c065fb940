//! Descriptions: one that is read has a layout, and is read again from what is written of it.
#![no_main]

use hgpo_train::models::{Description, Precision, tensor_layout};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(description) = Description::parse("config.json", bytes) else { return };
    assert!(tensor_layout::tensors(&description).len() >= 11);
    let frequencies = description.model.rotary_frequencies();
    assert_eq!(frequencies.len(), description.model.head_dim() / 2);
    let text = description.to_json(Precision::F32);
    let again =
        Description::parse("config.json", text.as_bytes()).expect("what is written is read");
    let expected = Description { torch_dtype: Some(Precision::F32), ..description };
    assert_eq!(again, expected);
});
