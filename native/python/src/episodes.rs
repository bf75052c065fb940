//! Vectorised episodes: several are played side by side.

use std::process;
use std::sync::Arc;

use hgpo_env::random::{Purpose, Stream};
use numpy::PyArray1;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyList;
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::exceptions::Failure;
use crate::running_episode::{Observation, RunningEpisode};
use crate::suite::{Suite, split_named};

/// Episodes of one suite, each in its place.
#[pyclass(module = "hgpo._hgpo")]
pub(crate) struct Episodes {
    suite: Arc<dyn hgpo_env::Suite>,
    opened: Arc<str>,
    most: usize,
    places: Vec<Option<RunningEpisode>>,
    threads: usize,
    /// Whether observations are told as the original of the environment tells them.
    original: bool,
    /// The process that made the pool, and the pool.
    workers: Option<(u32, ThreadPool)>,
}

/// An episode as it was.
#[pyclass(frozen, module = "hgpo._hgpo")]
pub(crate) struct Snapshot {
    running: RunningEpisode,
    /// What the suite was opened with.
    opened: Arc<str>,
}

/// Observations and admissible actions.
type Observations<'py> = (Bound<'py, PyList>, Bound<'py, PyList>);

/// What became of a step, a column each: observations, admissible actions, rewards, whether the episodes
/// are terminated, truncated and won, whether the actions were admissible, scores.
type Stepped<'py> = (
    Bound<'py, PyList>,
    Bound<'py, PyList>,
    Bound<'py, PyArray1<f64>>,
    [Bound<'py, PyArray1<bool>>; 4],
    Vec<Option<f64>>,
);

#[pymethods]
impl Episodes {
    /// `count` places without an episode; `threads` of 0 are as many as there are cores. Observations are
    /// those that grouping compares, or those of the `original`.
    #[new]
    fn new(suite: &Suite, count: usize, threads: usize, original: bool) -> PyResult<Self> {
        if count == 0 || count > MOST_PLACES {
            let problem = format!("{count} environments: use 1 to {MOST_PLACES}");
            return Err(PyValueError::new_err(problem));
        }
        let places = (0..count).map(|_| None).collect();
        let (opened, most) = (Arc::clone(&suite.opened), suite.most);
        let suite = Arc::clone(&suite.tasks);
        Ok(Self { suite, opened, most, places, threads, original, workers: None })
    }

    /// Starts tasks in places: (place, task, seed and two indices of its chance). Gives observations,
    /// admissible actions and instructions.
    fn start<'py>(
        &mut self,
        py: Python<'py>,
        split: &str,
        tasks: Vec<(usize, u64, u64, [u64; 2])>,
    ) -> PyResult<(Observations<'py>, Vec<String>)> {
        let split = split_named(split)?;
        self.check(tasks.iter().map(|task| task.0))?;
        let (suite, most) = (Arc::clone(&self.suite), self.most);
        let start = move |&(_, task, seed, index): &(usize, u64, u64, [u64; 2])| {
            let chance = Stream::new(seed, Purpose::Sampling, index).chance();
            Ok(RunningEpisode::new(suite.start(split, task)?, chance, most))
        };
        let pool = self.pool(tasks.len())?;
        let started: Vec<Result<RunningEpisode, Failure>> = py.detach(|| match pool {
            Some(pool) => pool.install(|| tasks.par_iter().map(&start).collect()),
            None => tasks.iter().map(&start).collect(),
        });
        // All of them or none.
        let started = started.into_iter().collect::<Result<Vec<_>, _>>()?;
        let seen: Vec<Observation> = started.iter().map(|it| it.see(self.original)).collect();
        let instructions =
            started.iter().map(|it| it.environment.instruction().to_owned()).collect();
        for ((place, ..), running) in tasks.into_iter().zip(started) {
            self.places[place] = Some(running);
        }
        Ok((observations(py, &seen)?, instructions))
    }

    /// Carries out an action in each of some places, all of them different.
    fn step<'py>(
        &mut self,
        py: Python<'py>,
        actions: Vec<(usize, String)>,
    ) -> PyResult<Stepped<'py>> {
        self.check(actions.iter().map(|action| action.0))?;
        let several = self.pool(actions.len())?.is_some();
        let Self { places: all, workers, original, .. } = self;
        let original = *original;
        let mut of_place: Vec<Option<&mut RunningEpisode>> =
            all.iter_mut().map(Option::as_mut).collect();
        let mut played = Vec::with_capacity(actions.len());
        for (place, action) in actions {
            let running = of_place[place].take().ok_or_else(|| not_started(place))?;
            played.push((running, action));
        }
        let step = |(running, action): (&mut RunningEpisode, String)| {
            let (reward, admissible) = running.step(&action);
            let RunningEpisode { terminated, truncated, won, .. } = *running;
            (running.see(original), reward, [terminated, truncated, won, admissible])
        };
        let pool = workers.as_ref().filter(|_| several).map(|(_, pool)| pool);
        let stepped: Vec<(Observation, f64, [bool; 4])> = py.detach(|| match pool {
            Some(pool) => pool.install(|| played.into_par_iter().map(step).collect()),
            None => played.into_iter().map(step).collect(),
        });
        let rewards = PyArray1::from_iter(py, stepped.iter().map(|it| it.1));
        let flags =
            [0, 1, 2, 3].map(|of| PyArray1::from_iter(py, stepped.iter().map(|it| it.2[of])));
        let seen: Vec<Observation> = stepped.into_iter().map(|it| it.0).collect();
        let scores = seen.iter().map(|it| it.score).collect();
        let (texts, admissible) = observations(py, &seen)?;
        Ok((texts, admissible, rewards, flags, scores))
    }

    /// The shortest way to finish, if the environment plans.
    fn plan(&self, py: Python<'_>, place: usize) -> PyResult<Option<Vec<String>>> {
        let running = self.running(place)?;
        Ok(py.detach(|| running.environment.plan()))
    }

    /// A drawing of the whole state, if the environment draws.
    fn drawing(&self, place: usize) -> PyResult<Option<String>> {
        Ok(self.running(place)?.environment.drawing())
    }

    /// A copy of the episode in a place.
    fn snapshot(&self, place: usize) -> PyResult<Snapshot> {
        let (running, opened) = (self.running(place)?.clone(), Arc::clone(&self.opened));
        Ok(Snapshot { running, opened })
    }

    /// Puts an episode back as it was; with a seed of chance, what is left to it is drawn anew. Gives the observation,
    /// what can be done, and whether it is won.
    fn restore(
        &mut self,
        place: usize,
        snapshot: &Snapshot,
        chance: Option<u64>,
    ) -> PyResult<(String, Vec<String>, bool)> {
        self.check([place])?;
        if snapshot.opened != self.opened {
            let problem =
                "the snapshot is of an environment with other settings: pass one of the same";
            return Err(PyValueError::new_err(problem));
        }
        let mut running = snapshot.running.clone();
        if let Some(seed) = chance {
            running.chance = Stream::new(seed, Purpose::Sampling, [place as u64, 0]).chance();
        }
        let running = self.places[place].insert(running);
        let Observation { text, admissible, .. } = running.see(self.original);
        Ok((text, admissible, running.won))
    }
}

/// Most episodes side by side.
const MOST_PLACES: usize = 1 << 20;

fn not_started(place: usize) -> PyErr {
    PyRuntimeError::new_err(format!("environment {place} has no episode: call reset first"))
}

fn observations<'py>(py: Python<'py>, seen: &[Observation]) -> PyResult<Observations<'py>> {
    let texts = PyList::new(py, seen.iter().map(|it| &it.text))?;
    let actions = PyList::new(py, seen.iter().map(|it| &it.admissible))?;
    Ok((texts, actions))
}

impl Episodes {
    fn running(&self, place: usize) -> PyResult<&RunningEpisode> {
        self.places.get(place).and_then(Option::as_ref).ok_or_else(|| not_started(place))
    }

    /// Checks that there are such places, each named once.
    fn check(&self, places: impl IntoIterator<Item = usize>) -> PyResult<()> {
        let count = self.places.len();
        let mut named = vec![false; count];
        for place in places {
            if place >= count || std::mem::replace(&mut named[place], true) {
                let problem = format!("environment {place} of {count}: name each once, from 0 on");
                return Err(PyValueError::new_err(problem));
            }
        }
        Ok(())
    }

    /// The threads, if more than one episode is worked on and more than one thread is wanted.
    fn pool(&mut self, episodes: usize) -> PyResult<Option<&ThreadPool>> {
        let own = process::id();
        if let Some((maker, pool)) = self.workers.take_if(|(maker, _)| *maker != own) {
            // After a fork its threads are the parent's: to drop it would be to wait for them for ever.
            debug_assert_ne!(maker, own);
            std::mem::forget(pool);
        }
        let wanted = match self.threads {
            0 => std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
            threads => threads.min(1024),
        };
        if wanted == 1 || episodes <= 1 {
            return Ok(None);
        }
        if self.workers.is_none() {
            let pool = ThreadPoolBuilder::new().num_threads(wanted).build();
            let pool = pool.map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
            self.workers = Some((own, pool));
        }
        Ok(self.workers.as_ref().map(|(_, pool)| pool))
    }
}
