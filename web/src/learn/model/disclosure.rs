//! Disclosure: what may be shown while a question is open. Whatever could tell the answer asks here.

use super::Stop;
use super::progress::{Posed, QuestionKey};
use crate::model::{Model, Phase};

/// What may be shown of the chosen step beside the steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Disclosure {
    /// Everything.
    Whole,
    /// This part of the arithmetic alone.
    Part(Phase),
    /// Nothing.
    Nothing,
}

impl Stop {
    /// The part of the arithmetic that stands beside the steps; none where none does.
    pub(crate) fn part(&self) -> Option<Phase> {
        match self.highlight {
            Some("groups") => Some(Phase::Groups),
            Some("arithmetic") => Some(self.phase.unwrap_or(Phase::Sum)),
            _ => None,
        }
    }
}

impl Model {
    /// The question that is asked now, if one is: that of the stop, or that of a link.
    pub(crate) fn posed(&self) -> Option<Posed> {
        let (key, question) = match self.place() {
            Some(place) => {
                let lesson = place.lesson().name.clone();
                let question = place.stop().question.as_ref()?.clone();
                (QuestionKey { lesson, stop: Some(place.stop) }, question)
            }
            None if self.tab.is_own() => {
                let question = self.document.told.as_ref()?.question()?;
                // Another link may ask the same of other work.
                let answers = question.told_answers().concat();
                let lesson = [question.text.text(), "\n", &answers].concat();
                (QuestionKey { lesson, stop: None }, question)
            }
            None => return None,
        };
        let answered = self.progress.of(&key);
        Some(Posed { key, question, answered })
    }

    /// Whether a question is open, so that nothing may be shown that could tell its answer: no numbers in the cells,
    /// no sizes of groups, no comparison, truth, agents, overview or files, and of the panel what
    /// [`Self::disclosure`] says.
    pub(crate) fn withholds(&self) -> bool {
        self.posed().is_some_and(|posed| posed.is_open())
    }

    /// What the panel may tell: while a question is open, the part that the stop speaks about, unless that comes to the
    /// advantage, and at the step that it speaks about.
    pub(crate) fn disclosure(&self) -> Disclosure {
        if !self.withholds() {
            return Disclosure::Whole;
        }
        let stop = self.place().map(super::Place::stop);
        let is_chosen =
            |stop: &&Stop| stop.select.is_none_or(|cell| cell == self.document.selected);
        let part = stop.filter(is_chosen).and_then(Stop::part);
        part.filter(|part| *part < Phase::Levels).map_or(Disclosure::Nothing, Disclosure::Part)
    }
}

#[cfg(test)]
mod tests {
    use super::Disclosure;
    use crate::model::lesson::tests::at;
    use crate::model::{Action, Cell, Phase, Shown, Tab, update};

    #[test]
    fn an_open_question_leaves_its_part_alone_and_no_numbers() {
        let model = at(0, 8);
        assert_eq!(
            (model.shown(), model.disclosure()),
            (Shown::Withheld, Disclosure::Part(Phase::Groups))
        );
        let elsewhere = update(&model, Action::Select(Cell { row: 2, step: 3 }));
        assert_eq!(elsewhere.disclosure(), Disclosure::Nothing, "another step may be asked for");
        let further = update(&model, Action::Phase(Some(Phase::Sum)));
        assert_eq!(further.disclosure(), model.disclosure(), "no key leads further");
        let kept = update(&model, Action::Keep);
        assert_eq!(kept.tab, model.tab, "its example would tell");
        let left = update(&model, Action::Go(Tab::Explore));
        assert!(!left.withholds());
    }
}
