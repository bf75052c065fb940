//! What the agent was asked to do, if a trajectory tells.

use hgpo_core::Trajectory;
use serde_json::Value;

/// Fields beyond the format's that hold it.
const FIELDS: [&str; 3] = ["instruction", "goal", "task_description"];

/// What comes before it in the observations of ALFWorld.
const ASKED: &str = "Your task is to: ";

/// The longest instruction that is shown, in characters.
const LONGEST: usize = 200;

/// The instruction of a trajectory: a field of it, or what follows "Your task is to:" in the first step's
/// texts.
pub(crate) fn instruction(trajectory: &Trajectory) -> Option<String> {
    let named = FIELDS.iter().find_map(|field| trajectory.extra.get(*field));
    if let Some(Value::String(text)) = named {
        return Some(cut(text));
    }
    let first = trajectory.steps.first()?;
    let texts = [first.observation.as_ref(), first.prompt.as_ref(), Some(&first.state)];
    texts.into_iter().flatten().find_map(|text| asked(text))
}

/// The rest of the line after "Your task is to:".
fn asked(text: &str) -> Option<String> {
    let (_, after) = text.split_once(ASKED)?;
    Some(cut(after.lines().next()?))
}

fn cut(text: &str) -> String {
    let text = text.trim().trim_end_matches('.');
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}\u{2026}", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::instruction;
    use hgpo_core::{Step, Trajectory};

    fn of(state: &str) -> Trajectory {
        Trajectory::new("g", "t", vec![Step::new(state, 0.0)])
    }

    #[test]
    fn a_field_comes_first_and_then_the_texts() {
        let told = of("You are in a room.\nYour task is to: put a mug on the shelf.\nGo on.");
        assert_eq!(instruction(&told).as_deref(), Some("put a mug on the shelf"));
        let mut named = told;
        named.extra.insert("goal".to_owned(), "find the mug".into());
        assert_eq!(instruction(&named).as_deref(), Some("find the mug"));
        assert_eq!(instruction(&of("hall")), None);
    }

    #[test]
    fn long_ones_are_cut_between_characters() {
        let text = format!("Your task is to: {}", "\u{d55c}".repeat(300));
        let cut = instruction(&of(&text)).unwrap_or_default();
        assert_eq!(cut.chars().count(), 201);
    }
}
