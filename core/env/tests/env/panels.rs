//! Panels: the same tasks for everybody, none of which training has.
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

use std::collections::{BTreeMap, HashSet};
use std::io;
use std::sync::Arc;

use crate::oracle;
use crate::workshop::{DOMAIN, GRAMMAR, PROBLEM, file};
use hgpo_env::files::{Files, ListedFile, MemoryFiles};
use hgpo_env::panel::{self, Panel};
use hgpo_env::random::numpy_random::RandomState;
use hgpo_env::registry::entries;
use hgpo_env::{EnvironmentConfig, Split, Suite, suite};

/// Files whose folders are listed in the order of a seed.
struct Shuffled<T>(T, u32);

impl<T: Files> Files for Shuffled<T> {
    fn list(&self, folder: &str) -> io::Result<Vec<ListedFile>> {
        let mut listed = self.0.list(folder)?;
        RandomState::new(self.1).shuffle(&mut listed);
        Ok(listed)
    }

    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        self.0.read(path)
    }

    fn place(&self, path: &str) -> String {
        self.0.place(path)
    }
}

/// The suite that a panel is made under.
fn suite_of(name: &str, files: Option<Arc<dyn Files>>) -> Arc<dyn Suite> {
    let (environment, entry) = panel::entry(name).unwrap();
    suite(&panel::config(environment, entry).unwrap(), files).unwrap()
}

fn open(name: &str, suite: &dyn Suite) -> Result<Panel, String> {
    let (_, entry) = panel::entry(name).unwrap();
    Panel::open(entry, suite).map_err(|error| error.to_string())
}

/// The contents of the first tasks of training.
fn trained(suite: &dyn Suite) -> HashSet<String> {
    let content = |place| {
        let seed = suite.training_task(0, 1, place);
        suite.task_content(Split::Train, seed).unwrap()
    };
    (0..500).map(content).collect()
}

#[test]
fn panels_have_the_tasks_of_their_digest_and_none_of_training() {
    let mut names = HashSet::new();
    for environment in entries() {
        for entry in environment.panels {
            assert!(names.insert(entry.name) && !entry.summary.is_empty(), "{}", entry.name);
            assert!(environment.splits.iter().any(|(split, _)| *split == entry.split));
            if environment.data.is_some() {
                continue;
            }
            let suite = suite_of(entry.name, None);
            let panel = open(entry.name, suite.as_ref()).unwrap();
            assert_eq!(Some(panel.digest()), entry.digest, "{}", entry.name);
            let tasks = panel.tasks();
            assert_eq!(tasks.len(), entry.tasks);
            let known = trained(suite.as_ref());
            let content = |seed| suite.task_content(entry.split, seed).unwrap();
            let contents: HashSet<String> = tasks.iter().map(|task| content(task.seed)).collect();
            assert_eq!(contents.len(), tasks.len(), "{}: a task occurs twice", entry.name);
            assert_eq!(contents.intersection(&known).count(), 0, "{}", entry.name);
            let ids: HashSet<&str> = tasks.iter().map(|task| task.id.as_str()).collect();
            assert_eq!(ids.len(), tasks.len(), "{}", entry.name);
        }
    }
    assert_eq!(names.len(), 20);
}

#[test]
fn panels_of_files_do_not_depend_on_their_order() {
    let mut files = BTreeMap::new();
    for (split, count) in [("train", 3), ("valid_seen", 140), ("valid_unseen", 134)] {
        for number in 0..count {
            let folder = format!("json_2.1.1/{split}/pick_{}/trial_{number}", number % 7);
            let goal = format!("(:goal {}", " ".repeat(number));
            let game = file(DOMAIN, &PROBLEM.replacen("(:goal", &goal, 1), GRAMMAR);
            files.insert(format!("{folder}/game.tw-pddl"), game);
            let kind = br#"{"task_type": "pick_and_place_simple"}"#.to_vec();
            files.insert(format!("{folder}/traj_data.json"), kind);
        }
    }
    let open = |files: BTreeMap<_, _>, order| {
        let files = Arc::new(Shuffled(MemoryFiles(files), order));
        open("alfworld-seen", suite_of("alfworld-seen", Some(files)).as_ref())
    };
    // These are no official games: what is refused is told by the digest that they have.
    let refused: HashSet<String> =
        (0..4).map(|order| open(files.clone(), order).unwrap_err()).collect();
    assert_eq!(refused.len(), 1, "{refused:?}");
    let refused = refused.into_iter().next().unwrap();
    assert!(refused.contains("alfworld-seen") && refused.contains("digest"), "{refused}");
    files.retain(|path, _| !path.contains("valid_seen/pick_0/"));
    let error = open(files, 0).unwrap_err();
    assert!(error.contains("it has 140 tasks, and the split seen 120"), "{error}");
}

#[test]
fn official_panels_are_those_of_their_digests_in_any_order_of_files() {
    let (Some(alfworld), Some(webshop)) = (oracle::alfworld(), oracle::webshop()) else { return };
    for (name, folder) in
        [("alfworld-seen", alfworld), ("alfworld-unseen", alfworld), ("webshop-500", webshop)]
    {
        let opened = [0, 1].map(|order| {
            let files = Arc::new(Shuffled(hgpo_env::files::Folder::new(folder), order));
            open(name, suite_of(name, Some(files)).as_ref()).unwrap()
        });
        assert_eq!(opened[0].tasks(), opened[1].tasks(), "{name}");
        assert_eq!(Some(opened[0].digest()), opened[0].entry().digest);
    }
}

#[test]
fn evaluations_of_a_panel_play_its_tasks_whatever_their_seed() {
    let inner = suite_of("sokoban-seen", None);
    let panel = open("sokoban-seen", inner.as_ref()).unwrap();
    let expected: Vec<u64> = panel.tasks().iter().map(|task| task.seed).collect();
    let suite = panel.suite(inner.clone());
    for seed in [0, 7, 123] {
        let drawn = (0..500).map(|place| suite.evaluation_task(Split::Seen, seed, place));
        assert_eq!(drawn.collect::<Vec<_>>(), expected);
        let other = |suite: &dyn Suite| suite.evaluation_task(Split::Unseen, seed, 3);
        assert_eq!(other(&suite), other(inner.as_ref()));
        assert_eq!(suite.training_task(seed, 2, 5), inner.training_task(seed, 2, 5));
    }
}

#[test]
fn panels_of_other_settings_environments_and_names_are_refused() {
    let error = panel::entry("moon").unwrap_err().to_string();
    assert!(error.contains("unknown panel 'moon'") && error.contains("alfworld-unseen"), "{error}");
    let chores = suite_of("chores-seen", None);
    let error = open("sokoban-seen", chores.as_ref()).unwrap_err();
    assert!(error.contains("panel 'sokoban-seen': it is of another environment"), "{error}");
    // The default world has one map, and is no panel's.
    let config = EnvironmentConfig { name: "gridworld".into(), ..EnvironmentConfig::default() };
    let error = open("maze-unseen", suite(&config, None).unwrap().as_ref()).unwrap_err();
    assert!(error.contains("panel 'maze-unseen'"), "{error}");
}
