//! The options of an estimator on the command line.

use std::collections::BTreeSet;

use anyhow::{bail, ensure};
use clap::Args;
use hgpo_core::{
    Baseline, Discount, EpisodeStatistics, Error, Estimator, Hgpo, History, Linkage, Metric,
    Options, Scale, Similarity, Weights,
};
use hgpo_train::config::estimator::FlatEstimator;

use super::given::{Given, flag};

/// Flags that describe an estimator. One that the chosen estimator does not have is refused.
#[derive(Debug, Args)]
pub(super) struct EstimatorOptions {
    #[command(flatten)]
    given: Given,
    /// hgpo, gigpo, grpo, rloo, reinforce-plus-plus, graph-gpo, g2po or dr-mas
    #[arg(long, value_name = "NAME", default_value_t = FlatEstimator::default().name)]
    estimator: String,
    #[command(flatten)]
    shared: SharedOptions,
}

/// The flags beside the name.
#[derive(Clone, Debug, Args)]
pub(super) struct SharedOptions {
    #[command(flatten)]
    given: Given,
    /// The estimator within each agent's steps (dr-mas)
    #[arg(long, value_name = "NAME", default_value_t = FlatEstimator::default().inside)]
    inside: String,
    /// Deepest level K of the hierarchy (hgpo)
    #[arg(long, value_name = "K", default_value_t = Hgpo::default().context_length)]
    context_length: usize,
    /// Exponent of the level weights (hgpo)
    #[arg(long, value_name = "A", default_value_t = Hgpo::default().alpha, allow_negative_numbers = true)]
    alpha: f64,
    /// mean-std divides by the standard deviation of the group, mean does not
    #[arg(long, default_value_t)]
    scale: Scale,
    /// Level weights of the paper, of verl-agent's code, or from the data (hgpo)
    #[arg(long, value_name = "paper|verl|adaptive", default_value_t)]
    weights: Weights,
    /// Adds the episode's own term (hgpo with --weights verl)
    #[arg(long)]
    base_group: bool,
    /// Compares a step with its whole group, or with the steps of other trajectories (hgpo)
    #[arg(long, value_name = "group|others", default_value_t)]
    baseline: Baseline,
    /// Contexts of the last states, or of the steps' own `context` (hgpo)
    #[arg(long, value_name = "states|summary", default_value_t)]
    history: History,
    /// Counts states as one that are alike by their text or their `embedding` (hgpo, gigpo)
    #[arg(long, value_name = "edit|embedding")]
    similarity: Option<Metric>,
    /// Least similarity of states that count as one (with --similarity)
    #[arg(long, requires = "similarity", value_name = "S", default_value_t = Similarity::default().threshold, allow_negative_numbers = true)]
    threshold: f64,
    /// How similar states are clustered (with --similarity)
    #[arg(long, requires = "similarity", value_name = "greedy|complete", default_value_t)]
    linkage: Linkage,
    /// Weight of the step terms (gigpo, g2po)
    #[arg(long, value_name = "W", default_value_t = FlatEstimator::default().step_weight, allow_negative_numbers = true)]
    step_weight: f64,
    /// Statistics of the episode term over steps or trajectories (all but hgpo)
    #[arg(long, value_name = "steps|trajectories", default_value_t)]
    episode_statistics: EpisodeStatistics,
    /// Subtracts the task's mean before whitening (reinforce-plus-plus)
    #[arg(long)]
    task_baseline: bool,
    /// Discount of nearness to the goal (graph-gpo)
    #[arg(long, value_name = "G", default_value_t = FlatEstimator::default().graph_discount, allow_negative_numbers = true)]
    graph_discount: f64,
    /// Discount of the values of states (g2po)
    #[arg(long, value_name = "G", default_value_t = FlatEstimator::default().value_discount, allow_negative_numbers = true)]
    value_discount: f64,
    /// Discount of the step returns [default: 0.95; of `bias`: that of the run]
    #[arg(long, value_name = "G", allow_negative_numbers = true)]
    discount: Option<f64>,
    /// Subtracted at an invalid step
    #[arg(long, value_name = "P", default_value_t = Options::default().invalid_penalty, allow_negative_numbers = true)]
    invalid_penalty: f64,
}

impl EstimatorOptions {
    /// The options as core takes them.
    ///
    /// # Errors
    /// An unknown estimator, a flag that it does not have, a number out of range, options that
    /// exclude each other.
    pub(super) fn resolve(&self) -> anyhow::Result<Options> {
        let options = self.shared.resolve(&self.estimator)?;
        self.shared.check_given(&[&options.estimator], &[])?;
        Ok(options)
    }

    /// The first of these flags that stands on the command line.
    pub(super) fn first_given(&self) -> Option<String> {
        let flags: Vec<String> = flags().into_iter().chain(["estimator".to_owned()]).collect();
        self.given.names().find(|name| flags.iter().any(|flag| flag == name)).map(flag)
    }
}

impl SharedOptions {
    /// The same flags, with a discount where none was given.
    pub(super) fn with_discount(mut self, discount: f64) -> Self {
        self.discount.get_or_insert(discount);
        self
    }

    /// γ.
    ///
    /// # Errors
    /// A number out of range.
    pub(super) fn discount(&self) -> Result<Discount, Error> {
        self.discount.map_or_else(|| Ok(Discount::default()), Discount::new)
    }

    /// K.
    pub(super) fn context_length(&self) -> usize {
        self.context_length
    }

    /// Names of these options that stand on the command line.
    fn given(&self) -> impl Iterator<Item = &str> {
        let flags = flags();
        self.given.names().filter(move |name| flags.iter().any(|flag| flag == name))
    }

    /// Checks that every flag that was given means something to one of the estimators, or is one
    /// of `used`.
    ///
    /// # Errors
    /// The first flag that does not.
    pub(super) fn check_given(
        &self,
        estimators: &[&Estimator],
        used: &[&str],
    ) -> anyhow::Result<()> {
        let of_estimators = estimators.iter().flat_map(|it| names_of(it));
        let used = used.iter().map(|&name| name.to_owned());
        let names: BTreeSet<String> = of_estimators.chain(used).collect();
        let Some(name) = self.given().find(|name| !names.contains(*name)) else { return Ok(()) };
        let chosen: Vec<&str> = estimators.iter().map(|it| it.name()).collect();
        let has: Vec<String> = flags()
            .into_iter()
            .filter(|name| names.contains(name))
            .map(|name| flag(&name))
            .collect();
        bail!(
            "{}: {} does not have it; leave it out. There are {}",
            flag(name),
            chosen.join(" + "),
            has.join(", ")
        )
    }

    /// The options of `NAME[+WORD]...`, where words are values of --weights and --baseline.
    ///
    /// # Errors
    /// As [`EstimatorOptions::resolve`]; a word that is neither, or an estimator without them.
    pub(super) fn variant(&self, text: &str) -> anyhow::Result<Options> {
        let mut words = text.split('+');
        let name = words.next().unwrap_or_default();
        let mut flags = self.clone();
        for word in words {
            ensure!(name == Estimator::default().name(), "only hgpo has +{word}: leave it out");
            match (word.parse(), word.parse()) {
                (Ok(weights), _) => flags.weights = weights,
                (_, Ok(baseline)) => flags.baseline = baseline,
                _ => bail!(
                    "`{word}` is unknown: write one of {}",
                    Weights::ALL
                        .iter()
                        .map(|it| it.as_str())
                        .chain(Baseline::ALL.iter().map(|it| it.as_str()))
                        .collect::<Vec<_>>()
                        .join(", ")
                ),
            }
        }
        Ok(flags.resolve(name)?)
    }

    /// The options of a named estimator.
    ///
    /// # Errors
    /// As [`EstimatorOptions::resolve`].
    pub(super) fn resolve(&self, name: &str) -> Result<Options, Error> {
        let similarity = self.similarity.map(|metric| Similarity {
            metric,
            linkage: self.linkage,
            threshold: self.threshold,
        });
        let estimator = FlatEstimator {
            name: name.to_owned(),
            inside: self.inside.clone(),
            context_length: self.context_length,
            alpha: self.alpha,
            weights: self.weights,
            base_group: self.base_group,
            history: self.history,
            baseline: self.baseline,
            similarity,
            scale: self.scale,
            step_weight: self.step_weight,
            episode_statistics: self.episode_statistics,
            task_baseline: self.task_baseline,
            graph_discount: self.graph_discount,
            value_discount: self.value_discount,
        };
        let (discount, estimator) = (self.discount()?, estimator.build()?);
        let options = Options { discount, invalid_penalty: self.invalid_penalty, estimator };
        options.validate()?;
        Ok(options)
    }
}

/// Names of all options here.
fn flags() -> Vec<String> {
    let command = SharedOptions::augment_args(clap::Command::default());
    command.get_arguments().map(|argument| argument.get_id().to_string()).collect()
}

/// Names of the options that an estimator has, those of the returns among them.
fn names_of(estimator: &Estimator) -> Vec<String> {
    if let Estimator::DrMas(options) = estimator {
        return names_of(&options.estimator).into_iter().chain(["inside".to_owned()]).collect();
    }
    let written = serde_json::to_value(estimator).unwrap_or_default();
    let own = written.as_object().into_iter().flat_map(|fields| fields.keys().cloned());
    let similarity: &[&str] = match estimator {
        Estimator::Hgpo(_) | Estimator::Gigpo(_) => &["similarity", "threshold", "linkage"],
        _ => &[],
    };
    let returns = &["discount", "invalid_penalty"];
    own.chain(returns.iter().chain(similarity).map(|&name| name.to_owned())).collect()
}
