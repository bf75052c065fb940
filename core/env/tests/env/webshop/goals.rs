//! Goals against those of WebShop.

use super::{catalogue, recorded};

use std::collections::BTreeMap;

use hgpo_env::webshop::goals::{Goals, Wanted, WantedOption};
use serde::Deserialize;

#[derive(Deserialize)]
struct Recording {
    seed: u64,
    n_goals: usize,
    goals: Vec<RecordedGoal>,
}

#[derive(Deserialize)]
struct RecordedGoal {
    asin: String,
    category: String,
    query: String,
    name: String,
    product_category: String,
    instruction_text: String,
    attributes: Vec<String>,
    price_upper: f64,
    goal_options: BTreeMap<String, String>,
}

#[test]
fn goals_come_in_the_order_of_webshop() {
    let Some(catalogue) = catalogue() else { return };
    let recording: Recording = recorded("goals_seed0_human0.json");
    let (goals, _) = Goals::draw(&catalogue, Wanted::Synthetic, recording.seed).unwrap();
    assert_eq!(goals.len(), recording.n_goals);
    for (number, expected) in recording.goals.iter().enumerate() {
        let goal = goals.get(&catalogue, number).unwrap();
        let product = catalogue.product(goal.product).unwrap();
        assert_eq!(goal.instruction, expected.instruction_text, "{number}");
        assert_eq!(product.asin, expected.asin);
        assert_eq!((&product.category, &product.query), (&expected.category, &expected.query));
        assert_eq!(product.title, expected.name);
        assert_eq!(product.product_category, expected.product_category);
        assert_eq!(goal.attributes, expected.attributes);
        assert_eq!(goal.price_upper.to_bits(), expected.price_upper.to_bits());
        let named = |option: &WantedOption| match option {
            WantedOption::Named(name, value) => (name.clone(), value.clone()),
            WantedOption::Plain(value) => panic!("{value} has no name"),
        };
        let options: BTreeMap<String, String> = goal.options.iter().map(named).collect();
        assert_eq!(options, expected.goal_options);
    }
    println!("{} goals are as recorded", recording.goals.len());
    assert_eq!(recording.goals.len(), 6910);
}
