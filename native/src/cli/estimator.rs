//! The options of an estimator on the command line.

use clap::Args;
use hgpo_core::{
    Discount, EpisodeStatistics, Error, Estimator, Gigpo, Grpo, Hgpo, Options, Scale, Weights,
};

/// Flags of `hgpo advantages`; those that the chosen estimator does not have are left alone.
#[derive(Debug, Args)]
pub(super) struct EstimatorOptions {
    /// hgpo, gigpo or grpo
    #[arg(long, value_name = "NAME", default_value_t = Estimator::default().name().to_owned())]
    estimator: String,
    /// Deepest level K of the hierarchy (hgpo)
    #[arg(long, value_name = "K", default_value_t = Hgpo::default().context_length)]
    context_length: usize,
    /// Exponent of the level weights (hgpo)
    #[arg(long, value_name = "A", default_value_t = Hgpo::default().alpha, allow_negative_numbers = true)]
    alpha: f64,
    /// mean-std divides by the standard deviation of the group, mean does not
    #[arg(long, default_value_t)]
    scale: Scale,
    /// Level weights of the paper, or of verl-agent's code (hgpo)
    #[arg(long, value_name = "paper|verl", default_value_t)]
    weights: Weights,
    /// Adds the episode's own term (hgpo with --weights verl)
    #[arg(long)]
    base_group: bool,
    /// Weight of the step term (gigpo)
    #[arg(long, value_name = "W", default_value_t = Gigpo::default().step_weight, allow_negative_numbers = true)]
    step_weight: f64,
    /// Statistics of the episode term over steps or trajectories (gigpo, grpo)
    #[arg(long, value_name = "steps|trajectories", default_value_t)]
    episode_statistics: EpisodeStatistics,
    /// Discount of the step returns
    #[arg(long, value_name = "G", default_value_t = Discount::default().get(), allow_negative_numbers = true)]
    discount: f64,
    /// Subtracted at an invalid step
    #[arg(long, value_name = "P", default_value_t = Options::default().invalid_penalty, allow_negative_numbers = true)]
    invalid_penalty: f64,
}

impl EstimatorOptions {
    /// The options as core takes them.
    ///
    /// # Errors
    /// An unknown estimator, a number out of range, options that exclude each other.
    pub(super) fn resolve(&self) -> Result<Options, Error> {
        let estimator = match Estimator::default_named(&self.estimator)? {
            Estimator::Hgpo(defaults) => Estimator::Hgpo(Hgpo {
                context_length: self.context_length,
                alpha: self.alpha,
                scale: self.scale,
                weights: self.weights,
                base_group: self.base_group,
                ..defaults
            }),
            Estimator::Gigpo(defaults) => Estimator::Gigpo(Gigpo {
                step_weight: self.step_weight,
                scale: self.scale,
                episode_statistics: self.episode_statistics,
                ..defaults
            }),
            Estimator::Grpo(defaults) => Estimator::Grpo(Grpo {
                scale: self.scale,
                episode_statistics: self.episode_statistics,
                ..defaults
            }),
        };
        let discount = Discount::new(self.discount)?;
        let options = Options { discount, invalid_penalty: self.invalid_penalty, estimator };
        options.validate()?;
        Ok(options)
    }
}
