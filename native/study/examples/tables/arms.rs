//! Arm table: success of every arm, by task and over all of them, and the metrics that explain it. Several studies with
//! the same arms are tasks of one table.

use hgpo_evidence::{Bootstrap, Interval, Scores, interquartile_mean, mean};
use hgpo_study::summary::ITERATION_PHASES;
use hgpo_study::text_table::TextTable;

use crate::archived_study::{ArchivedArm, ArchivedStudy};

/// What arms are compared by: a number for every seed.
#[derive(Clone, Copy)]
pub(crate) enum Measure {
    /// The area under the success curve.
    Area,
    /// Success on new tasks in known surroundings, after training.
    Seen,
    /// Success in surroundings that were never trained on, after training.
    Unseen,
}

impl Measure {
    pub(crate) fn named(name: &str) -> Result<Self, String> {
        match name {
            "area" => Ok(Self::Area),
            "seen" => Ok(Self::Seen),
            "unseen" => Ok(Self::Unseen),
            _ => Err(format!("'{name}' is no measure: use area, seen or unseen")),
        }
    }

    fn of(self, arm: &ArchivedArm) -> &[f64] {
        match self {
            Self::Area => &arm.area,
            Self::Seen => &arm.seen,
            Self::Unseen => &arm.unseen,
        }
    }
}

/// The arms of studies by name, and their tasks, both in their order.
pub(crate) struct Table<'a> {
    measure: Measure,
    names: Vec<&'a str>,
    tasks: Vec<String>,
    /// Every arm with its task.
    arms: Vec<(&'a ArchivedArm, String)>,
}

impl<'a> Table<'a> {
    pub(crate) fn new(studies: &'a [ArchivedStudy], measure: Measure) -> Self {
        let (mut names, mut tasks, mut arms) = (Vec::new(), Vec::new(), Vec::new());
        for study in studies {
            for arm in &study.arms {
                let own_name = [study.study.clone()].into_iter().filter(|_| studies.len() > 1);
                let task: Vec<String> = own_name.chain(settings_of_task(arm)).collect();
                let task = task.join(", ");
                if !names.contains(&arm.name.as_str()) {
                    names.push(arm.name.as_str());
                }
                if !tasks.contains(&task) {
                    tasks.push(task.clone());
                }
                arms.push((arm, task));
            }
        }
        Self { measure, names, tasks, arms }
    }

    pub(crate) fn tasks(&self) -> &[String] {
        &self.tasks
    }

    /// What an arm is compared by.
    pub(crate) fn values(&self, arm: &'a ArchivedArm) -> &'a [f64] {
        self.measure.of(arm)
    }

    pub(crate) fn arm(&self, name: &str, task_name: &str) -> Result<&'a ArchivedArm, String> {
        let is_it = |(arm, task): &&(&ArchivedArm, String)| arm.name == name && task == task_name;
        let mut arms = self.arms.iter().filter(is_it).map(|(arm, _)| *arm);
        match (arms.next(), arms.next()) {
            (Some(arm), None) => Ok(arm),
            (None, _) => Err(format!("{name} has no runs on {task_name}")),
            (Some(_), Some(_)) => Err(format!("{name} has several settings on {task_name}")),
        }
    }

    /// A row for every seed, a column for every task, in percent.
    fn scores(&self, name: &str) -> Result<Scores, String> {
        let arms: Vec<&ArchivedArm> =
            self.tasks.iter().map(|task| self.arm(name, task)).collect::<Result<_, _>>()?;
        if arms.iter().any(|arm| arm.seeds != arms[0].seeds) {
            return Err(format!("{name} has other seeds on other tasks"));
        }
        let seeds = arms[0].seeds.len();
        if arms.iter().any(|arm| self.measure.of(arm).len() != seeds) {
            return Err(format!("{name} has not been measured with every seed"));
        }
        let row = |seed: usize| arms.iter().map(|arm| 100.0 * self.measure.of(arm)[seed]).collect();
        Scores::new((0..seeds).map(row).collect()).map_err(|error| error.to_string())
    }
}

/// What tells tasks of a study apart: settings of the environment, by the last part of their names.
fn settings_of_task(arm: &ArchivedArm) -> impl Iterator<Item = String> {
    let settings = arm.settings.iter().filter(|(name, _)| name.starts_with("environment."));
    settings.map(|(name, value)| {
        let last = name.rsplit('.').next().unwrap_or(name);
        match (last, value.as_str()) {
            ("world", Some(world)) => world.to_owned(),
            _ => format!("{last} {value}"),
        }
    })
}

pub(crate) fn table(
    studies: &[ArchivedStudy],
    measure: Measure,
    first: Option<&str>,
) -> Result<TextTable, String> {
    let table = Table::new(studies, measure);
    let first = first.unwrap_or(table.names[0]);
    let held = table.scores(first)?;
    let bootstrap = Bootstrap::default();
    let [better, less] = [format!("better than {first}"), format!("less {first}, paired")];
    let heads = ["arm"].into_iter().chain(table.tasks.iter().map(String::as_str));
    let mut made = TextTable::new(heads.chain(["interquartile mean", &better, &less]));
    for name in &table.names {
        let mut row = vec![(*name).to_owned()];
        for task in &table.tasks {
            let (mean, error) = mean_and_interval(measure.of(table.arm(name, task)?));
            row.push(format!("{:.1} ± {:.1}", 100.0 * mean, 100.0 * error));
        }
        let scores = table.scores(name)?;
        row.push(shown(bootstrap.interval(&scores, interquartile_mean), 1));
        if *name == first {
            row.extend([String::new(), String::new()]);
        } else {
            let better =
                bootstrap.improvement(&scores, &held).map_err(|error| error.to_string())?;
            let less =
                bootstrap.paired_difference(&scores, &held, mean).map_err(|it| it.to_string())?;
            row.extend([shown(better, 2), shown(less, 1)]);
        }
        made.rows.push(row);
    }
    Ok(made)
}

/// Mean and half-width of a 95 % interval, 1.96 standard errors.
pub(crate) fn mean_and_interval(values: &[f64]) -> (f64, f64) {
    let (mean, error) = mean_and_error(values);
    (mean, 1.96 * error)
}

/// Mean and standard error.
pub(crate) fn mean_and_error(values: &[f64]) -> (f64, f64) {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|it| (it - mean).powi(2)).sum();
    (mean, (squares / (count - 1.0).max(1.0) / count).sqrt())
}

fn shown(it: Interval, digits: usize) -> String {
    // What rounds to nothing has no sign.
    let unit = 10f64.powi(digits as i32);
    let text = |value: f64| format!("{:.digits$}", (value * unit).round() / unit + 0.0);
    let [point, low, high] = [it.point, it.low, it.high].map(text);
    format!("{point} [{low}, {high}]")
}

/// Metrics, means over tasks.
pub(crate) fn reasons(studies: &[ArchivedStudy]) -> TextTable {
    const SHOWN: [(&str, &str); 6] = [
        ("no_signal_fraction", "no signal"),
        ("grad_norm", "norm of the gradient"),
        ("advantage/std", "deviation of advantages"),
        ("group_size/level_0/mean", "size, level 0"),
        ("group_size/level_2/mean", "size, level 2"),
        ("context_inconsistency/level_2/beyond_chance", "inconsistency, k = 2"),
    ];
    let table = Table::new(studies, Measure::Area);
    let heads = ["arm"].into_iter().chain(SHOWN.iter().map(|(_, head)| *head));
    let mut made = TextTable::new(heads.chain(["advantages, % of time"]));
    for name in &table.names {
        let own = table.arms.iter().filter(|(arm, _)| arm.name == *name);
        let arms: Vec<&ArchivedArm> = own.map(|(arm, _)| *arm).collect();
        let average = |values: Vec<f64>| match values.len() {
            0 => "–".to_owned(),
            count => format!("{:.3}", values.iter().sum::<f64>() / count as f64),
        };
        let metric =
            |key: &str| arms.iter().filter_map(|arm| arm.metrics.get(key).copied()).collect();
        let cells = SHOWN.map(|(key, _)| average(metric(key)));
        let seconds =
            |phase: &str| arms.iter().filter_map(|arm| arm.seconds.get(phase)).sum::<f64>();
        let training: f64 = ITERATION_PHASES.into_iter().map(seconds).sum();
        let share = 100.0 * seconds("advantage") / training.max(1e-9);
        let row = [(*name).to_owned()].into_iter().chain(cells).chain([format!("{share:.1}")]);
        made.rows.push(row.collect());
    }
    made
}
