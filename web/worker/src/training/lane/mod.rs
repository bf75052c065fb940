//! A lane: one estimator's settings, trained with several seeds.

mod answer;
mod checks;
mod look;
mod replay;
mod runner;
mod setup;
mod snapshot_cache;
mod truth;
mod verdicts;
mod vocabulary;

pub use answer::answer;

use std::rc::Rc;

use hgpo_train::policy::table::TablePolicy;
use hgpo_train::trainer::{Metrics, Trainer};

use self::runner::Runner;
use self::setup::Setup;
use self::snapshot_cache::{Snapshot, SnapshotCache};
use super::limits;
use super::message::{Answer, Settings};

/// Several seeds in training, which take turns: an iteration each.
pub(crate) struct Lane {
    setup: Rc<Setup>,
    pub(crate) runners: Vec<Runner>,
    pub(crate) iteration: u64,
    snapshots: SnapshotCache,
    /// The settings there were, each with the iteration after which it came: the first with 0, the last now.
    setups: Vec<(u64, Rc<Setup>)>,
}

impl Lane {
    /// A lane after the warm starts of its seeds.
    ///
    /// # Errors
    /// Settings that make no sense or take too much, in one line.
    pub(crate) fn start(settings: Settings, seeds: &[u64]) -> Result<Self, String> {
        Self::of(Rc::new(Setup::read(settings, seeds)?), seeds)
    }

    /// What is said of a lane that has begun.
    pub(crate) fn started(&self) -> Result<Answer, String> {
        Ok(Answer::Started { settings: self.setup.settings()?, iteration: self.iteration })
    }

    fn of(setup: Rc<Setup>, seeds: &[u64]) -> Result<Self, String> {
        let runners = seeds.iter().map(|&seed| Runner::new(&setup, seed));
        Ok(Self {
            runners: runners.collect::<Result<_, _>>()?,
            iteration: 0,
            snapshots: SnapshotCache::default(),
            setups: vec![(0, Rc::clone(&setup))],
            setup,
        })
    }

    /// Goes on with other settings: with what was learned, if it means the same, and otherwise from the start.
    ///
    /// # Errors
    /// Settings that make no sense or take too much, in one line.
    pub(crate) fn change(&mut self, settings: Settings) -> Result<Answer, String> {
        let seeds: Vec<u64> = self.runners.iter().map(|runner| runner.seed).collect();
        let setup = Rc::new(Setup::read(settings, &seeds)?);
        let keeps_weights = setup.means_the_same(&self.setup);
        if keeps_weights {
            self.remember(&setup)?;
        } else {
            *self = Self::of(setup, &seeds)?;
        }
        Ok(Answer::Changed { keeps_weights, iteration: self.iteration })
    }

    /// Trains for so many iterations or so long.
    ///
    /// # Errors
    /// Training that fails in the first iteration, which is then as if it had not been, in one line; if a later
    /// one fails, what came before is told first.
    pub(crate) fn run(&mut self, iterations: u64, time: f64) -> Result<Answer, String> {
        let most = limits::MILLISECONDS;
        if !(0.0..=most).contains(&time) {
            return Err(format!("run.milliseconds: from 0 to {most}, not {time}"));
        }
        let begun = milliseconds();
        let left = self.setup.config.learn.iterations.saturating_sub(self.iteration);
        let mut lines = vec![Vec::new(); self.runners.len()];
        for done in 0..iterations.min(left) {
            match self.iterate() {
                Ok(new) => lines.iter_mut().zip(new).for_each(|(lines, line)| lines.push(line)),
                Err(error) if done == 0 => return Err(error),
                Err(_) => break,
            }
            if milliseconds() - begun >= time {
                break;
            }
        }
        Ok(Answer::Ran { iteration: self.iteration, lines })
    }

    /// As it was after an iteration, by training again from the nearest one that is kept. The settings stay as they
    /// are now; what is played again is played with those of then.
    ///
    /// # Errors
    /// An iteration that was not reached.
    pub(crate) fn go_back(&mut self, iteration: u64) -> Result<Answer, String> {
        let reached = self.iteration;
        if iteration > reached {
            return Err(format!(
                "go-back.iteration: {iteration} was not reached, go to one from 0 to {reached}"
            ));
        }
        if iteration < reached {
            self.replay(iteration)?;
        }
        Ok(Answer::Went { iteration })
    }

    /// One iteration of every seed, with its lines.
    fn iterate(&mut self) -> Result<Vec<String>, String> {
        let metrics = self.advance()?;
        let each = self.runners.iter().zip(metrics);
        each.map(|(runner, metrics)| runner.line(metrics, &self.setup.of(runner.seed))).collect()
    }

    /// One iteration of every seed, or of none.
    fn advance(&mut self) -> Result<Vec<Metrics>, String> {
        self.has_room()?;
        let seeds = self.runners.iter().map(|runner| Rc::clone(&runner.now)).collect();
        let before = Snapshot { iteration: self.iteration, seeds };
        let lasts: Vec<_> = self.runners.iter_mut().map(|runner| runner.last.take()).collect();
        let setup = &self.setup;
        let metrics: Result<Vec<Metrics>, _> =
            self.runners.iter_mut().map(|runner| runner.iterate(setup)).collect();
        let metrics = metrics.map_err(|error| {
            for ((runner, progress), last) in self.runners.iter_mut().zip(&before.seeds).zip(lasts)
            {
                runner.go_back(progress);
                runner.last = last;
            }
            error.to_string()
        })?;
        self.snapshots.add(before);
        self.iteration += 1;
        Ok(metrics)
    }

    fn has_room(&self) -> Result<(), String> {
        let entries: usize = self.runners.iter().map(|it| it.now.policy().len()).sum();
        if entries <= limits::ENTRIES {
            return Ok(());
        }
        Err(format!(
            "the tables have {entries} entries, but a lane has room for {}: lower rollout.history_length or the \
             number of seeds",
            limits::ENTRIES
        ))
    }

    /// Goes on with settings under which what was learned means the same.
    fn remember(&mut self, setup: &Rc<Setup>) -> Result<(), String> {
        if self.setups.len() >= limits::CHANGES {
            return Err(format!("settings were changed {} times: start again", limits::CHANGES));
        }
        self.adopt(setup)?;
        self.setups.retain(|&(after, _)| after < self.iteration);
        self.setups.push((self.iteration, Rc::clone(setup)));
        Ok(())
    }

    fn adopt(&mut self, setup: &Rc<Setup>) -> Result<(), String> {
        let trainers: Result<Vec<Trainer<TablePolicy>>, _> =
            self.runners.iter().map(|runner| runner.with(setup)).collect();
        self.runners.iter_mut().zip(trainers?).for_each(|(runner, it)| runner.adopt(it));
        self.setup = Rc::clone(setup);
        Ok(())
    }

    fn replay(&mut self, iteration: u64) -> Result<(), String> {
        let Some(from) = self.snapshots.before(iteration).cloned() else { return Ok(()) };
        let present = Rc::clone(&self.setup);
        self.snapshots.forget_from(from.iteration);
        self.iteration = from.iteration;
        self.adopt_those_of_then()?;
        self.runners.iter_mut().zip(&from.seeds).for_each(|(it, progress)| it.go_back(progress));
        while self.iteration < iteration {
            self.adopt_those_of_then()?;
            self.advance()?;
        }
        self.setups.retain(|&(after, _)| after < iteration);
        let is_other = !Rc::ptr_eq(&self.setup, &present);
        if is_other {
            self.adopt(&present)?;
        }
        if is_other || self.setups.is_empty() {
            self.setups.push((iteration, present));
        }
        Ok(())
    }

    /// Goes on with the settings that there were after this iteration.
    fn adopt_those_of_then(&mut self) -> Result<(), String> {
        let now = self.iteration;
        let then = self.setups.iter().rev().find(|&&(after, _)| after <= now);
        let Some((_, then)) = then.filter(|(_, then)| !Rc::ptr_eq(then, &self.setup)) else {
            return Ok(());
        };
        let then = Rc::clone(then);
        self.adopt(&then)
    }
}

/// Milliseconds since some moment of this worker.
#[cfg(target_arch = "wasm32")]
fn milliseconds() -> f64 {
    use wasm_bindgen::prelude::wasm_bindgen;

    #[wasm_bindgen]
    extern "C" {
        #[wasm_bindgen(js_namespace = performance)]
        fn now() -> f64;
    }
    now()
}

/// Milliseconds since the first call.
#[cfg(not(target_arch = "wasm32"))]
fn milliseconds() -> f64 {
    use std::sync::OnceLock;
    use std::time::Instant;

    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_secs_f64() * 1000.0
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn memory_does_not_grow_with_iterations() {
        let settings = json!({
            "environment": { "name": "gridworld", "gridworld": { "world": "comb" } },
            "policy": { "kind": "table" },
            "rollout": { "tasks": 1, "group_size": 4, "history_length": 1 },
            "warm_start": { "episodes": 0 },
            "learn": { "iterations": 10_000 },
        });
        let settings = settings.as_object().unwrap().clone();
        let mut lane = Lane::start(settings, &[1, 2]).unwrap();
        let mut run = |iterations| {
            let ran = lane.run(iterations, limits::MILLISECONDS);
            let Answer::Ran { lines, .. } = ran.unwrap() else { panic!() };
            assert_eq!(lines[1].len() as u64, iterations);
            let table = lane.runners.iter().map(|it| it.now.policy().len()).sum::<usize>();
            (table, lane.snapshots.entries())
        };
        let (early, later) = (run(3_000), run(7_000));
        // Of 64 snapshots, each no larger than the tables are now.
        assert!(early.1 <= 64 * early.0 && later.1 <= 64 * later.0, "{early:?} {later:?}");
        assert!(later.1 <= early.1 * 11 / 10, "{early:?} {later:?}");
        lane.go_back(2_500).unwrap();
        assert!(lane.snapshots.entries() <= later.1);
    }
}
