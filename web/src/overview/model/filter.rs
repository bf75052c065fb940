//! How the reader looks at a file: which steps are looked for, and the order of its tasks.

use super::{File, Sorting};
use serde::{Deserialize, Serialize};

/// What steps have to be like; every wish has to be met.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Filter {
    /// Estimators differ in the sign of the advantage.
    pub(crate) opposite: bool,
    /// No other step of the task is in the state.
    pub(crate) alone: bool,
    /// The response broke the format.
    pub(crate) invalid: bool,
    /// A part of the state's text, in small or capital letters.
    pub(crate) text: String,
    /// The name of the agent that took the step.
    pub(crate) agent: Option<String>,
}

/// How the reader looks at a file: kept as long as it is open, also while its page is loaded again.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Wishes {
    /// What the file is called.
    pub(crate) file: String,
    /// Which steps are looked for.
    pub(crate) filter: Filter,
    /// The order of the tasks.
    pub(crate) sorting: Sorting,
}

/// Which steps and tasks of a file meet a filter.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Found {
    /// Whether each step of the file does.
    pub(crate) steps: Vec<bool>,
    /// How many steps do.
    pub(crate) count: usize,
    /// The tasks with such a step, in the order of the file.
    pub(crate) tasks: Vec<usize>,
}

impl Filter {
    /// What of a file meets the filter.
    pub(crate) fn apply(&self, file: &File) -> Found {
        let wanted = self.text.trim().to_lowercase();
        let has = |text: &String| wanted.is_empty() || text.to_lowercase().contains(&wanted);
        let texts: Vec<bool> = file.texts.all().iter().map(has).collect();
        let agent = self.agent.as_deref().map(|name| file.agents.find(name));
        let meets = |step: usize| {
            let own = &file.steps[step];
            texts[own.state]
                && !(self.invalid && own.valid)
                && (!self.alone || own.alone)
                && agent.is_none_or(|agent| agent.is_some() && own.agent == agent)
                && (!self.opposite || file.is_disputed(step))
        };
        let steps: Vec<bool> = (0..file.steps.len()).map(meets).collect();
        let has_one = |task: &usize| steps[file.tasks[*task].steps.clone()].contains(&true);
        let tasks = (0..file.tasks.len()).filter(has_one).collect();
        let count = steps.iter().filter(|meets| **meets).count();
        Found { steps, count, tasks }
    }
}

#[cfg(test)]
mod tests {
    use super::{Filter, Found, Wishes};
    use crate::overview::model::file::tests::both;
    use crate::overview::model::{Key, Sorting};

    #[test]
    fn what_is_kept_is_read_again_and_nothing_else() {
        let filter = Filter { alone: true, text: "a \"hall\"".to_owned(), ..Filter::default() };
        let sorting = Sorting { by: Some((Key::Opposite(2), true)) };
        let wishes = Wishes { file: "a.jsonl".to_owned(), filter, sorting };
        for wishes in [wishes, Wishes::default()] {
            let kept = serde_json::to_string(&wishes).expect("text");
            assert_eq!(serde_json::from_str::<Wishes>(&kept).ok(), Some(wishes));
        }
        for text in ["", "{", "7", "{}", r#"{"file":7,"text":""}"#, r#"{"file":"a"}"#] {
            assert!(serde_json::from_str::<Wishes>(text).is_err(), "{text}");
        }
    }

    #[test]
    fn every_wish_has_to_be_met() {
        let file = both();
        let found = |filter: Filter| {
            let Found { steps, count, tasks } = filter.apply(&file);
            let places: Vec<usize> = (0..steps.len()).filter(|&step| steps[step]).collect();
            assert_eq!(count, places.len());
            (places, tasks)
        };
        let any = Filter::default();
        assert_eq!(found(any.clone()), (vec![0, 1, 2, 3, 4], vec![0, 1]));
        assert_eq!(found(Filter { alone: true, ..any.clone() }), (vec![1, 4], vec![0, 1]));
        assert_eq!(found(Filter { invalid: true, ..any.clone() }), (vec![2], vec![0]));
        let hall = Filter { text: " hALL ".to_owned(), ..any.clone() };
        assert_eq!(found(hall.clone()), (vec![4], vec![1]));
        assert_eq!(found(Filter { invalid: true, ..hall }), (vec![], vec![]));
        let agent = |name: &str| Filter { agent: Some(name.to_owned()), ..any.clone() };
        assert_eq!(found(agent("m")), (vec![0], vec![0]));
        assert_eq!(found(agent("n")), (vec![], vec![]), "no step has it");
        assert_eq!(found(Filter { opposite: true, ..any }), (vec![], vec![]));
    }
}
