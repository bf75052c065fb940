//! Estimates of a whole file, task by task, with breaths in between so that the page stays alive.

use super::model::{Disagreement, File, disagreements};
use super::view::{Message, Overview};
use crate::model::{Controls, Rollouts, Shared, estimators};
use crate::text;
use gloo::timers::future::sleep;
use hgpo_core::{Estimator, Options};
use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;
use web_sys::js_sys::Date;
use yew::html::Scope;
use yew::platform::spawn_local;

/// How long nothing else gets its turn, in milliseconds.
const TURN: f64 = 40.0;

/// A file under several estimators, and where they disagree.
pub(super) type Surveyed = (File, Vec<Disagreement>);

/// Takes a file up; `shown` is counted up once something else is shown.
pub(super) fn read(
    rollouts: Shared<Rollouts>,
    methods: Vec<Options>,
    shown: Rc<Cell<u32>>,
    link: Scope<Overview>,
) {
    let number = shown.get();
    spawn_local(async move {
        let mut file = File::new(methods);
        let mut turn = Date::now();
        for (place, task) in rollouts.tasks.iter().enumerate() {
            if let Err(why) = file.add(&task.batch) {
                return link.send_message(Message::Status(why.to_string()));
            }
            if Date::now() - turn > TURN {
                let told = text::overview::reading(place + 1, rollouts.tasks.len());
                link.send_message(Message::Status(told));
                sleep(Duration::ZERO).await;
                turn = Date::now();
            }
            if shown.get() != number {
                return;
            }
        }
        let disagreements = disagreements(&file);
        link.send_message(Message::Read(Box::new((file, disagreements))));
    });
}

/// The chosen estimator, and the others with their default options: returns and scale are those of the chosen one.
pub(super) fn methods(controls: &Controls) -> Vec<Options> {
    let chosen = &controls.options;
    let scale = chosen.get("scale");
    let other = |name: &str| {
        let mut options = chosen.clone();
        options.estimator = Estimator::default_named(name).ok()?;
        if let Some(scale) = scale.clone() {
            options.set("scale", scale).ok()?;
        }
        Some(options)
    };
    // From whole attempts over single states to histories.
    let others = estimators().take(3).filter(|name| *name != chosen.estimator.name());
    std::iter::once(chosen.clone()).chain(others.filter_map(other)).collect()
}

#[cfg(test)]
mod tests {
    use super::methods;
    use crate::model::Controls;
    use crate::overview::model::label;
    use hgpo_core::Options;

    /// The settings of a file.
    fn of(settings: &str) -> Controls {
        Controls::of(serde_json::from_str::<Options>(settings).expect("settings"))
    }

    #[test]
    fn the_others_have_the_returns_and_the_scale_of_the_chosen_one() {
        let settings =
            r#"{"discount":0.5,"estimator":{"name":"gigpo","scale":"mean","step_weight":2.0}}"#;
        let methods = methods(&of(settings));
        let labels: Vec<&str> = methods.iter().map(label).collect();
        assert_eq!(labels, ["GiGPO", "GRPO", "HGPO"]);
        for method in &methods {
            assert!((method.discount.get() - 0.5).abs() < 1e-12);
            assert_eq!(method.get("scale"), Some("mean".into()), "{}", label(method));
        }
        assert_eq!(methods[0].get("step_weight"), Some(2.0.into()));
    }

    #[test]
    fn an_estimator_without_a_scale_leaves_that_of_the_others() {
        let methods = methods(&of(r#"{"estimator":{"name":"rloo"}}"#));
        let names: Vec<&str> = methods.iter().map(|it| it.estimator.name()).collect();
        assert_eq!(names, ["rloo", "grpo", "gigpo", "hgpo"]);
    }
}
