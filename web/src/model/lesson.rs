//! Lessons: texts that lead through the page step by step, and questions with answers in numbers.
//!
//! A file of `assets/lessons/` says of every step what to show (example, estimator, discount, step,
//! level, part of the arithmetic), what to outline and, at some, what to ask.

use super::{Phase, Preset, share::phase_of};
use crate::text::Bilingual;
use hgpo_core::{Options, read_json};
use serde_json::{Map, Value};
use std::sync::OnceLock;

/// A lesson.
#[derive(Debug)]
pub(crate) struct Lesson {
    /// The name of its file, and in links.
    pub(crate) name: &'static str,
    /// What the choice of lessons calls it.
    pub(crate) title: Bilingual,
    /// What it is about.
    pub(crate) summary: Bilingual,
    /// Its steps, never none.
    pub(crate) steps: Vec<Stop>,
}

/// A step of a lesson; called a stop here, as the page is full of steps.
#[derive(Debug)]
pub(crate) struct Stop {
    /// A few words.
    pub(crate) heading: Bilingual,
    /// Plain text; an empty line ends a paragraph.
    pub(crate) text: Bilingual,
    /// The example to show; none to stay with what is shown.
    pub(crate) preset: Option<usize>,
    /// How to compute; none to leave the controls alone.
    pub(crate) options: Option<Options>,
    /// The step to choose: `TRAJECTORY/STEP`.
    pub(crate) select: Option<String>,
    /// The level to look at.
    pub(crate) level: Option<usize>,
    /// The part of the arithmetic to show last.
    pub(crate) phase: Option<Phase>,
    /// The part of the page to outline.
    pub(crate) highlight: Option<&'static str>,
    /// What to ask.
    pub(crate) question: Option<Question>,
}

/// A question whose answer is a number.
#[derive(Debug)]
pub(crate) struct Question {
    /// What is asked.
    pub(crate) text: Bilingual,
    /// The number.
    pub(crate) answer: f64,
    /// How far from it is near enough.
    pub(crate) tolerance: f64,
    /// What helps who was wrong.
    pub(crate) hint: Bilingual,
    /// Why it is the number.
    pub(crate) explanation: Bilingual,
}

/// A stop of a lesson, by positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// Position in [`lessons`].
    pub(crate) lesson: usize,
    /// Position of the stop.
    pub(crate) stop: usize,
}

/// The parts of the page that a stop can outline.
pub(crate) const HIGHLIGHTS: [&str; 5] =
    ["stage", "groups", "arithmetic", "controls", "comparison"];

/// The names of the lessons, in the order in which they are best taken.
pub(crate) const NAMES: [&str; 3] = ["credit", "anchors", "context"];

static LESSONS: OnceLock<Vec<Lesson>> = OnceLock::new();

/// The lessons; none where their files could not be had.
pub(crate) fn lessons() -> &'static [Lesson] {
    LESSONS.get_or_init(Vec::new)
}

/// Takes the texts of the files, in the order of [`NAMES`], before the page is drawn. The files are
/// no part of the program because most readers never open one.
pub(crate) fn provide(files: &[String]) {
    let lessons = NAMES.iter().zip(files).filter_map(|(name, text)| Lesson::read(name, text));
    // They are had once.
    let _ = LESSONS.set(lessons.collect());
}

impl Lesson {
    fn read(name: &'static str, text: &str) -> Option<Self> {
        let value = read_json(text).ok()?;
        let steps: Option<Vec<Stop>> = value["steps"].as_array()?.iter().map(Stop::read).collect();
        Some(Self {
            name,
            title: Bilingual::read(&value["title"])?,
            summary: Bilingual::read(&value["summary"])?,
            steps: steps.filter(|steps| !steps.is_empty() && value["version"] == 1)?,
        })
    }
}

impl Stop {
    fn read(value: &Value) -> Option<Self> {
        let word = |key: &str| value[key].as_str();
        let question = &value["question"];
        Some(Self {
            heading: Bilingual::read(&value["heading"])?,
            text: Bilingual::read(&value["text"])?,
            preset: word("preset").and_then(Preset::position),
            options: options(value),
            select: word("select").map(str::to_owned),
            level: value["level"].as_u64().map(|level| level as usize),
            phase: word("phase").and_then(phase_of),
            highlight: word("highlight")
                .and_then(|name| HIGHLIGHTS.into_iter().find(|known| *known == name)),
            question: if question.is_null() { None } else { Some(Question::read(question)?) },
        })
    }
}

impl Question {
    fn read(value: &Value) -> Option<Self> {
        Some(Self {
            text: Bilingual::read(&value["text"])?,
            answer: value["answer"].as_f64()?,
            tolerance: value["tolerance"].as_f64()?,
            hint: Bilingual::read(&value["hint"])?,
            explanation: Bilingual::read(&value["explanation"])?,
        })
    }

    /// Whether a number is the answer, or near enough.
    pub(crate) fn admits(&self, number: f64) -> bool {
        // What is exact in print may be a last digit away in binary.
        (number - self.answer).abs() <= self.tolerance + 1e-9
    }
}

/// What a stop says of the computation; what it leaves out is as usual.
fn options(value: &Value) -> Option<Options> {
    let keys = ["estimator", "discount"].into_iter();
    let said = keys.filter_map(|key| Some((key.to_owned(), value.get(key)?.clone())));
    let said: Map<String, Value> = said.collect();
    serde_json::from_value(said.into()).ok().filter(|_| value["estimator"].is_object())
}

impl Place {
    /// The stop of a lesson by its name, counted from 1 and kept within the lesson.
    pub(crate) fn find(name: &str, stop: Option<usize>) -> Option<Self> {
        let lesson = lessons().iter().position(|lesson| lesson.name == name)?;
        let last = lessons()[lesson].steps.len() - 1;
        Some(Self { lesson, stop: stop.unwrap_or(1).saturating_sub(1).min(last) })
    }

    /// The lesson.
    pub(crate) fn lesson(self) -> &'static Lesson {
        &lessons()[self.lesson]
    }

    /// The stop.
    pub(crate) fn stop(self) -> &'static Stop {
        &self.lesson().steps[self.stop]
    }

    /// The stop before it, in the same lesson.
    pub(crate) fn back(self) -> Option<Self> {
        Some(Self { stop: self.stop.checked_sub(1)?, ..self })
    }

    /// The stop after it: that of the next lesson at the end of one; none at the end of all.
    pub(crate) fn next(self) -> Option<Self> {
        if self.stop + 1 < self.lesson().steps.len() {
            return Some(Self { stop: self.stop + 1, ..self });
        }
        (self.lesson + 1 < lessons().len()).then_some(Self { lesson: self.lesson + 1, stop: 0 })
    }
}

/// A number as people write it: `-0,5`, `−0.5`, `40/9`; none if it is none.
pub(crate) fn number_of(text: &str) -> Option<f64> {
    let plain = text.replace('\u{2212}', "-").replace(',', ".");
    let part = |text: &str| hgpo_core::number(text.trim());
    let number = match plain.split_once('/') {
        Some((above, below)) => part(above)? / part(below)?,
        None => part(&plain)?,
    };
    number.is_finite().then_some(number)
}

#[cfg(test)]
pub(super) mod tests;
