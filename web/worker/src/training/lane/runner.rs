//! The training of one seed.

use std::collections::BTreeMap;
use std::io;
use std::rc::Rc;

use hgpo_core::Trajectory;
use hgpo_train::TrainerError;
use hgpo_train::config::Config;
use hgpo_train::executor::Sequential;
use hgpo_train::policy::table::TablePolicy;
use hgpo_train::trainer::{
    Iteration, Learner as _, Metrics, SPLITS, Trainer, TrainerSnapshot, add_evaluated,
};

use super::setup::Setup;

/// The training of one seed.
pub(crate) struct Runner {
    pub(crate) seed: u64,
    trainer: Trainer<TablePolicy>,
    /// What it has come to.
    pub(crate) now: Rc<TrainerSnapshot<TablePolicy>>,
    /// The last iteration; none before the first.
    pub(crate) last: Option<Played>,
}

/// What was played in an iteration, and by which policy.
pub(crate) struct Played {
    pub(crate) setup: Rc<Setup>,
    pub(crate) iteration: u64,
    pub(crate) trajectories: Vec<Trajectory>,
    /// The number of the stream that each of them was drawn with.
    pub(crate) streams: Vec<u64>,
    /// The policy that played, with what the training had come to.
    pub(crate) before: Rc<TrainerSnapshot<TablePolicy>>,
}

impl Runner {
    /// A training after its warm start.
    pub(crate) fn new(setup: &Setup, seed: u64) -> Result<Self, String> {
        let mut trainer = setup.trainer(seed)?;
        trainer.warm_start(&Sequential).map_err(|error| error.to_string())?;
        let now = Rc::new(trainer.snapshot());
        Ok(Self { seed, trainer, now, last: None })
    }

    /// One iteration, whose metrics these are.
    pub(crate) fn iterate(&mut self, setup: &Rc<Setup>) -> Result<Metrics, TrainerError> {
        let iteration = self.trainer.iterate(&Sequential)?;
        // Nobody stops it.
        let Some(iteration) = iteration else { return Ok(Metrics::new()) };
        let before = std::mem::replace(&mut self.now, Rc::new(self.trainer.snapshot()));
        let Iteration { number, metrics, trajectories, streams, .. } = iteration;
        let setup = Rc::clone(setup);
        self.last = Some(Played { setup, iteration: number, trajectories, streams, before });
        Ok(metrics)
    }

    /// The line of its last iteration as `hgpo train` writes it, with evaluations when they are due. There is
    /// no clock here: its fields are 0.
    pub(crate) fn line(&self, mut metrics: Metrics, config: &Config) -> Result<String, String> {
        metrics.insert("seconds/iteration".into(), 0.0.into());
        metrics.insert("time".into(), 0.0.into());
        for (_, value) in metrics.iter_mut().filter(|(name, _)| is_of_clock(name)) {
            *value = 0.0.into();
        }
        if config.evaluates_after(self.trainer.iteration(), 0) {
            self.evaluate(&mut metrics, &config.evaluation.seeds)?;
        }
        serde_json::to_string(&metrics).map_err(|error| error.to_string())
    }

    fn evaluate(&self, metrics: &mut Metrics, seeds: &[u64]) -> Result<(), String> {
        for split in SPLITS {
            let (mut success_rate, mut length) = (0.0, 0.0);
            for &seed in seeds {
                let found = self.trainer.evaluate_split(split, seed, &Sequential);
                let Some(found) = found.map_err(|error| error.to_string())? else { continue };
                success_rate += found.successes as f64 / found.episodes.max(1) as f64;
                length += found.mean_length;
            }
            let count = seeds.len() as f64;
            add_evaluated(metrics, split, success_rate / count, length / count);
        }
        Ok(())
    }

    /// What it came to before, with nothing played.
    pub(crate) fn go_back(&mut self, progress: &Rc<TrainerSnapshot<TablePolicy>>) {
        self.trainer.return_to(progress);
        self.now = Rc::clone(progress);
        self.last = None;
    }

    /// The trainer that goes on from here with other settings, as a run does that is resumed with them.
    pub(crate) fn with(&self, setup: &Setup) -> Result<Trainer<TablePolicy>, String> {
        let mut files = BTreeMap::new();
        let mut write = |name: &str, bytes: Vec<u8>| {
            files.insert(name.to_owned(), bytes);
            Ok(())
        };
        self.trainer.save(&mut write).map_err(|error| error.to_string())?;
        let mut read = |name: &str| files.get(name).cloned().ok_or(io::ErrorKind::NotFound.into());
        let mut trainer = setup.trainer(self.seed)?;
        trainer.restore(&mut read).map_err(|error| error.to_string())?;
        Ok(trainer)
    }

    /// Goes on with such a trainer.
    pub(crate) fn adopt(&mut self, trainer: Trainer<TablePolicy>) {
        self.now = Rc::new(trainer.snapshot());
        self.trainer = trainer;
    }
}

/// Whether a field depends on how fast the machine is, or on when it ran.
fn is_of_clock(name: &str) -> bool {
    name == "time" || name.starts_with("seconds/") || name.ends_with("_per_second")
}
