//! Edit similarity against Python's own `difflib`, if there is a Python.

use std::io::Write as _;
use std::process::{Command, Stdio};

use hgpo_core::edit_similarity;
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;

use crate::reference_data::skipped;

const PROGRAM: &str = "
import difflib, json, sys
for line in sys.stdin:
    left, right = json.loads(line)
    print(repr(difflib.SequenceMatcher(None, left, right).ratio()))
";

/// Short texts of few letters, and long ones beyond 200 characters with and without rare letters.
fn pairs() -> Vec<(String, String)> {
    let long = "(kitchen|door|[xyzé]|You are in the |, ){20,60}";
    let text =
        prop_oneof![3 => "[ab ]{0,20}", 2 => "[a-e]{0,60}", 2 => long, 1 => "a{190,210}b?a{0,30}"];
    // The second is the first with a piece replaced, or another text.
    let pair = (text.clone(), text, any::<prop::sample::Index>(), any::<bool>());
    let pair = pair.prop_map(|(left, right, index, edited)| {
        if !edited || left.is_empty() {
            return (left, right);
        }
        let characters: Vec<char> = left.chars().collect();
        let cut = index.index(characters.len());
        let rest = characters[cut..].iter().skip(3);
        (left.clone(), characters[..cut].iter().chain(&['#']).chain(rest).collect())
    });
    let mut runner = TestRunner::deterministic();
    (0..2000).map(|_| pair.new_tree(&mut runner).expect("a pair").current()).collect()
}

#[test]
fn ratios_are_those_of_python() {
    let child = Command::new("python3")
        .args(["-c", PROGRAM])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    let Ok(mut child) = child else {
        skipped("edit similarity against Python's difflib", "install python3");
        return;
    };
    let pairs = pairs();
    let lines = pairs.iter().map(|pair| serde_json::to_string(pair).expect("json") + "\n");
    let text: String = lines.collect();
    let mut input = child.stdin.take().expect("piped");
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = child.wait_with_output().expect("python ends");
    writer.join().expect("no panic").expect("written");
    let ratios: Vec<f64> = String::from_utf8(output.stdout)
        .expect("text")
        .lines()
        .map(|line| line.parse().expect("a ratio"))
        .collect();
    assert_eq!(ratios.len(), pairs.len());
    for ((left, right), ratio) in pairs.iter().zip(ratios) {
        assert_eq!(edit_similarity(left, right).to_bits(), ratio.to_bits(), "{left:?} {right:?}");
    }
}
