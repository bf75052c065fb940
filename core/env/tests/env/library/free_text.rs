//! Queries and answers of any text.
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

use super::{answer, facts, library};
use crate::certain::Certain as _;
use hgpo_env::team::{ActionForm, Agents};
use hgpo_env::{Actions, Split, Suite as _};

#[test]
fn free_answers_are_compared_without_case_articles_and_punctuation() {
    let team = library(ActionForm::Free, Agents::Team);
    let one = library(ActionForm::Free, Agents::One);
    for seed in 0..50 {
        let mut start = team.start(Split::Seen, seed).unwrap();
        assert_eq!(start.observe().actions.listed(), ["yes", "no"]);
        start.act("yes");
        assert_eq!(start.observe().actions, Actions::Text);
        let right = answer(&*start);
        for said in [
            right.clone(),
            format!("  The {}!\n", right.to_uppercase()),
            format!("Answer\t{}", right.replace(' ', "  ")),
        ] {
            assert!(start.snapshot().act(&said).won, "{said}");
            let said = if said.starts_with("Answer") { said } else { format!("answer {said}") };
            assert!(one.start(Split::Seen, seed).unwrap().act(&said).won, "{said}");
        }
        let long = format!("{right} ").repeat(100_000 / right.len());
        for said in [format!("{right} or so"), "the".into(), "!".into(), long] {
            let outcome = start.snapshot().act(&said);
            assert!(outcome.admissible && outcome.done && !outcome.won, "{said}");
        }
        for nothing in ["", " \n\t"] {
            let outcome = start.act(nothing);
            assert!(!outcome.admissible && !outcome.done);
        }
    }
}

#[test]
fn free_queries_are_any_text_and_may_find_nothing() {
    let team = library(ActionForm::Free, Agents::Team);
    let mut start = team.start(Split::Train, 1).unwrap();
    start.act("no");
    for nothing in ["moon", "?", "the of it", "search moon"] {
        let mut episode = start.snapshot();
        assert!(episode.act(nothing).admissible, "{nothing}");
        assert_eq!(episode.observe().text, "verifier, round 2: nothing found.", "{nothing}");
    }
    let name = start.instruction().trim_end_matches('.').to_owned();
    let [mut plain, mut marked, mut long] = [(); 3].map(|()| start.snapshot());
    plain.act(&name);
    marked.act(&format!("Search  {name}"));
    assert_eq!(facts(&plain.observe()).len(), 2);
    assert_eq!(plain.situation(), marked.situation());
    assert!(long.act(&format!("{name} ").repeat(100_000 / name.len())).admissible);
    assert_eq!(facts(&long.observe()).len(), 2);
    assert!(!start.act("").admissible);
    // One agent has to say what it does.
    let one = library(ActionForm::Free, Agents::One);
    let mut episode = one.start(Split::Train, 1).unwrap();
    assert_eq!(episode.observe().actions, Actions::Text);
    for neither in ["moon", "search", "answer ", "yes"] {
        assert!(!episode.act(neither).admissible, "{neither}");
    }
    assert!(episode.act("search moon").admissible);
}
