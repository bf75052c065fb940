//! HGPO: a step is compared within groups of ever longer equal contexts.

use super::method::Method;
use super::options::shared;
use super::terms::adaptive_weights::Shrinkage;
use super::terms::episode_group::{EpisodeGroup, EpisodeStatistics};
use super::terms::step_groups::{Baseline, StepGroups};
use super::terms::term::{Term, Terms, row_by_row};
use crate::batch::Batch;
use crate::batch::cohort::Cohort;
use crate::breakdown::{Account, Comparison, Ground, Value, Weighting};
use crate::error::Error;
use crate::groups::grouping::{levels, states, summaries};
use crate::groups::hierarchy::Level;
use crate::level_weights::{BASE_GROUP, Weights};
use crate::option::choice::choice;
use crate::option::declaration::{Declared, Kind};
use crate::option::fields::options;
use crate::returns::Scores;
use crate::similarity::Similarity;
use crate::statistics::{Scale, SingletonRule, Standardise, StdRule};

choice! {
    /// What a context holds of the past.
    #[non_exhaustive]
    pub enum History {
        /// The last k states: the paper's.
        #[default]
        States => "states",
        /// The step's own `context`, a summary of the past: two levels, the state alone and the
        /// state with its summary. A step without one has the first level only.
        Summary => "summary",
    }
}

options! {
    /// HGPO: a step is compared within groups of ever longer equal contexts.
    ///
    /// # Formula
    /// ```text
    /// C_k(s_t) = (s_{t−k}, …, s_t)                            k = 0…min(K, t)
    /// G_k(s_t) = steps of the task with the same C_k          G_0 ⊇ G_1 ⊇ … ⊇ G_K
    /// A_k      = (R_t − mean_{G_k} R) / (σ_{G_k} + 1e-6)      scale = mean-std
    /// A_t      = Σ_k w_k A_k,   w_k = (k+1)^α / Σ_l (l+1)^α
    /// ```
    /// R_t is the step return after the invalid-action penalty. Levels whose advantage is exactly zero
    /// and groups of one are skipped, and the weights are divided by the sum over the other levels.
    /// A step with no level left gets 0. Source: arXiv 2602.22817, sections 4.1 to 4.3.
    ///
    /// Departures of the reference code from the paper, each an option with the paper's value:
    /// 1. `weights`: the code's bases start at 2, (k+2)^α, and 1e-6 is added to their sum.
    /// 2. `base_group`: one more term that compares episode scores over all step rows of the task,
    ///    with weight 1 and the sample deviation (`base_std`); a task of one row keeps S
    ///    (`base_singleton`). Only the code's weights define it.
    /// 3. `std`, `singleton`: the population deviation, and 0 for a step that is alone.
    ///
    /// Beyond the paper, each an option with the paper's value:
    /// 4. `weights = adaptive`: weights from the data, derived at [`Weights::Adaptive`]:
    ///    w_k = B_k Π_{l>k} (1 − B_l), B_k = τ_k² / (τ_k² + σ_k² / n_k), B_0 = 1, with the variances
    ///    τ_k² between and σ_k² within the groups of level k, estimated per task by moments. A group of
    ///    equal returns keeps its weight; only levels where the step is alone have none.
    /// 5. `similarity`: states that are alike count as one, in every context.
    /// 6. `history = summary`: level 1 is the state with the step's own `context`, a summary of what
    ///    came before, in place of the last states.
    /// 7. `baseline = others`: the mean is that of other trajectories' steps alone. The paper's mean
    ///    holds the step itself, which shrinks the advantage in a group of n by (n − 1)/n, and further
    ///    visits of its own trajectory, whose returns are nearly its own.
    /// 8. `only_level = k`: one level alone, A = A_k. A step without context or signal there gets 0.
    ///
    /// Departure of this crate from both: deviations below rounding are exactly 0
    /// ([`ROUNDING`](crate::ROUNDING)), whereas the code's float32 noise passes for signal.
    ///
    /// # Example
    /// ```
    /// use hgpo_core::{estimate, Batch, Estimator, Hgpo, Options, Scale, Step, Trajectory};
    /// let walk = |name, states: &[&str], reward| {
    ///     let mut steps: Vec<Step> = states.iter().map(|&state| Step::new(state, 0.0)).collect();
    ///     steps.last_mut().unwrap().reward = reward;
    ///     Trajectory::new("g", name, steps)
    /// };
    /// let batch = Batch::new(vec![walk("a", &["x", "s"], 6.0), walk("b", &["x", "s"], 0.0), walk("c", &["y", "s"], 3.0)])?;
    /// let options = Hgpo { context_length: 1, scale: Scale::Mean, ..Hgpo::default() };
    /// let options = Options { estimator: Estimator::Hgpo(options), ..Options::default() };
    /// let advantages = estimate(&batch, &options)?.advantages;
    /// // Step 1 of a: G_0 = {6, 0, 3}, A_0 = 3; G_1 = {6, 0}, A_1 = 3; (1·3 + 2·3) / 3 = 3.
    /// // Step 1 of c: A_0 = 0 exactly, alone at level 1: no level left.
    /// assert_eq!((advantages[0][1], advantages[1][1], advantages[2][1]), (3.0, -3.0, 0.0));
    /// # Ok::<(), hgpo_core::Error>(())
    /// ```
    pub struct Hgpo {
        /// K, the number of earlier states in the longest context; 2 or 4 in the paper.
        context_length: usize = 2, shared::CONTEXT_LENGTH;
        /// α ≥ 0: how much more longer contexts weigh; 0 weighs all levels alike.
        alpha: f64 = 1.0, shared::ALPHA;
        /// Whether to divide by the standard deviation.
        scale: Scale = Scale::MeanStd, shared::SCALE;
        /// Which formula weighs the levels.
        weights: Weights = Weights::Paper,
            Declared::new(
                Kind::Choice(Weights::NAMES),
                "Level weights: the paper's, those of verl-agent, or adapted to the data",
                shared::HGPO,
            );
        /// Whether the episode's own term takes part; needs `weights = "verl"`.
        base_group: bool = false,
            Declared::new(
                Kind::Flag,
                "Add an episode-level term (with weights verl)",
                shared::VERL_AGENT,
            );
        /// Divisor of the variance in step groups.
        std: StdRule = StdRule::Population, shared::STD;
        /// What a step gets at a level where it is alone; `zero` skips the level.
        singleton: SingletonRule = SingletonRule::Zero, shared::SINGLETON;
        /// What a context holds of the past.
        history: History = History::States,
            Declared::new(
                Kind::Choice(History::NAMES),
                "Compare histories by the last states, or by each step's `context`",
                shared::HERE,
            );
        /// States that are alike count as one; absent: states are compared by equality.
        similarity: Option<Similarity> = None, shared::SIMILARITY;
        /// Whose values a step's value is compared with.
        baseline: Baseline = Baseline::Group,
            Declared::new(
                Kind::Choice(Baseline::NAMES),
                "Compare a step with its whole group, or only with other trajectories",
                shared::HERE,
            );
        /// The only level that counts, at most K; absent: all do.
        only_level: Option<usize> = None,
            Declared::new(
                Kind::Integer { most: shared::CONTEXT_LENGTH_LIMIT as u64, usual: 16 },
                "The only level of the hierarchy that counts; otherwise all levels count",
                shared::HERE,
            );
        /// Divisor of the variance in the base group.
        base_std: StdRule = StdRule::Sample,
            shared::divisor("Divisor of the variance in the base group");
        /// What the base group gives in a task of one row.
        base_singleton: SingletonRule = SingletonRule::Keep,
            shared::alone("Advantage in a base group of one row: 0 (zero), or the score (keep)");
    }
}

impl Method for Hgpo {
    fn context_length(&self) -> Option<usize> {
        Some(match self.history {
            History::States => self.context_length,
            History::Summary => 1,
        })
    }

    fn compares_contexts_only(&self) -> bool {
        !self.base_group && self.similarity.is_none() && self.weights != Weights::Adaptive
    }

    fn prepare(&self, batch: &Batch, cohort: &Cohort, scores: &Scores) -> Box<dyn Terms> {
        let clustered = self.similarity.as_ref().map(|alike| alike.cluster(batch, cohort));
        let cohort = clustered.as_ref().unwrap_or(cohort);
        let groups = match self.history {
            History::States => levels(cohort, self.context_length),
            History::Summary => vec![states(cohort), summaries(cohort, batch)],
        };
        let base = self.base_group.then(|| {
            let base = Standardise::new(self.scale, self.base_std, self.base_singleton);
            EpisodeGroup::new(cohort, scores, EpisodeStatistics::Steps, base)
        });
        let step = Standardise::new(self.scale, self.std, self.singleton);
        let returns = cohort.gather(&scores.step_rewards);
        let steps = StepGroups::new(cohort, returns, groups, step, self.baseline);
        let weighing = Weighing::new(self, &steps);
        let skips_alone = self.singleton == SingletonRule::Zero;
        Box::new(HgpoTerms { base, steps, weighing, skips_alone })
    }

    fn without_effect(&self) -> Vec<&'static str> {
        let (adapts, alone) = (self.weights == Weights::Adaptive, self.only_level.is_some());
        let has_levels = self.context_length() > Some(0);
        let all = [
            ("context_length", self.history == History::Summary),
            ("alpha", adapts || alone || !has_levels && self.weights == Weights::Paper),
            ("weights", alone),
            ("base_std", !self.base_group),
            ("base_singleton", !self.base_group),
        ];
        all.into_iter().filter_map(|(name, is_idle)| is_idle.then_some(name)).collect()
    }

    fn check(&self, batch: &Batch) -> Result<(), Error> {
        self.similarity.as_ref().map_or(Ok(()), |similarity| similarity.check(batch))
    }

    fn validate(&self) -> Result<(), Error> {
        if self.base_group && self.weights != Weights::Verl {
            let problem = "only `weights = verl` have it: choose them, or leave it out";
            return Err(Error::option("base_group", problem));
        }
        let (Some(level), Some(deepest)) = (self.only_level, self.context_length()) else {
            return Ok(());
        };
        let problem = if level > deepest {
            format!("there is no level {level}: choose one from 0 to {deepest}")
        } else if self.base_group {
            "the base group is no level: leave one of the two out".to_owned()
        } else {
            return Ok(());
        };
        Err(Error::option("only_level", problem))
    }
}

struct HgpoTerms {
    base: Option<EpisodeGroup>,
    steps: StepGroups,
    weighing: Weighing,
    /// Whether a level where the step is alone counts for nothing.
    skips_alone: bool,
}

impl Terms for HgpoTerms {
    fn terms(&self, row: usize, terms: &mut Vec<Term>) {
        terms.clear();
        terms.extend(self.base.as_ref().map(|base| base.term(row).weighted(BASE_GROUP as f64)));
        terms.extend((0..self.steps.levels.len()).map_while(|level| self.steps.term(level, row)));
        self.weighing.weigh(terms);
    }

    fn advantages(&self, rows: usize) -> Vec<f64> {
        match (&self.weighing, &self.base) {
            (Weighing::Formula { raw, weights, .. }, None) if self.skips_alone => {
                self.steps.weighted_sums(raw, weights.epsilon())
            }
            (&Weighing::Only(Level(level)), _) => {
                let term = |row| self.steps.term(level, row);
                (0..rows).map(|row| term(row).map_or(0.0, |term| 0.0 + term.advantage)).collect()
            }
            _ => row_by_row(self, rows),
        }
    }

    fn values(&self, ground: &Ground<'_>, row: usize) -> Vec<Value> {
        let mut values = vec![ground.step_return(row)];
        values.extend(self.base.as_ref().map(|_| ground.score(row)));
        values
    }

    fn account(&self, row: usize, _place: usize, term: &Term) -> Account {
        let account = match (&self.base, term.comparison) {
            (Some(base), Comparison::Episode) => base.account(1),
            (_, comparison) => self.steps.account(row, comparison.level().unwrap_or(Level(0)), 0),
        };
        account.weighted(self.weighing.of(term.comparison))
    }
}

/// How the terms of a row are weighed.
enum Weighing {
    /// By the formula of `weights`, over the terms that are not skipped.
    Formula { raw: Vec<f64>, weights: Weights, alpha: f64 },
    /// From the data.
    Adaptive(Shrinkage),
    /// One level has all the weight.
    Only(Level),
}

impl Weighing {
    fn new(options: &Hgpo, steps: &StepGroups) -> Self {
        let &Hgpo { weights, alpha, only_level, .. } = options;
        if let Some(level) = only_level {
            return Self::Only(Level(level));
        }
        let raw = |level| weights.raw(Level(level), alpha);
        match (0..steps.levels.len()).map(raw).collect() {
            Some(raw) => Self::Formula { raw, weights, alpha },
            None => Self::Adaptive(Shrinkage::new(steps)),
        }
    }

    fn weigh(&self, terms: &mut [Term]) {
        match self {
            Self::Adaptive(shrinkage) => shrinkage.weigh(terms),
            Self::Only(level) => {
                for term in terms {
                    let weight = f64::from(u8::from(term.comparison == Comparison::Level(*level)));
                    *term = term.weighted(weight);
                }
            }
            Self::Formula { raw, weights, .. } => {
                for term in &mut *terms {
                    if let Comparison::Level(level) = term.comparison {
                        term.raw_weight = raw[level.0];
                    }
                }
                let kept = terms.iter().filter(|term| term.skipped.is_none());
                let total = kept.map(|term| term.raw_weight).sum::<f64>() + weights.epsilon();
                for term in terms {
                    term.weight =
                        if term.skipped.is_none() { term.raw_weight / total } else { 0.0 };
                }
            }
        }
    }

    /// Why a term has its weight.
    fn of(&self, comparison: Comparison) -> Weighting {
        let level = comparison.level();
        match self {
            Self::Adaptive(shrinkage) => shrinkage.weighting(level.unwrap_or(Level(0))),
            Self::Only(only) if level == Some(*only) => Weighting::One,
            Self::Only(_) => Weighting::LeftOut,
            Self::Formula { weights, alpha, .. } => Weighting::Share {
                base: level.and_then(|level| weights.base(level)).unwrap_or(BASE_GROUP),
                exponent: *alpha,
                epsilon: weights.epsilon(),
                total: 1.0,
            },
        }
    }
}
