//! A game of our own: what the engine does with quantifiers, conditional effects, types and texts,
//! derived by hand.
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]
#![allow(clippy::format_collect, reason = "short texts, written once")]

use crate::workshop::{DOMAIN, GRAMMAR, PROBLEM, file, game, with};
use hgpo_env::alfworld::{Game, GameState};

fn commands(play: &GameState) -> Vec<&str> {
    play.admissible().collect()
}

#[track_caller]
fn step(play: &mut GameState, command: &str, expected: &str) {
    assert!(play.step(command), "{command} is not admissible");
    assert_eq!(play.feedback(), expected, "{command}");
}

#[test]
fn the_start_shows_what_is_there() {
    let play = GameState::new(game());
    // Nail_bar_1 comes first of two, so it is nail 2; things come before tools, which are below them.
    let text = "Workshop.\n\nYou are at the bench 1. You see a nail 2, and a brush 1.\n\n\
                Your task is to: oil something for the shelf.";
    assert_eq!(play.feedback(), text);
    // Not: 'go to bench 1' (equal places), 'inspect bench 1' (a dusty nail), 'oil nail 2' (no tool).
    let expected = [
        "blow",
        "go to box 1",
        "go to shelf 1",
        "look",
        "take brush 1 from bench 1",
        "take nail 2 from bench 1",
    ];
    assert_eq!(commands(&play), expected);
}

#[test]
fn effects_and_conditions_are_those_of_the_domain() {
    let mut play = GameState::new(game());
    step(&mut play, "take brush 1 from bench 1", "You take the brush 1 from the bench 1.");
    let expected =
        ["blow", "go to box 1", "go to shelf 1", "look", "oil nail 2", "put brush 1 in/on bench 1"];
    assert_eq!(commands(&play), expected);
    step(&mut play, "oil nail 2", "The oil does not stick to the nail 2.");
    step(&mut play, " blow\n", "Dust flies off the bench 1.");
    step(&mut play, "oil nail 2", "You oil the nail 2.");
    // The brush was taken from here; nothing else has gone.
    step(&mut play, "inspect bench 1", "The bench 1 is tidy. Gone: brush 1.");
    step(&mut play, "put brush 1 in/on bench 1", "You put the brush 1 in/on the bench 1.");
    step(&mut play, "inspect bench 1", "The bench 1 is tidy. Gone: nothing.");
    step(&mut play, "take nail 2 from bench 1", "You take the nail 2 from the bench 1.");
    step(&mut play, "go to shelf 1", "You arrive at the shelf 1. You see nothing.");
    assert!(!play.won());
    step(&mut play, "put nail 2 in/on shelf 1", "You put the nail 2 in/on the shelf 1.");
    assert!(play.won());
}

#[test]
fn a_lid_has_to_be_lifted() {
    let mut play = GameState::new(game());
    step(&mut play, "go to box 1", "You arrive at the box 1. You see a nail 1.");
    assert_eq!(commands(&play), ["blow", "go to bench 1", "go to shelf 1", "look", "open box 1"]);
    let before = play.clone();
    assert!(!play.step("take nail 1 from box 1"));
    assert!(play == before && play.feedback() == "Nothing happens.");
    step(&mut play, "open box 1", "You open the box 1.");
    assert!(commands(&play).contains(&"take nail 1 from box 1"));
    // Other nails stay dusty: blowing is for what is in the box.
    step(&mut play, "blow", "Dust flies off the box 1.");
    step(&mut play, "inspect box 1", "The box 1 is tidy. Gone: nothing.");
    step(&mut play, "go to bench 1", "You arrive at the bench 1. You see a nail 2, and a brush 1.");
    assert!(!commands(&play).contains(&"inspect bench 1"));
}

#[test]
fn the_solver_finds_the_shortest_plan() {
    let mut play = GameState::new(game());
    let commands = play.plan().unwrap();
    // Each is needed once: blow, take and put the brush, oil, take and put the nail, walk, inspect.
    assert_eq!(commands.len(), 8);
    assert!(commands.into_iter().all(|command| play.step_command(command)) && play.won());
    assert!(play.plan().unwrap().is_empty());
    let unreachable =
        with("(exists (?t - thing) (and (oiled ?t)", "(exists (?t - tool) (and (dusty ?t)");
    assert!(GameState::new(unreachable.unwrap().into()).plan().is_none());
}

#[test]
fn other_placeholders_never_stand_for_what_is_bound() {
    // After walking, the command's `from` and `to` are bound: the rule's `p` can be neither.
    let walked = with(
        "You arrive at the {to.name}. You see [{t.indefinite + ' ' + t.name | in(t:thing, to:place)}].",
        "#around#",
    );
    let mut play = GameState::new(walked.unwrap().into());
    step(&mut play, "go to box 1", "You see nothing.");
    step(&mut play, "look", "You see a nail 1.");
}

#[test]
fn a_newer_dialect_is_a_matter_of_the_grammar() {
    let newer = with("put {t} in/on {p}", "move {t} to {p}").unwrap();
    let mut play = GameState::new(newer.into());
    assert!(play.step("take brush 1 from bench 1") && play.step("move brush 1 to bench 1"));
}

#[test]
fn a_type_that_is_only_mentioned_has_nothing() {
    // As in the released domain, where a comma makes a type of its own.
    let game = with(
        "(exists (?k - tool) (holds ?w ?k))",
        "(exists (?k - tool, ?p - place) (holds ?w ?k))",
    );
    let mut play = GameState::new(game.unwrap().into());
    assert!(play.step("take brush 1 from bench 1"));
    assert!(!commands(&play).iter().any(|command| command.starts_with("oil")));
}

/// What is wrong with the game in which `from` is `to`.
#[track_caller]
fn refused(from: &str, to: &str, expected: &str) {
    let error = with(from, to).err().unwrap_or_else(|| panic!("'{to}' was taken")).to_string();
    assert!(error.contains(expected), "{to}: {error}");
}

#[test]
fn broken_domains_are_refused_with_their_place() {
    refused("(seen ?p - place))", "(seen ?p - place)", "pddl_domain:2:1: '(' is never closed");
    refused("(:functions (total-cost) - number)", ")", "after the end");
    refused("(:functions", "(:derived", "pddl_domain:9:3: ':derived' is not supported");
    refused(
        "tool - thing)",
        "tool - thing thing - tool)",
        "pddl_domain:4:3: type 'thing' is above itself",
    );
    refused("(busy ?w - worker)", "(in ?w - worker)", "predicate 'in' is declared twice");
    refused(
        ":effect (seen ?p)",
        ":effect (sean ?p)",
        "pddl_domain:11:87: unknown predicate 'sean'",
    );
    refused(":effect (seen ?p)", ":effect (seen ?q)", "unknown variable '?q'");
    refused(":effect (seen ?p)", ":effect (seen)", "'seen' has 1 arguments, not 0");
    refused(":effect (seen ?p)", ":effect (= ?p ?p)", "cannot change '='");
    refused(":effect (open ?p)", ":effect (assign (total-cost) 1)", "not supported");
    refused("(?w - worker ?p - place) :pre", "(?w - worker ?p -) :pre", "'-' without a type");
    refused(
        "(?w - worker ?p - place) :pre",
        "(?w - worker ?p - (either place thing)) :pre",
        "either",
    );
    refused("(not (= ?from ?to))", "(not)", "'not' with 0 parts");
    refused("(:action Lift", "(:action Walk", "action 'walk' is declared twice");
    refused("; A workshop", "\u{e9} ; A workshop", "ASCII");
    refused(
        "(at ?w ?p) :effect (seen ?p)",
        &format!("{}(tidy){} :effect (seen ?p)", "(and ".repeat(80), ")".repeat(80)),
        "nest deeper",
    );
}

#[test]
fn broken_problems_are_refused_with_their_place() {
    refused(
        "(:domain workshop)",
        "(:domain kitchen)",
        "pddl_problem:2:3: the domain is 'workshop', not 'kitchen'",
    );
    refused("w1 - worker", "w1 - robot", "'w1' is of the unknown type 'robot'");
    refused(
        "Box_bar_1 - place",
        "Box_bar_1 Shelf_bar_1 - place",
        "object 'shelf_bar_1' is declared twice",
    );
    refused("(lid Box_bar_1)", "(lid Bax_bar_1)", "unknown object 'bax_bar_1'");
    refused("(lid Box_bar_1)", "(lid)", "'lid' has 1 arguments, not 0");
    refused("(lid Box_bar_1)", "(led Box_bar_1)", "pddl_problem:5:31: unknown predicate 'led'");
    refused("(not (tidy))", "(tidy) (not (tidy))", "'tidy' is said to be true and false");
    refused("(:goal (and", "(:gaol (and", "unexpected ':gaol'");
    refused(
        "(exists (?t - thing) (and (oiled ?t)",
        "(exists (?t - thing) (and (oiled ?s)",
        "unknown variable '?s'",
    );
}

#[test]
fn broken_grammars_are_refused_with_their_place() {
    refused(
        "grammar :: \"\"\"",
        "grimmar :: \"\"\"",
        "grammar:2:8: expected 'grammar' or 'action'",
    );
    refused("\"list_empty\": [", "\"list_empty\": ", "grammar:7:22: invalid type");
    refused("template :: \"look\"; ", "", "action 'Look' needs a template and a feedback");
    refused(
        "action Blow { template :: \"blow\"",
        "action Blow { template :: \"blow",
        "expected ';'",
    );
    refused("action Look {", "action Glance {", "there is no action 'look'");
    refused(
        "\"list_empty\"",
        "\"list_empti\"",
        "grammar:6:9: symbol 'around': there is no rule for '#list_empty#'",
    );
    refused(
        "oil something for the shelf.",
        "#around# #loop#\"}], \"loop\": [{\"rhs\": \"#task#",
        "is written in terms of itself",
    );
    refused(
        "{\"rhs\": \"The oil",
        "{\"condition\": \"dusty(t:thing)\", \"rhs\": \"The oil",
        "grammar:25:13: symbol 'oil.feedback': every alternative has a condition",
    );
    refused(
        "oiled(t:thing)",
        "oiled(t:thang)",
        "grammar:25:13: symbol 'oil.feedback': unknown type",
    );
    refused("oiled(t:thing)", "oiled(t:thing", "is not like 'p(x:type)'");
    refused("oiled(t:thing)", "oiled()", "another number of arguments");
    refused(
        "You open the {p.name or p.id}.",
        "You open the {p.size}.",
        "grammar:15:8: the expression 'p.size' is not supported",
    );
    refused(
        "You open the {p.name or p.id}.",
        "You open the {q.name}.",
        "grammar:15:8: unknown variable 'q'",
    );
    refused(
        "template :: \"blow\"",
        "template :: \"blow [{t.name | in(t:thing, p:place)}]\"",
        "facts that change",
    );
    let doubling: String = (0..40)
        .map(|at| format!("\"d{at}\": [{{\"rhs\": \"#d{}##d{}#\"}}],", at + 1, at + 1))
        .collect();
    let bomb = format!("{doubling} \"d40\": [{{\"rhs\": \"\"}}], \"task\": [{{\"rhs\": \"#d0#");
    refused("\"task\": [{\"rhs\": \"", &bomb, "too long");
}

#[test]
fn what_is_too_large_is_refused_in_time() {
    let parameters: String = (0..12).map(|at| format!("?x{at} - object ")).collect();
    let wide = format!(
        "(:action Wide :parameters ({parameters}) :precondition () :effect (tidy))\n(:action Lift"
    );
    refused("(:action Lift", &wide, "ground operators");
    let deep: String = (0..12).map(|_| "(or (tidy) (busy ?w))").collect();
    refused(
        "(at ?w ?p) :effect (seen ?p)",
        &format!("(and {deep}) :effect (seen ?p)"),
        "too many alternatives",
    );
    let many: String = (0..70).map(|at| format!("?x{at} ")).collect();
    refused(
        "(at ?w ?p) :effect (seen ?p)",
        &format!("(exists ({many}) (tidy)) :effect (seen ?p)"),
        "more than 64 variables",
    );
    let ranging: String = (0..12).map(|at| format!("?x{at} ")).collect();
    refused("(tidy) (exists", &format!("(forall ({ranging}) (tidy)) (exists"), "too long");
}

#[test]
fn cut_files_are_refused() {
    let whole = file(DOMAIN, PROBLEM, GRAMMAR);
    for length in (0..whole.len()).step_by(37) {
        let error = Game::parse(&whole[..length]).expect_err("cut").to_string();
        assert!(error.starts_with("file:"), "{length}: {error}");
    }
    for (place, text) in [DOMAIN, PROBLEM, GRAMMAR].iter().enumerate() {
        // What is cut in the white space at its end is whole.
        for length in (0..text.trim_end().len()).step_by(41) {
            let mut texts = [DOMAIN, PROBLEM, GRAMMAR];
            texts[place] = &text[..length];
            let [domain, problem, grammar] = texts;
            assert!(Game::parse(&file(domain, problem, grammar)).is_err(), "{place} {length}");
        }
    }
}
