//! What an environment of one's own may offer, and where it is played: numbers, copies, plans; studies, by hand, at a server.
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tungstenite::Message;

use crate::own_environment::{COMMAND, GUESS, results, train, trained, workplace};
use crate::support::{
    ask_to_end, fails, lines, metrics, run, run_file, run_with_input, stderr, stdout, succeeds,
};

#[test]
fn numbers_become_metrics_scores_and_fields_of_traces() {
    let folder = workplace();
    let path = folder.path();
    let program = GUESS.replace(
        "0.0, False, False, {}",
        "0.0, False, False, {\"distance\": abs(guess - self.number), \"score\": 0.25, \"unit\": \"steps\"}",
    );
    fs::write(path.join("guess.py"), program).unwrap();
    trained(path, "told", &[]);
    let trace = String::from_utf8(results(path, "told").1.swap_remove(0)).unwrap();
    let told = |it: &Value| Some(it["info"].as_object()?["distance"].as_f64().unwrap());
    let last: Vec<f64> = lines(&trace).iter().filter_map(told).collect();
    let mean = last.iter().sum::<f64>() / last.len() as f64;
    let first = &metrics(path, "told")[0];
    assert!((first["info/distance"].as_f64().unwrap() - mean).abs() < 1e-9, "{first:?}");
    assert!(!first.contains_key("info/unit"));
    let evaluation = fs::read_to_string(run_file(path, "told", "evaluations.jsonl")).unwrap();
    assert!(lines(&evaluation)[0]["score/mean"].as_f64().unwrap() >= 0.25, "{evaluation}");
}

/// The example, which can also be copied and plans.
fn offering() -> String {
    let offers = "
    def snapshot(self):
        open('copies', 'a').write('x')
        return self.number

    def restore(self, number):
        self.number = number

    def plan(self):
        return [str(self.number)]


if __name__";
    GUESS.replace("\n\nif __name__", offers)
}

#[test]
fn copies_change_no_finding() {
    let folder = workplace();
    let path = folder.path();
    trained(path, "replayed", &[]);
    fs::write(path.join("replayed.py"), GUESS).unwrap();
    fs::write(path.join("guess.py"), offering()).unwrap();
    trained(path, "copied", &["--set", "warm_start.episodes=0"]);
    let few = ["--tasks", "2", "--groups", "2", "--rollouts", "3", "--trust", "--device", "cpu"];
    succeeds(&run(path, &[&["bias", "copied"], &few[..]].concat()));
    assert!(fs::read(path.join("copies")).unwrap().len() > 10);
    fs::write(path.join("guess.py"), GUESS).unwrap();
    succeeds(&run(path, &[&["bias", "replayed"], &few[..]].concat()));
    let findings = |run: &str| -> Value {
        serde_json::from_slice(&fs::read(run_file(path, run, "bias/bias.json")).unwrap()).unwrap()
    };
    let (copied, replayed) = (findings("copied"), findings("replayed"));
    assert_eq!(copied["estimators"], replayed["estimators"]);
    assert!(copied["estimators"].is_array() || copied["estimators"].is_object(), "{copied}");
}

/// The first example of the documentation.
fn door() -> String {
    let text = include_str!("../../../docs/own-environments.md");
    let (_, rest) = text.split_once("```python\n").unwrap();
    rest.split_once("```").unwrap().0.to_owned()
}

#[test]
fn plans_are_imitated() {
    let folder = workplace();
    let path = folder.path();
    let plan = "\n    def plan(self):\n        return [self.answer]\n\nif __name__";
    fs::write(path.join("guess.py"), door().replace("\nif __name__", plan)).unwrap();
    let imitate = [
        "warm_start.episodes=64",
        "warm_start.scripted_fraction=1.0",
        "warm_start.learning_rate=1.0",
    ];
    let imitate: Vec<&str> = imitate.into_iter().flat_map(|it| ["--set", it]).collect();
    trained(path, "imitated", &imitate);
    let before = fs::read_to_string(run_file(path, "imitated", "evaluations.jsonl")).unwrap();
    assert!(lines(&before)[0]["success_rate"].as_f64().unwrap() > 0.8, "{before}");
    // Without one there is nothing to imitate.
    fs::write(path.join("guess.py"), door()).unwrap();
    let output = train(path, "none", &[&COMMAND[..], &imitate].concat()).output().unwrap();
    assert!(stderr(&output).contains("no scripted player to imitate"), "{}", stderr(&output));
}

#[test]
fn studies_and_players_take_the_same_flags() {
    let folder = workplace();
    let path = folder.path();
    let study = ["compare", "--estimators", "grpo,hgpo", "--preset", "gridworld", "--seeds", "1"];
    let short = ["learn.iterations=2", "environment.max_steps=3", "evaluation.tasks=8"];
    let short: Vec<&str> = short.into_iter().flat_map(|it| ["--set", it]).collect();
    let study = [&study[..], &short, &["--name", "both", "--environment-steps", "100"]].concat();
    succeeds(&run(path, &[&study[..], &COMMAND].concat()));
    for arm in ["grpo", "hgpo"] {
        let config = fs::read_to_string(path.join(format!("runs/both/{arm}/1/config.toml")));
        assert!(config.unwrap().contains("name = \"external\""));
    }
    let actions = path.join("actions");
    fs::write(&actions, "4\n1\nnine\n").unwrap();
    let play = ["play", "--env", "external", "--task", "5", "--json", "--actions", "actions"];
    let told = succeeds(&run(path, &[&play[..], &COMMAND].concat()));
    let steps = lines(&told);
    assert_eq!(steps[0]["instruction"], "Guess the number from 1 to 7.");
    assert_eq!((steps.len(), &steps[3]["valid"]), (4, &json!(false)));
    fails(&run_with_input(path, &["play", "--env", "external"], ""), &["--environment-command"]);
}

/// Nobody waits for an environment that is not going to answer.
#[test]
fn a_run_that_waits_for_an_answer_stops_when_it_is_asked_to() {
    let folder = workplace();
    let path = folder.path();
    let slow =
        "if self.seed < 2 ** 29 and self.seed > 0: time.sleep(600)\n        guess = int(action)";
    let program =
        GUESS.replace("import random", "import random, time").replace("guess = int(action)", slow);
    let program =
        program.replace("        self.number =", "        self.seed = seed\n        self.number =");
    fs::write(path.join("guess.py"), program).unwrap();
    let mut child = train(path, "slow", &[&COMMAND[..], &["--answer-time", "600"]].concat())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut told = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    assert!(told.any(|line| line.starts_with("evaluation before: unseen")));
    std::thread::sleep(Duration::from_millis(500));
    let start = Instant::now();
    ask_to_end(&child);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    assert!(run_file(path, "slow", "checkpoints/iteration_000000").exists());
    assert!(stdout(&output).is_empty());
}

/// A server that speaks OpenEnv's messages: guess the remainder of the seed, in the fields of another environment. In
/// training it answers a step with `fault`, if there is one, or not at all if that is empty.
fn serve(listener: &TcpListener, fault: Option<&'static str>) {
    for stream in listener.incoming() {
        let mut connection = tungstenite::accept(stream.unwrap()).unwrap();
        std::thread::spawn(move || {
            let (mut digit, mut guesses, mut is_training) = (0, 0, false);
            while let Ok(Message::Text(text)) = connection.read() {
                let message: Value = serde_json::from_str(&text).unwrap();
                let observation = |prompt: &str, guesses: i32| json!({ "prompt": prompt, "moves": ["0", "1", "2"], "guesses": guesses, "metadata": {} });
                if let Some(fault) = fault.filter(|_| is_training && message["type"] == "step") {
                    match fault {
                        "" => std::thread::sleep(Duration::from_mins(1)),
                        "close" => return,
                        said => connection.send(Message::text(said)).unwrap(),
                    }
                    continue;
                }
                let data = if message["type"] == "reset" {
                    let seed = message["data"]["seed"].as_u64().unwrap();
                    is_training = (1..1 << 29).contains(&seed);
                    (digit, guesses) = (seed % 3, 0);
                    json!({ "observation": observation("Which?", 0), "reward": null, "done": false })
                } else {
                    guesses += 1;
                    let guess = message["data"]["message"].as_str().unwrap();
                    let is_right = guess.parse() == Ok(digit);
                    let reward = if is_right { 1.0 } else { 0.0 };
                    json!({ "observation": observation("Not it.", guesses), "reward": reward, "done": is_right })
                };
                let answer = json!({ "type": "observation", "data": data });
                connection.send(Message::text(answer.to_string())).unwrap();
            }
        });
    }
}

/// Where a server listens.
fn served(fault: Option<&'static str>) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let host = listener.local_addr().unwrap();
    std::thread::spawn(move || serve(&listener, fault));
    host
}

#[test]
fn servers_that_do_not_play_end_the_run_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    for (at, (fault, problem)) in [
        ("", "it gave no answer within 2 s"),
        ("close", "Connection"),
        ("hello", "it sent no JSON: hello"),
        (r#"{"type":"error","data":{"message":"no such move"}}"#, "no such move"),
        (r#"{"type":"observation","data":{}}"#, "it sent no observation"),
    ]
    .into_iter()
    .enumerate()
    {
        let address =
            format!("{}#observation=prompt&actions=moves&action=message", served(Some(fault)));
        let flags = ["--environment-address", &address, "--answer-time", "2"];
        let name = format!("served{at}");
        let output = train(folder.path(), &name, &flags).output().unwrap();
        let text = stderr(&output);
        let last = text.lines().find(|line| line.starts_with("error: ")).unwrap_or_default();
        assert_eq!(output.status.code(), Some(1), "{text}");
        assert!(
            last.contains("in the episode of seed ") && last.contains(problem),
            "{problem}: {text}"
        );
        assert!(run_file(folder.path(), &name, "checkpoints/iteration_000000").exists());
    }
}

#[test]
fn episodes_are_played_at_a_server() {
    let folder = tempfile::tempdir().unwrap();
    let path: &Path = folder.path();
    let host = served(None);
    let address = format!("http://{host}#observation=prompt&actions=moves&action=message");
    let flags = ["--environment-address", &address];
    let output = train(path, "served", &flags).output().unwrap();
    succeeds(&output);
    assert!(stderr(&output).contains("one seed played twice gave the same"), "{}", stderr(&output));
    let first = &metrics(path, "served")[0];
    let values: BTreeMap<&str, f64> = ["success_rate", "info/guesses"]
        .into_iter()
        .map(|it| (it, first[it].as_f64().unwrap()))
        .collect();
    assert!(values["success_rate"] > 0.2 && values["info/guesses"] >= 1.0, "{values:?}");
    // Other field names are told, and nothing listens there.
    let wrong = format!("http://{host}");
    let output = train(path, "wrong", &["--environment-address", &wrong]).output().unwrap();
    fails(&output, &["has no text: name the text among", "guesses", "prompt"]);
    let output =
        train(path, "none", &["--environment-address", "http://127.0.0.1:1"]).output().unwrap();
    fails(&output, &["127.0.0.1:1", "refused"]);
    fails(&run(path, &["eval", "served"]), &["--environment-address", "--trust"]);
    succeeds(&run(path, &["eval", "served", "--trust", "--tasks", "8", "--device", "cpu"]));
}
