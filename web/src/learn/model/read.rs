//! Reading a lesson's file. What is wrong in it is said with the step and the key.

use super::{HIGHLIGHTS, Listed, Question, Stop, Trained};
use crate::model::{
    Bilingual, PRESETS, Part, Rollouts, listed,
    share::{self, PHASES},
};
use hgpo_core::{Options, read_json};
use serde_json::{Map, Value};

/// A lesson with its stops.
#[derive(Debug)]
pub(crate) struct Course {
    /// What it is called.
    pub(crate) listed: Listed,
    /// Its stops, never none.
    pub(crate) stops: Vec<Stop>,
    /// Rollouts files of its own.
    pub(crate) rollouts: Vec<String>,
}

/// What is read, or what is wrong.
type Read<T> = Result<T, String>;

const KEYS: [&str; 4] = ["version", "title", "summary", "steps"];

const STOP_KEYS: [&str; 12] = [
    "heading",
    "text",
    "preset",
    "rollouts",
    "estimator",
    "discount",
    "select",
    "level",
    "phase",
    "highlight",
    "train",
    "question",
];

const TRAIN_KEYS: [&str; 2] = ["setup", "parts"];

/// The last one is for tests: they compare the answers of the page's own lessons with the advantage, or
/// the level's, at the step.
const QUESTION_KEYS: [&str; 7] =
    ["text", "choices", "answer", "tolerance", "hint", "explanation", "checks"];

/// What a stop shows, which the next one goes on with where it names nothing else.
#[derive(Default)]
struct Scene {
    preset: Option<usize>,
    rollouts: Option<usize>,
    texts: Vec<String>,
    /// What is shown, read.
    shown: Option<Rollouts>,
    options: Options,
}

fn wrong(key: &str, what: &str) -> String {
    [key, ": ", what].concat()
}

/// The lesson of a file.
///
/// # Errors
/// What is wrong with it, and where.
pub(super) fn course(name: &str, text: &str) -> Read<Course> {
    let value = read_json(text).map_err(|error| error.to_string())?;
    known(&value, &KEYS, "")?;
    if value["version"] != 1 {
        return Err(wrong("version", "1 is needed"));
    }
    let listed = Listed {
        name: name.to_owned(),
        title: words(&value, "title", "")?,
        summary: optional(&value, "summary", "")?,
    };
    let steps = value["steps"].as_array().filter(|steps| !steps.is_empty());
    let Some(steps) = steps else { return Err(wrong("steps", "a list of steps is needed")) };
    let mut scene = Scene::default();
    let mut all = Vec::new();
    for (at, step) in steps.iter().enumerate() {
        let stop = scene.stop(step);
        all.push(stop.map_err(|why| ["step ", &(at + 1).to_string(), ", ", &why].concat())?);
    }
    Ok(Course { listed, stops: all, rollouts: scene.texts })
}

/// Refuses keys that mean nothing.
fn known(value: &Value, keys: &[&str], before: &str) -> Read<()> {
    let Some(object) = value.as_object() else {
        let place = if before.is_empty() { "file" } else { before };
        return Err(wrong(place, "an object is needed"));
    };
    match object.keys().find(|key| !keys.contains(&key.as_str())) {
        Some(key) => Err(wrong(&[before, key].concat(), "no such key")),
        None => Ok(()),
    }
}

/// A text in one language or in both, as the value of a key.
fn words(value: &Value, key: &str, before: &str) -> Read<Bilingual> {
    said(&value[key], &[before, key].concat())
}

fn said(value: &Value, key: &str) -> Read<Bilingual> {
    let needed = r#"a text is needed, or {"en": "…", "ko": "…"}"#;
    Bilingual::read(value).ok_or_else(|| wrong(key, needed))
}

fn optional(value: &Value, key: &str, before: &str) -> Read<Bilingual> {
    if value[key].is_null() { Ok(Bilingual::default()) } else { words(value, key, before) }
}

/// The position of a name among those that there are, where one is given.
fn place(value: &Value, key: &str, names: &[&str]) -> Read<Option<usize>> {
    let found = value[key].as_str().and_then(|name| names.iter().position(|known| *known == name));
    if found.is_none() && !value[key].is_null() {
        return Err(wrong(key, &["there are ", &listed(names.iter().copied())].concat()));
    }
    Ok(found)
}

impl Scene {
    fn stop(&mut self, value: &Value) -> Read<Stop> {
        known(value, &STOP_KEYS, "")?;
        let (heading, text) = (words(value, "heading", "")?, words(value, "text", "")?);
        let train = &value["train"];
        let train = if train.is_null() { None } else { Some(trained(train)?) };
        self.show(value)?;
        if train.is_some() && self.shown.is_none() {
            // Nothing of it is seen.
            self.take(0);
        }
        let Some(rollouts) = &self.shown else {
            return Err(wrong("preset", "an example is needed, or rollouts"));
        };
        self.options = options(value, &self.options)?;
        if let Err(error) = share::check(rollouts, &self.options) {
            return Err(wrong("estimator", &error.to_string()));
        }
        let select = value["select"].as_str().map(str::to_owned);
        let task = &rollouts.tasks[0];
        if !value["select"].is_null() && select.as_deref().and_then(|at| task.find(at)).is_none() {
            let first = [&*task.rows()[0].trajectory, "/0"].concat();
            return Err(wrong("select", &["no such step; the first one is ", &first].concat()));
        }
        let level = value["level"].as_u64().map(|level| level as usize);
        if level.is_none() && !value["level"].is_null() {
            return Err(wrong("level", "a whole number from 0 is needed"));
        }
        let question = &value["question"];
        let phase = place(value, "phase", &PHASES.map(|(_, name)| name))?;
        let highlight = place(value, "highlight", &HIGHLIGHTS)?;
        Ok(Stop {
            heading,
            text,
            preset: self.preset,
            rollouts: self.rollouts,
            options: Some(self.options.clone()),
            select,
            level,
            phase: phase.map(|phase| PHASES[phase].0),
            highlight: highlight.map(|part| HIGHLIGHTS[part]),
            train,
            question: if question.is_null() { None } else { Some(asked(question)?) },
        })
    }

    /// Takes over an example.
    fn take(&mut self, preset: usize) {
        (self.preset, self.rollouts) = (Some(preset), None);
        self.shown = Some(PRESETS[preset].load().0);
    }

    /// Takes over the example or the rollouts that a stop names.
    fn show(&mut self, value: &Value) -> Read<()> {
        let examples: Vec<&str> = PRESETS.iter().map(|preset| &*preset.name).collect();
        let preset = place(value, "preset", &examples)?;
        let text = match &value["rollouts"] {
            Value::Null => None,
            Value::String(text) => Some(text.clone()),
            Value::Array(rows) => {
                let mut text = Vec::new();
                for row in rows {
                    text.extend(serde_json::to_vec(row).unwrap_or_default());
                    text.push(b'\n');
                }
                String::from_utf8(text).ok()
            }
            _ => {
                return Err(wrong(
                    "rollouts",
                    "the text of a file is needed, or a list of trajectories",
                ));
            }
        };
        match (preset, text) {
            (Some(_), Some(_)) => return Err(wrong("rollouts", "there is a preset beside it")),
            (Some(index), None) => self.take(index),
            (None, Some(text)) => {
                let read = Rollouts::read(&text)
                    .map_err(|error| ["rollouts: ", &error.to_string()].concat())?;
                (self.preset, self.rollouts) = (None, Some(self.texts.len()));
                self.texts.push(text);
                self.shown = Some(read);
            }
            (None, None) => {}
        }
        Ok(())
    }
}

/// How a stop computes: as the one before it, unless it says otherwise. What it leaves out then is as
/// usual.
fn options(value: &Value, before: &Options) -> Read<Options> {
    let keys = ["estimator", "discount"].into_iter();
    let said = keys.filter_map(|key| Some((key.to_owned(), value.get(key)?.clone())));
    let said: Map<String, Value> = said.collect();
    if said.is_empty() {
        return Ok(before.clone());
    }
    let options: Options = serde_json::from_value(said.into())
        .map_err(|error| ["estimator: ", &error.to_string()].concat())?;
    match options.validate() {
        Ok(()) => Ok(options),
        Err(error) => Err(wrong("estimator", &error.to_string())),
    }
}

/// What learns at a stop. Whether it can is said by who makes it learn.
fn trained(value: &Value) -> Read<Trained> {
    known(value, &TRAIN_KEYS, "train.")?;
    let Some(setup) = value["setup"].as_str() else {
        return Err(wrong("train.setup", "a text is needed"));
    };
    let names: Vec<&str> = Part::of_training().map(Part::name).collect();
    let all = value["parts"].as_array().filter(|parts| !parts.is_empty());
    let given = all.and_then(|parts| parts.iter().map(Value::as_str).collect());
    let parts = given.filter(|parts: &Vec<&str>| parts.iter().all(|part| names.contains(part)));
    let Some(parts) = parts else {
        let there = ["a list of some of ", &listed(names.iter().copied()), " is needed"];
        return Err(wrong("train.parts", &there.concat()));
    };
    Ok(Trained { setup: setup.to_owned(), parts: parts.join(" ") })
}

fn asked(value: &Value) -> Read<Question> {
    const HERE: &str = "question.";
    known(value, &QUESTION_KEYS, HERE)?;
    let number = |key: &str| match value[key].as_f64() {
        None if value[key].is_null() && key == "tolerance" => Ok(Question::NEAR),
        Some(number) if number >= 0.0 || key == "answer" => Ok(number),
        _ => Err(wrong(&[HERE, key].concat(), "a number is needed")),
    };
    let choices = choices(&value["choices"])?;
    let (answer, tolerance) = (number("answer")?, number("tolerance")?);
    let place = value["answer"].as_u64().unwrap_or(0) as usize;
    if !choices.is_empty() && !(1..=choices.len()).contains(&place) {
        let last = choices.len().to_string();
        return Err(wrong("question.answer", &["a whole number is needed, 1 to ", &last].concat()));
    }
    Ok(Question {
        text: words(value, "text", HERE)?,
        // Another choice is no nearer than any.
        tolerance: if choices.is_empty() { tolerance } else { 0.0 },
        choices,
        answer,
        hint: optional(value, "hint", HERE)?,
        explanation: optional(value, "explanation", HERE)?,
    })
}

/// The answers to choose from, where a question has such.
fn choices(value: &Value) -> Read<Vec<Bilingual>> {
    const KEY: &str = "question.choices";
    match value {
        Value::Null => Ok(Vec::new()),
        Value::Array(all) if all.len() > 1 => all.iter().map(|one| said(one, KEY)).collect(),
        _ => Err(wrong(KEY, "a list of two texts or more is needed")),
    }
}

#[cfg(test)]
mod tests;
