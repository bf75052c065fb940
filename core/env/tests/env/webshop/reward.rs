//! What purchases earn, against WebShop.

use super::{catalogue, recorded};
use crate::oracle;

use std::collections::BTreeMap;
use std::fs::File;

use hgpo_env::webshop::catalogue::Catalogue;
use hgpo_env::webshop::goals::{Goal, WantedOption};
use hgpo_env::webshop::reward::{Nouns, Reward, normalized, ratio, token_set_ratio};
use serde::Deserialize;

#[derive(Deserialize)]
struct Recording {
    asin: String,
    goal: RecordedGoal,
    price: f64,
    options: BTreeMap<String, String>,
    reward: f64,
    info: Info,
}

#[derive(Deserialize)]
struct RecordedGoal {
    asin: String,
    attributes: Vec<String>,
    price_upper: f64,
    goal_options: BTreeMap<String, String>,
}

#[derive(Debug, Deserialize, PartialEq)]
struct Info {
    r_type: f64,
    r_att: f64,
    w_att: f64,
    query_match: bool,
    category_match: bool,
    title_score: f64,
    r_option: Option<f64>,
    w_option: Option<f64>,
    r_price: bool,
    w_price: f64,
}

/// What a recorded purchase earns here.
fn earned(recording: &Recording, catalogue: &Catalogue, nouns: &Nouns) -> Reward {
    let found = |asin: &str| catalogue.find(asin).unwrap();
    let product = |place: u32| catalogue.product(place).unwrap();
    let RecordedGoal { asin, attributes, price_upper, goal_options } = &recording.goal;
    let named =
        |(name, value): (&String, &String)| WantedOption::Named(name.clone(), value.clone());
    let goal = Goal {
        product: found(asin),
        instruction: String::new(),
        attributes: attributes.clone(),
        options: goal_options.iter().map(named).collect(),
        price_upper: *price_upper,
    };
    let chosen: Vec<&str> = recording.options.values().map(String::as_str).collect();
    let bought = product(found(&recording.asin));
    let wanted = product(goal.product);
    Reward::of((&bought, recording.price, &chosen), (&goal, &wanted), nouns)
}

#[test]
fn purchases_earn_what_they_earn_in_webshop() {
    let (Some(catalogue), Some(folder)) = (catalogue(), oracle::webshop()) else { return };
    let nouns = Nouns::read(File::open(folder.join("noun_tokens_by_title.json")).unwrap()).unwrap();
    let recordings: Vec<Recording> = recorded("rewards.json");
    let (mut kinds, mut others) = (0, 0);
    for recording in &recordings {
        let reward = earned(recording, &catalogue, &nouns);
        let Reward { r_type, r_att, w_att, query_match, category_match, title_score, .. } = reward;
        let Reward { r_option, w_option, r_price, w_price, .. } = reward;
        let info = Info {
            r_type,
            r_att,
            w_att,
            query_match,
            category_match,
            title_score,
            r_option,
            w_option,
            r_price,
            w_price,
        };
        assert_eq!(info, recording.info, "{} for {}", recording.asin, recording.goal.asin);
        assert_eq!(reward.score.to_bits(), recording.reward.to_bits());
        if recording.asin != recording.goal.asin {
            let guessed = earned(recording, &catalogue, &Nouns::default());
            others += 1;
            kinds += usize::from(guessed.r_type.to_bits() == r_type.to_bits());
        }
    }
    println!("{} purchases earn what is recorded", recordings.len());
    println!("with guessed nouns, {kinds} of {others} of other products are of the recorded kind");
    assert_eq!(recordings.len(), 750);
}

#[test]
fn texts_are_as_alike_as_thefuzz_says() {
    if oracle::webshop().is_none() {
        return;
    }
    let recordings: Vec<(String, String, u32, u32)> = recorded("fuzzy_ratios.json");
    for (one, other, words, whole) in &recordings {
        let counted = (ratio(one, other), token_set_ratio(one, other));
        assert_eq!(counted, (*whole, *words), "'{one}' and '{other}'");
    }
    println!("{} pairs are as alike as recorded", recordings.len());
    assert!(recordings.len() > 500);
}

#[test]
fn colours_are_told_as_in_webshop() {
    if oracle::webshop().is_none() {
        return;
    }
    let recordings: Vec<(String, String)> = recorded("normalize_color.json");
    for (text, expected) in &recordings {
        assert_eq!(normalized(text), expected);
    }
    println!("{} colours are as recorded", recordings.len());
    assert!(recordings.len() > 1000);
}
