//! Commands of a game.

use std::collections::HashMap;

use rapidhash::fast::RandomState;

use super::super::error::{GameError, Part};
use super::super::grounding::GroundProblem;
use super::super::text::{MOST_STEPS, Piece, Renderer};

/// More bytes of commands are refused.
const MOST_BYTES: usize = 16_000_000;

/// The commands, sorted.
pub(super) struct Commands {
    pub(super) text: String,
    pub(super) starts: Vec<u32>,
    /// The command of every operator.
    pub(super) of: Vec<u32>,
}

impl Commands {
    pub(super) fn new(
        ground: &GroundProblem,
        templates: &[Vec<Piece>],
        renderer: &Renderer,
        initial: &[u64],
    ) -> Result<Self, GameError> {
        let (written, of) = write(ground, templates, renderer, initial)?;
        let mut sorted: Vec<&str> = written.iter().map(String::as_str).collect();
        sorted.sort_unstable();
        sorted.dedup();
        let number = |text: &String| sorted.partition_point(|it| *it < text.as_str()) as u32;
        let numbers: Vec<u32> = written.iter().map(number).collect();
        let (mut text, mut starts) = (String::new(), vec![0]);
        for command in sorted {
            text.push_str(command);
            starts.push(text.len() as u32);
        }
        Ok(Self { text, starts, of: of.into_iter().map(|it| numbers[it as usize]).collect() })
    }
}

/// Different texts, some perhaps more than once, and that of every operator. Operators whose texts use
/// equal arguments share one.
fn write(
    ground: &GroundProblem,
    templates: &[Vec<Piece>],
    renderer: &Renderer,
    initial: &[u64],
) -> Result<(Vec<String>, Vec<u32>), GameError> {
    let mut known: HashMap<Vec<u32>, u32, RandomState> = HashMap::default();
    let used: Vec<_> = templates.iter().map(|pieces| renderer.rules.slots(pieces)).collect();
    let mut written: Vec<String> = Vec::new();
    let mut of = Vec::with_capacity(ground.built.actions.len());
    let mut key = Vec::new();
    let (mut steps, mut bytes) = (MOST_STEPS, 0);
    for (number, &action) in ground.built.actions.iter().enumerate() {
        let arguments = ground.built.arguments.get(number);
        key.clear();
        key.push(action as u32);
        key.extend(used[action].iter().filter_map(|&slot| arguments.get(slot)));
        if let Some(&text) = known.get(&key) {
            of.push(text);
            continue;
        }
        let mut text = String::new();
        steps = renderer.write(steps, initial, &templates[action], arguments, &mut text);
        bytes += text.len();
        if steps == 0 || bytes > MOST_BYTES {
            return Err(GameError::new(Part::Grammar, "the commands' texts are too long"));
        }
        known.insert(key.clone(), written.len() as u32);
        of.push(written.len() as u32);
        written.push(text);
    }
    Ok((written, of))
}
