//! `hgpo compare`: a study, run by run.

mod run_selection;
mod study_source;

use std::num::NonZero;
use std::sync::Arc;

use clap::Args;
use hgpo_study::Seeds;
use hgpo_study::result_tables::tables;
use hgpo_study::summary::StudySummary;

use self::study_source::SelectedStudy;
use super::options::{EnvironmentOptions, runs_folder, threads};
use crate::device::{self, Adapter, DeviceChoice, Workload};
use crate::run::storage::lock::lock_study;
use crate::run::{Display, Interrupt};
use crate::study::{Forecast, RunQueue, Slot, StudyFolder, StudyJob, StudyPlan, StudyState};
use crate::terminal::{program_command, quote_path};

pub(super) const AFTER: &str = "\
Runs every arm of a study with every seed, as many in parallel as there are cores, each in
runs/STUDY/ARM/SEED. Finished work is kept; rerun the same command to resume after any interruption.

Exit status: 0 success, 1 failure (including a failed run), 2 usage error, 130 stopped by Ctrl-C.

Environment: HGPO_RUNS names the folder of runs and studies [default: runs].

Examples:
  hgpo compare --estimators grpo,gigpo,hgpo --preset gridworld --seeds 1-8
  hgpo compare study.toml --dry-run                # estimates the time, after one run per arm
  hgpo compare estimators --only hgpo-k2/3         # one run of a built-in study
  hgpo compare runs/NAME                           # resumes a study";

#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "flags of a command line")]
pub(super) struct Compare {
    #[arg(value_name = "STUDY", help = study_source::help())]
    study: Option<String>,
    /// Compare estimators, one arm each
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', conflicts_with = "study")]
    estimators: Vec<String>,
    /// Training seeds, for example 1-8 or 1,2,5 [default: those of the study; 1-8 with --estimators]
    #[arg(long)]
    seeds: Option<Seeds>,
    /// Preset for all runs, replacing the study's (see hgpo train --help)
    #[arg(long, value_name = "NAME")]
    preset: Option<String>,
    /// Override a setting in all runs, whatever the study or its grid says; repeatable
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Environment steps to train each run for, replacing the study's
    #[arg(long, value_name = "N")]
    environment_steps: Option<u64>,
    /// Name of the study; its folder is runs/NAME
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Only this run, or all runs of this arm; repeatable. This lets several processes share a study
    #[arg(long, value_name = "ARM[/SEED]")]
    only: Vec<String>,
    /// List the runs, one ARM/SEED per line, and exit
    #[arg(long)]
    list: bool,
    /// List them as JSON objects, with status and settings
    #[arg(long, requires = "list")]
    json: bool,
    /// List the built-in studies and exit
    #[arg(long)]
    presets: bool,
    /// Do one run per arm, estimate how long the study will take, and exit
    #[arg(long, conflicts_with = "list")]
    dry_run: bool,
    /// Number of runs in parallel on the CPU [default: one per core]
    #[arg(long, value_name = "N", value_parser = threads)]
    jobs: Option<NonZero<usize>>,
    /// Device to run on, as in hgpo train --help, for example wgpu:0; repeatable: each adapter executes one
    /// run at a time
    #[arg(long, default_value = "auto")]
    device: Vec<DeviceChoice>,
    /// Worker threads per run
    #[arg(long, value_name = "N", default_value = "1", value_parser = threads)]
    threads: NonZero<usize>,
    #[command(flatten)]
    environment: EnvironmentOptions,
}

/// Compares, lists, or says what comparing will take.
pub(super) fn run(args: &Compare) -> anyhow::Result<u8> {
    if args.presets {
        study_source::list_presets()?;
        return Ok(0);
    }
    let SelectedStudy { plan, base, command, folder } = study_source::select_study(args)?;
    let root = folder.unwrap_or_else(|| runs_folder().join(&plan.name));
    let folder = StudyFolder { root };
    let jobs = run_selection::select_runs(&plan, &args.only)?;
    if args.list {
        let state = StudyState::open(&plan, &folder, command)?;
        run_selection::list_runs(&plan, &state, &jobs, args.json)?;
        return Ok(0);
    }
    folder.prepare(&plan, base.as_deref())?;
    let _claim = lock_study(&folder.root, !args.only.is_empty())?;
    let mut state = StudyState::open(&plan, &folder, command)?;
    let (interrupt, display) = (Interrupt::default(), Arc::new(Display::new()));
    interrupt.listen(&display)?;
    #[cfg(unix)]
    interrupt.listen_to_scheduler(&display)?;
    let slots = slots(args, &plan, device::adapters);
    let queue = RunQueue {
        plan: &plan,
        folder: &folder,
        slots: &slots,
        threads: args.threads.get(),
        environment: args.environment.words(),
        interrupt: &interrupt,
        display: &display,
    };
    if args.dry_run {
        return dry_run(&queue, &mut state, &jobs);
    }
    let open = state.unfinished(&jobs);
    display.line(&describe_start(&queue, &jobs, &open));
    let ending = queue.run(&mut state, &open)?;
    state.write()?;
    if ending.is_none() {
        return Ok(report_stop(&state, &jobs, &queue));
    }
    conclude(&state, &jobs, &queue)
}

/// Where runs are computed: an adapter has one run at a time, the CPU as many as it has cores. With `auto`, each arm is
/// computed where more of its runs are done in the same time.
fn slots(args: &Compare, plan: &StudyPlan, adapters: impl Fn() -> Vec<Adapter>) -> Vec<Slot> {
    let cores = std::thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
    let jobs = args.jobs.unwrap_or(cores).get();
    let is_for_gpu = |&arm: &usize| {
        let (config, threads) = (&plan.arms[arm].config, args.threads.get());
        let workload = Workload::Runs { config, threads, at_once: jobs };
        workload.preference().is_gpu && device::best(&adapters()).is_some()
    };
    let all = 0..plan.arms.len();
    let places = |device: &DeviceChoice| {
        let place = |device, arms| Slot { device, arms };
        match *device {
            DeviceChoice::Cpu => vec![place(DeviceChoice::Cpu, all.clone().collect()); jobs],
            DeviceChoice::Auto => {
                let (gpu, cpu): (Vec<usize>, Vec<usize>) = all.clone().partition(is_for_gpu);
                let here = vec![place(DeviceChoice::Cpu, cpu); jobs];
                [vec![place(DeviceChoice::Auto, gpu)], here].concat()
            }
            device => vec![place(device, all.clone().collect())],
        }
    };
    let slots = args.device.iter().flat_map(places);
    slots.filter(|slot| !slot.arms.is_empty()).collect()
}

fn describe_start(queue: &RunQueue<'_>, jobs: &[StudyJob], open: &[StudyJob]) -> String {
    let (arms, seeds) = (queue.plan.arms.len(), queue.plan.seeds().len());
    let done = jobs.len() - open.len();
    let kept = if done > 0 { format!(", {done} of them finished before") } else { String::new() };
    format!(
        "{}: {arms} arms x {seeds} seeds, {} runs here{kept}, {} at a time",
        queue.folder.root.display(),
        jobs.len(),
        queue.slots.len()
    )
}

fn conclude(state: &StudyState<'_>, jobs: &[StudyJob], queue: &RunQueue<'_>) -> anyhow::Result<u8> {
    let summary = state.summary()?;
    queue.display.report(&format!("\n{}", tables(&summary)))?;
    queue.display.line(&format!("all numbers: {}", quote_path(&queue.folder.summary())));
    if let Some(note) = describe_missed_budget(&summary) {
        queue.display.line(&note);
    }
    let open = state.unfinished(jobs);
    if open.is_empty() {
        return Ok(0);
    }
    let again = resume_command(queue);
    anyhow::bail!(
        "{} of {} runs are not finished; what went wrong stands above and in {}; to try again (what cannot be \
         resumed begins anew once its folder is removed): {again}",
        open.len(),
        jobs.len(),
        quote_path(&queue.folder.summary())
    )
}

/// A note, if runs that ended by their iterations leave less to compare than the study's budget.
fn describe_missed_budget(summary: &StudySummary) -> Option<String> {
    let (budget, steps) = (summary.environment_steps, summary.compared_steps());
    (0 < steps && steps < budget).then(|| {
        format!(
            "note: a run ended by learn.iterations after {steps} environment steps, so that areas are over these and \
             not over the {budget} of the study; a larger learn.iterations needs a study of another name"
        )
    })
}

fn report_stop(state: &StudyState<'_>, jobs: &[StudyJob], queue: &RunQueue<'_>) -> u8 {
    let done = jobs.len() - state.unfinished(jobs).len();
    queue.display.line(&format!(
        "stopped: {done} of {} runs are finished; to go on: {}",
        jobs.len(),
        resume_command(queue)
    ));
    Interrupt::EXIT_STATUS
}

/// The command that goes on with a study.
fn resume_command(queue: &RunQueue<'_>) -> String {
    format!("{} compare {}", program_command(), quote_path(&queue.folder.root))
}

fn dry_run(
    queue: &RunQueue<'_>,
    state: &mut StudyState<'_>,
    jobs: &[StudyJob],
) -> anyhow::Result<u8> {
    let slots = queue.slots.len();
    let pilots = Forecast::pilots(state, jobs, slots);
    if !pilots.is_empty() {
        queue.display.line(&format!(
            "{} runs come first, at least one of every arm; they are runs of the study and are kept",
            pilots.len()
        ));
    }
    let ending = queue.run(state, &pilots)?;
    state.write()?;
    let Some(measured) = ending else { return Ok(report_stop(state, jobs, queue)) };
    let forecast = Forecast::new(state, jobs, &measured, slots)?;
    queue.display.report(&forecast.to_string())?;
    queue.display.line(&format!("to run them: {}", resume_command(queue)));
    Ok(0)
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use hgpo_study::StudyFile;

    use super::*;

    #[derive(Parser)]
    struct CommandLine {
        #[command(flatten)]
        compare: Compare,
    }

    /// The places of a study of a default arm, 0, and one of 50 million weights, 1, on two cores.
    fn places(flags: &[&str], adapters: &[Adapter]) -> Vec<(String, Vec<usize>)> {
        let text = "seeds = \"1\"\n[arms.small]\n[arms.large]\nmodel.hidden_size = 1024\n\
                    model.intermediate_size = 4096\nmodel.num_hidden_layers = 4\n";
        let file = StudyFile::read("s", text).unwrap();
        let plan = StudyPlan::new("s".into(), file, "s", None).unwrap();
        let line = [&["compare", "--jobs", "2"], flags].concat();
        let args = CommandLine::parse_from(line).compare;
        let found = slots(&args, &plan, || adapters.to_vec());
        found.into_iter().map(|slot| (slot.device.to_string(), slot.arms)).collect()
    }

    #[test]
    fn arms_run_on_the_device_that_is_faster_for_them() {
        let place = |device: &str, arms: &[usize]| (device.to_owned(), arms.to_vec());
        let card = Adapter::for_test("a card", wgpu::DeviceType::DiscreteGpu);
        let (card, none) = (std::slice::from_ref(&card), &[]);
        let [cpu, small] = [place("cpu", &[0, 1]), place("cpu", &[0])];
        assert_eq!(places(&[], none), [cpu.clone(), cpu.clone()]);
        assert_eq!(places(&[], card), [place("auto", &[1]), small.clone(), small]);
        assert_eq!(places(&["--device", "cpu"], card), [cpu.clone(), cpu.clone()]);
        let forced = ["--device", "wgpu:0", "--device", "cpu"];
        assert_eq!(places(&forced, card), [place("wgpu:0", &[0, 1]), cpu.clone(), cpu]);
    }
}
