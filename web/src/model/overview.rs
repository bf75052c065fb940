//! What the overview is told of what is open.

use super::{ESTIMATOR, Model, Source, comparison::Ticks};
use crate::text;
use serde_json::json;

/// The name of the rollouts, how many tasks they have, and the estimators: the chosen one, and besides it
/// those that the comparison shows at first, as they are set there.
pub(crate) fn told(model: &Model) -> String {
    let document = &model.document;
    let controls = &document.controls;
    let chosen = controls.estimator();
    let others = Ticks::default().names().filter(|name| *name != chosen);
    let others = others.filter_map(|name| controls.with(ESTIMATOR, name));
    let methods: Vec<_> = std::iter::once(controls.clone())
        .chain(others)
        .map(|set| {
            json!({ "label": text::value("estimator", set.estimator()), "options": set.options })
        })
        .collect();
    let name = match &document.source {
        Source::Preset(index) => super::PRESETS[*index].title.text(),
        Source::File(name) => name,
    };
    let (language, tasks) = (model.language.tag(), document.rollouts.tasks.len());
    json!({ "language": language, "name": name, "tasks": tasks, "methods": methods }).to_string()
}

#[cfg(test)]
mod tests {
    use super::told;
    use crate::{
        model::{Action, Model, Theme, update},
        text::Language,
    };

    #[test]
    fn the_chosen_estimator_comes_first_and_the_others_share_its_returns() {
        let model = Model::new(Theme::Auto, Language::English);
        let set =
            |model: &Model, key, value: &str| update(model, Action::Set(key, value.to_owned()));
        let model = set(&set(&model, "estimator", "gigpo"), "discount", "0.5");
        let told = hgpo_core::read_json(&told(&model)).expect("JSON");
        let of = |field: &str| -> Vec<String> {
            let methods = told["methods"].as_array().expect("a list");
            methods.iter().map(|method| method[field].to_string()).collect()
        };
        assert_eq!(of("label"), ["\"GiGPO\"", "\"GRPO\"", "\"HGPO\""]);
        assert!(of("options").iter().all(|options| options.contains("\"discount\":0.5")));
        assert_eq!((&told["tasks"], &told["language"]), (&1.into(), &"en".into()));
    }
}
