//! What is on the stage: rollouts, what is set, and the step that is chosen; and what who shares it tells about it:
//! a title, a note, and a question whose answer is a number.

use super::{Bilingual, Cell, Controls, PRESETS, Question, Rollouts, Shared, number_of};
use serde_json::{Map, Value};

/// Endings of files that names of exported files leave out.
const ENDINGS: [&str; 6] = [".jsonl", ".ndjson", ".json", ".csv", ".txt", ".rollouts"];

/// Where the rollouts on the stage come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// One of [`PRESETS`], by position.
    Preset(usize),
    /// A file, by name.
    File(String),
}

impl Default for Source {
    fn default() -> Self {
        Self::Preset(0)
    }
}

impl Source {
    /// What it is called.
    pub(crate) fn title(&self) -> &str {
        match self {
            Self::Preset(index) => PRESETS[*index].title.text(),
            Self::File(name) => name,
        }
    }

    /// What the names of files made of it begin with.
    pub(crate) fn stem(&self) -> String {
        let mut stem = match self {
            Self::Preset(index) => &PRESETS[*index].name,
            Self::File(name) => name.as_str(),
        };
        for ending in ENDINGS {
            stem = stem.strip_suffix(ending).unwrap_or(stem);
        }
        stem.to_owned()
    }
}

/// What can be undone, shared and kept: everything that belongs to the work of the reader.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Document {
    /// Where the rollouts come from.
    pub(crate) source: Source,
    /// The rollouts.
    pub(crate) rollouts: Shared<Rollouts>,
    /// The setting of every control.
    pub(crate) controls: Controls,
    /// The task on the stage.
    pub(crate) task: usize,
    /// The step that the panel explains.
    pub(crate) selected: Cell,
    /// What who shared it tells about it.
    pub(crate) told: Option<Told>,
}

/// The words of who shares a work, each empty where there is none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Told {
    /// Title, note, question and answer, as they were typed.
    words: [String; 4],
}

/// The names of the words in links.
const KEYS: [&str; 4] = ["t", "n", "q", "a"];

impl Told {
    /// The position of the answer among the words.
    pub(crate) const ANSWER: usize = 3;

    /// What a link has of them.
    pub(super) fn read(value: &Value) -> Option<Self> {
        let words = KEYS.map(|key| value[key].as_str().unwrap_or_default().to_owned());
        Some(Self { words }).filter(Self::says)
    }

    /// The form in which links have them.
    pub(super) fn written(&self) -> Map<String, Value> {
        let words = KEYS.iter().zip(&self.words).filter(|(_, word)| !word.is_empty());
        words.map(|(key, word)| ((*key).to_owned(), word.as_str().into())).collect()
    }

    /// The same with other words in a place.
    pub(crate) fn with(mut self, place: usize, word: String) -> Self {
        self.words[place] = word;
        self
    }

    /// The words in a place.
    pub(crate) fn word(&self, place: usize) -> &str {
        &self.words[place]
    }

    /// Title and note.
    pub(crate) fn story(&self) -> [&str; 2] {
        [self.word(0), self.word(1)]
    }

    /// Whether there are any words.
    pub(crate) fn says(&self) -> bool {
        self.words.iter().any(|word| !word.is_empty())
    }

    /// Whether a question has an answer that is a number, or there is neither.
    pub(crate) fn is_whole(&self) -> bool {
        let [_, _, question, answer] = &self.words;
        question.is_empty() && answer.is_empty() || self.question().is_some()
    }

    /// The question. Its answer is as exact as it was typed: within half of the last decimal, of two
    /// decimals at least.
    pub(crate) fn question(&self) -> Option<Question> {
        let [_, _, question, answer] = &self.words;
        let decimals = answer.trim().rsplit_once(['.', ',']).map_or(0, |(_, rest)| rest.len());
        let finer = decimals.clamp(2, 12) as i32 - 2;
        Some(Question {
            text: Bilingual::of(question),
            choices: Vec::new(),
            answers: vec![number_of(answer).filter(|_| !question.is_empty())?],
            tolerance: Question::NEAR * 0.1_f64.powi(finer),
            hint: Bilingual::default(),
            explanation: Bilingual::default(),
        })
    }
}

#[cfg(test)]
mod told_tests {
    use super::Told;
    use crate::model::{Action, Asked, Cell, Edit, EditKind, Model, Theme, share, update};

    fn told(words: [&str; 4]) -> Told {
        Told { words: words.map(str::to_owned) }
    }

    #[test]
    fn words_travel_in_a_link_and_stay_with_the_work() {
        let model = Model::new(Theme::Auto);
        let mut work = model.work();
        let words = told(["Quiz", "Look at t2.\n\u{202e}!", "What is A?", "-0,425"]);
        work.document.told = Some(words.clone());
        assert_eq!(Asked::of(&work), None, "no readable address says it");
        let link = share::encode(&work);
        let read = update(&model, Action::Link(link.clone()));
        assert_eq!(read.document.told.as_ref(), Some(&words));
        assert_eq!(share::encode(&read.work()), link);
        let edited =
            update(&read, Action::Edit(Edit(Cell::default(), EditKind::Reward("7".to_owned()))));
        assert_eq!(edited.document.told.as_ref(), Some(&words));
        assert_eq!(update(&edited, Action::Open(2)).document.told, None);
        work.document.told = None;
        assert!(share::encode(&work).len() < link.len());
    }

    #[test]
    fn a_question_needs_a_number_and_admits_what_is_as_exact() {
        let admits = |answer: &str, number: f64| {
            told(["", "", "?", answer]).question().map(|question| question.admits(number))
        };
        assert_eq!(admits("9.5", 9.504), Some(true));
        assert_eq!(admits("9.5", 9.506), Some(false));
        assert_eq!(admits("\u{2212}0,4251", -0.42514), Some(true));
        assert_eq!(admits("-0.4251", -0.4252), Some(false));
        assert_eq!(admits("40/9", 4.444), Some(true));
        assert_eq!(admits("five", 5.0), None);
        assert!(!told(["", "", "?", "five"]).is_whole() && !told(["", "", "", "5"]).is_whole());
        assert!(told(["Only a title", "", "", ""]).is_whole());
        assert!(!told([""; 4]).says());
    }
}

#[cfg(test)]
mod tests {
    use super::Source;
    use crate::model::{PRESETS, Rollouts};

    #[test]
    fn files_are_named_after_their_source() {
        assert_eq!(Source::Preset(0).stem(), "overview");
        let of = |name: &str| Source::File(name.to_owned()).stem();
        assert_eq!(of("run 3.rollouts.jsonl"), "run 3");
        assert_eq!(of("table.v2.csv"), "table.v2");
        assert_eq!(of("pasted"), "pasted");
    }

    #[test]
    fn written_rollouts_are_read_again_as_they_were() {
        for preset in PRESETS.iter() {
            let before = preset.load().0;
            let after = Rollouts::read(&before.written()).expect("readable");
            assert!(after.all().eq(before.all()), "{}", preset.name);
        }
    }
}
