//! Estimates of a whole file, task by task, with breaths in between so that the page stays alive.

use super::model::{File, Pair};
use super::view::{Message, Overview};
use crate::model::{Controls, Rollouts, Shared, estimators, share};
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
        link.send_message(Message::Read(Box::new(file)));
    });
}

/// The estimators that can be had for rollouts, in the order of the page.
pub(super) fn offered(controls: &Controls, rollouts: &Rollouts) -> Vec<&'static str> {
    let is_taken = |name: &&str| {
        let options = other(controls, name);
        options.is_some_and(|options| share::check(rollouts, &options).is_ok())
    };
    let chosen = controls.estimator();
    estimators().filter(|name| *name == chosen || is_taken(name)).collect()
}

/// Another estimator with its default options, but for the returns and the scale, which are those of the chosen one.
fn other(controls: &Controls, name: &str) -> Option<Options> {
    let mut options = controls.options.clone();
    options.estimator = Estimator::default_named(name).ok()?;
    if let Some(scale) = controls.options.get("scale") {
        // Not every estimator has one.
        let _ = options.set("scale", scale);
    }
    Some(options)
}

/// The chosen estimator, and the others that it is shown beside: some, and those that are held against each other.
pub(super) fn methods(controls: &Controls, pair: &Pair) -> Vec<Options> {
    let is_asked =
        |name: &str| [&pair.one, &pair.other].iter().any(|own| own.as_deref() == Some(name));
    // From whole attempts over single states to histories.
    let shown = estimators().enumerate().filter(|(place, name)| *place < 3 || is_asked(name));
    let others = shown.map(|(_, name)| name).filter(|name| *name != controls.estimator());
    let others = others.filter_map(|name| other(controls, name));
    std::iter::once(controls.options.clone()).chain(others).collect()
}

#[cfg(test)]
mod tests {
    use super::methods;
    use crate::model::Controls;
    use crate::overview::model::{Pair, label};
    use hgpo_core::Options;

    /// The settings of a file.
    fn of(settings: &str) -> Controls {
        Controls::of(serde_json::from_str::<Options>(settings).expect("settings"))
    }

    #[test]
    fn the_others_have_the_returns_and_the_scale_of_the_chosen_one() {
        let settings =
            r#"{"discount":0.5,"estimator":{"name":"gigpo","scale":"mean","step_weight":2.0}}"#;
        let methods = methods(&of(settings), &Pair::default());
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
        let rloo = of(r#"{"estimator":{"name":"rloo"}}"#);
        let names = |pair: &Pair| {
            let methods = methods(&rloo, pair);
            methods.iter().map(|it| it.estimator.name()).collect::<Vec<_>>()
        };
        assert_eq!(names(&Pair::default()), ["rloo", "grpo", "gigpo", "hgpo"]);
        let pair = Pair { one: Some("hgpo".to_owned()), other: Some("pgpo".to_owned()) };
        assert_eq!(names(&pair), ["rloo", "grpo", "gigpo", "hgpo", "pgpo"]);
    }
}
