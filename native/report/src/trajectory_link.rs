//! Links that open trajectories in the page: `1.` and base64url of raw deflate of a line of JSON and a
//! rollouts file. The page reads this form forever (version 1 is frozen); its tests hold a link
//! that was made here.

use base64::prelude::{BASE64_URL_SAFE_NO_PAD, Engine as _};
use hgpo_core::{Options, Trajectory, format};
use miniz_oxide::deflate::compress_to_vec;
use serde_json::{Map, Value};

/// The longest link that is made: browsers open longer ones, but a report of many would be heavy.
const LONGEST: usize = 32_000;

/// A link to a page at `address` that opens `trajectories`, all of one task, and looks at the first step
/// of `chosen`; none if it would be too long.
pub(crate) fn link(
    address: &str,
    name: &str,
    options: Option<&Options>,
    trajectories: &[Trajectory],
    chosen: &str,
) -> Option<String> {
    let mut head = Map::new();
    head.insert("f".to_owned(), name.into());
    if let Some(Value::Object(options)) = options.and_then(|it| serde_json::to_value(it).ok()) {
        head.insert("o".to_owned(), Value::Object(options));
    }
    head.insert("s".to_owned(), format!("{chosen}/0").into());
    let mut text = serde_json::to_vec(&head).ok()?;
    text.push(b'\n');
    format::write_jsonl(&mut text, &trajectories.iter().map(without_prompts).collect::<Vec<_>>())
        .ok()?;
    let packed = BASE64_URL_SAFE_NO_PAD.encode(compress_to_vec(text.trim_ascii_end(), 9));
    let link = [address, "#1.", &packed].concat();
    (link.len() <= LONGEST).then_some(link)
}

/// A trajectory without the texts that advantages do not depend on.
fn without_prompts(trajectory: &Trajectory) -> Trajectory {
    let mut slim = trajectory.clone();
    slim.extra.clear();
    for step in &mut slim.steps {
        (step.observation, step.prompt, step.response) = (None, None, None);
        step.extra.clear();
    }
    slim
}

#[cfg(test)]
mod tests {
    use hgpo_core::Step;
    use miniz_oxide::inflate::decompress_to_vec;

    use super::*;

    fn trajectory() -> Trajectory {
        let mut step = Step::new("hall", 10.0).with_action("go");
        step.prompt = Some("a long prompt".to_owned());
        Trajectory::new("g00", "g00t1", vec![step])
    }

    #[test]
    fn a_link_holds_a_head_and_the_rollouts_without_prompts() {
        let made = link("http://host/", "hgpo seed 1", None, &[trajectory()], "g00t1").unwrap();
        let letters = made.strip_prefix("http://host/#1.").unwrap();
        let packed = BASE64_URL_SAFE_NO_PAD.decode(letters).unwrap();
        let text = String::from_utf8(decompress_to_vec(&packed).unwrap()).unwrap();
        let (head, line) = text.split_once('\n').unwrap();
        assert_eq!(head, r#"{"f":"hgpo seed 1","s":"g00t1/0"}"#);
        assert!(line.contains(r#""state":"hall""#) && !line.contains("prompt"), "{line}");
    }

    #[test]
    fn overlong_trajectories_have_no_link() {
        // A state that does not fold: digits of powers.
        let mut noise = 1_u64;
        let mut next = || {
            noise = noise
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            noise.to_string()
        };
        let state: String = (0..5_000).map(|_| next()).collect();
        let long = Trajectory::new("g", "t", vec![Step::new(state, 1.0)]);
        assert_eq!(link("http://host/", "f", None, &[long], "t"), None);
    }
}
