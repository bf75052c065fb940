//! Files of a tokenizer: `tokenizer.json`, and after a zero byte `tokenizer_config.json`. They are
//! refused, or a text is encoded, decoded at once and token by token.
#![no_main]

use hgpo_train::models::tokenizer::{SpecialTokenHandling, Tokenizer};
use libfuzzer_sys::fuzz_target;

const TEXTS: [&str; 3] = ["", "the room's 12\n\n né <|end|>🙂", " e\u{301}\u{0}a</s>"];

fuzz_target!(
    init: {
        // Panics of the tokenizers crate are caught and become errors; the fuzzer's own hook would
        // end the process before. What is not caught ends it still.
        std::panic::set_hook(Box::new(|_| {}));
    },
    |bytes: &[u8]| {
        let mut files = bytes.splitn(2, |&byte| byte == 0);
        let (tokenizer, config) = (files.next().unwrap_or_default(), files.next());
        let Ok(tokenizer) = Tokenizer::from_files(tokenizer, config, None) else { return };
        for (text, specials) in TEXTS.into_iter().zip([
            SpecialTokenHandling::Added,
            SpecialTokenHandling::Parsed,
            SpecialTokenHandling::Text,
        ]) {
            let Ok(ids) = tokenizer.encode(text, specials) else { continue };
            let size = tokenizer.vocabulary_size();
            assert!(ids.iter().all(|&id| (id as usize) < size));
            let whole = tokenizer.decode(&ids);
            let mut decoding = tokenizer.decoding();
            let pieces: Result<String, _> = ids.iter().map(|&id| decoding.push(id)).collect();
            if let (Ok(_), Ok(_)) = (whole, pieces) {
                let _ = decoding.finish();
            }
        }
    }
);
