//! Built-in studies.

/// A study by name, with its file.
const PRESETS: [(&str, &str); 11] = [
    ("estimators", include_str!("../../studies/estimators.toml")),
    ("context-length", include_str!("../../studies/context-length.toml")),
    ("alpha", include_str!("../../studies/alpha.toml")),
    ("weights", include_str!("../../studies/weights.toml")),
    ("levels", include_str!("../../studies/levels.toml")),
    ("base-group", include_str!("../../studies/base-group.toml")),
    ("baseline", include_str!("../../studies/baseline.toml")),
    ("scale", include_str!("../../studies/scale.toml")),
    ("contexts", include_str!("../../studies/contexts.toml")),
    ("group-size", include_str!("../../studies/group-size.toml")),
    ("aliasing", include_str!("../../studies/aliasing.toml")),
];

/// The names, each with the first line of its file: what it compares.
pub(crate) fn names() -> impl Iterator<Item = (&'static str, &'static str)> {
    PRESETS.iter().map(|(name, text)| {
        let first = text.lines().next().unwrap_or_default();
        (*name, first.trim_start_matches(['#', ' ']))
    })
}

/// The file of a built-in study.
pub(crate) fn text(name: &str) -> Option<&'static str> {
    PRESETS.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

#[cfg(test)]
mod tests {
    use hgpo_study::StudyFile;

    use super::*;
    use crate::run::environment::{ExternalSource, training_suite};
    use crate::study::StudyPlan;

    #[test]
    fn built_in_studies_are_accepted_by_the_trainer() {
        for (name, text) in PRESETS {
            let file = StudyFile::read(name, text).unwrap();
            assert_eq!(file.name.as_deref(), Some(name));
            assert!(text.starts_with("# "), "{name}");
            let plan = StudyPlan::new(name.to_owned(), file, name, None).unwrap();
            assert!(plan.arms.len() > 1, "{name}");
            for arm in &plan.arms {
                let suite = training_suite(&arm.config, &ExternalSource::default()).unwrap().0;
                arm.config.suits(suite.as_ref()).unwrap();
            }
        }
    }
}
