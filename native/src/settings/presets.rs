//! Presets of a run: those of the environments, those of language models, and the published runs.

use hgpo_env::registry::{Preset, entries};

use crate::run::external_environment::ENTRY;

const LANGUAGE_MODELS: [Preset; 2] = [
    Preset {
        name: "smollm2-chores",
        summary: "a small language model",
        text: include_str!("../../presets/smollm2-chores.toml"),
    },
    Preset {
        name: "smollm2-chores-cpu",
        summary: "the same, sized for an hour on two CPU cores",
        text: include_str!("../../presets/smollm2-chores-cpu.toml"),
    },
];

/// What all published runs set.
const COMMON: &str = include_str!("../../presets/published/common.toml");

/// Of what published runs consist: each part a word of their names, with the settings that it stands for.
const ENVIRONMENTS: [(&str, &str); 2] = [
    ("alfworld", include_str!("../../presets/published/alfworld.toml")),
    ("webshop", include_str!("../../presets/published/webshop.toml")),
];
const MODELS: [(&str, &str); 2] = [
    ("qwen2.5-1.5b", "pretrained.model = \"Qwen/Qwen2.5-1.5B-Instruct\""),
    ("qwen2.5-7b", "pretrained.model = \"Qwen/Qwen2.5-7B-Instruct\""),
];
/// The agent remembers as many steps as the estimator compares states.
const LENGTHS: [(&str, &str); 2] = [
    ("k2", "rollout.history_length = 2\nestimator.context_length = 2"),
    ("k4", "rollout.history_length = 4\nestimator.context_length = 4"),
];

/// Those that are one file.
fn presets() -> impl Iterator<Item = &'static Preset> {
    entries().chain([&ENTRY]).flat_map(|entry| entry.presets).chain(&LANGUAGE_MODELS)
}

/// The published runs by their names.
fn published() -> impl Iterator<Item = (String, Vec<&'static str>)> {
    ENVIRONMENTS.into_iter().flat_map(|environment| {
        MODELS.into_iter().flat_map(move |model| {
            LENGTHS.into_iter().map(move |length| {
                let parts = [environment, model, length];
                let texts = [COMMON].into_iter().chain(parts.map(|(_, text)| text));
                (parts.map(|(word, _)| word).join("-"), texts.collect())
            })
        })
    })
}

/// The names, in the order of the documentation, each with its TOML texts, to be laid one over the other.
fn all() -> impl Iterator<Item = (String, Vec<&'static str>)> {
    presets().map(|preset| (preset.name.to_owned(), vec![preset.text])).chain(published())
}

/// The names, in the order of the documentation.
pub(crate) fn names() -> Vec<String> {
    all().map(|(name, _)| name).collect()
}

/// The TOML texts of a preset, each to be laid over those before it.
pub(crate) fn texts(name: &str) -> Option<Vec<&'static str>> {
    all().find(|(known, _)| known == name).map(|(_, texts)| texts)
}

/// The names and what each is good for.
pub(crate) fn help() -> String {
    let each: Vec<String> = presets().map(|it| format!("{} ({})", it.name, it.summary)).collect();
    format!("Built-in settings: {}, {}", each.join(", "), published_help())
}

/// The name of a published run, and which words of it can be others.
fn published_help() -> String {
    let [environment, model, length] = [ENVIRONMENTS, MODELS, LENGTHS];
    let name = [environment, model, length].map(|[(first, _), _]| first).join("-");
    let others = [environment, model, length].map(|[_, (second, _)]| second).join(", ");
    format!("{name} (a published run; vary the name for the others: {others})")
}

#[cfg(test)]
mod tests {
    use hgpo_core::{Hgpo, Scale, Weights};
    use hgpo_train::config::Config;

    use super::*;
    use crate::settings::SettingsLayers;

    fn config(name: &str) -> Config {
        let mut settings = SettingsLayers::defaults();
        settings.apply_preset(name).unwrap();
        settings.resolve().unwrap()
    }

    #[test]
    fn eight_presets_are_named_by_environment_model_and_k() {
        let names: Vec<String> = published().map(|(name, _)| name).collect();
        let expected = [
            "alfworld-qwen2.5-1.5b-k2",
            "alfworld-qwen2.5-1.5b-k4",
            "alfworld-qwen2.5-7b-k2",
            "alfworld-qwen2.5-7b-k4",
            "webshop-qwen2.5-1.5b-k2",
            "webshop-qwen2.5-1.5b-k4",
            "webshop-qwen2.5-7b-k2",
            "webshop-qwen2.5-7b-k4",
        ];
        assert_eq!(names, expected);
        assert_eq!(
            published_help(),
            "alfworld-qwen2.5-1.5b-k2 (a published run; vary the name for the others: webshop, \
             qwen2.5-7b, k4)"
        );
    }

    /// Every published number (arXiv 2602.22817, section 5.1 and appendix, and the reference scripts).
    #[test]
    fn published_presets_set_the_published_values() {
        for (name, environment, steps, scale, mini_batch) in [
            ("alfworld", "alfworld", 50, Scale::MeanStd, 256),
            ("webshop", "webshop", 30, Scale::Mean, 64),
        ] {
            for (size, model) in
                [("1.5b", "Qwen/Qwen2.5-1.5B-Instruct"), ("7b", "Qwen/Qwen2.5-7B-Instruct")]
            {
                for context_length in [2, 4] {
                    let config = config(&format!("{name}-qwen2.5-{size}-k{context_length}"));
                    let Config { environment: played, pretrained, rollout, learn, .. } = &config;
                    assert_eq!((played.name.as_str(), played.max_steps), (environment, steps));
                    assert!(!played.inadmissible_is_invalid);
                    assert_eq!(pretrained.model, model);
                    assert_eq!((pretrained.lora.rank, pretrained.max_prompt_tokens), (0, 4096));
                    assert_eq!(pretrained.prompt, "reasoning");
                    assert_eq!((rollout.tasks, rollout.group_size), (16, 8));
                    assert_eq!(rollout.history_length, context_length);
                    assert_eq!(rollout.max_response_tokens, 512);
                    let hgpo = Hgpo {
                        context_length,
                        alpha: 1.0,
                        scale,
                        weights: Weights::Verl,
                        ..Hgpo::default()
                    };
                    assert_eq!(config.estimator, hgpo_core::Estimator::Hgpo(hgpo));
                    assert_eq!((learn.iterations, learn.epochs), (160, 1));
                    assert_eq!(learn.mini_batch_size, mini_batch);
                    assert_eq!(config.warm_start.episodes, 0);
                    let numbers = [
                        (played.success_reward, 10.0),
                        (rollout.temperature, 1.0),
                        (learn.discount, 0.95),
                        (learn.invalid_penalty, 0.1),
                        (learn.objective.clip_low, 0.2),
                        (learn.objective.clip_high, 0.2),
                        (learn.objective.dual_clip, 3.0),
                        (learn.objective.kl_coefficient, 0.01),
                        (learn.entropy_coefficient, 0.001),
                        (learn.learning_rate_of(1), 1e-6),
                        (learn.learning_rate_of(160), 1e-6),
                        (learn.beta_1, 0.9),
                        (learn.beta_2, 0.999),
                        (learn.weight_decay, 0.01),
                        (learn.max_grad_norm, 1.0),
                        (config.evaluation.temperature, 0.4),
                    ];
                    for (at, (found, published)) in numbers.iter().enumerate() {
                        assert!((found - published).abs() < 1e-15, "{at}: {found}, {published}");
                    }
                    assert_eq!(config.evaluation.every, 5);
                }
            }
        }
    }
}
