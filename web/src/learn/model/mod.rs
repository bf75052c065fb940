//! Lessons: texts that lead through the page step by step, and questions whose answers are checked.
//!
//! A file of `assets/lessons/` says of every step what to show (example, estimator, discount, step,
//! level, part of the arithmetic), what to outline and, at some, what to ask.

pub(crate) mod disclosure;
pub(crate) mod own;
pub(crate) mod progress;
mod read;

use crate::model::{Bilingual, Cell, Phase, list, number};
use hgpo_core::{Options, read_json};
use read::Course;
use serde_json::Value;
use std::cell::RefCell;
use std::sync::LazyLock;

/// A lesson as the choice of lessons has it.
#[derive(Debug)]
pub(crate) struct Listed {
    /// The name of its file, and in links.
    pub(crate) name: String,
    /// What it is called.
    pub(crate) title: Bilingual,
    /// What it is about.
    pub(crate) summary: Bilingual,
    /// How many questions it asks.
    pub(crate) questions: usize,
}

/// A step of a lesson; called a stop here, as the page is full of steps.
#[derive(Debug)]
pub(crate) struct Stop {
    /// A few words.
    pub(crate) heading: Bilingual,
    /// Plain text; an empty line ends a paragraph.
    pub(crate) text: Bilingual,
    /// When it begins in a lecture, in minutes from the start.
    pub(crate) minutes: Option<u64>,
    /// The example to show, or else
    pub(crate) preset: Option<usize>,
    /// which of the lesson's own rollouts.
    pub(crate) rollouts: Option<usize>,
    /// How to compute.
    pub(crate) options: Options,
    /// The step to choose.
    pub(crate) select: Option<Cell>,
    /// The level to look at.
    pub(crate) level: Option<usize>,
    /// The part of the arithmetic to show last.
    pub(crate) phase: Option<Phase>,
    /// The part of the page to outline.
    pub(crate) highlight: Option<&'static str>,
    /// What learns in place of the steps.
    pub(crate) train: Option<Trained>,
    /// What to ask.
    pub(crate) question: Option<Question>,
}

/// A training that a stop shows in place of the steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Trained {
    /// What is set, as addresses hold it.
    pub(crate) setup: String,
    /// The parts that are shown, separated by spaces.
    pub(crate) parts: String,
}

/// A question whose answer is a number, or one of some choices.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Question {
    /// What is asked.
    pub(crate) text: Bilingual,
    /// The answers to choose from; none where a number is to be typed.
    pub(crate) choices: Vec<Bilingual>,
    /// The numbers that are right, or which of the choices, counted from 1; the first is the one that is told.
    pub(crate) answers: Vec<f64>,
    /// How far from it is near enough; 0 for choices.
    pub(crate) tolerance: f64,
    /// What helps who was wrong.
    pub(crate) hint: Bilingual,
    /// Why it is the number.
    pub(crate) explanation: Bilingual,
}

/// A stop of a lesson, by positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// Position in [`LESSONS`].
    pub(crate) lesson: usize,
    /// Position of the stop.
    pub(crate) stop: usize,
}

/// The parts of the page that a stop can outline.
pub(crate) const HIGHLIGHTS: [&str; 8] =
    ["stage", "groups", "arithmetic", "controls", "comparison", "truth", "agents", "policy"];

/// The lessons, in the order in which they are best taken. Their stops are in files of their own,
/// because most readers never open one.
pub(crate) static LESSONS: LazyLock<Vec<Listed>> = LazyLock::new(|| {
    let listed = read_json(list!("lessons")).expect("the tests read it");
    let listed = listed.as_array().into_iter().flatten();
    listed.map(|lesson| Listed::read(lesson).expect("the tests read it")).collect()
});

thread_local! {
    /// The lessons whose files were fetched, by the positions of [`LESSONS`], and after them those that the page was
    /// given; and whether an address leads to each. They are had for as long as the page is open.
    static COURSES: RefCell<Vec<Option<(&'static Course, bool)>>> =
        RefCell::new(vec![None; LESSONS.len()]);
}

/// Takes the file of a lesson, by its position in [`LESSONS`]; false where it is none.
pub(crate) fn provide(lesson: usize, text: &str) -> bool {
    let read = read::course(&LESSONS[lesson].name, text);
    let course = read.ok().map(|course| (&*Box::leak(Box::new(course)), true));
    COURSES.with_borrow_mut(|courses| courses[lesson] = course);
    course.is_some()
}

/// Whether the file of a lesson was fetched.
pub(crate) fn is_had(lesson: usize) -> bool {
    course(lesson).is_some()
}

/// The lesson with a position, once its file is had, and whether an address leads to it.
fn course(lesson: usize) -> Option<(&'static Course, bool)> {
    COURSES.with_borrow(|courses| *courses.get(lesson)?)
}

impl Listed {
    fn read(value: &Value) -> Option<Self> {
        Some(Self {
            name: value["name"].as_str()?.to_owned(),
            title: Bilingual::read(&value["title"])?,
            summary: Bilingual::read(&value["summary"])?,
            questions: value["questions"].as_u64()? as usize,
        })
    }

    /// The position of a lesson by its name.
    pub(crate) fn position(name: &str) -> Option<usize> {
        LESSONS.iter().position(|lesson| lesson.name == name).or_else(|| own::position(name))
    }
}

impl Question {
    /// How far from an answer is near enough where nothing else is said.
    pub(crate) const NEAR: f64 = 0.005;

    /// Whether a number is an answer, or near enough.
    pub(crate) fn admits(&self, number: f64) -> bool {
        // What is exact in print may be a last digit away in binary.
        self.answers.iter().any(|answer| (number - answer).abs() <= self.tolerance + 1e-9)
    }

    /// The choice of a number, where there are choices.
    pub(crate) fn choice(&self, number: f64) -> Option<&Bilingual> {
        self.choices.get((number as usize).wrapping_sub(1))
    }

    /// The answers as who asks for them is told: the number, or what the choices say.
    pub(crate) fn told_answers(&self) -> Vec<String> {
        let told = |answer: &f64| match self.choice(*answer) {
            Some(choice) => ["\u{201c}", choice.text(), "\u{201d}"].concat(),
            None => number::short(*answer, 4),
        };
        self.answers.iter().map(told).collect()
    }
}

impl Place {
    /// The stop of a lesson by its name, counted from 1 and kept within the lesson; none of a lesson
    /// whose file was not fetched.
    pub(crate) fn find(name: &str, stop: Option<usize>) -> Option<Self> {
        let lesson = Listed::position(name)?;
        let last = course(lesson)?.0.stops.len() - 1;
        Some(Self { lesson, stop: stop.unwrap_or(1).saturating_sub(1).min(last) })
    }

    /// Whether an address leads there in another window too: to no lesson that was opened as a file.
    pub(crate) fn has_address(self) -> bool {
        course(self.lesson).is_none_or(|(_, has_address)| has_address)
    }

    /// The first stop of a lesson whose file was fetched.
    pub(crate) fn first(lesson: usize) -> Self {
        Self { lesson, stop: 0 }
    }

    /// The lesson.
    pub(crate) fn lesson(self) -> &'static Listed {
        course(self.lesson).map_or(&LESSONS[0], |(course, _)| &course.listed)
    }

    /// All stops of the lesson.
    pub(crate) fn stops(self) -> &'static [Stop] {
        course(self.lesson).map_or(&[], |(course, _)| &course.stops)
    }

    /// The rollouts that the lesson brings for the stop: the name of their file, and the file.
    pub(crate) fn rollouts(self) -> Option<(String, &'static str)> {
        let number = self.stop().rollouts?;
        let text = course(self.lesson)?.0.rollouts.get(number)?;
        let name = [&*self.lesson().name, "-", &(number + 1).to_string(), ".rollouts.jsonl"];
        Some((name.concat(), text))
    }

    /// The stop.
    pub(crate) fn stop(self) -> &'static Stop {
        &self.stops()[self.stop]
    }

    /// The stop before it, in the same lesson.
    pub(crate) fn back(self) -> Option<Self> {
        Some(Self { stop: self.stop.checked_sub(1)?, ..self })
    }

    /// The stop after it in the same lesson; none at its end.
    pub(crate) fn next(self) -> Option<Self> {
        let stop = self.stop + 1;
        (stop < self.stops().len()).then_some(Self { stop, ..self })
    }

    /// The lesson after this one, if there is one.
    pub(crate) fn next_lesson(self) -> Option<usize> {
        Some(self.lesson + 1).filter(|next| *next < LESSONS.len())
    }
}

/// The pieces of a text: plain, or the name of the element that an index or a power is set in.
pub(crate) fn pieces(text: &str) -> Vec<(&'static str, &str)> {
    let mut pieces = Vec::new();
    let (mut start, mut place) = (0, 0);
    while let Some(found) = text[place..].find(['_', '^']) {
        let mark = place + found;
        let tag = if text[mark..].starts_with('_') { "sub" } else { "sup" };
        // Letters of other alphabets are told without Unicode's tables of them.
        let is_letter = |letter: char| letter.is_ascii_alphanumeric() || letter > '\u{7f}';
        let is_after = text[..mark].ends_with(|before| is_letter(before) || before == ')');
        let rest = &text[mark + 1..];
        // What Korean appends to a symbol is no part of it.
        let is_index =
            |letter: char| letter.is_ascii_alphanumeric() || ('α'..='ω').contains(&letter);
        let length = rest.find(|letter: char| !is_index(letter)).unwrap_or(rest.len());
        place = mark + 1;
        if is_after && length > 0 {
            pieces.extend([("", &text[start..mark]), (tag, &rest[..length])]);
            place += length;
            start = place;
        }
    }
    pieces.push(("", &text[start..]));
    pieces
}

/// A number as people write it: `-0,5`, `−0.5`, `40/9`, `64.3 %`; none if it is none.
pub(crate) fn number_of(text: &str) -> Option<f64> {
    if let Some(share) = text.trim().strip_suffix('%') {
        return Some(number_of(share)? / 100.0);
    }
    let plain = text.replace('\u{2212}', "-").replace(',', ".");
    let part = |text: &str| hgpo_core::number(text.trim());
    let number = match plain.split_once('/') {
        Some((above, below)) => part(above)? / part(below)?,
        None => part(&plain)?,
    };
    number.is_finite().then_some(number)
}

#[cfg(test)]
pub(crate) mod tests;
