//! What the page tells of what is open.

use crate::{model::Method, text::Language};
use hgpo_core::{Options, read_json};
use serde_json::Value;

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
    /// Reads what the page writes; what is missing stays empty.
    pub(super) fn read(text: &str) -> Self {
        let told = read_json(text).unwrap_or_default();
        let word = |name: &str| told[name].as_str().unwrap_or_default().to_owned();
        let methods = told["methods"].as_array().cloned().unwrap_or_default();
        Self {
            language: Language::of_tag(&word("language")),
            name: word("name"),
            tasks: told["tasks"].as_u64().unwrap_or_default() as usize,
            methods: methods.into_iter().filter_map(method).collect(),
        }
    }
}

fn method(mut told: Value) -> Option<Method> {
    let label = told["label"].as_str()?.to_owned();
    let options: Options = serde_json::from_value(told["options"].take()).ok()?;
    Some(Method { label, options })
}

#[cfg(test)]
mod tests {
    use super::Told;
    use crate::text::Language;

    #[test]
    fn the_page_tells_what_is_open() {
        let told = Told::read(
            r#"{"language":"ko","name":"f","tasks":3,"methods":[{"label":"GRPO","options":{"discount":0.5,"estimator":{"name":"grpo"}}},{"label":"?"}]}"#,
        );
        assert_eq!((told.language, told.name.as_str(), told.tasks), (Language::Korean, "f", 3));
        assert_eq!(told.methods.len(), 1);
        assert_eq!(told.methods[0].options.estimator.name(), "grpo");
        assert!((told.methods[0].options.discount.get() - 0.5).abs() < 1e-12);
        assert!(Told::read("nonsense").methods.is_empty());
    }
}
