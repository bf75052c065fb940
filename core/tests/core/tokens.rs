//! Token fields of steps, which readers and writers keep.

use hgpo_core::token_fields::RESPONSE_TOKENS;
use hgpo_core::{format, token_fields};

use crate::format::line;

/// A step's token fields, with numbers whose bits are easily lost.
const TOKENS: &str = r#""prompt_ids":[0,4294967295],"response_ids":[151645,7,7,7,7],"response_tokens":["","é\n","\u0000","<|im_end|>"," 日"],"response_mask":[1,1,0,1,1],"rollout_log_probs":[-0.1,-0.30000000000000004,-5e-324,-0.0,-17.328679513998633],"old_log_probs":[-0.10000000149011612,-0.25,-1.0,0.0,-103.27892990343184],"new_log_probs":[-0.2,-1e-300,-2.0,-0.0,-7.25],"new_entropies":[0.1,2.302585092994046,5e-324,0.0,11.0],"ref_log_probs":[-0.25,-1.5,-0.1,0.0,-1e-12],"token_advantages":[0.3333333333333333,0.1,-2.5e-9,1e+100,1.7976931348623157e+308]"#;

#[test]
fn token_fields_keep_every_bit() {
    let step = [r#"{"state":"s","reward":1.0,"valid":true,"#, TOKENS, "}"].concat();
    let text = line("a", &[&step, r#"{"state":"t","reward":0.0,"valid":true}"#].join(",")) + "\n";
    let read = format::read(text.as_bytes()).expect("good");
    let [with, without] = &read[0].steps[..] else { panic!("two steps") };
    let expected: serde_json::Value = serde_json::from_str(&step).expect("an object");
    assert_eq!(with.extra.len(), token_fields::TOKEN_FIELDS.len());
    assert!(without.extra.is_empty());
    assert_eq!(with.extra[RESPONSE_TOKENS], expected[RESPONSE_TOKENS]);
    for name in token_fields::TOKEN_FIELDS.into_iter().filter(|name| *name != RESPONSE_TOKENS) {
        let bits = |list: &serde_json::Value| -> Vec<u64> {
            let number = |it: &serde_json::Value| it.as_f64().expect("a number").to_bits();
            list.as_array().expect("a list").iter().map(number).collect()
        };
        assert_eq!(bits(&with.extra[name]), bits(&expected[name]), "{name}");
    }
    let mut written = Vec::new();
    format::write_jsonl(&mut written, &read).expect("written");
    assert_eq!(String::from_utf8(written).expect("text"), text);
    // As rows too, whose fields for the trajectory go before the step's.
    let row = |step: &str| [r#"{"task":"g","trajectory":"a","#, &step[1..]].concat();
    let rows = [row(&step), row(r#"{"state":"t","reward":0.0,"valid":true}"#)].join("\n");
    let (_, read, _) = format::read_log(rows.as_bytes(), &format::Layout::default()).expect("rows");
    let mut written = Vec::new();
    format::write_jsonl(&mut written, &read).expect("written");
    assert_eq!(String::from_utf8(written).expect("text"), text);
}
