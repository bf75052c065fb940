//! Between the overview of all tasks and the stage of one.

use super::{Cell, Document, Model, Tab};

impl Model {
    /// Shows a step of a task on the stage.
    pub(super) fn find(&mut self, task: usize, cell: Cell) {
        let task = task.min(self.document.rollouts.tasks.len() - 1);
        let selected = self.document.rollouts.tasks[task].nearest(cell);
        self.turn_to(Document { task, selected, ..self.document.clone() });
        self.close_overview();
    }

    /// Goes back to the stage, if the overview is open.
    pub(super) fn close_overview(&mut self) {
        if self.tab == Tab::Overview {
            self.tab = Tab::Explore;
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::model::{Action, Cell, Model, Rollouts, Shared, Tab, Theme, update};

    const OVERVIEW: Action = Action::Go(Tab::Overview);

    const TWO: &str = r#"{"task":"g","trajectory":"x","steps":[{"state":"a","reward":1}]}
{"task":"h","trajectory":"y","steps":[{"state":"a","reward":1},{"state":"b","reward":0}]}"#;

    fn load() -> Action {
        let rollouts = Shared::new(Rollouts::read(TWO).expect("rollouts"));
        Action::Load { name: "two".to_owned(), rollouts }
    }

    fn after(actions: &[Action]) -> Model {
        let model = Model::new(Theme::Auto);
        actions.iter().fold(model, |model, action| update(&model, action.clone()))
    }

    #[test]
    fn a_step_is_found_in_any_task_and_closes_the_overview() {
        let at = Cell { row: 0, step: 1 };
        let found = after(&[load(), OVERVIEW, Action::Find(1, at)]);
        assert_eq!((found.document.task, found.document.selected, found.focus), (1, at, at));
        assert_eq!((found.tab, found.is_surveyed), (Tab::Explore, true));
        let beyond = after(&[load(), Action::Find(9, Cell { row: 9, step: 9 })]);
        assert_eq!(
            (beyond.document.task, beyond.document.selected),
            (1, at),
            "the nearest there is"
        );
        assert!(!beyond.is_surveyed, "it was never there");
    }

    #[test]
    fn a_lesson_is_left_for_the_overview_and_finds_the_work_as_it_was() {
        crate::model::lesson::tests::have_lessons();
        let place = crate::model::Place::find("context", None);
        let learning = after(&[load(), Action::Go(Tab::Learn(place))]);
        let survey = update(&learning, OVERVIEW);
        assert_eq!(survey.document.rollouts.tasks.len(), 2);
        let broken = after(&[
            load(),
            OVERVIEW,
            Action::Refuse { name: "x".into(), message: "cut off".into() },
        ]);
        assert_eq!((broken.tab, broken.problem.is_some()), (Tab::Overview, true));
    }

    #[test]
    fn other_rollouts_stay_in_the_overview_and_examples_leave_it() {
        assert_eq!(after(&[OVERVIEW, load()]).tab, Tab::Overview);
        for leaving in [Action::Open(0), Action::Task(0), Action::Link(String::new())] {
            assert_eq!(after(&[load(), OVERVIEW, leaving]).tab, Tab::Explore);
        }
    }
}
