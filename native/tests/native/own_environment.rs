//! Environment of one's own: programs that play episodes, well and badly.
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::support::{fails, hgpo, metrics, run, run_file, stderr, succeeds};

/// Guessing a number with a memory: the example of the documentation.
pub(crate) const GUESS: &str = include_str!("../../python/examples/guess.py");
/// The Python side of the protocol.
const SERVE: &str = include_str!("../../python/hgpo/environment.py");

/// A folder with the example and what it imports.
pub(crate) fn workplace() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("hgpo")).unwrap();
    fs::write(folder.path().join("hgpo/environment.py"), SERVE).unwrap();
    fs::write(folder.path().join("guess.py"), GUESS).unwrap();
    folder
}

pub(crate) const COMMAND: [&str; 2] = ["--environment-command", "python3 guess.py"];

/// A short run of a table, with further arguments.
pub(crate) fn train(folder: &Path, name: &str, more: &[&str]) -> Command {
    let fixed = ["train", "--preset", "gridworld", "--device", "cpu", "--name", name];
    let short = ["learn.iterations=6", "environment.max_steps=3", "checkpoint.traces_every=1"];
    let short =
        [&short[..], &["evaluation.tasks=16", "rollout.tasks=4", "checkpoint.every=2"]].concat();
    let short: Vec<&str> = short.into_iter().flat_map(|it| ["--set", it]).collect();
    hgpo(folder, &[&fixed[..], &short, more].concat())
}

/// A run that finishes, and what it says beside its results.
pub(crate) fn trained(folder: &Path, name: &str, more: &[&str]) -> String {
    let output = train(folder, name, &[&COMMAND[..], more].concat()).output().unwrap();
    succeeds(&output);
    stderr(&output)
}

/// All that a run has learned and seen, without times.
pub(crate) fn results(folder: &Path, run: &str) -> (String, Vec<Vec<u8>>) {
    let files = (1..=6).map(|n| format!("traces/iteration_{n:06}.rollouts.jsonl"));
    let policy = "checkpoints/iteration_000006/policy.csv".to_owned();
    let files = files.chain([policy, "evaluations.jsonl".to_owned()]);
    let read = |file: String| fs::read(run_file(folder, run, &file)).unwrap();
    (serde_json::to_string(&metrics(folder, run)).unwrap(), files.map(read).collect())
}

#[test]
fn a_run_is_the_same_with_any_number_of_processes_resumed_and_with_processes_killed() {
    let folder = workplace();
    let path = folder.path();
    let told = trained(path, "one", &["--environment-processes", "1"]);
    assert!(
        told.contains("1 process of python3 guess.py; one seed played twice gave the same"),
        "{told}"
    );
    trained(path, "three", &["--environment-processes", "3"]);
    let expected = results(path, "one");
    assert_eq!(expected, results(path, "three"));
    let first = String::from_utf8(expected.1[0].clone()).unwrap();
    assert!(
        first.contains("Which number is it?") && first.contains("\"environment\":\"external\"")
    );
    // Every process kills itself at its 25th step, until ten have.
    let mortal = GUESS.replace("        guess = int(action)", MORTAL);
    assert!(mortal.contains("SIGKILL"));
    fs::write(path.join("mortal.py"), mortal).unwrap();
    fs::write(path.join("lives"), "").unwrap();
    let command = ["--environment-command", "python3 mortal.py", "--environment-processes", "2"];
    let output = train(path, "killed", &command).output().unwrap();
    succeeds(&output);
    let told = stderr(&output);
    assert!(told.matches("signal: 9 (SIGKILL)").count() >= 10, "{told}");
    assert_eq!(expected, results(path, "killed"));
}

const MORTAL: &str = r#"
        import os, signal
        Guess.played = getattr(Guess, "played", 0) + 1
        if Guess.played == 25 and os.path.getsize("lives") < 10:
            with open("lives", "a") as lives:
                lives.write("x")
            os.kill(os.getpid(), signal.SIGKILL)
        guess = int(action)"#;

#[test]
fn a_command_runs_only_if_it_is_named_or_trusted_and_unchanged() {
    let folder = workplace();
    let path = folder.path();
    trained(path, "whole", &[]);
    trained(path, "part", &["--set", "learn.iterations=4"]);
    let more = ["--set", "learn.iterations=6"];
    let resume =
        |flags: &[&str]| run(path, &[&["train", "--resume", "part"], flags, &more].concat());
    fails(&resume(&[]), &["--environment-command 'python3 guess.py'", "--trust"]);
    fails(&run(path, &["eval", "part"]), &["--trust"]);
    fails(&run(path, &["bias", "part"]), &["--trust"]);
    fails(&resume(&["--environment-command", "python3 -u guess.py"]), &["python3 -u guess.py"]);
    fs::write(path.join("guess.py"), format!("{GUESS}\n")).unwrap();
    fails(&resume(&["--trust"]), &["guess.py had", "change it back", "--environment-changed"]);
    trained(path, "mended", &["--set", "learn.iterations=4"]);
    fs::write(path.join("guess.py"), GUESS).unwrap();
    let flags = ["train", "--resume", "mended", "--trust", "--environment-changed"];
    let told = stderr(&run(path, &[&flags[..], &more].concat()));
    assert!(told.contains("note: the environment is not what the run began with"), "{told}");
    assert_eq!(metrics(path, "mended").len(), 6);
    succeeds(&resume(&["--trust"]));
    let policy =
        |run: &str| fs::read(run_file(path, run, "checkpoints/iteration_000006/policy.csv"));
    assert_eq!(policy("whole").unwrap(), policy("part").unwrap());
    succeeds(&run(path, &[&["eval", "part", "--tasks", "8"], &COMMAND[..]].concat()));
    let few = ["--tasks", "1", "--groups", "2", "--rollouts", "2", "--trust"];
    succeeds(&run(path, &[&["bias", "part"], &few[..]].concat()));
    // Without a preset, a table learns.
    let plain =
        [&["train", "--name", "plain", "--set", "learn.iterations=1"], &COMMAND[..]].concat();
    succeeds(&run(path, &plain));
    assert!(run_file(path, "plain", "checkpoints/iteration_000001/policy.csv").exists());
    // Settings alone start nothing, and other environments take no command.
    let named = ["train", "--set", "environment.name=external"];
    fails(&run(path, &named), &["--environment-command"]);
    let other = ["train", "--preset", "chores-tiny", "--set", "environment.name=chores"];
    fails(&run(path, &[&other[..], &COMMAND].concat()), &["leave out --environment-command"]);
}

/// Programs that do not play.
const HOSTILE: [(&str, &str, &str); 7] = [
    (
        "endless",
        "import sys\nwhile True: sys.stdout.write('x' * 65536)",
        "a line of more than 16777216 bytes",
    ),
    ("long", "print('x' * 100_000_000)", "a line of more than 16777216 bytes"),
    ("silent", "import time\ntime.sleep(60)", "no answer within 1 s"),
    ("prose", "print('hello')", "no JSON object: \"hello\""),
    ("early", "import sys\nsys.exit('no licence')", "exit status: 1: no licence"),
    (
        "newer",
        "print('{\"id\": 0, \"protocol\": 2}')",
        "version 2 of the protocol, and this program version 1",
    ),
    ("other", "print('{\"id\": 0, \"protocol\": 1, \"agent\": []}')", "unknown field `agent`"),
];

#[test]
fn programs_that_do_not_play_are_refused_in_one_line() {
    let folder = workplace();
    let path = folder.path();
    for (name, program, problem) in HOSTILE {
        fs::write(path.join("bad.py"), program).unwrap();
        let time = if name == "silent" { "1" } else { "30" };
        let command = ["--environment-command", "python3 bad.py", "--answer-time", time];
        let output = train(path, name, &command).output().unwrap();
        let text = stderr(&output);
        let last = text.lines().find(|line| line.starts_with("error: ")).unwrap_or_default();
        assert_eq!(output.status.code(), Some(1), "{name}: {text}");
        assert!(last.starts_with("error: environment external: python3 bad.py"), "{name}: {text}");
        assert!(last.contains(problem) && text.lines().count() <= 2, "{name}: {text}");
        assert!(!run_file(path, name, "config.toml").exists(), "{name}");
    }
    let missing = ["--environment-command", "no-such-program x"];
    fails(
        &train(path, "none", &missing).output().unwrap(),
        &["no-such-program x: it cannot be started"],
    );
    fails(
        &train(path, "none", &["--environment-command", "python3 'x"]).output().unwrap(),
        &["not closed"],
    );
}

/// What goes wrong in the middle of an episode, in place of a guess, and how the run ends.
const FAULTS: [(&str, &str); 7] = [
    ("raise ValueError('no such \\x1b[31mdoor')", "ValueError: no such \\u{1b}[31mdoor"),
    (
        "os.write(self.out, b'hello\\n')",
        "it has lost 3 processes; of the last: it wrote a line that is no JSON object",
    ),
    ("time.sleep(60)", "it has lost 3 processes; of the last: it gave no answer within 3 s"),
    ("os._exit(7)", "it has lost 3 processes; of the last: it ended with exit status: 7"),
    (
        "return 'nothing', float('nan'), True, False, {}",
        "the reward must be a finite number, not nan",
    ),
    (
        "return 'nothing', 1.0, True, {}",
        "step must give (observation, reward, terminated, truncated, info), not a tuple of 4",
    ),
    (
        "return 'nothing', 1.0, False, False, {'admissible_actions': 'go'}",
        "admissible_actions must be a list of texts, and there is 'go'",
    ),
];

#[test]
fn faults_in_an_episode_end_the_run_with_what_was_learned_before() {
    let folder = workplace();
    let path = folder.path();
    for (at, (fault, problem)) in FAULTS.iter().enumerate() {
        // What duplicates standard output comes before it is claimed. After the evaluation, which has other seeds.
        let fault = format!(
            "if self.seed < 2 ** 29 and self.seed > 0: {fault}\n        guess = int(action)"
        );
        let program = GUESS.replace("guess = int(action)", &fault);
        let program =
            program.replace("        self.number", "        self.seed = seed\n        self.number");
        let program =
            program.replace("class Guess:", "import os, time\nclass Guess:\n    out = os.dup(1)\n");
        fs::write(path.join("faulty.py"), program).unwrap();
        let name = format!("faulty{at}");
        let time = if problem.ends_with("3 s") { "3" } else { "30" };
        let command = ["--environment-command", "python3 faulty.py", "--answer-time", time];
        let output = train(path, &name, &command).output().unwrap();
        let text = stderr(&output);
        let last = text.lines().find(|line| line.starts_with("error: ")).unwrap_or_default();
        assert_eq!(output.status.code(), Some(1), "{text}");
        assert!(last.starts_with("error: environment external: in the episode of seed "), "{text}");
        assert!(last.contains(problem), "{problem}: {text}");
        assert!(run_file(path, &name, "checkpoints/iteration_000000").exists());
    }
}

#[test]
fn environments_that_do_not_repeat_themselves_are_named_and_their_processes_irreplaceable() {
    let folder = workplace();
    let path = folder.path();
    let program = GUESS.replace("Random(seed)", "SystemRandom()");
    let mortal = program.replace("        guess = int(action)", MORTAL);
    fs::write(path.join("lives"), "").unwrap();
    fs::write(path.join("chance.py"), mortal.replace("\"More.\"", "str(random.random())")).unwrap();
    let command = ["--environment-command", "python3 chance.py", "--environment-processes", "1"];
    let output = train(path, "chance", &command).output().unwrap();
    let text = stderr(&output);
    assert!(text.contains("played twice gave two different episodes"), "{text}");
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("the environment does not repeat itself"), "{text}");
}

/// A killed run leaves no process behind: the end of its input ends each.
#[cfg(target_os = "linux")]
#[test]
fn processes_end_with_the_run() {
    use std::io::{BufRead as _, BufReader};
    use std::process::Stdio;

    let folder = workplace();
    let path = folder.path();
    let program = GUESS.replace(
        "    serve(Guess)",
        "    import os\n    print(os.getpid(), file=__import__('sys').stderr)\n    serve(Guess)",
    );
    fs::write(path.join("guess.py"), program).unwrap();
    let mut command = train(path, "killed", &COMMAND);
    let command =
        command.args(["--environment-processes", "2", "--set", "learn.iterations=100000"]);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let lines = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    let named = lines.filter_map(|line| line.strip_prefix("environment: ")?.parse::<u32>().ok());
    let processes: Vec<u32> = named.take(2).collect();
    child.kill().unwrap();
    child.wait().unwrap();
    let is_there = |process: &u32| {
        let state = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
        !state.is_empty() && !state.contains(") Z ")
    };
    for _ in 0..500 {
        if !processes.iter().any(is_there) {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    panic!("{processes:?} are still there");
}
