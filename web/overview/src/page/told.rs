//! What the page tells of what is open.

use crate::{model::Method, text};
use hgpo_core::{Estimator, Options, read_json};
use hgpo_words::Language;

/// Estimators that the chosen one is held against, from whole attempts over single states to histories.
const OTHERS: [&str; 3] = ["grpo", "gigpo", "hgpo"];

/// What is open in the page.
#[derive(Debug, Default)]
pub(super) struct Told {
    /// The language of the page.
    pub(super) language: Language,
    /// What the file or example is called.
    pub(super) name: String,
    /// How many tasks it has.
    pub(super) tasks: usize,
    /// The estimators, the chosen one first.
    pub(super) methods: Vec<Method>,
}

impl Told {
    /// Reads what the page tells: a language, a name, settings as in files, and a number of tasks.
    pub(super) fn new(language: &str, name: String, settings: &str, tasks: usize) -> Self {
        let settings = read_json(settings).ok();
        let options = settings.and_then(|settings| serde_json::from_value(settings).ok());
        let language = Language::of_tag(language).unwrap_or_default();
        Self { language, name, tasks, methods: methods(options.unwrap_or_default()) }
    }
}

/// The chosen estimator, and the others with their default options: returns and scale are those of the
/// chosen one.
fn methods(chosen: Options) -> Vec<Method> {
    let scale = chosen.get("scale");
    let other = |name: &&str| {
        let mut options = chosen.clone();
        options.estimator = Estimator::default_named(name).ok()?;
        if let Some(scale) = scale.clone() {
            options.set("scale", scale).ok()?;
        }
        Some(options)
    };
    let others = OTHERS.iter().filter(|name| **name != chosen.estimator.name());
    let others: Vec<Options> = others.filter_map(other).collect();
    let method = |options: Options| Method {
        label: text::estimator(options.estimator.name()).to_owned(),
        options,
    };
    std::iter::once(chosen).chain(others).map(method).collect()
}

#[cfg(test)]
mod tests {
    use super::Told;
    use hgpo_words::Language;

    #[test]
    fn the_others_have_the_returns_and_the_scale_of_the_chosen_one() {
        let settings =
            r#"{"discount":0.5,"estimator":{"name":"gigpo","scale":"mean","step_weight":2.0}}"#;
        let told = Told::new("ko", "f".to_owned(), settings, 3);
        assert_eq!((told.language, told.name.as_str(), told.tasks), (Language::Korean, "f", 3));
        let labels: Vec<&str> = told.methods.iter().map(|method| &*method.label).collect();
        assert_eq!(labels, ["GiGPO", "GRPO", "HGPO"]);
        for method in &told.methods {
            assert!((method.options.discount.get() - 0.5).abs() < 1e-12);
            assert_eq!(method.options.get("scale"), Some("mean".into()), "{}", method.label);
        }
        assert_eq!(told.methods[0].options.get("step_weight"), Some(2.0.into()));
    }

    #[test]
    fn an_estimator_without_a_scale_leaves_that_of_the_others() {
        let settings = r#"{"estimator":{"name":"rloo"}}"#;
        let told = Told::new("en", String::new(), settings, 1);
        let names: Vec<&str> = told.methods.iter().map(|it| it.options.estimator.name()).collect();
        assert_eq!(names, ["rloo", "grpo", "gigpo", "hgpo"]);
    }
}
