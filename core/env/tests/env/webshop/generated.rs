//! The generated shop: what is in it, who can win, and what its splits have in common.

use crate::certain::Certain;

use std::collections::HashSet;

use hgpo_env::random::{Purpose, Stream};
use hgpo_env::registry::suite;
use hgpo_env::webshop::generate::{GeneratedShopSettings, GeneratedWebshop};
use hgpo_env::webshop::reward::Reward;
use hgpo_env::webshop::{Session, Telling};
use hgpo_env::{EnvironmentConfig, EpisodeSettings, Split, Suite};

const EPISODE: EpisodeSettings = EpisodeSettings { max_steps: 15, success_reward: 10.0 };

fn shop(settings: GeneratedShopSettings) -> GeneratedWebshop {
    GeneratedWebshop::new(settings, EPISODE).unwrap()
}

fn default() -> GeneratedWebshop {
    shop(GeneratedShopSettings::default())
}

/// Goals of every split, in all shops that tests look at.
fn all_goals(suite: &GeneratedWebshop) -> impl Iterator<Item = (Split, u64)> {
    let count = |split| suite.goals(split).len() as u64;
    Split::ALL.into_iter().flat_map(move |split| (0..count(split)).map(move |goal| (split, goal)))
}

#[test]
fn every_goal_is_won_by_a_plan_within_the_limit_of_steps() {
    for seed in [0, 7] {
        let suite = shop(GeneratedShopSettings { seed, ..GeneratedShopSettings::default() });
        let mut longest = 0;
        for (split, goal) in all_goals(&suite) {
            let mut visit = suite.start(split, goal).unwrap();
            let plan = visit.way();
            let last = plan.iter().map(|action| visit.act(action)).last();
            assert!(last.is_some_and(|it| it.won), "{}: {plan:?}", visit.instruction());
            longest = longest.max(plan.len());
        }
        println!("seed {seed}: {} goals, the longest plan {longest}", suite.shop().goals().len());
        assert!(longest <= EPISODE.max_steps, "{longest}");
    }
}

/// Won and score of a goal that the scripted player plays, with the steps that it takes.
fn played(suite: &GeneratedWebshop, split: Split, goal: u64) -> (bool, f64, usize, bool) {
    let mut visit = suite.start(split, goal).unwrap();
    let mut player = suite.player(visit.as_ref(), 0).unwrap();
    let mut steps = 0;
    loop {
        let action = player.act(&visit.observe()).unwrap();
        let outcome = visit.act(&action);
        assert!(outcome.admissible, "{action} in {}", visit.observe().text);
        steps += 1;
        if outcome.done {
            let bought = visit.observe().text.starts_with("Bought");
            return (outcome.won, visit.score().unwrap(), steps, bought);
        }
    }
}

#[test]
fn the_scripted_player_wins_by_search_and_reading() {
    let suite = default();
    for split in Split::ALL {
        let count = suite.goals(split).len();
        let (mut won, mut score, mut steps, mut bought) = (0, 0.0, 0, 0);
        for goal in 0..count as u64 {
            let played = played(&suite, split, goal);
            won += usize::from(played.0);
            score += played.1;
            steps += played.2;
            bought += usize::from(played.3);
        }
        let mean = |sum: f64| sum / count as f64;
        println!(
            "{}: {won} of {count} won, {bought} bought, score {:.3}, {:.2} steps",
            split.name(),
            mean(score),
            mean(steps as f64)
        );
        // Whatever it buys is right.
        assert_eq!(won, bought);
        assert!(mean(won as f64) > 0.88);
    }
}

#[test]
fn the_same_settings_make_the_same_shop() {
    let [one, same, other] = [0, 0, 1]
        .map(|seed| shop(GeneratedShopSettings { seed, ..GeneratedShopSettings::default() }));
    let products = |suite: &GeneratedWebshop| {
        suite.shop().catalogue().products().map(std::borrow::Cow::into_owned).collect::<Vec<_>>()
    };
    assert_eq!(products(&one), products(&same));
    assert_ne!(products(&one), products(&other));
    let goal =
        |suite: &GeneratedWebshop| suite.start(Split::Seen, 3).unwrap().instruction().to_owned();
    assert_eq!(goal(&one), goal(&same));
    assert_ne!(goal(&one), goal(&other));
    // A larger shop has the products of a smaller one, and others.
    let larger = shop(GeneratedShopSettings { products: 300, ..GeneratedShopSettings::default() });
    assert_eq!(products(&larger)[..200], products(&one));
}

/// What a goal asks for, without the limit of the price: its options, and the words that come before them, sorted.
fn wish(suite: &GeneratedWebshop, goal: usize) -> String {
    let goal = suite.shop().goal(goal).unwrap();
    let asked = goal.instruction.split(", and price").next().unwrap();
    let (what, options) = asked.split_once(" with ").unwrap();
    let mut words: Vec<&str> = what.split([' ', ',']).collect();
    words.sort_unstable();
    format!("{} {options}", words.join(" "))
}

#[test]
fn splits_share_no_wishes_and_unseen_ones_no_products() {
    for (seed, products) in [(0, 200), (7, 200), (0, 16), (3, 2000)] {
        let suite =
            shop(GeneratedShopSettings { seed, products, ..GeneratedShopSettings::default() });
        let goals = suite.shop().goals();
        let wishes = |split: Split| -> HashSet<String> {
            suite.goals(split).iter().map(|&goal| wish(&suite, goal)).collect()
        };
        let asked_for = |split: Split| -> HashSet<u32> {
            suite.goals(split).iter().filter_map(|&goal| goals.product(goal)).collect()
        };
        for split in [Split::Seen, Split::Unseen] {
            assert!(
                wishes(Split::Train).is_disjoint(&wishes(split)),
                "{seed} {products} {split:?}"
            );
        }
        let [train, seen, unseen] = Split::ALL.map(asked_for);
        assert!(unseen.is_disjoint(&train) && unseen.is_disjoint(&seen));
        let counts = Split::ALL.map(|split| suite.goals(split).len());
        println!("{products} products, seed {seed}: {counts:?} of {} goals", goals.len());
        if products == 200 {
            // Nine, three and one in sixteen.
            let near = |count: usize, share: f64| {
                (0.7..1.3).contains(&(count as f64 / goals.len() as f64 / share))
            };
            assert!(near(counts[0], 0.5625) && near(counts[1], 0.1875) && near(counts[2], 0.0625));
            // What training asks for at least once is nearly all of the seen products.
            let known = seen.intersection(&train).count();
            assert!(known * 100 >= seen.len() * 95, "{known}");
        }
    }
}

#[test]
fn whoever_does_not_read_is_mostly_wrong() {
    let suite = default();
    let (mut first, mut any, mut goals, mut fitting) = (0.0, 0.0, 0.0, 0.0);
    for number in 0..suite.shop().goals().len() {
        let shop = suite.shop();
        let goal = shop.goal(number).unwrap();
        let values: Vec<&str> = goal
            .options
            .iter()
            .map(|option| match option {
                hgpo_env::webshop::goals::WantedOption::Named(_, value)
                | hgpo_env::webshop::goals::WantedOption::Plain(value) => &**value,
            })
            .collect();
        // With the wanted values chosen if the product has them.
        let wins = |place: u32| {
            let product = shop.catalogue().product(place).unwrap();
            let has = |value: &&&str| {
                product.options.iter().any(|(_, values)| values.iter().any(|it| it == **value))
            };
            let chosen: Vec<&str> = values.iter().filter(has).copied().collect();
            let reward: Reward = shop.reward(place, &chosen, &goal).unwrap();
            f64::from(u8::from(reward.score >= 1.0))
        };
        let asked = goal.instruction.split(", and price").next().unwrap().replace("Find me ", "");
        let results = shop.search(&asked);
        first += wins(results[0]);
        let kind = shop.catalogue().product(goal.product).unwrap().query.clone();
        let alike: Vec<u32> = (0..)
            .zip(shop.catalogue().products())
            .filter(|(_, product)| product.query == *kind)
            .map(|(place, _)| place)
            .collect();
        let won: f64 = alike.iter().map(|&place| wins(place)).sum();
        any += won / alike.len() as f64;
        fitting += won;
        goals += 1.0;
    }
    println!(
        "first result {:.3}, any of the kind {:.3}, {:.2} products fit a goal",
        first / goals,
        any / goals,
        fitting / goals
    );
    assert!(first / goals < 0.6 && any / goals < 0.15 && fitting / goals > 1.0);
}

#[test]
fn every_word_is_in_the_vocabulary() {
    let suite = default();
    let words: HashSet<String> = suite.vocabulary().unwrap().unwrap().into_iter().collect();
    let known = |text: &str| {
        // As the tokenizer of policies from scratch splits them.
        let spaced = [".", ",", ":", "]"]
            .iter()
            .fold(text.to_lowercase(), |text, mark| text.replace(mark, &format!(" {mark} ")));
        for word in spaced.replace('[', "[ ").split_whitespace() {
            assert!(words.contains(word), "'{word}' of '{text}'");
        }
    };
    for (split, goal) in all_goals(&suite) {
        let mut stream = Stream::new(goal, Purpose::Sampling, [split as u64, 0]);
        let mut visit = suite.start(split, goal).unwrap();
        known(visit.instruction());
        let mut player = suite.player(visit.as_ref(), 0).unwrap();
        loop {
            let now = visit.observe();
            known(&now.text);
            now.actions.describe().iter().for_each(|it| known(it));
            let possible = now.actions.complete();
            let action = match possible.get(stream.below(2 * possible.len().max(1))) {
                Some(action) => action.clone(),
                None => player.act(&now).unwrap(),
            };
            known(&action);
            if visit.act(&action).done {
                break;
            }
        }
    }
}

#[test]
fn pages_are_told_in_lines() {
    let suite = default();
    let mut visit = suite.start(Split::Train, 0).unwrap();
    assert_eq!(visit.observe().text, "Nothing searched for.");
    assert_eq!(visit.observe().actions.describe(), ["search[<your query>]"]);
    assert!(!visit.act("click[search]").admissible);
    let mut plan = visit.way().into_iter();
    assert!(visit.act(&plan.next().unwrap()).admissible);
    let results = visit.observe().text;
    assert!(results.starts_with("Results 1 to 5 of "), "{results}");
    assert_eq!(results.lines().count(), 6);
    let product = plan.find(|action| action != "click[next >]").unwrap();
    let mut looked = visit.snapshot();
    looked.act(&visit.observe().actions.complete()[2]);
    assert!(looked.act("click[< prev]").admissible);
    assert_eq!(looked.observe().text.matches(", seen: ").count(), 1);
    while !visit.act(&product).admissible {
        assert!(visit.act("click[next >]").admissible);
    }
    let page = visit.observe().text;
    assert_eq!(page.lines().count(), 3, "{page}");
    assert!(!page.contains("(chosen)"));
    let option = plan.next().unwrap();
    assert!(visit.act(&option).admissible);
    let value = option.trim_start_matches("click[").trim_end_matches(']');
    assert!(visit.observe().text.contains(&format!("{value} (chosen)")));
    assert!(visit.act("click[reviews]").admissible);
    assert!(visit.observe().text.ends_with("\nReviews: nothing"));
    assert!(visit.act("click[< prev]").admissible);
    assert!(visit.observe().text.contains("(chosen)"));
    assert!(visit.act("click[buy now]").done);
    assert!(visit.observe().text.starts_with(&format!("Bought with {value}, score 0.")));
    // The same page with the original's marks is another text.
    let session = Session::new(suite.shop().clone(), 0).unwrap();
    assert_ne!(session.render(Telling::Text), session.render(Telling::Lines));
}

#[test]
fn settings_out_of_range_are_refused() {
    let refused = |settings: GeneratedShopSettings| {
        let mut config = EnvironmentConfig {
            name: GeneratedWebshop::NAME.into(),
            max_steps: 15,
            ..EnvironmentConfig::default()
        };
        config.tables.set(&settings).unwrap();
        suite(&config, None).err().unwrap().to_string()
    };
    let wrong = [
        ("products", GeneratedShopSettings { products: 15, ..GeneratedShopSettings::default() }),
        (
            "products",
            GeneratedShopSettings { products: 2_000_001, ..GeneratedShopSettings::default() },
        ),
        (
            "results_per_page",
            GeneratedShopSettings { results_per_page: 0, ..GeneratedShopSettings::default() },
        ),
        ("seed", GeneratedShopSettings { seed: u64::MAX, ..GeneratedShopSettings::default() }),
    ];
    for (field, settings) in wrong {
        let error = refused(settings);
        assert!(error.contains(&format!("environment.generated_shop.{field}")), "{error}");
    }
    // The smallest shop has goals of every split, whatever the seed.
    for seed in 0..50 {
        let suite =
            shop(GeneratedShopSettings { products: 16, seed, ..GeneratedShopSettings::default() });
        assert!(Split::ALL.iter().all(|&split| !suite.goals(split).is_empty()), "{seed}");
    }
}
