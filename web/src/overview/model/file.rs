//! A rollouts file under several estimators, taken up task by task.

use super::instruction::instruction;
use crate::model::elided;
use crate::text::called;
use hgpo_core::{Batch, Error, Hierarchy, Level, Options, Trajectory, estimate};
use std::collections::HashMap;
use std::ops::Range;

/// What the page calls an estimator.
pub(crate) fn label(method: &Options) -> &'static str {
    called(method.estimator.name())
}

/// A step of the file: where it is, and what filters ask for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct StepOf {
    /// Its task.
    pub(crate) task: usize,
    /// Its attempt among those of the task.
    pub(crate) attempt: usize,
    /// Its place in the attempt, from 0.
    pub(crate) at: usize,
    /// Its state among the file's texts.
    pub(crate) state: usize,
    /// Its action among the file's texts.
    pub(crate) action: Option<usize>,
    /// Its agent among the file's agents.
    pub(crate) agent: Option<usize>,
    /// Whether its response kept the format.
    pub(crate) valid: bool,
    /// Whether no other step of the task is in its state.
    pub(crate) alone: bool,
}

/// A task of a file, in numbers.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Task {
    /// Its name.
    pub(crate) name: String,
    /// What the agent was asked to do, if the file tells.
    pub(crate) instruction: Option<String>,
    /// The names of its attempts.
    pub(crate) attempts: Vec<String>,
    /// How many of them succeeded.
    pub(crate) successes: usize,
    /// The mean of their scores, a score being the sum of an attempt's rewards.
    pub(crate) score: f64,
    /// Its steps among those of the file.
    pub(crate) steps: Range<usize>,
    /// Steps whose advantage is exactly 0 under the chosen estimator.
    pub(crate) silent: usize,
    /// Steps whose advantage has the opposite sign under another estimator, one count for each.
    pub(crate) opposite: Vec<usize>,
    /// States that only one step is in: groups of level 0 with a single member.
    pub(crate) alone: usize,
    /// Steps whose response broke the format.
    pub(crate) invalid: usize,
}

impl Task {
    /// The share of its steps that teach nothing.
    pub(crate) fn silence(&self) -> f64 {
        self.silent as f64 / self.steps.len() as f64
    }

    /// The share of its attempts that succeeded.
    pub(crate) fn success(&self) -> f64 {
        self.successes as f64 / self.attempts.len() as f64
    }
}

/// Different texts by number.
#[derive(Debug, Default)]
pub(crate) struct Texts {
    all: Vec<String>,
    number_of: HashMap<String, usize>,
}

impl Texts {
    fn number(&mut self, text: &str) -> usize {
        if let Some(&known) = self.number_of.get(text) {
            return known;
        }
        self.number_of.insert(text.to_owned(), self.all.len());
        self.all.push(text.to_owned());
        self.all.len() - 1
    }

    /// The number of a text.
    pub(crate) fn find(&self, text: &str) -> Option<usize> {
        self.number_of.get(text).copied()
    }

    /// The texts in order of appearance.
    pub(crate) fn all(&self) -> &[String] {
        &self.all
    }
}

/// A rollouts file under several estimators.
#[derive(Debug, Default)]
pub(crate) struct File {
    /// The estimators, the chosen one first.
    pub(crate) methods: Vec<Options>,
    /// Its tasks.
    pub(crate) tasks: Vec<Task>,
    /// Its steps, task by task.
    pub(crate) steps: Vec<StepOf>,
    /// The advantage of every step under each estimator.
    pub(crate) advantages: Vec<Vec<f64>>,
    /// How many steps each step has its last states in common with, itself included: by level, from the
    /// state alone on; 0 if it has no such past.
    pub(crate) sizes: Vec<Vec<usize>>,
    /// The states and actions of its steps.
    pub(crate) texts: Texts,
    /// The agents that its steps name.
    pub(crate) agents: Texts,
}

impl File {
    /// A file of which nothing is taken up yet.
    pub(crate) fn new(methods: Vec<Options>) -> Self {
        Self { advantages: vec![Vec::new(); methods.len()], methods, ..Self::default() }
    }

    /// Takes up the trajectories of one task.
    ///
    /// # Errors
    /// An estimator that does not take them.
    pub(crate) fn add(&mut self, batch: &Batch) -> Result<(), Error> {
        let first = self.steps.len();
        for (own, method) in self.advantages.iter_mut().zip(&self.methods) {
            own.extend(estimate(batch, method)?.advantages.into_values());
        }
        self.add_sizes(batch);
        for (attempt, own) in batch.trajectories().iter().enumerate() {
            for (at, step) in own.steps.iter().enumerate() {
                self.steps.push(StepOf {
                    task: self.tasks.len(),
                    attempt,
                    at,
                    state: self.texts.number(&step.state),
                    action: step.action.as_ref().map(|action| self.texts.number(action)),
                    agent: step.agent.as_ref().map(|agent| self.agents.number(agent)),
                    valid: step.valid,
                    alone: self.sizes[0][self.steps.len()] == 1,
                });
            }
        }
        let task = self.told(batch.trajectories(), first);
        self.tasks.push(task);
        Ok(())
    }

    /// The sizes of the groups of equal contexts, as far as an estimator looks.
    fn add_sizes(&mut self, batch: &Batch) {
        let depths = self.methods.iter().filter_map(|it| it.estimator.context_length());
        let depth = depths.max().unwrap_or(0);
        let groups = Hierarchy::new(batch, depth);
        self.sizes.resize(depth + 1, Vec::new());
        for (level, sizes) in self.sizes.iter_mut().enumerate() {
            let mut members = vec![0; groups.group_count(Level(level))];
            let of_row = |row: usize| groups.group(Level(level), row);
            (0..batch.step_count()).filter_map(of_row).for_each(|group| members[group] += 1);
            let size = |row: usize| of_row(row).map_or(0, |group| members[group]);
            sizes.extend((0..batch.step_count()).map(size));
        }
    }

    /// What is told of the task whose steps begin at `first` and are taken up already.
    fn told(&self, rows: &[Trajectory], first: usize) -> Task {
        let steps = first..self.steps.len();
        let own = &self.steps[steps.clone()];
        let scores = rows.iter().flat_map(|row| &row.steps).map(|step| step.reward).sum::<f64>();
        Task {
            name: rows[0].task.clone(),
            instruction: rows.iter().find_map(instruction),
            attempts: rows.iter().map(|row| row.trajectory.clone()).collect(),
            successes: rows.iter().filter(|row| row.succeeded()).count(),
            score: scores / rows.len() as f64,
            silent: steps.clone().filter(|&step| self.advantages[0][step] == 0.0).count(),
            opposite: self
                .others()
                .map(|other| steps.clone().filter(|&step| self.is_opposite(step, other)).count())
                .collect(),
            alone: own.iter().filter(|step| step.alone).count(),
            invalid: own.iter().filter(|step| !step.valid).count(),
            steps,
        }
    }

    /// The words that tell the states of its steps apart, among its texts; nothing for other texts.
    pub(crate) fn words(&self) -> Vec<String> {
        let mut words = vec![String::new(); self.texts.all().len()];
        let mut states: Vec<usize> = self.steps.iter().map(|step| step.state).collect();
        states.sort_unstable();
        states.dedup();
        let texts: Vec<&str> = states.iter().map(|own| &*self.texts.all()[*own]).collect();
        for (own, shown) in states.into_iter().zip(elided(&texts)) {
            words[own] = shown;
        }
        words
    }

    /// The estimators besides the chosen one.
    pub(crate) fn others(&self) -> Range<usize> {
        1..self.methods.len()
    }

    /// Whether one of the chosen estimator and another one raises a step that the other lowers.
    pub(crate) fn is_opposite(&self, step: usize, other: usize) -> bool {
        self.are_opposite(step, 0, other)
    }

    /// Whether one of two estimators raises a step that the other lowers.
    pub(crate) fn are_opposite(&self, step: usize, one: usize, other: usize) -> bool {
        let [one, other] = [one, other].map(|method| self.advantages[method][step]);
        (one > 0.0 && other < 0.0) || (one < 0.0 && other > 0.0)
    }

    /// Whether some other estimator has the opposite sign.
    pub(crate) fn is_disputed(&self, step: usize) -> bool {
        self.others().any(|other| self.is_opposite(step, other))
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::File;
    use crate::model::Rollouts;
    use hgpo_core::{Discount, Estimator, Gigpo, Grpo, Hgpo, Options, Scale};

    fn options(estimator: Estimator) -> Options {
        Options {
            estimator,
            discount: Discount::new(1.0).expect("at most 1"),
            ..Options::default()
        }
    }

    /// HGPO, GRPO and GiGPO, centred only and without a discount.
    pub(crate) fn methods() -> Vec<Options> {
        let scale = Scale::Mean;
        let estimators = [
            Estimator::Hgpo(Hgpo { scale, ..Hgpo::default() }),
            Estimator::Grpo(Grpo { scale, ..Grpo::default() }),
            Estimator::Gigpo(Gigpo { scale, ..Gigpo::default() }),
        ];
        estimators.map(options).into()
    }

    /// Two attempts: x goes through a (nothing), b (4); y is in a (1, out of form) and in a again (2).
    pub(crate) const DISPUTE: &str = r#"{"task":"g","trajectory":"x","success":true,"goal":"win","steps":[{"state":"a","reward":0,"agent":"m"},{"state":"b","reward":4,"action":"go"}]}
{"task":"g","trajectory":"y","success":false,"steps":[{"state":"a","reward":1,"valid":false},{"state":"a","reward":5}]}"#;

    /// One attempt of one step.
    pub(crate) const LONELY: &str =
        r#"{"task":"alone","trajectory":"z","steps":[{"state":"Hall","reward":-1}]}"#;

    fn read(lines: &str) -> File {
        let mut file = File::new(methods());
        for task in Rollouts::read(lines).expect("rollouts").tasks {
            file.add(&task.batch).expect("taken");
        }
        file
    }

    pub(crate) fn both() -> File {
        read(&[DISPUTE, "\n", LONELY].concat())
    }

    /// Returns without a discount: x 4, 4; y 6 − 0.1 = 5.9, 5. In state a: 4, 5.9, 5, mean 149/30; b is
    /// alone; level 1 has (a, b) and (a, a), each alone. HGPO: 4 − 149/30, 0, 5.9 − 149/30, 5 − 149/30.
    /// GRPO: scores 4, 4, 5.9, 6, mean 4.975: −0.975, −0.975, 0.925, 1.025. GiGPO is their sum.
    #[test]
    fn a_task_is_told_in_numbers() {
        let file = both();
        let close = |method: usize, expected: [f64; 4]| {
            let own = &file.advantages[method];
            for (found, expected) in own.iter().zip(expected) {
                assert!((found - expected).abs() < 1e-12, "{method}: {found} is not {expected}");
            }
        };
        let mean = 149.0 / 30.0;
        close(0, [4.0 - mean, 0.0, 5.9 - mean, 5.0 - mean]);
        close(1, [-0.975, -0.975, 0.925, 1.025]);
        close(2, [4.0 - mean - 0.975, -0.975, 5.9 - mean + 0.925, 5.0 - mean + 1.025]);
        let task = &file.tasks[0];
        assert_eq!((task.name.as_str(), task.instruction.as_deref()), ("g", Some("win")));
        assert_eq!((task.attempts.len(), task.successes, task.success()), (2, 1, 0.5));
        // (4 + 6) / 2; b's advantage is 0 under HGPO, one of four steps.
        assert_eq!((task.score, task.silent, task.silence()), (5.0, 1, 0.25));
        assert_eq!((task.alone, task.invalid), (1, 1));
        assert_eq!(task.opposite, [0, 0], "a zero is opposite to nothing");
        assert_eq!(task.steps, 0..4);
    }

    #[test]
    fn signs_are_opposite_only_where_neither_is_zero() {
        // In s the returns are 2 − 3 = −1 and 0, mean −0.5; t and u are alone. GRPO compares the scores −1,
        // −1, 0 and 3, mean 0.25: q has −0.25 there and +0.5 under HGPO; GiGPO gives it their sum, +0.25.
        let lines = r#"{"task":"h","trajectory":"p","steps":[{"state":"s","reward":2},{"state":"t","reward":-3}]}
{"task":"h","trajectory":"q","steps":[{"state":"s","reward":0}]}
{"task":"h","trajectory":"r","steps":[{"state":"u","reward":3}]}"#;
        let file = read(lines);
        assert_eq!(file.advantages[0], [-0.5, 0.0, 0.5, 0.0]);
        assert_eq!(file.advantages[1], [-1.25, -1.25, -0.25, 2.75]);
        assert_eq!(file.tasks[0].opposite, [1, 0]);
        let disputed: Vec<_> = (0..4).filter(|&step| file.is_disputed(step)).collect();
        assert_eq!(disputed, [2]);
        // If the file does not say who succeeded, rewards above 0 do: r alone.
        assert_eq!((file.tasks[0].successes, file.tasks[0].alone), (1, 2));
    }

    #[test]
    fn steps_know_where_they_are_and_what_they_hold() {
        let file = both();
        let last = file.steps[4];
        assert_eq!((last.task, last.attempt, last.at, last.alone), (1, 0, 0, true));
        assert_eq!(file.texts.all(), ["a", "b", "go", "Hall"]);
        assert_eq!((file.steps[1].state, file.steps[1].action), (1, Some(2)));
        assert_eq!((file.agents.all(), file.steps[0].agent), (&["m".to_owned()][..], Some(0)));
        // In g: a three times, b once; two steps with a state before, each its own pair; none with two.
        assert_eq!(file.sizes[0][..4], [3, 1, 3, 3]);
        assert_eq!((&file.sizes[1][..4], &file.sizes[2][..4]), (&[0, 1, 0, 1][..], &[0; 4][..]));
        // The lonely one is told by its reward.
        assert_eq!(
            (file.tasks[1].successes, file.tasks[1].score, file.tasks[1].silent),
            (0, -1.0, 1)
        );
    }
}
