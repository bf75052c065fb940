//! Reading a lesson's file. What is wrong in it is said with the step and the key.

use super::{HIGHLIGHTS, Listed, Question, Stop, Trained};
use crate::model::{Bilingual, PRESETS, Part, Phase, Rollouts, share};
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

const STOP_KEYS: &str = "heading text minutes preset rollouts estimator discount select level phase highlight train question";

/// The last one is for tests: they compare the answers of the page's own lessons with the advantage, or
/// the level's, at the step.
const QUESTION_KEYS: &str = "text choices answer tolerance hint explanation checks";

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
    known(&value, "version title summary steps", "")?;
    if value["version"] != 1 {
        return Err(wrong("version", "1 is needed"));
    }
    let listed = Listed {
        name: name.to_owned(),
        title: words(&value, "title", "")?,
        summary: optional(&value, "summary", "")?,
        questions: 0,
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
fn known(value: &Value, keys: &str, before: &str) -> Read<()> {
    let Some(object) = value.as_object() else {
        let place = if before.is_empty() { "file" } else { before };
        return Err(wrong(place, "an object is needed"));
    };
    match object.keys().find(|key| !keys.split(' ').any(|known| known == *key)) {
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

/// What the value of a key is read as, where there is one.
fn given<T>(value: &Value, read: impl FnOnce(&Value) -> Read<T>) -> Read<Option<T>> {
    if value.is_null() { Ok(None) } else { read(value).map(Some) }
}

/// The position of a name among those that there are, where one is given.
fn place(value: &Value, key: &str, names: &[&str]) -> Read<Option<usize>> {
    given(&value[key], |value| {
        let found = value.as_str().and_then(|name| names.iter().position(|known| *known == name));
        let there = || ["there are ", &names.join(", ")].concat();
        found.ok_or_else(|| wrong(key, &there()))
    })
}

impl Scene {
    fn stop(&mut self, value: &Value) -> Read<Stop> {
        known(value, STOP_KEYS, "")?;
        let (heading, text) = (words(value, "heading", "")?, words(value, "text", "")?);
        let train = given(&value["train"], trained)?;
        self.show(value)?;
        if train.is_some() && self.shown.is_none() {
            // Nothing of it is seen.
            self.take(0);
        }
        let needed = || wrong("preset", "an example is needed, or rollouts");
        let rollouts = self.shown.as_ref().ok_or_else(needed)?;
        self.options = options(value, &self.options)?;
        share::check(rollouts, &self.options)
            .map_err(|error| wrong("estimator", &error.to_string()))?;
        let task = &rollouts.tasks[0];
        let select = given(&value["select"], |value| {
            let first = &*task.rows()[0].trajectory;
            let needed = || ["no such step; the first one is ", first, "/0"].concat();
            let found = value.as_str().and_then(|address| task.find(address));
            found.ok_or_else(|| wrong("select", &needed()))
        })?;
        let whole = |key: &str| {
            given(&value[key], |value| {
                value.as_u64().ok_or_else(|| wrong(key, "a whole number from 0 is needed"))
            })
        };
        let level = whole("level")?;
        let phase = place(value, "phase", &Phase::ALL.map(Phase::name))?;
        let highlight = place(value, "highlight", &HIGHLIGHTS)?;
        Ok(Stop {
            heading,
            text,
            minutes: whole("minutes")?,
            preset: self.preset,
            rollouts: self.rollouts,
            options: self.options.clone(),
            select,
            level: level.map(|level| level as usize),
            phase: phase.map(|phase| Phase::ALL[phase]),
            highlight: highlight.map(|part| HIGHLIGHTS[part]),
            train,
            question: given(&value["question"], asked)?,
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
        let text = given(&value["rollouts"], |value| match value {
            Value::String(text) => Ok(text.clone()),
            Value::Array(rows) => Ok(rows.iter().map(|row| row.to_string() + "\n").collect()),
            _ => Err(wrong("rollouts", "the text of a file is needed, or a list of trajectories")),
        })?;
        match (preset, text) {
            (Some(_), Some(_)) => return Err(wrong("rollouts", "there is a preset beside it")),
            (Some(index), None) => self.take(index),
            (None, Some(text)) => {
                let read = Rollouts::read(&text);
                self.shown = Some(read.map_err(|error| wrong("rollouts", &error.to_string()))?);
                (self.preset, self.rollouts) = (None, Some(self.texts.len()));
                self.texts.push(text);
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
    let refused = |error: &dyn std::fmt::Display| wrong("estimator", &error.to_string());
    let options: Options = serde_json::from_value(said.into()).map_err(|error| refused(&error))?;
    options.validate().map_err(|error| refused(&error))?;
    Ok(options)
}

/// What learns at a stop. Whether it can is said by who makes it learn.
fn trained(value: &Value) -> Read<Trained> {
    known(value, "setup parts", "train.")?;
    let setup = value["setup"].as_str();
    let setup = setup.ok_or_else(|| wrong("train.setup", "a text is needed"))?.to_owned();
    let names: Vec<&str> = Part::of_training().map(Part::name).collect();
    let all = value["parts"].as_array().filter(|parts| !parts.is_empty());
    let given = all.and_then(|parts| parts.iter().map(Value::as_str).collect());
    let parts = given.filter(|parts: &Vec<&str>| parts.iter().all(|part| names.contains(part)));
    let there = || ["a list of some of ", &names.join(", "), " is needed"].concat();
    let parts = parts.ok_or_else(|| wrong("train.parts", &there()))?.join(" ");
    Ok(Trained { setup, parts })
}

fn asked(value: &Value) -> Read<Question> {
    const HERE: &str = "question.";
    known(value, QUESTION_KEYS, HERE)?;
    let number = |key: &str| match value[key].as_f64() {
        None if value[key].is_null() => Ok(Question::NEAR),
        Some(number) if number >= 0.0 => Ok(number),
        _ => Err(wrong(&[HERE, key].concat(), "a number is needed")),
    };
    let choices = given(&value["choices"], |value| match value.as_array() {
        Some(all) if all.len() > 1 => all.iter().map(|one| said(one, "question.choices")).collect(),
        _ => Err(wrong("question.choices", "a list of two texts or more is needed")),
    });
    let choices: Vec<Bilingual> = choices?.unwrap_or_default();
    let tolerance = number("tolerance")?;
    let answers = match &value["answer"] {
        Value::Array(all) => all.iter().map(Value::as_f64).collect(),
        one => one.as_f64().map(|one| vec![one]),
    };
    let answers = answers.filter(|all: &Vec<f64>| !all.is_empty());
    let answers = answers
        .ok_or_else(|| wrong("question.answer", "a number is needed, or a list of numbers"))?;
    let is_choice =
        |answer: &f64| answer.fract() == 0.0 && (1.0..=choices.len() as f64).contains(answer);
    if !choices.is_empty() && !answers.iter().all(is_choice) {
        let last = choices.len().to_string();
        return Err(wrong("question.answer", &["a whole number is needed, 1 to ", &last].concat()));
    }
    Ok(Question {
        text: words(value, "text", HERE)?,
        // Another choice is no nearer than any.
        tolerance: if choices.is_empty() { tolerance } else { 0.0 },
        choices,
        answers,
        hint: optional(value, "hint", HERE)?,
        explanation: optional(value, "explanation", HERE)?,
    })
}

#[cfg(test)]
mod tests;
