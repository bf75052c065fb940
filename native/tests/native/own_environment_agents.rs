//! Several agents in an environment of one's own.
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

use std::fs;

use crate::own_environment::{COMMAND, GUESS, results, train, trained, workplace};
use crate::support::{metrics, run, stderr, succeeds};

/// Two rivals in turns: who takes earns 1, and the other loses it.
pub(crate) const RIVALS: &str = r#"
from hgpo.environment import serve


class Rivals:
    possible_agents = ["left", "right"]
    admissible_actions = ["take", "leave"]

    def agent_iter(self):
        raise NotImplementedError

    def reset(self, seed=None, options=None):
        self.agents, self.turns, self.agent_selection = list(self.possible_agents), 0, "left"
        self.rewards, self.infos = {"left": 0.0, "right": 0.0}, {"left": {}, "right": {}}

    def last(self):
        return "the table", 0.0, self.turns == 4, False, {"success": self.turns == 4}

    def step(self, action):
        if action is None:
            self.agents.remove(self.agent_selection)
            self.agent_selection = self.agents[0] if self.agents else None
            return
        other = "right" if self.agent_selection == "left" else "left"
        earned = 1.0 if action == "take" else 0.0
        self.rewards = {self.agent_selection: earned, other: -earned}
        self.turns, self.agent_selection = self.turns + 1, other


serve(Rivals)
"#;

#[test]
fn several_agents_act_in_turns() {
    let folder = workplace();
    let path = folder.path();
    let program = GUESS.replace("serve(Guess)", "serve(Guess, agents=[\"first\", \"second\"])");
    let program = program.replace("is it?\", {}", "is it?\", {\"agent\": \"first\"}");
    let program = program.replace("True, False, {}", "True, False, {\"success\": True}");
    let program = program.replace("False, False, {}", "False, False, {\"agent\": \"second\"}");
    fs::write(path.join("guess.py"), &program).unwrap();
    let estimator = ["--set", "estimator.name=dr-mas"];
    trained(path, "team", &estimator);
    let trace = results(path, "team").1.swap_remove(0);
    let trace = String::from_utf8(trace).unwrap();
    assert!(
        trace.contains("\"agent\":\"first\"") && trace.contains("\"agent\":\"second\""),
        "{trace}"
    );
    fs::write(path.join("guess.py"), program.replace("\"second\"}", "\"third\"}")).unwrap();
    let output = train(path, "third", &[&COMMAND[..], &estimator].concat()).output().unwrap();
    assert!(
        stderr(&output).contains("is \"third\", but the environment's agents are [first, second]")
    );
}

#[test]
fn rivals_learn_each_from_its_own_rewards() {
    let folder = workplace();
    let path = folder.path();
    fs::write(path.join("guess.py"), RIVALS).unwrap();
    let long = ["--set", "environment.max_steps=4", "--set", "learn.learning_rate=0.3"];
    let refused = |more: &[&str], problem: &str| {
        let output = train(path, "refused", &[&COMMAND[..], more].concat()).output().unwrap();
        let told = stderr(&output);
        assert!(!output.status.success() && told.contains(problem), "{told}");
        let _ = fs::remove_dir_all(path.join("runs/refused"));
    };
    refused(&long, "set learn.agent_rewards=own, or give all of them the same");
    let own = [&long[..], &["--set", "learn.agent_rewards=own"]].concat();
    trained(path, "own", &own);
    let lines = metrics(path, "own");
    assert_eq!(lines[5]["reward/mean"], 0.0);
    let trace = String::from_utf8(results(path, "own").1.swap_remove(5)).unwrap();
    let taken = |trace: &str| trace.matches("\"action\":\"take\"").count();
    // A line for every agent of an episode, the table left to itself less and less.
    assert!(trace.contains("\"task\":\"g00/left\"") && trace.contains("\"task\":\"g00/right\""));
    let first = String::from_utf8(results(path, "own").1.swap_remove(0)).unwrap();
    assert!(taken(&trace) > taken(&first), "{} {}", taken(&trace), taken(&first));
    // Resumed, it is the same.
    let part = [&own[..], &["--set", "learn.iterations=4"]].concat();
    trained(path, "part", &part);
    let resume = ["train", "--resume", "part", "--trust", "--set", "learn.iterations=6"];
    succeeds(&run(path, &resume));
    let files = |run| results(path, run).1[..7].to_vec();
    assert!(files("own") == files("part"));
    // Nothing may go unsaid, and nobody else may earn.
    for (was, is, problem) in [
        (
            "self.rewards = {self.agent_selection: earned, other: -earned}",
            "self.rewards = {\"judge\": earned}",
            "it tells what \"judge\" earns, but the environment's agents are [left, right]",
        ),
        (
            "earned = 1.0 if",
            "earned = float(\"nan\") if",
            "the reward of left must be a finite number, not nan",
        ),
    ] {
        fs::write(path.join("guess.py"), RIVALS.replace(was, is)).unwrap();
        refused(&own, problem);
    }
}
