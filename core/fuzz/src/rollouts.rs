//! Rollouts in which states, summaries and agents meet again.

use arbitrary::{Result, Unstructured};
use hgpo_core::{Step, Trajectory};

use crate::number;

const STATES: [&str; 6] = ["", "hall", "hall 1", "hall 2", "kitchen", "kitchen\nlamp"];

pub(crate) fn any(bytes: &mut Unstructured<'_>) -> Result<Vec<Trajectory>> {
    let numbers = bytes.int_in_range(0..=3)?;
    let mut trajectories = Vec::new();
    while !bytes.is_empty() && trajectories.len() < 12 {
        let task = bytes.int_in_range(0..=2)?.to_string();
        let name = trajectories.len().to_string();
        let steps = (0..bytes.int_in_range(1..=8)?).map(|_| step(bytes, numbers));
        let steps = steps.collect::<Result<_>>()?;
        let success = bytes.arbitrary()?;
        trajectories.push(Trajectory { success, ..Trajectory::new(task, name, steps) });
    }
    Ok(trajectories)
}

/// A step with an embedding of so many numbers; with none, without one.
fn step(bytes: &mut Unstructured<'_>, numbers: usize) -> Result<Step> {
    let embedding = (0..numbers).map(|_| number(bytes)).collect::<Result<Vec<f64>>>()?;
    Ok(Step {
        valid: bytes.ratio(3, 4)?,
        context: some(bytes, &["by the road", "by the lake"])?,
        agent: some(bytes, &["planner", "coder"])?,
        state_value: if bytes.ratio(1, 2)? { Some(number(bytes)?) } else { None },
        action: if bytes.ratio(1, 64)? { None } else { Some(action(bytes)?) },
        embedding: Some(embedding).filter(|embedding| !embedding.is_empty()),
        ..Step::new(*bytes.choose(&STATES)?, number(bytes)?)
    })
}

fn action(bytes: &mut Unstructured<'_>) -> Result<String> {
    Ok((*bytes.choose(&["", "wait", "go on"])?).to_owned())
}

fn some(bytes: &mut Unstructured<'_>, texts: &[&str]) -> Result<Option<String>> {
    let chosen = bytes.int_in_range(0..=texts.len())?;
    Ok(texts.get(chosen).map(|text| (*text).to_owned()))
}
