//! A tokenizer of bytes that tests write themselves.
#![allow(dead_code, missing_docs, unreachable_pub, reason = "each test file uses a part of it")]
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

use hgpo_train::models::gguf::TokenizerMetadata;

pub const END: u32 = 256;
pub const THINK: u32 = 257;
pub const BEGIN: u32 = 258;

/// The letter that stands for a byte: itself if it can be seen, else one from U+0100 on.
fn letter(byte: u8) -> char {
    let seen = |byte: &u8| matches!(byte, b'!'..=b'~' | 0xA1..=0xAC | 0xAE..=0xFF);
    if seen(&byte) {
        return char::from(byte);
    }
    let before = (0..byte).filter(|other| !seen(other)).count();
    char::from_u32(256 + before as u32).unwrap()
}

/// A small vocabulary: all bytes in order, three specials, some merges, and `abc`, which no merge
/// makes.
pub fn metadata(pre: &str) -> TokenizerMetadata {
    let merges = ["Ġ t", "h e", "Ġt he", "r o", "o m", "ro om", "1 2", "3 4", "Ã ©", "' s"];
    let mut tokens: Vec<String> = (0..=255).map(|byte| letter(byte).to_string()).collect();
    tokens.extend(["<|end|>", "<think>", "<|begin|>"].map(str::to_owned));
    tokens.extend(merges.iter().map(|merge| merge.replace(' ', "")));
    tokens.push("abc".to_owned());
    tokens.push("[PAD]".to_owned());
    let mut token_types = vec![1; tokens.len()];
    token_types[END as usize] = 3;
    token_types[THINK as usize] = 4;
    token_types[BEGIN as usize] = 3;
    *token_types.last_mut().unwrap() = 5;
    TokenizerMetadata {
        architecture: Some("llama".to_owned()),
        model: "gpt2".to_owned(),
        pre: Some(pre.to_owned()),
        tokens,
        token_types,
        merges: merges.map(str::to_owned).to_vec(),
        bos: Some(BEGIN),
        eos: Some(END),
        padding: None,
        add_bos: Some(true),
        add_eos: None,
        add_prefix_space: None,
        chat_template: Some("{{ messages }}".to_owned()),
    }
}
