//! The environment: goals by seeds, what a visit costs and earns, files that are missing or broken.

use super::{catalogue, shop as recorded_shop};
use crate::certain::Certain;
use crate::oracle;
use crate::reference_data::held;

use std::collections::BTreeMap;
use std::sync::Arc;

use hgpo_env::files::MemoryFiles;
use hgpo_env::random::{Purpose, Stream};
use hgpo_env::registry::suite;
use hgpo_env::webshop::goals::Wanted;
use hgpo_env::webshop::{
    Session, Shop, Telling, Webshop, WebshopEnvironment, WebshopSettings, open,
};
use hgpo_env::{Actions, Environment, EnvironmentConfig, EpisodeSettings, Split, Suite};

const EPISODE: EpisodeSettings = EpisodeSettings { max_steps: 15, success_reward: 10.0 };

/// A shop of our own: lamps that differ in size and colour.
fn lamps() -> MemoryFiles {
    let product = |number: usize| {
        serde_json::json!({
            "asin": format!("LAMP{number}"), "name": format!("Bright lamp number {number}"),
            "full_description": "It shines.", "small_description": ["one", ""],
            "pricing": format!("${number}0.50"), "category": "home", "query": "lamps",
            "product_category": "Home › Lights › Lamps",
            "customization_options": {
                "Color": [{"value": "Red"}, {"value": "Blue/Green"}],
                "Size": [{"value": "small"}],
            },
        })
    };
    let wanted = serde_json::json!({
        "attributes": ["bright light"], "instruction": "Find me a lamp with bright light",
        "instruction_attributes": ["bright light"],
    });
    let products: Vec<_> = (1..4).map(product).collect();
    let wanted: BTreeMap<String, _> =
        (1..4).map(|number| (format!("LAMP{number}"), wanted.clone())).collect();
    let file = |value: serde_json::Value| serde_json::to_vec(&value).unwrap();
    let files = [
        ("items_shuffle.json", file(products.into())),
        ("items_ins_v2.json", file(serde_json::to_value(wanted).unwrap())),
    ];
    MemoryFiles(files.map(|(name, bytes)| (name.to_owned(), bytes)).into())
}

fn config() -> EnvironmentConfig {
    EnvironmentConfig { name: "webshop".into(), max_steps: 15, ..EnvironmentConfig::default() }
}

#[test]
fn a_visit_searches_chooses_and_buys() {
    let suite = suite(&config(), Some(Arc::new(lamps()))).unwrap();
    let mut visit = suite.start(Split::Train, 0).unwrap();
    assert!(visit.instruction().starts_with("Find me a lamp with bright light with color: "));
    let first = visit.observe();
    assert_eq!(first.text, "'Search'");
    assert_eq!(first.actions, Actions::Free { search: true, clickables: vec!["search".into()] });
    let start = format!("WebShop [SEP] Instruction: [SEP] {} [SEP] Search", visit.instruction());
    assert_eq!(visit.original(), Some(start));

    assert!(!visit.act("click[search]").admissible && !visit.act("lamp").admissible);
    assert!(visit.act(" search[Number 2] ").admissible);
    let results = visit.observe().text;
    assert!(results.starts_with("'Back to Search' [SEP] 'Page 1 (Total results: 3)' [SEP] 'Next >' [SEP] 'LAMP2' [SEP] 'Bright lamp number 2' [SEP] '$20.5'"), "{results}");
    assert!(visit.act("click[next >]").admissible);
    assert!(visit.observe().text.ends_with("'< Prev' [SEP] 'Next >'"));
    assert!(visit.act("click[< prev]").admissible && visit.observe().text == results);
    assert!(visit.act("click[lamp2]").admissible);
    let told = visit.observe();
    assert!(
        told.text.contains("'color' [SEP] 'red' [SEP] 'blue | green' [SEP] 'size' [SEP] 'small'")
    );
    let clickables = [
        "back to search",
        "< prev",
        "description",
        "features",
        "reviews",
        "buy now",
        "red",
        "blue | green",
        "small",
    ];
    let clickables = clickables.map(str::to_owned).to_vec();
    assert_eq!(told.actions, Actions::Free { search: false, clickables });
    assert!(visit.act("click[features]").admissible);
    assert!(visit.observe().text.ends_with("[SEP] 'one' [SEP] ''"));
    assert!(visit.act("click[< prev]").admissible);
    let mut bought = visit.snapshot();
    assert_eq!(bought.score(), Some(0.0));
    let end = bought.act("click[Buy Now]");
    assert!(end.done && !end.won && end.reward == 0.0 && end.admissible);
    assert!(bought.score().unwrap() > 0.0 && bought.score().unwrap() < 1.0);
    assert!(bought.observe().actions.is_empty() && bought.way().is_empty());
    let after = bought.act("search[lamp]");
    assert!(after.done && !after.admissible && after.reward == 0.0);
    // The copy goes on, until the steps are up: eight are gone.
    let ends: Vec<bool> = (0..7).map(|_| visit.act("click[red]").done).collect();
    assert_eq!(ends, [false, false, false, false, false, false, true]);
}

#[test]
fn plans_buy_what_is_asked_for() {
    let suite = suite(&config(), Some(Arc::new(lamps()))).unwrap();
    for goal in 0..6 {
        let mut visit = suite.start(Split::Train, goal).unwrap();
        let plan = visit.way();
        let last = plan.iter().map(|action| visit.act(action)).last().unwrap();
        assert!(last.won && last.reward > 9.0 && visit.score() == Some(1.0), "{plan:?}");
    }
}

#[test]
fn rich_pages_mark_what_was_clicked() {
    let shop = open(&lamps(), Wanted::Synthetic, 0).unwrap();
    let session = Session::new(shop, 0).unwrap();
    let mut visit = WebshopEnvironment::new(session, Telling::TextRich, EPISODE);
    assert_eq!(visit.observe().text, "[button] Search [button_]\n");
    for action in ["search[lamp]", "click[lamp1]", "click[blue | green]"] {
        assert!(visit.act(action).admissible);
    }
    let text = visit.observe().text;
    assert!(
        text.starts_with("You have clicked blue | green.\n[button] Back to Search [button_]\n")
    );
    assert!(
        text.contains(
            "  [button] red [button_]\n  [clicked button] blue | green [clicked button_]\n"
        )
    );
    assert!(visit.act("click[< prev]").admissible);
    assert!(visit.observe().text.contains("\n\n[clicked button] LAMP1 [clicked button_]\n"));
    for action in ["search[<q> lamps]", "search[<c> home]", "search[<r>]"] {
        let mut chance = Stream::new(1, Purpose::Sampling, [0, 0]).chance();
        assert!(visit.step(action, &mut chance).admissible);
        assert!(visit.observe().text.contains("(Total results: 3)"), "{action}");
    }
}

#[test]
fn files_that_are_missing_or_broken_are_told() {
    let refused = |files: &MemoryFiles, wanted| open(files, wanted, 0).unwrap_err().to_string();
    let missing = refused(&MemoryFiles::default(), Wanted::Synthetic);
    assert!(missing.starts_with("no items_shuffle*.json (the products) in "), "{missing}");
    let human = refused(&lamps(), Wanted::Human);
    assert!(human.starts_with("no items_human_ins.json"), "{human}");
    let mut cut = lamps();
    cut.0.get_mut("items_shuffle.json").unwrap().truncate(500);
    let cut = refused(&cut, Wanted::Synthetic);
    assert!(cut.starts_with("items_shuffle.json: product 2: EOF while parsing"), "{cut}");
    let mut config = config();
    config.tables.set(&WebshopSettings { seed: u64::MAX, ..WebshopSettings::default() }).unwrap();
    let error = suite(&config, Some(Arc::new(lamps()))).err().unwrap().to_string();
    assert!(error.contains("environment.webshop.seed"), "{error}");
}

fn webshop(shop: Arc<Shop>) -> Webshop {
    Webshop::new(shop, WebshopSettings::default(), EPISODE)
}

#[test]
fn goals_are_drawn_as_the_reference_draws_them() {
    let Some(shop) = recorded_shop(0) else { return };
    let suite = webshop(shop);
    let oracle: serde_json::Value =
        serde_json::from_slice(&held().read("rng_oracle.json")).unwrap();
    let recorded =
        |key: &str| -> Vec<Vec<u64>> { serde_json::from_value(oracle[key].clone()).unwrap() };
    let training = recorded("webshop_train_choice_seed0_500_6910_16");
    // Back and forth, as a run that is gone on with asks.
    for iteration in [1, 2, 3, 2, 1] {
        for (place, &goal) in training[iteration - 1].iter().enumerate() {
            assert_eq!(suite.training_task(0, iteration as u64, place), goal);
        }
    }
    let evaluation = recorded("webshop_val_choice_seed1000_0_500_128");
    for (place, &goal) in evaluation[0].iter().enumerate() {
        assert_eq!(suite.evaluation_task(Split::Seen, 1000, place), goal);
    }
    let instruction = |split, seed| suite.start(split, seed).unwrap().instruction().to_owned();
    assert_eq!(instruction(Split::Train, 77), instruction(Split::Seen, 77));
    assert_eq!(instruction(Split::Seen, 577), instruction(Split::Seen, 77));
    let repeated = [Split::Train, Split::Seen, Split::Unseen].map(|split| suite.repeated(split));
    assert_eq!(repeated, [None, Some((4, 500)), Some((0, 7))]);
    assert!(!instruction(Split::Unseen, suite.evaluation_task(Split::Unseen, 3, 0)).is_empty());
}

#[test]
fn plans_of_recorded_goals_win_mostly() {
    let (Some(shop), Some(_)) = (recorded_shop(0), oracle::webshop()) else { return };
    let suite = webshop(shop);
    let (mut solved, mut steps, mut asked) = (0, 0, 0);
    for goal in 0..500 {
        let mut visit = suite.start(Split::Seen, goal).unwrap();
        let plan = visit.way();
        if plan.is_empty() {
            continue;
        }
        let last = plan.iter().map(|action| visit.act(action)).last().unwrap();
        assert!(last.won, "{goal}: {plan:?}");
        solved += 1;
        steps += plan.len();
        let goal = suite.shop().goal(goal as usize).unwrap();
        let words = plan[0].trim_start_matches("search[").trim_end_matches(']');
        asked += usize::from(goal.instruction.contains(words));
    }
    let mean = f64::from(steps as u32) / f64::from(solved);
    println!(
        "{solved} of 500 goals are bought as they are asked for, in {mean:.1} steps; {asked} found by the instruction"
    );
    assert!(solved > 450 && catalogue().is_some());
}
