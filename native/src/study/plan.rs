//! Study plan: a study with the settings of every run.

use std::collections::BTreeMap;

use hgpo_study::StudyFile;
use hgpo_train::config::{Config, PolicyKind};
use serde_json::Value;
use toml::Table;

use crate::settings::{SettingsError, SettingsLayers};

/// A study whose settings the trainer accepts.
#[derive(Clone, Debug)]
pub(crate) struct StudyPlan {
    /// The study's name, by which its folder is called.
    pub name: String,
    /// As it is written.
    pub file: StudyFile,
    /// The settings of a run without what arms set.
    pub base: Config,
    /// What is compared.
    pub arms: Vec<PlannedArm>,
}

/// An arm with its settings.
#[derive(Clone, Debug)]
pub(crate) struct PlannedArm {
    /// Its name.
    pub name: String,
    /// What it sets beyond the base, by dotted names.
    pub settings: BTreeMap<String, Value>,
    /// The settings of its runs but for the seed.
    pub config: Config,
}

/// A run of a study, by the places of its arm and its seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StudyJob {
    /// The arm's place.
    pub arm: usize,
    /// The seed's place.
    pub seed: usize,
}

impl StudyPlan {
    /// Lays the layers of a study over each other: its preset or file, what suits studies, what it sets, what
    /// its arms set. Errors call the study `origin`; a file of settings, if it has one, is `base` with its text.
    ///
    /// # Errors
    /// What the trainer refuses, as it does, with its place in the study.
    pub(crate) fn new(
        name: String,
        file: StudyFile,
        origin: &str,
        base: Option<(&str, &str)>,
    ) -> Result<Self, SettingsError> {
        let mut settings = SettingsLayers::defaults();
        match (&file.preset, base) {
            (Some(preset), _) => settings.apply_preset(preset)?,
            (None, Some((name, text))) => settings.apply_document(name, text)?,
            (None, None) => {}
        }
        let set = file.set();
        let of_set = format!("{origin}: [set]");
        let mut kind = settings.clone();
        kind.apply_values(&of_set, &set)?;
        settings.apply_values("a study", &study_defaults(kind.resolve()?.policy.kind))?;
        settings.apply_values(&of_set, &set)?;
        settings
            .apply_assignments(&[format!("learn.environment_steps={}", file.environment_steps)])?;
        let arms = file.arms().unwrap_or_default().into_iter().map(|arm| {
            let mut settings = settings.clone();
            settings.apply_values(&format!("{origin}: arm `{}`", arm.name), &arm.settings)?;
            let config = settings.resolve()?;
            // Settings are plain values, which all have a form in JSON.
            let json = |value: toml::Value| serde_json::to_value(value).unwrap_or_default();
            let set = arm.settings.into_iter().map(|(field, value)| (field, json(value)));
            Ok(PlannedArm { name: arm.name, settings: set.collect(), config })
        });
        let arms = arms.collect::<Result<_, SettingsError>>()?;
        Ok(Self { name, base: settings.resolve()?, arms, file })
    }

    /// All runs of the study, first seeds first, so that arms can soon be compared.
    pub(crate) fn jobs(&self) -> impl Iterator<Item = StudyJob> + use<> {
        let (arms, seeds) = (self.arms.len(), self.seeds().len());
        (0..seeds).flat_map(move |seed| (0..arms).map(move |arm| StudyJob { arm, seed }))
    }

    /// The training seeds.
    pub(crate) fn seeds(&self) -> &[u64] {
        self.file.seeds.as_slice()
    }
}

/// What suits thousands of runs: the last checkpoint and the last trace alone. A table learns in seconds, so that
/// its run is sooner begun again than saved on the way.
fn study_defaults(kind: PolicyKind) -> Table {
    let mut sparing = vec![("checkpoint.keep", 1), ("checkpoint.traces_every", 0)];
    sparing.extend((kind == PolicyKind::Table).then_some(("checkpoint.every", 0)));
    sparing.into_iter().map(|(field, value)| (field.to_owned(), value.into())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(text: &str) -> Result<StudyPlan, String> {
        let file = StudyFile::read("study.toml", text).unwrap();
        StudyPlan::new("s".into(), file, "study.toml", None).map_err(|error| error.to_string())
    }

    #[test]
    fn settings_of_the_study_override_those_of_presets() {
        let text = "preset = \"gridworld\"\nseeds = \"1\"\nenvironment_steps = 1000\n[set]\n\
                    \"checkpoint.keep\" = 3\nestimator.alpha = 2.0\n[arms.a]\nestimator = \"grpo\"\n\
                    [arms.b]\nestimator.alpha = 0.5\n";
        let plan = plan(text).unwrap();
        let base = &plan.base;
        assert_eq!(base.learn.environment_steps, 1000);
        let files = &base.checkpoint;
        assert_eq!((files.every, files.keep, files.traces_every), (0, 3, 0));
        let alpha = |config: &Config| config.estimator.get("alpha");
        assert_eq!(alpha(base), Some(2.0.into()));
        assert_eq!(
            (plan.arms[0].config.estimator.name(), alpha(&plan.arms[0].config)),
            ("grpo", None)
        );
        assert_eq!(alpha(&plan.arms[1].config), Some(0.5.into()));
        assert_eq!(plan.arms[0].settings["estimator.name"], "grpo");
        // What takes minutes is saved on the way.
        let chores = StudyPlan::new(
            "s".into(),
            StudyFile::read("f", "seeds = \"1\"\n[arms.a]\n").unwrap(),
            "f",
            None,
        );
        assert_eq!(chores.unwrap().base.checkpoint.every, 10);
    }

    #[test]
    fn refused_settings_of_arms_are_reported_with_their_place() {
        let refused = |arm: &str| plan(&format!("seeds = \"1\"\n[arms.a]\n{arm}\n")).unwrap_err();
        let unknown = refused("estimator.context_lenght = 2");
        assert_eq!(
            unknown,
            "study.toml: arm `a`: unknown field `estimator.context_lenght`; did you mean \
             `estimator.context_length`?"
        );
        let range = refused("learn.learning_rate = -1.0");
        assert!(
            range.contains("study.toml: arm `a`") && range.contains("learn.learning_rate"),
            "{range}"
        );
        let set = plan("seeds = \"1\"\n[set]\nlern.epochs = 2\n[arms.a]\n").unwrap_err();
        assert!(set.starts_with("study.toml: [set]: unknown field `lern.epochs`"), "{set}");
    }
}
