use super::{Fault, LIMIT, Work, decode, encode};
use crate::model::{
    Action, Advantages, Cell, Controls, ESTIMATOR, Edit, EditKind, Model, PRESETS, Phase, Preset,
    Rollouts, Shared, Source, Theme, estimators, update,
};
use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use hgpo_core::{Options, Trajectory};
use miniz_oxide::deflate::compress_to_vec;

fn opened() -> Model {
    Model::new(Theme::Auto)
}

fn after(actions: impl IntoIterator<Item = Action>) -> Model {
    actions.into_iter().fold(opened(), |model, action| update(&model, action))
}

fn set(key: crate::model::Key, text: &str) -> Action {
    Action::Set(key, text.to_owned())
}

fn load(text: &str) -> Action {
    Action::Load {
        name: "own \"데이터\".jsonl".to_owned(),
        rollouts: Shared::new(Rollouts::read(text).expect("rollouts")),
    }
}

/// A link of any text.
fn link(text: &str) -> String {
    format!("1.{}", BASE64_URL_SAFE_NO_PAD.encode(compress_to_vec(text.as_bytes(), 9)))
}

/// All that a picture depends on: rows, names and numbers of states, options, place.
fn assert_same(left: &Work, right: &Work) {
    let (a, b) = (&left.document, &right.document);
    assert_eq!((&a.source, a.task, a.selected), (&b.source, b.task, b.selected));
    assert_eq!((left.level, left.phase), (right.level, right.phase));
    assert_eq!(a.controls.options, b.controls.options);
    assert_eq!(a.rollouts.tasks.len(), b.rollouts.tasks.len());
    for (a, b) in a.rollouts.tasks.iter().zip(&b.rollouts.tasks) {
        assert_eq!(a.rows(), b.rows());
        let states = |task: &crate::model::Task| {
            let state = |state: &crate::model::State| {
                (state.number, state.name.clone(), state.text.clone(), state.words.clone())
            };
            task.states.iter().map(state).collect::<Vec<_>>()
        };
        assert_eq!(states(a), states(b));
    }
    let advantages = |work: &Work| {
        let task = &work.document.rollouts.tasks[work.document.task];
        Advantages::new(task, &work.document.controls).of
    };
    assert_eq!(advantages(left), advantages(right));
}

fn assert_round_trip(model: &Model) -> String {
    let text = encode(&model.work());
    let read = decode(&text).expect("what was written");
    assert_same(&read, &model.work());
    assert_eq!(encode(&read), text, "written again");
    text
}

#[test]
fn every_example_and_estimator_makes_a_short_link() {
    for (index, preset) in PRESETS.iter().enumerate() {
        let text = assert_round_trip(&after([Action::Open(index)]));
        assert!(text.len() < 40, "{}: {text}", preset.name);
    }
    for name in estimators() {
        for inside in ["hgpo", "g2po"] {
            let mut model = after([set(ESTIMATOR, name), set("inside", inside)]);
            model.problem = None;
            let text = assert_round_trip(&model);
            assert!(text.len() < 120, "{name}: {text}");
        }
    }
}

#[test]
fn changed_options_and_the_place_of_the_reader_travel() {
    let model = after([
        Action::Open(1),
        set("context_length", "4"),
        set("alpha", "0.5"),
        set("weights", "verl"),
        set("base_group", "true"),
        set("discount", "0.9"),
        set("invalid_penalty", "0.25"),
        Action::Select(Cell { row: 1, step: 2 }),
        Action::Level(Some(1)),
        Action::Phase(Some(Phase::Weights)),
    ]);
    let text = assert_round_trip(&model);
    assert!(text.len() < 240, "{}: {text}", text.len());
}

#[test]
fn edited_rollouts_travel_with_the_looks_of_their_states() {
    let errand = Preset::position("errand").expect("known");
    let first = Cell { row: 0, step: 1 };
    let model = after([
        Action::Open(errand),
        Action::Edit(Edit(
            first,
            EditKind::State("a place that is new \u{1f600} \u{2028} 한국어".to_owned()),
        )),
        Action::Edit(Edit(first, EditKind::Reward("-0.30000000000000004".to_owned()))),
        Action::Edit(Edit::of_row(2, EditKind::Remove)),
        Action::Edit(Edit(first, EditKind::Context("so far: nothing".to_owned()))),
    ]);
    assert!(model.document.rollouts.own_numbers().is_some(), "numbers are not as read");
    let text = assert_round_trip(&model);
    assert!(text.len() < 1500, "{}", text.len());
    let back = update(&opened(), Action::Link(text));
    assert!(back.is_edited(), "reset leads to the example");
    let reset = update(&back, Action::Reset);
    assert!(reset.document.rollouts.all().eq(PRESETS[errand].load().0.all()));
    // An edit that is taken back by hand leaves the example.
    let there_and_back = after([
        Action::Edit(Edit(first, EditKind::Reward("5".to_owned()))),
        Action::Edit(Edit(first, EditKind::Reward("0".to_owned()))),
        Action::Select(opened().document.selected),
    ]);
    assert_eq!(encode(&there_and_back.work()), encode(&opened().work()));
}

#[test]
fn files_travel_with_every_field() {
    let rich = r#"{"task":"탁자/1","trajectory":"a/b","success":false,"seed":7,"environment":"x","more":{"k":[1,null]},"steps":[{"state":"s","reward":1e100,"valid":false,"context":"c","embedding":[0.1,-2.0],"agent":"p","observation":"o","prompt":"q","response":"r\n\"","odd":true},{"state":"","reward":-0.0,"valid":true}]}
{"task":"other","trajectory":"t","steps":[{"state":"s","action":"go","reward":0.1,"valid":true}]}"#;
    let model = after([load(rich), Action::Select(Cell { row: 0, step: 1 })]);
    assert_eq!(model.problem, None);
    assert_round_trip(&model);
    assert_round_trip(&update(&model, Action::Find(1, Cell::default())));
    let fields =
        |model: &Model| model.document.rollouts.all().cloned().collect::<Vec<Trajectory>>();
    let back = update(&opened(), Action::Link(encode(&model.work())));
    assert_eq!(fields(&back), fields(&model));
    assert!(!back.is_edited(), "a file has nothing else to go back to");
}

#[test]
fn garbage_is_refused() {
    for wrong in
        ["", ".", "1", "1.", "1.!", "x.AAAA", "1.AAAA", "-1.q1", "한국어", "1.한국어", "#1.q1"]
    {
        assert_eq!(decode(wrong).err(), Some(Fault::Damaged), "{wrong}");
    }
    for version in ["0", "2", "17"] {
        let text = encode(&opened().work()).replacen('1', version, 1);
        assert_eq!(decode(&text).err(), Some(Fault::Version(version.to_owned())));
    }
    let content = |text: &str| matches!(decode(&link(text)), Err(Fault::Content(_)));
    for text in ["", "{}", "[]", "null", "7", "\"p\"", "{\"p\":7}", "{\"p\":\"overview\"", "\u{0}"]
    {
        assert_eq!(decode(&link(text)).err(), Some(Fault::Damaged), "{text}");
    }
    assert_eq!(decode(&link(r#"{"p":"gone"}"#)).err(), Some(Fault::Example("gone".to_owned())));
    assert!(content(r#"{"f":"empty"}"#));
    assert!(content("{\"f\":\"x\"}\n{\"task\":"));
    for options in [
        r#"{"discount":2}"#,
        r#"{"estimator":{"name":"none"}}"#,
        "3",
        r#"{"invalid_penalty":-1}"#,
        r#"{"unheard":1}"#,
        r#"{"estimator":{"name":"hgpo","base_group":true}}"#,
    ] {
        assert!(content(&format!(r#"{{"p":"overview","o":{options}}}"#)), "{options}");
    }
    // Places that are not there lead to the nearest that are.
    let odd =
        decode(&link(r#"{"p":"overview","t":9,"s":"none/1","l":null,"h":"?","k":[[1,1],7]}"#));
    assert_same(&odd.expect("opened"), &opened().work());
}

#[test]
fn every_cut_of_a_link_is_refused() {
    let edited = after([Action::Edit(Edit::of_row(0, EditKind::Add))]);
    let text = encode(&edited.work());
    for end in 0..text.len() {
        // The last letters may hold nothing but the rest of a byte.
        if let Ok(work) = decode(&text[..end]) {
            assert_same(&work, &edited.work());
            assert!(end + 2 >= text.len(), "cut at {end} of {}", text.len());
        }
    }
    for at in 2..text.len() {
        // No letter that changes makes it fail in another way than by saying so.
        let _ = decode(&format!("{}A{}", &text[..at], &text[at + 1..]));
    }
}

#[test]
fn what_would_unfold_too_far_is_refused() {
    let bomb = compress_to_vec(&vec![b' '; LIMIT + 1], 9);
    assert!(bomb.len() < LIMIT / 500);
    let text = format!("1.{}", BASE64_URL_SAFE_NO_PAD.encode(&bomb));
    assert_eq!(decode(&text).err(), Some(Fault::TooLarge));
}

#[test]
fn options_that_the_rollouts_have_no_data_for_are_refused() {
    let alike = r#"{"estimator":{"name":"hgpo","similarity":{"metric":"embedding"}}}"#;
    let refused = decode(&link(&format!(r#"{{"p":"overview","o":{alike}}}"#)));
    let Err(Fault::Content(why)) = refused else { panic!("opened") };
    assert!(why.contains("embedding"), "{why}");
    let row =
        r#"{"task":"g","trajectory":"t","steps":[{"state":"s","reward":1,"embedding":[1.0]}]}"#;
    let text = link(&format!("{{\"f\":\"x\",\"o\":{alike}}}\n{row}"));
    let model = update(&opened(), Action::Link(text));
    assert_eq!(model.problem, None);
    // A new step has none either; other rollouts come with other options.
    let edited = update(&model, Action::Edit(Edit(Cell::default(), EditKind::Insert)));
    assert!(edited.problem.is_some() && edited.document == model.document);
    let other = update(&model, Action::Open(0));
    assert_eq!(other.document.controls, Controls::default());
}

/// Links as they were made when version 1 came out, and what they stand for, spelt out.
///
/// Where one of these fails, links that readers keep would show something else: let `wire` read
/// them as before, and leave the links alone.
const FROZEN: [(&str, &str, &str, &str); 6] = [
    (
        "1.q1YqULJSyi9LLSrLTC1XqgUA",
        "overview",
        r#"{"discount":0.95,"invalid_penalty":0.1,"estimator":{"name":"hgpo","context_length":2,"alpha":1.0,"scale":"mean-std","weights":"paper","base_group":false,"std":"population","singleton":"zero","history":"states","baseline":"group","base_std":"sample","base_singleton":"keep"}}"#,
        "0, t1/2, None, None",
    ),
    (
        "1.FYpJCsAgDEXv8tdCi0tvE9pghTig0o3k7sblGxYaArh3Ki8cKsICj5kyzdoPFMpsR0yxVRvGQ3I4MxWomjCY_vLWBOF2-EwI_ywDugE",
        "errand",
        r#"{"discount":0.95,"invalid_penalty":0.1,"estimator":{"name":"gigpo","step_weight":1.0,"scale":"mean","episode_statistics":"steps","step_std":"sample","episode_std":"sample","step_singleton":"zero","episode_singleton":"keep"}}"#,
        "0, t2/2, Some(0), Some(Levels)",
    ),
    (
        "1.bU47bsJAEO1zimhq2zJFpGivEqJosl7AYO9aO2MQsraj5QjcgIKCgjsBd2AWJP7dm_eb18EAFLiZ_ezDfrk5rLbHxaYP2ZicrSABB6oDQ1zWyM7Hw2JtJFL4tEYSxztx6LEZpcPGiX7Gf0VJ2rWWQeXZdwghAYG98NEBI01iRKzscWy0VM2FYCGITUOgfjpByLF5v94Jj5pLZ2MqfvBmhr4AlebZVwJTrEo5BliRCckt-X_n7OVZfnWyb034vZsyep7Sximt1oboYn-37KH_tf4E",
        "own \"데이터\".jsonl",
        r#"{"discount":0.95,"invalid_penalty":0.1,"estimator":{"name":"dr-mas","estimator":{"name":"graph-gpo","graph_discount":0.8,"scale":"mean-std","episode_statistics":"steps","std":"sample","step_singleton":"zero","episode_singleton":"keep"},"mean":"agent","deviation":"agent","turns":"together"}}"#,
        "1, u/0, None, None",
    ),
    (
        "1.1ZLNTsMwDIDvPIbPFvRvQ_RVqglFqdeGdUmVuC2o6rvjigOZQKibhBC3OM5nW188Qw8luJH8aGgCBAflDLUJ2g2WoUzunxAosDkrdn7NWXUmQdqmd_JcO8v0ys8d2YZbKItlQQiS5_whkfwJyqp6xARTzDDHAne4PxyWuxlYhdNla_bqhbS0eVv5VG7CoDUFKcd-IAmZegmqWU6K1yl653UrD5Vm46xcdHRkiT1Nytfr-AnCqDpTf9RY8JMNaQx607SbyexmcheTJO58RKZf0E2mstjUUXXhW1Uh-WNP17QsbgX3MTgp8yO4yW6-ZQ8v5V7lKP-v3_K7e_8O",
        "overview",
        r#"{"discount":0.9,"invalid_penalty":0.1,"estimator":{"name":"hgpo","context_length":4,"alpha":1.0,"scale":"mean-std","weights":"paper","base_group":false,"std":"population","singleton":"zero","history":"states","baseline":"group","base_std":"sample","base_singleton":"keep"}}"#,
        "0, t3/0, None, None",
    ),
    (
        "1.ATIAzf97InAiOiJvdmVydmlldyIsIm8iOnsiZXN0aW1hdG9yIjp7Im5hbWUiOiJnMnBvIn19fQ",
        "overview",
        r#"{"discount":0.95,"invalid_penalty":0.1,"estimator":{"name":"g2po","step_weight":1.0,"value_discount":0.95,"scale":"mean-std","episode_statistics":"steps","std":"sample","step_singleton":"zero","episode_singleton":"keep"}}"#,
        "0, t1/2, None, None",
    ),
    (
        "1.HcrBCcAgEETRXuacNGA3EiawEF1ZjTnI9h718uHDGygI0E7rwg8HFGGAtUmKTW1NjonTGCXfahfP8rx1B-7-Aw",
        "overview",
        r#"{"discount":0.95,"invalid_penalty":0.1,"estimator":{"name":"reinforce-plus-plus","task_baseline":false,"episode_statistics":"steps"}}"#,
        "0, t1/2, None, None",
    ),
];

/// A link of `hgpo report`, which writes version 1 by itself: an attempt chosen among those at its task, with
/// all options of the run's estimator.
const REPORTED: &str = "1.hZDNTsMwDMfvPMXkcxndgQN5FYQmk3ptWJpEsUuBqu-O0xaYQMAttv4fv3iCExjo2hSrHRM1uwNUEMFM0Di2cQgCpt7f3VbgwjN61xwTBfTyWtaHCojF9SgxF0vAnrY0TbExCL3I0VNopQOjavSpQ33t6wrYoi_qnjBcszTqGMm1nbAuEybKunlEpmOb45DAnNAzqU-lKohp8CguBlWxC60n0beBN8qlvHOsUEqpehTiLcu7UDrXxC1-DWTsk_J87C4Sz0QJ5llrdPCR5aaG-WoCQT6XLPVIxieyW-G4Mg3WEqtF8rBQU9Lhflp5ypXQe9WhXT5hYAHKNGJutgst914D5oe_GgvUZeXnpf7rbOIYLlrr763Vl9WS95h_Ba5_Ar8D";

#[test]
fn links_of_reports_are_read() {
    let Work { document, level, phase } = decode(REPORTED).expect("what a report holds");
    assert_eq!(document.source, Source::File("hgpo, seed 1".to_owned()));
    let options = serde_json::to_value(&document.controls.options).expect("plain");
    assert_eq!(options["estimator"]["context_length"], 1);
    let rows = document.rollouts.tasks[0].rows();
    let shown: Vec<_> = rows.iter().map(|row| (row.trajectory.as_str(), row.steps.len())).collect();
    assert_eq!(shown, [("won", 1), ("lost", 2)]);
    assert_eq!((document.task, document.selected), (0, Cell { row: 1, step: 0 }));
    assert_eq!((level, phase), (None, None));
}

#[test]
fn version_1_is_read_as_ever() {
    for (link, source, options, place) in FROZEN {
        let Work { document, level, phase } = decode(link).expect(link);
        let name = match &document.source {
            Source::Preset(index) => &PRESETS[*index].name,
            Source::File(name) => name,
        };
        assert_eq!(name, source);
        let explicit: Options = serde_json::from_str(options).expect("options");
        let written = serde_json::to_value(&document.controls.options).expect("plain");
        assert_eq!(document.controls.options, explicit, "{link}");
        let spelt: serde_json::Value = serde_json::from_str(options).expect("options");
        assert_eq!(written, spelt, "an option that is new has the value that it had silently");
        let Cell { row, step } = document.selected;
        let name = &document.rollouts.tasks[document.task].rows()[row].trajectory;
        assert_eq!(format!("{}, {name}/{step}, {level:?}, {phase:?}", document.task), place);
    }
    // The rollouts of the third, as they were typed; the states of the fourth, after its edits.
    let own = decode(FROZEN[2].0).expect("read").document.rollouts;
    let mut lines = Vec::new();
    for task in &own.tasks {
        hgpo_core::format::write_jsonl(&mut lines, task.rows()).expect("memory");
    }
    assert_eq!(
        String::from_utf8_lossy(&lines),
        "{\"task\":\"g\",\"trajectory\":\"t\",\"steps\":[{\"state\":\"문\",\"action\":\"go\",\"reward\":-0.5,\"valid\":false},{\"state\":\"b\",\"reward\":10.0,\"valid\":true}]}\n{\"task\":\"h\",\"trajectory\":\"u\",\"success\":true,\"steps\":[{\"state\":\"b\",\"reward\":1.0,\"valid\":true}]}\n"
    );
    let edited = decode(FROZEN[3].0).expect("read").document.rollouts;
    let states = &edited.tasks[0].states;
    let states: Vec<_> = states.iter().map(|state| (state.number, state.text.as_str())).collect();
    assert_eq!(states[..3], [(0, "s0"), (1, "s1"), (2, "s3")]);
    assert_eq!(states[7], (7, "porch"));
}
