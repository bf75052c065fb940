//! Lines of `metrics.jsonl`.

use hgpo_train::config::Config;
use hgpo_train::executor::Sequential;
use hgpo_train::trainer::{Learner, Metrics, SPLITS, add_evaluated};

/// The line of an iteration as `hgpo train` writes it, with evaluations when they are due. There is no clock
/// here: its fields are 0.
pub(crate) fn line(
    mut metrics: Metrics,
    config: &Config,
    learner: &dyn Learner,
) -> Result<String, String> {
    metrics.insert("seconds/iteration".into(), 0.0.into());
    metrics.insert("time".into(), 0.0.into());
    for (_, value) in metrics.iter_mut().filter(|(name, _)| is_of_clock(name)) {
        *value = 0.0.into();
    }
    if config.evaluates_after(learner.iteration(), 0) {
        evaluate(&mut metrics, config, learner)?;
    }
    serde_json::to_string(&metrics).map_err(|error| error.to_string())
}

/// Whether a field depends on how fast the machine is, or on when it ran.
fn is_of_clock(name: &str) -> bool {
    name == "time" || name.starts_with("seconds/") || name.ends_with("_per_second")
}

fn evaluate(metrics: &mut Metrics, config: &Config, learner: &dyn Learner) -> Result<(), String> {
    let seeds = &config.evaluation.seeds;
    for split in SPLITS {
        let (mut success_rate, mut length) = (0.0, 0.0);
        for &seed in seeds {
            let found = learner.evaluate_split(split, seed, &Sequential);
            let Some(found) = found.map_err(|error| error.to_string())? else { continue };
            success_rate += found.successes as f64 / found.episodes.max(1) as f64;
            length += found.mean_length;
        }
        let count = seeds.len() as f64;
        add_evaluated(metrics, split, success_rate / count, length / count);
    }
    Ok(())
}
