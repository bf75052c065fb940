//! Scores of a team's agents, and the size of their advantages with one normalisation for all and with one for each.

use crate::model::{Task, agent_of};
use hgpo_core::{DrMas, Estimator, Grpo, Options, Scale, Scores, Statistics, estimate};
use yew::AttrValue;

/// The most agents that are told.
const MOST: usize = 20;

/// The turns of an agent, or of all.
#[derive(Debug, PartialEq)]
pub(crate) struct Turns {
    /// Mean and deviation of their scores, and how many there are.
    pub(crate) scores: Statistics,
    /// The mean of A² with one normalisation for all, and with one for each agent.
    pub(crate) moments: [f64; 2],
}

/// The agents of a task under both normalisations.
#[derive(Debug, PartialEq)]
pub(crate) struct Normalisations {
    /// The agents by name, in order of appearance.
    pub(crate) agents: Vec<(AttrValue, Turns)>,
    /// How many more there are.
    pub(crate) more: usize,
    /// All of them together.
    pub(crate) all: Turns,
}

/// GRPO as it is set, if it is what compares the scores, else as it is usually.
fn grpo(estimator: &Estimator) -> Grpo {
    match estimator {
        Estimator::Grpo(own) => own.clone(),
        Estimator::DrMas(team) => grpo(&team.estimator),
        _ => Grpo::default(),
    }
}

impl Normalisations {
    /// The agents of a task under GRPO over all steps and under Dr. MAS with GRPO inside, with the penalty of some
    /// options, and those of their GRPO. Scores are divided by their deviation in any case: it is what is compared.
    ///
    /// # Formula
    /// With m and s for mean and deviation of all scores, m_k and s_k for those of agent k, and `std = population`, the
    /// mean of A² over agent k's steps is (s_k² + (m_k − m)²) / s² with one normalisation, and 1 with its own.
    ///
    /// None where the options do not fit the task.
    pub(crate) fn new(task: &Task, options: &Options) -> Option<Self> {
        let inside = Grpo { scale: Scale::MeanStd, ..grpo(&options.estimator) };
        let std = inside.std;
        let together = Estimator::Grpo(inside);
        let apart = DrMas { estimator: Box::new(together.clone()), ..DrMas::default() };
        let of = |estimator| {
            let options = Options { estimator, ..options.clone() };
            Some(estimate(&task.batch, &options).ok()?.advantages.into_values())
        };
        let advantages = [of(together)?, of(Estimator::DrMas(apart))?];
        let scores = Scores::of(&task.batch, options.discount, options.invalid_penalty);
        let scores = scores.episode_scores();
        let steps = || task.rows().iter().flat_map(|own| &own.steps).map(agent_of).enumerate();
        let turns = |name: Option<&str>| {
            let own = steps().filter(|(_, agent)| name.is_none_or(|name| name == *agent));
            let rows: Vec<usize> = own.map(|(row, _)| row).collect();
            let own: Vec<f64> = rows.iter().map(|&row| scores[row]).collect();
            let moment = |all: &Vec<f64>| {
                rows.iter().map(|&row| all[row] * all[row]).sum::<f64>() / rows.len() as f64
            };
            Turns { scores: Statistics::of(&own, std), moments: advantages.each_ref().map(moment) }
        };
        let named = task.agents.iter().take(MOST);
        Some(Self {
            agents: named.map(|agent| (agent.name.clone(), turns(Some(&agent.name)))).collect(),
            more: task.agents.len().saturating_sub(MOST),
            all: turns(None),
        })
    }

    /// Whether some agent's scores are all equal though those of all are not.
    pub(crate) fn has_idle(&self) -> bool {
        self.all.scores.std > 0.0 && self.agents.iter().any(|(_, turns)| turns.scores.std == 0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::Normalisations;
    use crate::model::{Controls, ESTIMATOR, PRESETS, Preset, Rollouts};

    fn controls(settings: &[(&'static str, &str)]) -> Controls {
        let set = |controls: Controls, (key, text): &(&'static str, &str)| {
            controls.with(key, text).expect("admitted")
        };
        settings.iter().fold(Controls::default(), set)
    }

    fn of(rollouts: &Rollouts, settings: &[(&'static str, &str)]) -> Normalisations {
        let options = controls(settings).options;
        Normalisations::new(&rollouts.tasks[0], &options).expect("the options fit")
    }

    fn example() -> Rollouts {
        PRESETS[Preset::position("countdown").expect("an example")].load().0
    }

    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-5, "{found} is not {expected}");
    }

    #[test]
    fn one_normalisation_makes_the_advantages_of_who_acts_in_failures_large() {
        // Ten steps, eight of successes: m = 8, s = 4, A = 1/2 or -2. Checker: one of each, m = 5, s = 5. Solver: seven
        // and one, m = 8.75, s² = 100·7/64.
        for estimator in ["grpo", "dr-mas"] {
            let found = of(&example(), &[(ESTIMATOR, estimator), ("std", "population")]);
            let names: Vec<_> = found.agents.iter().map(|(name, _)| &**name).collect();
            assert_eq!(
                (names, found.more, found.has_idle()),
                (vec!["solver", "checker"], 0, false)
            );
            let [(_, solver), (_, checker)] = &found.agents[..] else { panic!("two agents") };
            assert_eq!(
                (solver.scores.size, checker.scores.size, found.all.scores.size),
                (8, 2, 10)
            );
            for (turns, mean, variance, moment) in [
                (solver, 8.75, 700.0 / 64.0, (7.0 * 0.25 + 4.0) / 8.0),
                (checker, 5.0, 25.0, 4.25 / 2.0),
                (&found.all, 8.0, 16.0, 1.0),
            ] {
                near(turns.scores.mean, mean);
                near(turns.scores.std.powi(2), variance);
                near(turns.moments[0], (variance + (mean - 8.0).powi(2)) / 16.0);
                near(turns.moments[0], moment);
                near(turns.moments[1], 1.0);
            }
        }
    }

    #[test]
    fn what_is_compared_is_divided_whatever_else_is_set() {
        // The sample's deviation, of which 1 - 1/n is left; neither the scale nor HGPO's own options count.
        let scaled = of(&example(), &[(ESTIMATOR, "grpo"), ("scale", "mean")]);
        assert_eq!(scaled, of(&example(), &[]));
        near(scaled.agents[0].1.moments[1], 7.0 / 8.0);
        near(scaled.agents[1].1.moments[1], 1.0 / 2.0);
        near(scaled.all.moments[0], 9.0 / 10.0);
    }

    #[test]
    fn an_agent_in_failures_alone_has_nothing_to_compare() {
        let file = include_str!("../../../assets/presets/countdown.rollouts.jsonl");
        let text = file.replace(
            r#""reject","reward":0,"agent":"checker""#,
            r#""reject","reward":0,"agent":"solver""#,
        );
        let found = of(&Rollouts::read(&text).expect("rollouts"), &[(ESTIMATOR, "grpo")]);
        assert!(found.has_idle());
        let (_, checker) = &found.agents[1];
        assert_eq!((checker.scores.size, checker.scores.mean, checker.moments[1]), (1, 0.0, 0.0));
        assert!(checker.moments[0] > 3.0, "one normalisation blames it: {}", checker.moments[0]);
    }
}
