//! Collections, their splits and their settings.
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

use std::collections::{HashMap, HashSet};

use super::{answer, default_library};
use hgpo_env::library::{Library, LibrarySettings};
use hgpo_env::{EnvironmentConfig, EpisodeSettings, Split, Suite as _, suite};

#[test]
fn questions_and_names_of_the_splits_are_disjoint() {
    let suite = default_library();
    let asked = |split| -> HashSet<String> {
        let questions =
            (0..4000).map(|seed| suite.start(split, seed).unwrap().instruction().to_owned());
        questions.collect()
    };
    let [train, seen, unseen] = Split::ALL.map(asked);
    assert!(train.is_disjoint(&seen) && train.is_disjoint(&unseen) && seen.is_disjoint(&unseen));
    assert!(train.len() > 500 && seen.len() > 100 && unseen.len() > 300);
    // A fact begins and ends with a name, of two words each.
    let names = |split| -> HashSet<String> {
        let mut names = HashSet::new();
        for seed in 0..2000 {
            let content = suite.task_content(split, seed).unwrap();
            for fact in content.lines().skip(1) {
                let fact = fact.trim_end_matches('.').replace("The ", "").replace("the ", "");
                let words: Vec<&str> = fact.split(' ').collect();
                names.insert(words[..2].join(" "));
                names.insert(words[words.len() - 2..].join(" "));
            }
        }
        names
    };
    let [train, seen, unseen] = Split::ALL.map(names);
    assert!(train.is_disjoint(&unseen));
    assert!(train == seen);
    let words = |names: &HashSet<String>| -> HashSet<String> {
        names.iter().flat_map(|name| name.split(' ')).map(str::to_owned).collect()
    };
    assert!(words(&unseen).is_subset(&words(&train)));
}

#[test]
fn collections_have_about_a_hundred_short_facts_and_every_question_one_answer() {
    let suite = default_library();
    let mut answers: HashMap<String, HashSet<String>> = HashMap::new();
    for seed in 0..500 {
        let content = suite.task_content(Split::Train, seed).unwrap();
        let (question, facts) = content.split_once('\n').unwrap();
        let lines: HashSet<&str> = facts.lines().collect();
        assert_eq!((lines.len(), facts.lines().count()), (104, 104));
        assert!(lines.iter().all(|fact| fact.split(' ').count() <= 8));
        let right = answer(&*suite.start(Split::Train, seed).unwrap());
        answers.entry(format!("{question} {facts}")).or_default().insert(right);
    }
    assert!(answers.values().all(|answers| answers.len() == 1));
}

#[test]
fn settings_out_of_range_are_refused() {
    let read = |text: &str| {
        let text = format!("name = \"library\"\n[library]\n{text}");
        let config = toml::from_str::<EnvironmentConfig>(&text).map_err(|it| it.to_string())?;
        suite(&config, None).map(|_| ()).map_err(|it| it.to_string())
    };
    for (text, problem) in [
        ("collections = 0", "library.collections': must lie between 1 and 1000, not 0"),
        ("collections = 1001", "library.collections'"),
        ("people = 7", "library.people': must lie between 8 and 24, not 7"),
        ("people = 25", "library.people'"),
        ("actions = \"some\"", "unknown variant `some`"),
        ("agents = \"two\"", "unknown variant `two`"),
        ("persons = 9", "unknown field `persons`"),
        ("seed = -1", "invalid value: integer `-1`"),
    ] {
        let error = read(text).unwrap_err();
        assert!(error.contains(problem), "{text}: {error}");
    }
    let settings = LibrarySettings { seed: u64::MAX, ..LibrarySettings::default() };
    let error = Library::new(settings, EpisodeSettings::default()).unwrap_err().to_string();
    assert!(error.contains("environment.library.seed"), "{error}");
    // The smallest and the largest have tasks in every split.
    for people in [8, 9, 24] {
        for collections in [1, 1000] {
            let settings = LibrarySettings { people, collections, ..LibrarySettings::default() };
            let suite = Library::new(settings, EpisodeSettings::default()).unwrap();
            for split in Split::ALL {
                assert!(
                    (0..20).all(|seed| suite.start(split, seed).is_ok()),
                    "{people} {collections}"
                );
            }
        }
    }
}

#[test]
fn other_seeds_make_other_collections() {
    let of = |seed| {
        let settings = LibrarySettings { seed, ..LibrarySettings::default() };
        let suite = Library::new(settings, EpisodeSettings::default()).unwrap();
        suite.task_content(Split::Unseen, 5).unwrap()
    };
    assert_eq!(of(1), of(1));
    assert_ne!(of(1), of(2));
}
