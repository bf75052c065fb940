//! Progress in the lessons: what was answered to which question. The browser keeps it, and a reader can take it away
//! as a file.

use super::{LESSONS, Listed, Question, number_of};
use crate::model::Bilingual;
use serde_json::{Value, json};
use std::rc::Rc;

/// Which question: the name of its lesson and the position of its stop, or the words of one that a link asks.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct QuestionKey {
    /// The lesson's name in links; what a link asks, with the answer.
    pub(crate) lesson: String,
    /// The position of the stop; none of what a link asks.
    pub(crate) stop: Option<usize>,
}

/// What came of an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// There is none yet.
    #[default]
    Open,
    /// It was no number.
    NoNumber,
    /// It was wrong.
    Wrong,
    /// It was right.
    Right,
    /// The reader had the answer shown.
    Shown,
}

impl Verdict {
    /// What it is called in files, where it is kept.
    const NAMED: [(&str, Self); 3] =
        [("wrong", Self::Wrong), ("right", Self::Right), ("shown", Self::Shown)];

    fn name(self) -> Option<&'static str> {
        Self::NAMED.into_iter().find(|(_, own)| *own == self).map(|(name, _)| name)
    }
}

/// What a reader does about a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Reply {
    /// Answers with what was typed, or with the number of a choice.
    Typed(String),
    /// Has the answer shown.
    Show,
    /// Shows the answer, or takes it back: a lecturer, to whom no answer counts.
    Turn,
}

/// What was answered to a question.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Answered {
    /// What came of the last answer.
    pub(crate) verdict: Verdict,
    /// How many answers were wrong.
    pub(crate) missed: u32,
    /// The last answer: what was typed, or what the choice says.
    given: String,
    /// The day of it, as `2026-11-29`.
    date: String,
}

/// The questions that were answered, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Progress(Rc<Vec<(QuestionKey, Answered)>>);

/// A question that is asked now.
#[derive(Clone, Debug)]
pub(crate) struct Posed {
    /// Which one it is.
    pub(crate) key: QuestionKey,
    /// What it asks.
    pub(crate) question: Question,
    /// What was answered to it.
    pub(crate) answered: Answered,
}

impl Posed {
    /// Whether what it may ask for is not to be told yet.
    pub(crate) fn is_open(&self) -> bool {
        !matches!(self.answered.verdict, Verdict::Right | Verdict::Shown)
    }
}

impl Progress {
    /// What was answered to a question.
    pub(crate) fn of(&self, key: &QuestionKey) -> Answered {
        let known = self.0.iter().find(|(own, _)| own == key);
        known.map(|(_, answered)| answered.clone()).unwrap_or_default()
    }

    /// Takes a reply to a question, on a day.
    pub(crate) fn reply(&mut self, posed: &Posed, reply: Reply, date: String) {
        let Answered { verdict: before, missed, given, .. } = posed.answered.clone();
        self.forget(&posed.key);
        let (verdict, given) = match reply {
            Reply::Turn if !posed.is_open() => return,
            Reply::Turn | Reply::Show => (Verdict::Shown, given),
            Reply::Typed(text) => match number_of(&text) {
                None => (Verdict::NoNumber, given),
                Some(number) => {
                    let is_right = posed.question.admits(number);
                    let choice = posed.question.choice(number).map(Bilingual::text);
                    let given = choice.map_or(text, str::to_owned);
                    (if is_right { Verdict::Right } else { Verdict::Wrong }, given)
                }
            },
        };
        // Who has seen the answer has not found it.
        let verdict = if before == Verdict::Shown { before } else { verdict };
        let missed = missed + u32::from(verdict == Verdict::Wrong);
        self.put(posed.key.clone(), Answered { verdict, missed, given, date });
    }

    fn forget(&mut self, key: &QuestionKey) {
        Rc::make_mut(&mut self.0).retain(|(own, _)| own != key);
    }

    fn put(&mut self, key: QuestionKey, answered: Answered) {
        let all = Rc::make_mut(&mut self.0);
        let place = all.iter().position(|(own, _)| *own > key).unwrap_or(all.len());
        all.insert(place, (key, answered));
    }

    /// How many questions of a lesson are answered, and how many of these are answered right.
    pub(crate) fn count(&self, lesson: &str) -> [usize; 2] {
        let done = |verdicts: &[Verdict]| {
            let of = |(key, one): &&(QuestionKey, Answered)| {
                key.stop.is_some() && key.lesson == lesson && verdicts.contains(&one.verdict)
            };
            self.0.iter().filter(of).count()
        };
        [done(&[Verdict::Right, Verdict::Shown]), done(&[Verdict::Right])]
    }

    /// Whether there is anything to keep of the lessons.
    pub(crate) fn is_empty(&self) -> bool {
        !self.0.iter().any(|(key, one)| key.stop.is_some() && one.verdict.name().is_some())
    }

    /// The file that the browser keeps and a reader takes away: lesson by lesson, every answer.
    pub(crate) fn written(&self) -> String {
        let of_lesson = |own: &[(QuestionKey, Answered)]| {
            let name = &*own[0].0.lesson;
            let answer = |(key, one): &(QuestionKey, Answered)| {
                Some(json!({
                    "step": key.stop? + 1,
                    "answer": one.given,
                    "result": one.verdict.name()?,
                    "wrong": one.missed,
                    "date": one.date,
                }))
            };
            let answers: Vec<Value> = own.iter().filter_map(answer).collect();
            let known = LESSONS.iter().find(|lesson| lesson.name == name);
            json!({
                "lesson": name,
                "title": known.map(|lesson| lesson.title.text()),
                "questions": known.map(|lesson| lesson.questions),
                "right": self.count(name)[1],
                "answers": answers,
            })
        };
        let lessons = self.0.chunk_by(|(one, _), (next, _)| one.lesson == next.lesson);
        let lessons = lessons.filter(|own| own[0].0.stop.is_some()).map(of_lesson);
        json!({"version": 1, "lessons": lessons.collect::<Vec<_>>()}).to_string()
    }

    /// What the browser kept; nothing of what is damaged.
    pub(crate) fn read(text: &str) -> Self {
        let file = hgpo_core::read_json(text).unwrap_or_default();
        let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
        let mut all = Self::default();
        for lesson in list(&file["lessons"]) {
            for answer in list(&lesson["answers"]) {
                let word = |key: &str| answer[key].as_str().unwrap_or_default().to_owned();
                let result = word("result");
                let verdict = Verdict::NAMED.into_iter().find(|(name, _)| *name == result);
                let name = lesson["lesson"].as_str();
                let stop = answer["step"].as_u64().and_then(|step| step.checked_sub(1));
                let (Some(name), Some(stop), Some((_, verdict))) = (name, stop, verdict) else {
                    continue;
                };
                let key = QuestionKey { lesson: name.to_owned(), stop: Some(stop as usize) };
                let missed = answer["wrong"].as_u64().unwrap_or_default() as u32;
                let (given, date) = (word("answer"), word("date"));
                all.forget(&key);
                all.put(key, Answered { verdict, missed, given, date });
            }
        }
        all
    }
}

impl Listed {
    /// How many questions of the lesson are answered, and how many of these right; none before the first.
    pub(crate) fn progress(&self, progress: &Progress) -> Option<[usize; 2]> {
        Some(progress.count(&self.name)).filter(|[answered, _]| *answered > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::{Progress, Reply, Verdict};
    use crate::model::lesson::tests::at;
    use crate::model::{Action, Model, Tab, update};
    use serde_json::Value;

    fn reply(model: &Model, reply: Reply) -> Model {
        update(model, Action::Reply(reply, "2026-11-29".to_owned()))
    }

    fn typed(model: &Model, text: &str) -> Model {
        reply(model, Reply::Typed(text.to_owned()))
    }

    fn verdict(model: &Model) -> (Verdict, u32) {
        let answered = model.posed().expect("it asks").answered;
        (answered.verdict, answered.missed)
    }

    #[test]
    fn answers_are_counted_and_written_and_read_again() {
        let model = at(0, 1);
        let wrong = typed(&typed(&typed(&model, "many"), "7"), "8");
        assert_eq!(verdict(&wrong), (Verdict::Wrong, 2));
        assert_eq!(wrong.progress.count("credit"), [0, 0]);
        let right = typed(&wrong, "5/2");
        assert_eq!((verdict(&right), right.withholds()), ((Verdict::Right, 2), false));
        let place = right.place().and_then(crate::model::Place::next);
        let next = update(&right, Action::Go(Tab::Learn(place)));
        assert!(next.withholds(), "another question");
        let both = reply(&next, Reply::Show);
        assert_eq!(both.progress.count("credit"), [2, 1]);
        assert_eq!(verdict(&typed(&both, "3")).0, Verdict::Shown, "it was shown before");
        let text = both.progress.written();
        assert_eq!(Progress::read(&text), both.progress);
        let file: Value = serde_json::from_str(&text).expect("JSON");
        let lesson = &file["lessons"][0];
        assert_eq!((&lesson["lesson"], &lesson["right"]), (&"credit".into(), &1.into()));
        assert_eq!(lesson["answers"][0]["answer"], "5/2");
        assert_eq!(lesson["answers"][0]["date"], "2026-11-29");
    }

    #[test]
    fn a_lecturer_shows_the_answer_and_takes_it_back() {
        let model = at(0, 1);
        let shown = reply(&model, Reply::Turn);
        assert!(!shown.withholds());
        let back = reply(&shown, Reply::Turn);
        assert!(back.withholds() && back.progress.is_empty());
    }

    #[test]
    fn damaged_progress_is_none() {
        for text in ["", "[]", "{\"lessons\":[{\"lesson\":\"credit\",\"answers\":[{\"step\":0}]}]}"]
        {
            assert_eq!(Progress::read(text), Progress::default(), "{text}");
        }
    }
}
