//! Messages of a run about itself, a line at a time.

use hgpo_env::Suite;
use hgpo_train::config::{BestBy, Config};
use hgpo_train::trainer::{Learner, Metrics, SPLITS};

use super::display::duration;
use super::run_progress::RunProgress;
use crate::device::{self, Chosen};
use crate::run::checkpoint::setting_changes::SettingChange;
use crate::run::evaluation::records::{Best, EvaluationRecord};
use crate::run::storage::run_names::memory_and_context;
use crate::run::{Checkpoint, Display, MetricsHistory, RunDirectory};
use crate::terminal::{quote_path, trainer_command};

/// Columns of the curve of success.
const COLUMNS: usize = 16;
/// The bars of the curve, lowest first.
const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// What a run will do and where, before anything that takes long.
pub(crate) fn describe_plan(
    directory: &RunDirectory,
    config: &Config,
    saved: Option<u64>,
) -> String {
    let Config { rollout, learn, evaluation, warm_start, .. } = config;
    let mut steps = Vec::new();
    if saved.is_none() && warm_start.episodes > 0 {
        steps.push(format!("imitate {} scripted episodes", warm_start.episodes));
    }
    let seeds = match evaluation.seeds.len() {
        1 => "one seed".to_owned(),
        count => format!("{count} seeds"),
    };
    let evaluate = format!("on {} seen and as many unseen tasks, {seeds}", evaluation.tasks);
    if saved.unwrap_or_default() == 0 {
        steps.push(format!("evaluate {evaluate}"));
    }
    let from = match saved {
        Some(done) if done > 0 => format!("iterations {} to {}", done + 1, learn.iterations),
        _ => format!("{} iterations", learn.iterations),
    };
    let until = match learn.environment_steps {
        0 => String::new(),
        budget => format!(", until {budget} steps are played"),
    };
    steps.push(format!(
        "{from} of {} tasks x {} episodes, at most {} steps each{until}",
        rollout.tasks, rollout.group_size, config.environment.max_steps
    ));
    steps.push("evaluate again and draw the curves".to_owned());
    let depth = config.estimator.get("context_length");
    let depth = depth.map(|depth| format!(" (K={depth})")).unwrap_or_default();
    let apart = memory_and_context(config).map(|it| format!("\n{it}")).unwrap_or_default();
    let numbered = steps.iter().zip(1..).map(|(step, number)| format!("\n  {number}. {step}"));
    format!(
        "{}: {} with {}{depth}, seed {}{apart}{}\nCtrl-C saves and stops. Meanwhile `scripts/web` opens a page that explains \
         advantages.",
        directory.root.display(),
        config.environment.name,
        config.estimator.name(),
        config.seed,
        numbered.collect::<String>(),
    )
}

/// How large the policy is and how far it has been trained.
pub(crate) fn describe_policy(config: &Config, learner: &dyn Learner) -> String {
    let (parameters, done) = (learner.trained_count(), learner.iteration());
    let total = config.learn.iterations;
    format!("policy with {parameters} trained parameters, {done} of {total} iterations done")
}

/// How long a run will take, once it is known.
pub(crate) fn describe_time_left(measured: u64, left: f64) -> String {
    format!("about {} to go, by the first {measured} iterations on this machine", duration(left))
}

fn number(metrics: &Metrics, name: &str) -> f64 {
    metrics.get(name).and_then(serde_json::Value::as_f64).unwrap_or(f64::NAN)
}

/// The last iteration on a terminal: success over the iterations so far as a curve.
pub(crate) fn render_status(
    progress: &RunProgress<'_>,
    metrics: &Metrics,
    history: &MetricsHistory,
    each: f64,
) -> String {
    let success: Vec<f64> = history
        .series("success_rate")
        .into_iter()
        .flat_map(|series| series.points().iter().map(|it| it.mean))
        .collect();
    format!(
        "iteration {} {} {:.0} % success, {:.1} steps, {} left",
        progress.to_string().trim_start(),
        sparkline(&success, COLUMNS),
        100.0 * number(metrics, "success_rate"),
        number(metrics, "episode_length/mean"),
        duration(progress.iterations_left() * each),
    )
}

/// Fractions as bars, in as many columns or fewer: each is the mean of the fractions that fall into it.
fn sparkline(fractions: &[f64], columns: usize) -> String {
    let columns = columns.min(fractions.len());
    let start = |column: usize| column * fractions.len() / columns;
    (0..columns)
        .map(|column| {
            let part = &fractions[start(column)..start(column + 1)];
            let mean = part.iter().sum::<f64>() / part.len() as f64;
            // As a number that is none counts 0.
            BARS[((mean * BARS.len() as f64) as usize).min(BARS.len() - 1)]
        })
        .collect()
}

/// An iteration in one line, with the time that the remaining ones will take at so many seconds each.
pub(crate) fn render_iteration(progress: &RunProgress<'_>, metrics: &Metrics, each: f64) -> String {
    let number = |name: &str| number(metrics, name);
    // Without a coefficient it is not measured.
    let kl = metrics.get("kl").map(|_| format!("kl {:.4}  ", number("kl"))).unwrap_or_default();
    format!(
        "iteration {progress}  success {:5.1} %  reward {:6.2}  steps {:5.1}  \
         {kl}entropy {:.3}  {}  eta {}",
        100.0 * number("success_rate"),
        number("reward/mean"),
        number("episode_length/mean"),
        number("entropy"),
        duration(number("seconds/iteration")),
        duration(progress.iterations_left() * each),
    )
}

/// An evaluation in one line.
pub(crate) fn render_evaluation(record: &EvaluationRecord) -> String {
    let when = match record.iteration {
        0 => "before".to_owned(),
        iteration => format!("after {iteration}"),
    };
    format!(
        "evaluation {when}: {} tasks, seed {}: success {:.1} % of {}, {:.1} steps",
        record.split.name(),
        record.seed,
        100.0 * record.success_rate,
        record.episodes,
        record.mean_length,
    )
}

/// Says where a run is computed, and of a resumed one, whether it was computed elsewhere before.
pub(crate) fn show_device(display: &Display, chosen: &Chosen, newest: Option<&Checkpoint>) {
    display.line(&format!("device {}", chosen.reason));
    let before = newest.and_then(Checkpoint::device);
    if let Some(before) = before.filter(|it| *it != device::name(chosen.adapter.as_ref())) {
        display.warn(&format!(
            "note: this run was computed on another device before, {before}; their numbers differ in the last \
             digits, so that it goes on a little differently"
        ));
    }
}

/// Says how many tasks of evaluations are tasks of training, too, if that is not ruled out.
pub(crate) fn show_repeated_tasks(display: &Display, suite: &dyn Suite) {
    for split in SPLITS {
        if let Some((repeated, all)) = suite.repeated(split) {
            let split = split.name();
            display.line(&format!(
                "{repeated} of {all} {split} tasks are tasks of training by their content"
            ));
        }
    }
}

/// Says which settings of a resumed run are other ones from now on.
pub(crate) fn show_setting_changes(display: &Display, changes: &[SettingChange]) {
    for change in changes {
        display.warn(&format!("note: {change}; reports show this run apart from others"));
    }
}

/// The command that goes on with a run, with flags of the machine such as ` --threads 2`.
pub(crate) fn resume_command(directory: &RunDirectory, flags: &str) -> String {
    format!("{} train --resume {}{flags}", trainer_command(), quote_path(&directory.root))
}

/// Why a run ended early, whose best evaluation is this one.
pub(crate) fn describe_patience(config: &Config, best: &Best) -> String {
    let Best { iteration, value, since } = best;
    let by = match config.best_by() {
        BestBy::Score => "score",
        BestBy::None | BestBy::Success => "success",
    };
    format!(
        "{since} evaluations in a row (learn.patience) were no better than that of iteration {iteration}, whose {by} on \
         seen tasks is {:.1} %",
        100.0 * value
    )
}

/// What is said when a run is saved and goes on, because somebody asked for it.
pub(crate) fn describe_save(iteration: u64) -> String {
    format!("saved after iteration {iteration}, as SIGUSR1 asked")
}

/// What is said when a run stops, which was saved after so many iterations and goes on with a command.
pub(crate) fn describe_stop(resume: &str, saved: Option<u64>) -> String {
    match saved {
        Some(iteration) => {
            format!("stopped; saved after iteration {iteration}; continue with: {resume}")
        }
        None => format!("stopped during the warm start, which starts again with: {resume}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn metrics(seconds: f64) -> Metrics {
        let mut metrics = Metrics::new();
        metrics.insert("seconds/iteration".into(), seconds.into());
        metrics.insert("success_rate".into(), 0.5.into());
        metrics
    }

    #[test]
    fn iteration_line_has_the_time_left() {
        // 3 s an iteration, 8 iterations left.
        let mut config = Config::default();
        config.learn.iterations = 10;
        let line = render_iteration(&RunProgress::new(&config, 2, 0), &metrics(4.0), 3.0);
        assert!(line.starts_with("iteration  2/10  success  50.0 %"), "{line}");
        assert!(line.ends_with("4.0 s  eta 24 s"), "{line}");
        assert!(!line.contains("kl "), "{line}");
        let mut measured = metrics(4.0);
        measured.insert("kl".into(), 0.25.into());
        let line = render_iteration(&RunProgress::new(&config, 2, 0), &measured, 3.0);
        assert!(line.contains("  kl 0.2500  entropy"), "{line}");
    }

    #[test]
    fn sparkline_columns_are_means_of_their_values() {
        assert_eq!(sparkline(&[], 4), "");
        assert_eq!(sparkline(&[0.0, 0.5, 1.0], 4), "▁▅█");
        assert_eq!(sparkline(&[0.0, 0.25, 0.5, 0.5, 1.0, 2.0], 3), "▂▅█");
        assert_eq!(sparkline(&[0.25; 5], 2), "▃▃");
        assert_eq!(sparkline(&[f64::NAN, -1.0], 2), "▁▁");
    }
}
