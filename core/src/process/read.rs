//! Process reader: a process from JSON, with everything checked that the other parts rely on.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;

use serde_json::Value;

use super::json_object::{Fields, refuse};
use super::{COMBINATIONS_LIMIT, Move, Outcome, Process, Situation, Start};
use crate::error::Error;
use crate::text::escape::quoted;

/// How far a sum of probabilities may be from 1.
const TOLERANCE: f64 = 1e-9;

/// The numbers of the situations by their names.
type Numbers<'a> = HashMap<&'a str, usize>;

impl TryFrom<Value> for Process {
    type Error = Error;

    fn try_from(value: Value) -> Result<Self, Error> {
        let fields = Fields::of(&value, String::new(), &["step_limit", "start", "situations"])?;
        let step_limit = fields.count("step_limit")?;
        let (listed, begins) = (fields.list("situations")?, fields.list("start")?);
        let mut situations = Vec::with_capacity(listed.len());
        for (number, value) in listed.iter().enumerate() {
            situations.push(situation(number, value)?);
        }
        check_distinct(&situations)?;
        let names: Vec<String> = situations.iter().map(|(it, _)| it.name.clone()).collect();
        let numbers = names.iter().enumerate().map(|(number, name)| (name.as_str(), number));
        let numbers: Numbers<'_> = numbers.collect();
        let with_actions = |(situation, fields): (Situation, Fields<'_>)| {
            Ok(Situation { actions: actions(&fields, &numbers)?, ..situation })
        };
        let situations = situations.into_iter().map(with_actions).collect::<Result<_, Error>>()?;
        let start = start(begins, &numbers)?;
        let process = Self { step_limit, start, situations };
        let moves = process.situations.iter().flat_map(|situation| &situation.actions);
        let outcomes: usize = moves.map(|action| action.outcomes.len()).sum();
        if outcomes.saturating_mul(step_limit) <= COMBINATIONS_LIMIT {
            return Ok(process);
        }
        Err(Error::process(format!(
            "{outcomes} outcomes with {step_limit} steps left each are more than {COMBINATIONS_LIMIT} \
             combinations: lower `step_limit`, or leave out situations"
        )))
    }
}

/// A situation without its actions, and the fields that they are read from.
fn situation(number: usize, value: &Value) -> Result<(Situation, Fields<'_>), Error> {
    let known = ["name", "state", "hidden", "agent", "actions"];
    let mut fields = Fields::of(value, format!("situation {}", number + 1), &known)?;
    let state = fields.required_text("state")?;
    let name = fields.text("name")?.unwrap_or_else(|| state.clone());
    let (hidden, agent) = (fields.text("hidden")?, fields.text("agent")?);
    fields.place = ["situation ", &quoted(&name)].concat();
    Ok((Situation { name, state, hidden, agent, actions: Vec::new() }, fields))
}

fn check_distinct(situations: &[(Situation, Fields<'_>)]) -> Result<(), Error> {
    let (mut names, mut contents) = (HashSet::new(), HashSet::new());
    for (Situation { name, state, hidden, agent, .. }, fields) in situations {
        if !names.insert(name) {
            return Err(fields.refuse("there is another one of this name: rename one of them"));
        }
        if !contents.insert((state, hidden, agent)) {
            let problem = "there is another one with this state, hidden part and agent: tell them apart by `hidden`";
            return Err(fields.refuse(problem));
        }
    }
    Ok(())
}

/// What attempts begin in.
fn start(listed: &[Value], numbers: &Numbers<'_>) -> Result<Vec<Start>, Error> {
    let of = |(index, value): (usize, &Value)| {
        let place = format!("start {}", index + 1);
        let fields = Fields::of(value, place, &["situation", "probability"])?;
        let situation = number(&fields, numbers, &fields.required_text("situation")?)?;
        Ok(Start { situation, probability: fields.probability()? })
    };
    let start: Vec<Start> = listed.iter().enumerate().map(of).collect::<Result<_, Error>>()?;
    check_once("start", start.iter().map(|it| it.situation), "situation")?;
    check_sum("start", start.iter().map(|it| it.probability))?;
    Ok(start)
}

/// What the policy does in a situation.
fn actions(situation: &Fields<'_>, numbers: &Numbers<'_>) -> Result<Vec<Move>, Error> {
    let place = &situation.place;
    let of = |(index, value): (usize, &Value)| {
        let known = ["action", "valid", "probability", "outcomes"];
        let mut fields = Fields::of(value, format!("{place}, action {}", index + 1), &known)?;
        let action = fields.required_text("action")?;
        fields.place = format!("{place}, action {}", quoted(&action));
        let (valid, probability) = (fields.flag("valid")?, fields.probability()?);
        let outcomes = outcomes(&fields, numbers)?;
        Ok(Move { action, valid, probability, outcomes })
    };
    let listed = situation.list("actions")?;
    let actions: Vec<Move> = listed.iter().enumerate().map(of).collect::<Result<_, Error>>()?;
    check_once(place, actions.iter().map(|it| (&it.action, it.valid)), "action")?;
    check_sum(place, actions.iter().map(|it| it.probability))?;
    Ok(actions)
}

/// What an action leads to.
fn outcomes(action: &Fields<'_>, numbers: &Numbers<'_>) -> Result<Vec<Outcome>, Error> {
    let place = &action.place;
    let of = |(index, value): (usize, &Value)| {
        let known = ["probability", "reward", "next"];
        let fields = Fields::of(value, format!("{place}, outcome {}", index + 1), &known)?;
        let next = fields.text("next")?;
        let next = next.map(|name| number(&fields, numbers, &name)).transpose()?;
        Ok(Outcome { probability: fields.probability()?, reward: fields.reward()?, next })
    };
    let listed = action.list("outcomes")?;
    let outcomes: Vec<Outcome> = listed.iter().enumerate().map(of).collect::<Result<_, Error>>()?;
    check_once(place, outcomes.iter().map(|it| (it.reward.to_bits(), it.next)), "outcome")?;
    check_sum(place, outcomes.iter().map(|it| it.probability))?;
    Ok(outcomes)
}

/// The number of a situation.
fn number(fields: &Fields<'_>, numbers: &Numbers<'_>, name: &str) -> Result<usize, Error> {
    let unknown =
        || fields.refuse(&format!("there is no situation {}: add it, or correct it", quoted(name)));
    numbers.get(name).copied().ok_or_else(unknown)
}

fn check_once<T: Eq + Hash>(
    place: &str,
    mut all: impl Iterator<Item = T>,
    what: &str,
) -> Result<(), Error> {
    let mut seen = HashSet::new();
    if all.all(|one| seen.insert(one)) {
        return Ok(());
    }
    Err(refuse(place, &format!("the same {what} is there twice: keep one of them")))
}

fn check_sum(place: &str, probabilities: impl Iterator<Item = f64>) -> Result<(), Error> {
    let sum: f64 = probabilities.sum();
    if (sum - 1.0).abs() <= TOLERANCE {
        return Ok(());
    }
    Err(refuse(place, &format!("the probabilities add up to {sum}, not to 1: correct them")))
}
