//! Study source: a file, a built-in study, a folder to continue, or flags alone.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use hgpo_study::StudyFile;
use toml::{Table, Value};

use super::Compare;
use crate::run::external_environment::NAME;
use crate::settings::parse_assignment;
use crate::study::{PlannedArm, StudyFolder, StudyPlan, preset, preset_names};
use crate::terminal::quote_word;

/// A study, and how it is made.
pub(crate) struct SelectedStudy {
    pub(crate) plan: StudyPlan,
    /// The text of the settings that it begins with, if that is a file.
    pub(crate) base: Option<String>,
    /// The command that makes it.
    pub(crate) command: String,
    /// The folder of a study that is gone on with; none of a study that is named.
    pub(crate) folder: Option<PathBuf>,
}

/// A study file, what errors call it, and its name if it has none.
struct Source {
    file: StudyFile,
    origin: String,
    name: String,
    /// Where its other files are.
    folder: PathBuf,
}

/// The help of the argument, with the built-in studies.
pub(crate) fn help() -> String {
    let names: Vec<&str> = preset_names().map(|(name, _)| name).collect();
    format!(
        "Study file, folder of a study to resume, or a built-in study (--presets explains them): {}",
        names.join(", ")
    )
}

/// Prints the built-in studies, each with what it compares.
pub(crate) fn list_presets() -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    for (name, summary) in preset_names() {
        writeln!(out, "{name:<16}{summary}")?;
    }
    out.flush()
}

/// The study that the command line asks for.
pub(crate) fn select_study(args: &Compare) -> anyhow::Result<SelectedStudy> {
    let Source { mut file, origin, name, folder } = match &args.study {
        Some(study) => read_source(study)?,
        None => source_from_flags(args)?,
    };
    if let Some(seeds) = &args.seeds {
        file.seeds = seeds.clone();
    }
    if args.study.is_none() && args.environment.setting().is_some() {
        file.preset = Some(NAME.to_owned());
    }
    if let Some(preset) = &args.preset {
        (file.preset, file.config) = (Some(preset.clone()), None);
    }
    if let Some(steps) = args.environment_steps {
        file.environment_steps = steps;
    }
    for text in args.environment.setting().iter().chain(&args.set) {
        let (field, value) = parse_assignment(text)?;
        file.fix(field, value).map_err(|reason| anyhow::anyhow!("--set {text}: {reason}"))?;
    }
    file.name = Some(args.name.clone().or(file.name).unwrap_or(name));
    file.check().map_err(|reason| anyhow::anyhow!("{origin}: {reason}"))?;
    let config = file.config.as_ref().map(|config| folder.join(config));
    let base = config.map(|path| {
        let text = fs::read_to_string(&path);
        let name = path.display().to_string();
        text.with_context(|| format!("{origin}: `config`: cannot read {name}")).map(|it| (name, it))
    });
    let base = base.transpose()?;
    let named = base.as_ref().map(|(name, text)| (name.as_str(), text.as_str()));
    let name = file.name.clone().unwrap_or_default();
    let plan = StudyPlan::new(name, file, &origin, named)?;
    let is_patient = |arm: &&PlannedArm| arm.config.learn.patience > 0;
    if let Some(arm) =
        plan.arms.iter().find(is_patient).filter(|_| plan.file.environment_steps == 0)
    {
        bail!(
            "{origin}: arm `{}`: learn.patience ends runs early, and without a budget the others could not be compared \
             with them: set environment_steps, or learn.patience=0",
            arm.name
        );
    }
    // A name asks for a study of its own.
    let study = args.study.as_deref().map(Path::new);
    let is_folder = |path: &&Path| path.join(StudyFolder::STUDY).is_file();
    let folder = study.filter(is_folder).filter(|_| args.name.is_none()).map(Path::to_owned);
    Ok(SelectedStudy {
        plan,
        base: base.map(|(_, text)| text),
        command: study_command(args),
        folder,
    })
}

/// A study by its file, its folder or its name among the built-in ones.
fn read_source(study: &str) -> anyhow::Result<Source> {
    let path = Path::new(study);
    let path = if path.is_dir() { path.join(StudyFolder::STUDY) } else { path.to_owned() };
    if !path.exists()
        && let Some(text) = preset(study)
    {
        let file = StudyFile::read(study, text)?;
        return Ok(Source { file, origin: study.to_owned(), name: study.to_owned(), folder: path });
    }
    let origin = path.display().to_string();
    if !path.exists() {
        let names: Vec<&str> = preset_names().map(|(name, _)| name).collect();
        bail!(
            "no study at {origin}; write a study file, or choose a built-in one: {}",
            names.join(", ")
        );
    }
    let text = hgpo_env::files::read_text(&path)
        .with_context(|| format!("{origin}: the study cannot be read as text"))?;
    let file = StudyFile::read(&origin, &text)?;
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let folder = path.parent().unwrap_or(Path::new("")).to_owned();
    Ok(Source { file, origin, name: stem, folder })
}

/// A study without a file: an arm for every estimator.
fn source_from_flags(args: &Compare) -> anyhow::Result<Source> {
    if args.estimators.is_empty() {
        bail!(
            "nothing to compare: name a study file, a built-in study (--presets) or --estimators A,B"
        );
    }
    let base = if args.environment.setting().is_some() { NAME } else { "chores" };
    let base = args.preset.as_deref().unwrap_or(base);
    let name = format!("{base}-{}", args.estimators.join("-"));
    let mut arms = Table::new();
    for estimator in &args.estimators {
        let settings = Table::from_iter([("estimator.name".into(), estimator.as_str().into())]);
        if arms.insert(estimator.clone(), Value::Table(settings)).is_some() {
            bail!("--estimators: {estimator} is listed twice: remove one");
        }
    }
    let mut file = StudyFile::read("--estimators", "seeds = \"1-8\"\n[arms.one]\n")?;
    file.arms = arms;
    Ok(Source { file, origin: "--estimators".into(), name, folder: Path::new("").to_owned() })
}

/// The command that makes the study, without what chooses the machine's part or some of the runs.
fn study_command(args: &Compare) -> String {
    let mut words = vec!["hgpo".to_owned(), "compare".to_owned()];
    words.extend(args.study.clone());
    let mut flag = |name: &str, value: Option<String>| {
        words.extend(value.into_iter().flat_map(|value| [format!("--{name}"), value]));
    };
    flag("estimators", (!args.estimators.is_empty()).then(|| args.estimators.join(",")));
    flag("seeds", args.seeds.as_ref().map(ToString::to_string));
    flag("preset", args.preset.clone());
    for text in &args.set {
        flag("set", Some(text.clone()));
    }
    flag("environment-steps", args.environment_steps.map(|steps| steps.to_string()));
    flag("name", args.name.clone());
    words.extend(args.environment.words());
    words.iter().map(|word| quote_word(word)).collect::<Vec<_>>().join(" ")
}
