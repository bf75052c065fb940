//! The estimator that flat settings describe: those that the chosen one does not have are left alone.

use hgpo_core::{
    Baseline, Discount, DrMas, EpisodeStatistics, Error, Estimator, G2po, Gigpo, GraphGpo, Grpo,
    Hgpo, History, ReinforcePlusPlus, Rloo, Scale, Similarity, Weights,
};

/// Options of all estimators side by side, with their defaults.
#[derive(Clone, Debug)]
pub struct FlatEstimator {
    /// Which one.
    pub name: String,
    /// Which one works within each agent's steps (dr-mas).
    pub inside: String,
    /// Deepest level K of the hierarchy (hgpo).
    pub context_length: usize,
    /// Exponent of the level weights (hgpo).
    pub alpha: f64,
    /// Level weights (hgpo).
    pub weights: Weights,
    /// Whether the episode's own term takes part (hgpo).
    pub base_group: bool,
    /// What a context holds of the past (hgpo).
    pub history: History,
    /// Whose values a step's value is compared with (hgpo).
    pub baseline: Baseline,
    /// States that are alike count as one (hgpo, gigpo).
    pub similarity: Option<Similarity>,
    /// Whether to divide by standard deviations (all but rloo and reinforce-plus-plus).
    pub scale: Scale,
    /// Weight of the step terms (gigpo, g2po).
    pub step_weight: f64,
    /// Rows of the episode term's statistics (all but hgpo).
    pub episode_statistics: EpisodeStatistics,
    /// Whether the task's mean is subtracted before whitening (reinforce-plus-plus).
    pub task_baseline: bool,
    /// Discount of nearness to the goal (graph-gpo).
    pub graph_discount: f64,
    /// Discount of the values of states (g2po).
    pub value_discount: f64,
}

impl Default for FlatEstimator {
    fn default() -> Self {
        let (hgpo, gigpo) = (Hgpo::default(), Gigpo::default());
        Self {
            name: Estimator::default().name().to_owned(),
            inside: DrMas::default().estimator.name().to_owned(),
            context_length: hgpo.context_length,
            alpha: hgpo.alpha,
            weights: hgpo.weights,
            base_group: hgpo.base_group,
            history: hgpo.history,
            baseline: hgpo.baseline,
            similarity: hgpo.similarity,
            scale: hgpo.scale,
            step_weight: gigpo.step_weight,
            episode_statistics: gigpo.episode_statistics,
            task_baseline: ReinforcePlusPlus::default().task_baseline,
            graph_discount: GraphGpo::default().graph_discount.get(),
            value_discount: G2po::default().value_discount.get(),
        }
    }
}

impl FlatEstimator {
    /// The estimator as core takes it.
    ///
    /// # Errors
    /// An unknown name, a discount out of range.
    pub fn build(&self) -> Result<Estimator, Error> {
        self.named(&self.name)
    }

    fn named(&self, name: &str) -> Result<Estimator, Error> {
        let &Self { scale, episode_statistics, step_weight, .. } = self;
        Ok(match Estimator::default_named(name)? {
            Estimator::Hgpo(defaults) => Estimator::Hgpo(Hgpo {
                context_length: self.context_length,
                alpha: self.alpha,
                scale,
                weights: self.weights,
                base_group: self.base_group,
                history: self.history,
                similarity: self.similarity.clone(),
                baseline: self.baseline,
                ..defaults
            }),
            Estimator::Gigpo(defaults) => Estimator::Gigpo(Gigpo {
                step_weight,
                scale,
                episode_statistics,
                similarity: self.similarity.clone(),
                ..defaults
            }),
            Estimator::Grpo(defaults) => {
                Estimator::Grpo(Grpo { scale, episode_statistics, ..defaults })
            }
            Estimator::Rloo(defaults) => Estimator::Rloo(Rloo { episode_statistics, ..defaults }),
            Estimator::ReinforcePlusPlus(_) => Estimator::ReinforcePlusPlus(ReinforcePlusPlus {
                task_baseline: self.task_baseline,
                episode_statistics,
            }),
            Estimator::GraphGpo(defaults) => Estimator::GraphGpo(GraphGpo {
                graph_discount: Discount::new(self.graph_discount)?,
                scale,
                episode_statistics,
                ..defaults
            }),
            Estimator::G2po(defaults) => Estimator::G2po(G2po {
                step_weight,
                value_discount: Discount::new(self.value_discount)?,
                scale,
                episode_statistics,
                ..defaults
            }),
            // One inside the other is refused when the options are validated.
            Estimator::DrMas(_) if self.inside == name => {
                Estimator::DrMas(DrMas { estimator: Box::new(Estimator::DrMas(DrMas::default())) })
            }
            Estimator::DrMas(_) => {
                Estimator::DrMas(DrMas { estimator: Box::new(self.named(&self.inside)?) })
            }
        })
    }
}
