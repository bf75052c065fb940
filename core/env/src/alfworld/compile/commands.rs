//! Commands of a game.

use std::collections::HashMap;

use rapidhash::fast::RandomState;

use super::super::error::{GameError, Part};
use super::super::grounding::GroundProblem;
use super::super::text::{MOST_STEPS, Writer};
use super::texts::Texts;

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
        texts: &Texts,
        writer: Writer<'_>,
    ) -> Result<Self, GameError> {
        let (written, mut of) = write(ground, texts, writer)?;
        let mut order: Vec<u32> = (0..written.len() as u32).collect();
        order.sort_unstable_by_key(|&text| &written[text as usize]);
        let mut numbers = vec![0; written.len()];
        let (mut text, mut starts) = (String::new(), Vec::new());
        let mut last: Option<&str> = None;
        for at in order {
            let next = written[at as usize].as_str();
            if last != Some(next) {
                starts.push(text.len() as u32);
                text.push_str(next);
                last = Some(next);
            }
            numbers[at as usize] = starts.len() as u32 - 1;
        }
        starts.push(text.len() as u32);
        for command in &mut of {
            *command = numbers[*command as usize];
        }
        Ok(Self { text, starts, of })
    }
}

/// Different texts, some perhaps more than once, and that of every operator. Operators whose texts use
/// equal arguments share one.
fn write(
    ground: &GroundProblem,
    texts: &Texts,
    writer: Writer<'_>,
) -> Result<(Vec<String>, Vec<u32>), GameError> {
    let mut known: HashMap<Vec<u32>, u32, RandomState> = HashMap::default();
    let used: Vec<Vec<usize>> =
        texts.templates.iter().map(|pieces| texts.rules.slots(pieces)).collect();
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
        let template = &texts.templates[action];
        steps = writer.write_within(steps, template, arguments, &mut text);
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
