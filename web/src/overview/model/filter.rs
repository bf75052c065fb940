//! Which steps the reader looks for.

use super::File;

/// What steps have to be like; every wish has to be met.
#[derive(Debug, Clone, Default, PartialEq)]
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
    use super::{Filter, Found};
    use crate::overview::model::file::tests::both;

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
