//! Advantages written into logs of every layout.

use hgpo_core::format::{Annotator, Layout, StateOf, annotate_csv, read_with};
use hgpo_core::{Batch, Estimate, Options, PerStep, estimate};

fn estimated(log: &str, layout: &Layout) -> (Batch, Estimate) {
    let batch = Batch::new(read_with(log.as_bytes(), layout).expect(log).0).expect("a batch");
    let estimate = estimate(&batch, &Options::default()).expect("an estimate");
    (batch, estimate)
}

/// A log with its advantages.
fn annotated(log: &str, layout: &Layout) -> String {
    let (batch, estimate) = estimated(log, layout);
    written(log, layout, &batch, &estimate.advantages).expect(log)
}

fn written(
    log: &str,
    layout: &Layout,
    batch: &Batch,
    advantages: &PerStep,
) -> Result<String, String> {
    let mut sink = Vec::new();
    if log.trim_start_matches('\u{feff}').trim_start().starts_with('{') {
        let mut log = Annotator::new(log.as_bytes(), layout.clone());
        log.write(batch, advantages, &mut sink)
            .and_then(|()| log.finish(&mut sink))
            .map_err(|error| error.to_string())?;
    } else {
        annotate_csv(log.as_bytes(), layout, batch, advantages, &mut sink)
            .map_err(|error| error.to_string())?;
    }
    Ok(String::from_utf8(sink).expect("text"))
}

#[test]
fn every_layout_has_advantages_in_its_own_form() {
    let plain = Layout::default();
    // Two attempts at one state, worth 1 and 0: by their mean and deviation, 1 and −1, nearly.
    let (_, estimate) = estimated("task,trajectory,state,reward\ng,a,s,1\ng,b,s,0\n", &plain);
    let [one, other] = [0, 1].map(|row| estimate.advantages.values()[row].to_string());
    assert!(one.starts_with("0.99999"), "{one}");
    let cases = [
        (
            concat!(
                "\u{feff}{\"seed\":1}\r\n\r\n",
                "{\"task\":\"g\", \"trajectory\":\"a\",\"steps\":[ {\"state\":\"s\",\"reward\":1,\"big\":123456789012345678901234567890} ]}\r\n",
                "  {\"task\":\"g\",\"steps\":[{\"state\":\"s\",\"advantage\":null,\"reward\":0e0}],\"trajectory\":\"b\"}",
            )
            .to_owned(),
            format!(
                concat!(
                    "\u{feff}{{\"seed\":1}}\r\n\r\n",
                    "{{\"task\":\"g\", \"trajectory\":\"a\",\"steps\":[ {{\"state\":\"s\",\"reward\":1,\"big\":123456789012345678901234567890,\"advantage\":{}}} ]}}\r\n",
                    "  {{\"task\":\"g\",\"steps\":[{{\"state\":\"s\",\"advantage\":{},\"reward\":0e0}}],\"trajectory\":\"b\"}}",
                ),
                one, other
            ),
        ),
        (
            concat!(
                "{\"uid\":1,\"traj_uid\":\"a\",\"anchor_obs\":{\"x\":\"}\"},\"rewards\":1}\n",
                "{\"uid\":1,\"traj_uid\":\"a\",\"anchor_obs\":\"\",\"rewards\":0,\"active_masks\":0}\n",
                "{\"uid\":1,\"traj_uid\":\"b\",\"anchor_obs\":{\"x\":\"}\"},\"rewards\":0 }\n\n",
            )
            .to_owned(),
            format!(
                concat!(
                    "{{\"uid\":1,\"traj_uid\":\"a\",\"anchor_obs\":{{\"x\":\"}}\"}},\"rewards\":1,\"advantage\":{}}}\n",
                    "{{\"uid\":1,\"traj_uid\":\"a\",\"anchor_obs\":\"\",\"rewards\":0,\"active_masks\":0}}\n",
                    "{{\"uid\":1,\"traj_uid\":\"b\",\"anchor_obs\":{{\"x\":\"}}\"}},\"rewards\":0 ,\"advantage\":{}}}\n\n",
                ),
                one, other
            ),
        ),
        (
            "sep=,\r\ntask,trajectory,state,reward\r\ng,a,\"s, \"\"t\"\"\",1\r\n\"g\",b,\"s, \"\"t\"\"\",0\r\n".to_owned(),
            format!(
                "sep=,\r\ntask,trajectory,state,reward,advantage\r\ng,a,\"s, \"\"t\"\"\",1,{one}\r\ng,b,\"s, \"\"t\"\"\",0,{other}\r\n"
            ),
        ),
        (
            "task,advantage,trajectory,state,reward,active_masks\ng,7,a,s,1,1\ng,7,a,s,0,0\ng,,b,s,0,1\n".to_owned(),
            format!(
                "task,advantage,trajectory,state,reward,active_masks\ng,{one},a,s,1,1\ng,,a,s,0,0\ng,{other},b,s,0,1\n"
            ),
        ),
    ];
    for (log, expected) in cases {
        let found = annotated(&log, &plain);
        assert_eq!(found, expected);
        // It is the same log, with the same advantages, once more.
        assert_eq!(annotated(&found, &plain), found);
    }
}

#[test]
fn conversations_have_an_advantage_at_the_end_of_each_turn() {
    let log = concat!(
        "{\"messages\":[{\"role\":\"user\",\"content\":\"q\"},{\"role\":\"assistant\",\"content\":\"a\"},",
        "{\"role\":\"assistant\",\"content\":\"b\"},{\"role\":\"tool\",\"content\":\"r\"},{\"content\":\"c\",\"role\":\"assistant\"}],\"reward\":1}\n",
        "{\"messages\":[{\"role\":\"user\",\"content\":\"q\"},{\"role\":\"assistant\",\"content\":\"c\"}],\"reward\":0}\n",
    );
    for state_of in [StateOf::LastObservation, StateOf::Transcript, StateOf::ToolResult] {
        let layout = Layout { state_of, ..Layout::default() };
        let (_, estimate) = estimated(log, &layout);
        let found = annotated(log, &layout);
        let of = |line: usize| -> Vec<Option<f64>> {
            let line: serde_json::Value =
                serde_json::from_str(found.lines().nth(line).expect("a line")).expect("JSON");
            let messages = line["messages"].as_array().expect("messages").clone();
            messages.iter().map(|message| message["advantage"].as_f64()).collect()
        };
        let numbers = [0, 1].map(|line| estimate.advantages[line].to_vec());
        assert_eq!(of(0), [None, None, Some(numbers[0][0]), None, Some(numbers[0][1])]);
        assert_eq!(of(1), [None, Some(numbers[1][0])]);
    }
}

#[test]
fn a_log_that_changed_is_refused() {
    let layout = Layout::default();
    let line = |name: &str, steps: usize| {
        let steps = vec![r#"{"state":"s","reward":1}"#; steps].join(",");
        format!("{{\"task\":\"g\",\"trajectory\":\"{name}\",\"steps\":[{steps}]}}\n")
    };
    let csv = |names: &[&str]| {
        let rows = names.iter().map(|name| format!("g,{name},s,1\n"));
        "task,trajectory,state,reward\n".to_owned() + &rows.collect::<String>()
    };
    let log = [line("a", 1), line("b", 2)].concat();
    let changes = [
        (&log, line("a", 1), ""),
        (&log, [line("a", 1), line("b", 3)].concat(), "line 2: "),
        (&log, [line("a", 1), line("c", 2)].concat(), "line 2: "),
        (&log, [log.clone(), line("c", 1)].concat(), "line 3: "),
        (&csv(&["a", "b"]), csv(&["a"]), ""),
        (&csv(&["a", "b"]), csv(&["a", "c"]), "line 3: "),
        (&csv(&["a", "b"]), csv(&["a", "b", "b"]), "line 4: "),
    ];
    for (before, after, place) in changes {
        let (batch, estimate) = estimated(before, &layout);
        let found = written(&after, &layout, &batch, &estimate.advantages).expect_err(&after);
        assert_eq!(
            found,
            format!(
                "{place}the log changed while advantages were written into it: let nothing write to it meanwhile"
            )
        );
    }
}

#[test]
fn dumps_have_advantages_where_they_have_their_turns() {
    let says = |role: &str, text: &str| format!(r#"{{"role":"{role}","content":"{text}"}}"#);
    let node = |parent: &str, message: &str, sampled: bool| {
        format!(r#"{{"parent":{parent},"message":{message},"sampled":{sampled}}}"#)
    };
    // Two traces on a line, and one that failed between them; the second branches.
    let trace = |name: &str, is_ok: bool, reward: u32, last: &str| {
        let nodes = [
            node("null", &says("user", "q"), false),
            node("0", &says("assistant", "a"), true),
            node("1", &says("user", "r"), false),
            node(last, &says("assistant", "b"), true),
        ];
        format!(
            r#"{{"id":"{name}","task":{{"key":"k"}},"ok":{is_ok},"rewards":{{"x":{reward}}},"nodes":[{}]}}"#,
            nodes.join(",")
        )
    };
    let traces = format!(
        "{{\"traces\":[{},{},{}]}}\n{{\"traces\":[]}}\n{{\"traces\":[{}]}}\n",
        trace("t", true, 1, "2"),
        trace("u", false, 0, "2"),
        trace("v", true, 0, "0"),
        trace("w", true, 3, "2"),
    );
    let result = |reward: u32| {
        let [question, answer] = [says("user", "q"), says("assistant", "a")];
        format!(
            "{{\"example_id\":0,\"prompt\":[{question}],\"completion\":[{answer}],\"reward\":{reward},\
             \"trajectory\":[{{\"prompt\":[{question}],\"completion\":[{answer}],\"advantage\":null}}]}}\n"
        )
    };
    let layout = Layout::default();
    let places = |log: &str, list: &str| {
        let found = annotated(log, &layout);
        let (_, estimate) = estimated(log, &layout);
        let mut numbers = Vec::new();
        for line in found.lines() {
            let line: serde_json::Value = serde_json::from_str(line).expect("JSON");
            let holders = line["traces"].as_array().cloned().unwrap_or_else(|| vec![line.clone()]);
            for holder in holders {
                let list = holder[list].as_array().expect("a list").clone();
                let places: Vec<usize> =
                    (0..list.len()).filter(|&it| list[it]["advantage"].is_number()).collect();
                numbers.extend(
                    places.iter().map(|&it| list[it]["advantage"].as_f64().expect("it is")),
                );
                numbers.extend(places.iter().map(|&it| it as f64));
            }
        }
        (numbers, estimate.advantages.iter().map(<[f64]>::to_vec).collect::<Vec<_>>())
    };
    let (found, advantages) = places(&traces, "nodes");
    let expected: Vec<f64> =
        advantages.iter().flat_map(|own| [&own[..], &[1.0, 3.0]].concat()).collect();
    assert_eq!((advantages.len(), found), (3, expected));
    let (found, advantages) = places(&[result(1), result(0)].concat(), "trajectory");
    let expected: Vec<f64> = advantages.iter().flat_map(|own| [own[0], 0.0]).collect();
    assert_eq!((advantages.len(), found), (2, expected));
}
