//! Composition of the parts: what a step is compared with, and what every term counts.

use super::anchors;
use super::composed_estimator::Composed;
use super::credit::{Actions, Credits};
use super::part_choices::{Among, Credit};
use super::temporal_difference::TemporalDifferences;
use super::trust_factor::TrustFactors;
use super::value::StateWorth;
use crate::batch::Batch;
use crate::batch::cohort::Cohort;
use crate::breakdown::{Account, Comparison, Ground, Rule, Value, Weighting};
use crate::estimator::terms::episode_group::EpisodeGroup;
use crate::estimator::terms::step_groups::{Baseline, StepGroups};
use crate::estimator::terms::term::{Term, Terms};
use crate::groups::grouping::Groups;
use crate::groups::hierarchy::Level;
use crate::level_weights::Weights;
use crate::option::declaration::Declaration;
use crate::returns::Scores;
use crate::statistics::{SingletonRule, Standardise};

/// w_E A_E + w_R A_R + w_S Σ_k w_k A_S^k within one cohort.
pub(crate) struct Composition {
    settings: Composed,
    declared: &'static [Declaration],
    worth: StateWorth,
    credits: Credits,
    trusts: TrustFactors,
    episode: Option<EpisodeGroup>,
    returns: Option<StepGroups>,
    compared: Compared,
}

/// What the credit of a step is compared with.
enum Compared {
    /// That of the steps with the same context, level by level.
    States(Vec<StepGroups>),
    /// That of all steps.
    Task(EpisodeGroup),
    /// Nothing.
    Nothing(EpisodeGroup),
}

impl Composition {
    /// `declared` are the options that weights are named after.
    pub(crate) fn new(
        settings: Composed,
        declared: &'static [Declaration],
        batch: &Batch,
        cohort: &Cohort,
        scores: &Scores,
    ) -> Self {
        let worth = StateWorth::new(&settings, batch, cohort, scores);
        let returns = cohort.gather(&scores.step_rewards);
        let actions = settings.reads_actions().then(|| anchors::actions(batch, cohort));
        let trusts =
            TrustFactors::new(&settings, &worth, actions.as_deref(), &returns, batch, cohort);
        let gains = |lambda| {
            Credits::TemporalDifferences(TemporalDifferences::new(
                &worth, lambda, batch, cohort, scores,
            ))
        };
        let credits = match (settings.credit, &actions) {
            (Credit::Action, Some(actions)) => {
                Credits::Action(Actions::new(&worth, actions, settings.shrinkage))
            }
            (Credit::Return | Credit::Action, _) => Credits::Return(returns.clone()),
            (Credit::Difference, _) => gains(None),
            (Credit::Gae, _) => gains(Some(settings.lambda)),
        };
        let compared = Compared::new(&settings, &worth, &credits, cohort);
        let beside = settings.return_weight > 0.0;
        let of_returns = Standardise { floor: 0.0, ..settings.of_steps() };
        let states = || worth.levels[0].anchors.groups.clone();
        let returns = beside.then(|| alone(cohort, returns, states(), of_returns));
        let &Composed { scale, episode_std, episode_statistics, .. } = &settings;
        let of_episodes = Standardise::new(scale, episode_std, SingletonRule::Keep);
        let episode = (settings.episode_weight > 0.0)
            .then(|| EpisodeGroup::new(cohort, scores, episode_statistics, of_episodes));
        Self { settings, declared, worth, credits, trusts, episode, returns, compared }
    }

    /// The term of the credit at a level.
    fn credit(&self, level: usize, row: usize) -> Option<Term> {
        let term = match &self.compared {
            Compared::States(levels) => {
                let comparison = Comparison::Level(Level(level));
                Term { comparison, ..levels.get(level)?.term(0, row)? }
            }
            Compared::Task(steps) => steps.term(row),
            Compared::Nothing(steps) => {
                Term { advantage: steps.values[row], skipped: None, ..steps.term(row) }
            }
        };
        let factors = self.factors(&term, row);
        Some(factors.iter().fold(term, Term::times))
    }

    /// What a term of the credit is multiplied by. Who is alone has nothing to be trusted.
    fn factors(&self, term: &Term, row: usize) -> Vec<crate::Factor> {
        let level = term.comparison.level().map_or(0, |Level(level)| level);
        let is_alone = term.statistics.is_alone() && !matches!(self.compared, Compared::Nothing(_));
        if is_alone {
            Vec::new()
        } else {
            self.trusts.factors(&self.settings, &self.worth, level, row)
        }
    }

    /// Shares the weight of the step credit among the levels that are not skipped.
    fn share(&self, terms: &mut [Term]) {
        let Composed { alpha, step_weight, .. } = self.settings;
        let mut total = 0.0;
        for term in &mut *terms {
            let level = term.comparison.level().unwrap_or(Level(0));
            term.raw_weight = Weights::Paper.raw(level, alpha).unwrap_or(0.0);
            total += if term.skipped.is_none() { term.raw_weight } else { 0.0 };
        }
        for term in terms {
            let is_skipped = term.skipped.is_some();
            term.weight = if is_skipped { 0.0 } else { step_weight * term.raw_weight / total };
        }
    }

    /// Whether levels share the weight of the step credit.
    fn is_shared(&self) -> bool {
        self.settings.compares_contexts() && self.settings.context_length > 0
    }

    /// How many levels the credit is compared at.
    fn level_count(&self) -> usize {
        match &self.compared {
            Compared::States(levels) => levels.len(),
            Compared::Task(_) | Compared::Nothing(_) => 1,
        }
    }

    /// How many terms of a row come before those of the credit.
    fn terms_before(&self) -> usize {
        usize::from(self.episode.is_some()) + usize::from(self.returns.is_some())
    }

    /// The weight that an option says, or 1 if there is no such option.
    fn weighting(&self, name: &str) -> Weighting {
        if self.declared.iter().any(|of| of.name == name) {
            Weighting::Option { name: name.to_owned() }
        } else {
            Weighting::One
        }
    }
}

impl Compared {
    fn new(settings: &Composed, worth: &StateWorth, credits: &Credits, cohort: &Cohort) -> Self {
        let how = settings.of_steps();
        match settings.among {
            Among::State => {
                // Differences are those of the longest contexts; they meet in the state.
                let levels = if settings.compares_contexts() { worth.levels.len() } else { 1 };
                let of_level = |level: usize| {
                    let groups = worth.levels[level].anchors.groups.clone();
                    alone(cohort, credits.at(level), groups, how)
                };
                Self::States((0..levels).map(of_level).collect())
            }
            Among::Task => Self::Task(EpisodeGroup::progress(credits.at(0), how)),
            Among::Nothing => Self::Nothing(EpisodeGroup::progress(credits.at(0), how)),
        }
    }
}

/// The groups of one level.
fn alone(cohort: &Cohort, values: Vec<f64>, groups: Groups, how: Standardise) -> StepGroups {
    StepGroups::new(cohort, values, vec![groups], how, Baseline::Group)
}

impl Terms for Composition {
    fn terms(&self, row: usize, terms: &mut Vec<Term>) {
        let Composed { episode_weight, return_weight, step_weight, .. } = self.settings;
        terms.clear();
        terms.extend(self.episode.as_ref().map(|group| group.term(row).weighted(episode_weight)));
        let returns = self.returns.as_ref().and_then(|groups| groups.term(0, row));
        terms.extend(returns.map(|term| term.weighted(return_weight)));
        let first = terms.len();
        terms.extend((0..self.level_count()).map_while(|level| self.credit(level, row)));
        if self.is_shared() {
            self.share(&mut terms[first..]);
        } else {
            for term in &mut terms[first..] {
                *term = term.weighted(step_weight);
            }
        }
    }

    fn values(&self, ground: &Ground<'_>, row: usize) -> Vec<Value> {
        let mut values = Vec::new();
        values.extend(self.episode.as_ref().map(|_| ground.score(row)));
        values.extend(self.returns.as_ref().map(|_| ground.step_return(row)));
        let has = |level: &usize| self.worth.levels[*level].anchors.contexts.of(row).is_some();
        let levels = if self.credits.differs_by_level() { self.level_count() } else { 1 };
        let of_level = |level| self.credits.value(ground, &self.worth, level, row);
        values.extend((0..levels).take_while(has).map(of_level));
        values
    }

    fn account(&self, row: usize, place: usize, term: &Term) -> Account {
        match (&self.episode, &self.returns) {
            (Some(episode), _) if place == 0 => {
                return episode.account(0).weighted(self.weighting("episode_weight"));
            }
            (_, Some(returns)) if place + 1 == self.terms_before() => {
                let account = returns.account(row, Level(0), place);
                return account.weighted(self.weighting("return_weight"));
            }
            _ => {}
        }
        let Level(level) = term.comparison.level().unwrap_or(Level(0));
        let value = self.terms_before() + if self.credits.differs_by_level() { level } else { 0 };
        let account = match &self.compared {
            Compared::States(levels) => levels[level].account(row, Level(0), value),
            Compared::Task(steps) => steps.account(value),
            Compared::Nothing(steps) => Account { rule: Rule::Value, ..steps.account(value) },
        };
        let Composed { alpha, step_weight, .. } = self.settings;
        let weighting = if self.is_shared() {
            Weighting::Share { base: level + 1, exponent: alpha, epsilon: 0.0, total: step_weight }
        } else {
            self.weighting("step_weight")
        };
        Account { factors: self.factors(term, row), weighting, ..account }
    }
}
