//! Options are declared once: files, ranges and both forms follow from the declarations.

use std::collections::BTreeMap;

use hgpo_core::{Declaration, Estimator, Kind, Options};
use serde_json::{Map, Value, json};

/// Every estimator alone, every one inside Dr. MAS, and those with similarity with it.
fn variants() -> Vec<Estimator> {
    let mut all = Estimator::all();
    for name in Estimator::NAMES.iter().filter(|name| **name != "dr-mas") {
        let mut team = Estimator::default_named("dr-mas").expect("known");
        team.set("inside", (*name).into()).expect("admitted");
        all.push(team);
    }
    let similar = all.clone().into_iter().filter_map(|mut estimator| {
        estimator.set("similarity", "embedding".into()).ok()?;
        Some(estimator)
    });
    all.extend(similar.collect::<Vec<_>>());
    all
}

fn declared(name: &str) -> Declaration {
    let all = Declaration::all().into_iter().chain(Options::of_returns());
    all.into_iter().find(|option| option.name == name).expect(name)
}

/// Some values that an option admits, the ends of its range among them.
fn admitted(option: &Declaration) -> Vec<Value> {
    match option.kind {
        Kind::Integer { most, usual } => vec![json!(0), json!(usual), json!(most)],
        Kind::Number { most, usual } => vec![json!(0.0), json!(usual), json!(most)],
        Kind::Flag => vec![json!(false), json!(true)],
        Kind::Choice(names) => names.iter().map(|name| json!(name)).collect(),
        _ => vec![json!("grpo"), json!("gigpo")],
    }
}

/// Some values that it does not.
fn refused(option: &Declaration) -> Vec<Value> {
    match option.kind {
        Kind::Integer { most, .. } => vec![json!(most + 1), json!(-1), json!(1.5), json!("many")],
        Kind::Number { most, .. } => vec![json!(-0.5), json!(2.0 * most), json!("much")],
        Kind::Flag => vec![json!("yes"), json!(1)],
        // Some names are numbers, and may be written as such.
        _ => vec![json!("best"), json!(77)],
    }
}

#[test]
fn what_is_written_is_declared_and_the_reverse() {
    for estimator in variants() {
        let mut written: Map<String, Value> =
            serde_json::from_value(serde_json::to_value(&estimator).expect("plain"))
                .expect("object");
        assert_eq!(written.shift_remove("name"), Some(estimator.name().into()));
        // In files, an estimator inside and similarity are objects of their own.
        if let Some(Value::Object(mut inside)) = written.shift_remove("estimator") {
            written.insert("inside".into(), inside.shift_remove("name").expect("named"));
            written.extend(inside);
        }
        if let Some(Value::Object(mut similar)) = written.shift_remove("similarity") {
            written.insert("similarity".into(), similar.shift_remove("metric").expect("there"));
            written.extend(similar);
        } else if estimator.get("similarity").is_some() {
            written.insert("similarity".into(), "none".into());
        }
        let mut flat = estimator.flat();
        flat.shift_remove("name");
        let sorted = |fields: Map<String, Value>| fields.into_iter().collect::<BTreeMap<_, _>>();
        assert_eq!(sorted(written), sorted(flat.clone()), "{estimator:?}");
        let own: Vec<&str> = estimator.declarations().iter().map(|option| option.name).collect();
        let without = |name: &&str| !["threshold", "linkage"].contains(name);
        let values: Vec<&str> = flat.keys().map(String::as_str).collect();
        let is_similar = estimator.get("threshold").is_some();
        let own: Vec<&str> = own.into_iter().filter(|name| is_similar || without(name)).collect();
        // Absent, all levels count.
        let own: Vec<&str> = own.into_iter().filter(|name| *name != "only_level").collect();
        assert_eq!(own, values);
    }
}

#[test]
fn both_forms_come_back_as_they_were() {
    for estimator in variants() {
        assert_eq!(Estimator::from_flat(&estimator.flat()).expect("read"), estimator);
        let mut reversed: Vec<_> = estimator.flat().into_iter().collect();
        reversed.reverse();
        let reversed: Map<String, Value> = reversed.into_iter().collect();
        assert_eq!(Estimator::from_flat(&reversed).expect("in any order"), estimator);
        let nested = serde_json::to_value(&estimator).expect("plain");
        assert_eq!(serde_json::from_value::<Estimator>(nested).expect("read"), estimator);
    }
    let flat = json!({
        "inside": "gigpo", "threshold": 0.5, "step_weight": 2, "name": "dr-mas", "similarity": "edit",
    });
    let nested = json!({
        "name": "dr-mas",
        "estimator": {
            "name": "gigpo", "step_weight": 2.0, "similarity": {"metric": "edit", "threshold": 0.5},
        },
    });
    let flat = Estimator::from_flat(flat.as_object().expect("object")).expect("read");
    assert_eq!(flat, serde_json::from_value(nested).expect("read"));
}

#[test]
fn a_name_means_the_same_in_every_estimator() {
    for estimator in variants() {
        for option in estimator.declarations() {
            assert_eq!(option, declared(option.name));
            assert_eq!(Declaration::named(option.name), Some(option));
        }
    }
    for option in Declaration::all().iter().chain(&Options::of_returns()) {
        let about = option.about();
        assert!(!about.meaning.is_empty() && !about.source.is_empty(), "{}", option.name);
        assert!(!about.meaning.contains('\n') && !about.meaning.ends_with('.'), "{}", option.name);
    }
    // Others may have them too.
    let owns = |name, owner| declared(name).owners().contains(&owner);
    for (name, owners) in [
        ("alpha", &["hgpo"][..]),
        ("threshold", &["hgpo", "gigpo"]),
        ("inside", &["dr-mas"]),
        ("std", &["hgpo", "grpo", "graph-gpo", "g2po"]),
    ] {
        assert!(owners.iter().all(|owner| owns(name, owner)), "{name}");
    }
    assert!(!owns("alpha", "dr-mas"), "not what works inside it");
    assert!(declared("discount").owners().is_empty(), "of the returns, not of an estimator");
    let singleton = declared("singleton").defaults();
    assert!(
        singleton.contains(&("hgpo", json!("zero")))
            && singleton.contains(&("grpo", json!("keep")))
    );
    let threshold = declared("threshold").defaults();
    assert!(["hgpo", "gigpo"].iter().all(|&owner| threshold.contains(&(owner, json!(0.95)))));
}

#[test]
fn ranges_hold_wherever_a_value_comes_from() {
    for estimator in variants() {
        let plain = Options { estimator: estimator.clone(), ..Options::default() };
        for option in estimator.declarations().into_iter().chain(Options::of_returns()) {
            // The options of similarity are there if one is chosen.
            if plain.get(option.name).is_none() {
                continue;
            }
            for value in admitted(&option) {
                let mut options = plain.clone();
                options.set(option.name, value.clone()).expect(option.name);
                assert_eq!(options.get(option.name), Some(value));
            }
            for value in refused(&option) {
                let mut options = plain.clone();
                let error = options.set(option.name, value.clone()).expect_err(option.name);
                let (error, value) = (error.to_string(), value.to_string());
                let names = error.starts_with(&format!("option {}: ", option.name))
                    || option.kind == Kind::Estimator;
                assert!(names && error.contains(value.trim_matches('"')), "{error}");
                assert_eq!(options, plain, "what is refused changes nothing");
            }
        }
    }
    let text = |name: &str, text: &str| declared(name).parse(text).map_err(|it| it.to_string());
    assert_eq!(text("context_length", "4"), Ok(json!(4)));
    assert_eq!(text("graph_discount", ".5"), Ok(json!(0.5)));
    assert_eq!(text("base_group", "true"), Ok(json!(true)));
    let refused = "option graph_discount: 1.5 is not a number from 0 to 1: correct it";
    assert_eq!(text("graph_discount", "1.5"), Err(refused.to_owned()));
    let refused = "option context_length: 1001 is not a whole number from 0 to 1000: correct it";
    assert_eq!(text("context_length", "1001"), Err(refused.to_owned()));
    let refused = "option step_weight: nan is not a number from 0 to 1e100: correct it";
    assert_eq!(text("step_weight", "nan"), Err(refused.to_owned()));
    let refused = "option weights: unknown value `best`: use one of paper, verl, adaptive";
    assert_eq!(text("weights", "best"), Err(refused.to_owned()));
}

#[test]
fn a_value_of_another_type_is_told_from_one_out_of_range() {
    let mut options = Options::default();
    for (name, value, expected) in [
        ("discount", json!("0.9"), r#"got the text "0.9" where a number from 0 to 1 is wanted"#),
        ("discount", json!(null), "got null where a number from 0 to 1 is wanted"),
        ("discount", json!(1.5), "1.5 is not a number from 0 to 1: correct it"),
        ("invalid_penalty", json!([1]), "got a list where a number from 0 to 1e100 is wanted"),
        (
            "context_length",
            json!("4"),
            r#"got the text "4" where a whole number from 0 to 1000 is wanted"#,
        ),
        ("context_length", json!(4.5), "4.5 is not a whole number from 0 to 1000: correct it"),
        ("base_group", json!("true"), r#"got the text "true" where true or false is wanted"#),
        ("scale", json!(1), "got 1 where one of mean-std, mean is wanted"),
        ("scale", json!("std"), "unknown value `std`: use one of mean-std, mean"),
    ] {
        let error = options.set(name, value).expect_err(name).to_string();
        assert_eq!(error, format!("option {name}: {expected}"));
    }
    assert_eq!(options, Options::default());
    let mut team = Estimator::default_named("dr-mas").expect("known");
    let error = team.set("inside", "best".into()).expect_err("unknown").to_string();
    assert!(error.starts_with("option inside: unknown name `best`: use one of hgpo"), "{error}");
}

#[test]
fn what_no_estimate_would_take_is_not_read() {
    for (text, expected) in [
        (r#"{"discount":7}"#, "option discount: 7 is not a number from 0 to 1"),
        (r#"{"invalid_penalty":"1"}"#, r#"option invalid_penalty: got the text "1" where"#),
        (r#"{"estimator":{"name":"hgpo","alpha":-1}}"#, "option alpha: -1 is not a number"),
        (r#"{"estimator":{"name":"graph-gpo","graph_discount":7}}"#, "option graph_discount: 7 is"),
        (
            r#"{"estimator":{"name":"dr-mas","estimator":{"name":"gigpo","step_weight":-1}}}"#,
            "option step_weight: -1 is not",
        ),
        (
            r#"{"estimator":{"name":"gigpo","similarity":{"threshold":1.5}}}"#,
            "option threshold: 1.5 is not a number from 0 to 1",
        ),
        (
            r#"{"estimator":{"name":"hgpo","weights":"best"}}"#,
            "option weights: unknown value `best`",
        ),
        (r#"{"estimator":{"name":"hgpo","base_group":true}}"#, "option base_group: only `weights"),
        (
            r#"{"estimator":{"name":"hgpo","only_level":3}}"#,
            "option only_level: there is no level 3: choose one from 0 to 2",
        ),
        (
            r#"{"estimator":{"name":"hgpo","only_level":0,"base_group":true,"weights":"verl"}}"#,
            "option only_level: the base group is no level: leave one of the two out",
        ),
        (
            r#"{"estimator":{"name":"dr-mas","estimator":{"name":"dr-mas"}}}"#,
            "option estimator: dr-mas inside dr-mas",
        ),
    ] {
        let error = serde_json::from_str::<Options>(text).expect_err(text).to_string();
        assert!(error.starts_with(expected), "{error}");
    }
}

#[test]
fn what_an_estimator_does_not_have_is_refused() {
    let mut grpo = Estimator::default_named("grpo").expect("known");
    let error = grpo.set("alpha", 2.into()).expect_err("hgpo's").to_string();
    assert_eq!(error, "option estimator: grpo has no option alpha");
    let flat = json!({"name": "hgpo", "threshold": 0.5});
    let error = Estimator::from_flat(flat.as_object().expect("object")).expect_err("no similarity");
    assert!(error.to_string().starts_with("option threshold: states are compared by equality"));
    let mut hgpo = Estimator::default();
    hgpo.set("similarity", "edit".into()).expect("admitted");
    hgpo.set("threshold", 0.5.into()).expect("admitted");
    hgpo.set("similarity", "embedding".into()).expect("admitted");
    assert_eq!(hgpo.get("threshold"), Some(json!(0.5)), "another metric keeps the threshold");
    assert_eq!((hgpo.get("metric"), Declaration::named("metric")), (None, None), "in files alone");
    hgpo.set("similarity", "none".into()).expect("admitted");
    assert_eq!(hgpo, Estimator::default());
}
