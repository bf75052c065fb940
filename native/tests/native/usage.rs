//! Usage: what the program says about itself, and how it takes wrong usage.
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

use hgpo_core::Estimator;

use crate::reference_data::skipped;
use crate::support::{fails, hgpo, run, run_unread, stderr, succeeds};

#[test]
fn help_lists_the_commands_and_the_exit_status() {
    let folder = tempfile::tempdir().unwrap();
    let text = succeeds(&run(folder.path(), &["--help"]));
    for word in
        ["train", "compare", "eval", "bias", "advantages", "play", "devices", "--resume", "130"]
    {
        assert!(text.contains(word), "{word}: {text}");
    }
}

#[test]
fn help_of_every_command_ends_with_an_example_after_the_exit_status() {
    let folder = tempfile::tempdir().unwrap();
    let commands: [&[&str]; 13] = [
        &[],
        &["train"],
        &["compare"],
        &["eval"],
        &["bias"],
        &["advantages"],
        &["play"],
        &["generate"],
        &["generate", "alfworld"],
        &["import"],
        &["chat"],
        &["score"],
        &["devices"],
    ];
    for command in commands {
        let text = succeeds(&run(folder.path(), &[command, &["--help"]].concat()));
        let last = text.lines().last().unwrap();
        assert!(last.starts_with(&format!("  hgpo {}", command.join(" "))), "{text}");
        let status = text.find("\n\nExit status: 0 success, 1 failure").unwrap();
        assert!(status < text.find("\n\nExample").unwrap(), "{text}");
    }
    // What most readers look for comes before the options of estimators.
    let explained =
        ["--explain", "--diagnostics", "--format", "--recorded", "--run", "--whole-file"];
    let studied = ["--estimators", "--tasks", "--groups", "--out", "--device", "--threads"];
    for (command, first) in [("advantages", explained), ("bias", studied)] {
        let text = succeeds(&run(folder.path(), &[command, "--help"]));
        let estimator = text.find("\nEstimator:\n").unwrap();
        for flag in first {
            assert!(text.find(&format!(" {flag}")).unwrap() < estimator, "{flag}: {text}");
        }
        assert!(estimator < text.find("--alpha").unwrap(), "{text}");
    }
}

#[test]
fn the_version_names_the_commit() {
    let folder = tempfile::tempdir().unwrap();
    let text = succeeds(&run(folder.path(), &["--version"]));
    assert_eq!(succeeds(&run(folder.path(), &["-V"])), text);
    let version = concat!("hgpo ", env!("CARGO_PKG_VERSION"));
    // An archive without git has no commit.
    let Some((found, commit)) = text.trim_end().split_once(" (") else {
        return assert_eq!(text.trim_end(), version);
    };
    assert_eq!(found, version);
    let commit = commit.strip_suffix(')').unwrap().trim_end_matches(", modified");
    let (hash, day) = commit.split_once(", ").unwrap();
    assert!(hash.len() == 7 && hash.chars().all(|c| c.is_ascii_hexdigit()), "{text}");
    assert!(day.parse::<jiff::civil::Date>().is_ok(), "{text}");
}

#[test]
fn help_names_every_environment_preset_and_generator() {
    let folder = tempfile::tempdir().unwrap();
    let help = |command: &str| succeeds(&run(folder.path(), &[command, "--help"]));
    let [play, train, generate] = ["play", "train", "generate"].map(help);
    for entry in hgpo_env::registry::entries() {
        assert!(play.contains(entry.name) && play.contains(entry.summary), "{play}");
        for preset in entry.presets {
            assert!(train.contains(preset.name), "{train}");
        }
        let generation = entry.generation.as_ref();
        assert!(generation.is_none_or(|it| generate.contains(it.summary)), "{generate}");
    }
}

#[test]
fn help_lists_every_option_of_every_estimator() {
    let folder = tempfile::tempdir().unwrap();
    for command in ["advantages", "bias"] {
        let text = succeeds(&run(folder.path(), &[command, "--help"]));
        let flags = text.lines().filter_map(|line| line.split_whitespace().next());
        for estimator in Estimator::all() {
            for option in estimator.declarations() {
                let flag = format!("--{}", option.flag());
                assert!(flags.clone().any(|known| known == flag), "{flag}: {text}");
            }
        }
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        for part in [
            "Deepest level K of the hierarchy (all but gigpo, grpo",
            "[default: 2 of hgpo; 0 of crbc, pgpo, adastep, ecpo, gagpo, composed]",
            "(hgpo, gigpo",
            "Weight of the step terms (all but hgpo, grpo",
            "over steps or trajectories (all but hgpo",
            "[default: zero of hgpo; keep of grpo, rloo",
        ] {
            assert!(words.contains(part), "{part}: {text}");
        }
        let (_, scale) = words.split_once("(all but rloo, reinforce-plus-plus").unwrap();
        let expected = if command == "bias" { "[default: mean]" } else { "[default: mean-std]" };
        assert!(scale.split(") ").nth(1).unwrap().starts_with(expected), "{text}");
    }
}

#[test]
fn wrong_usage_exits_with_2() {
    let folder = tempfile::tempdir().unwrap();
    let cases: [&[&str]; 8] = [
        &["trian"],
        &["--no-such-option"],
        &["eval"],
        &["bias"],
        &["advantages"],
        &["train", "--device", "abacus"],
        &["train", "--preset", "chores", "--config", "x.toml"],
        &["train", "--resume", "x", "--seed", "1"],
    ];
    for arguments in cases {
        let output = run(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", stderr(&output));
    }
    assert!(!folder.path().join("runs").exists());
}

#[test]
fn a_dry_run_prints_settings_that_can_be_used_and_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["--preset", "chores-tiny", "--set", "estimator.alpha=2", "--dry-run"];
    let text = succeeds(&run(folder.path(), &arguments));
    assert!(text.contains("alpha = 2.0"), "{text}");
    assert!(text.contains("# steps per iteration"), "{text}");
    assert!(!folder.path().join("runs").exists());
    std::fs::write(folder.path().join("copy.toml"), &text).unwrap();
    let again = succeeds(&run(folder.path(), &["--config", "copy.toml", "--dry-run"]));
    assert_eq!(text, again);
}

#[test]
fn missing_runs_are_answered_with_a_command_that_starts_one() {
    let folder = tempfile::tempdir().unwrap();
    let program = env!("CARGO_BIN_EXE_hgpo");
    let named = format!("`{program} train --name tidy` starts one");
    fails(&run(folder.path(), &["eval", "tidy"]), &[&named]);
    let unnamed = format!("`{program} train` starts a new one");
    for name in ["a b", "a/b", "-a", ".a", "", "$(reboot)", "a\nb"] {
        let resume = format!("--resume={name}");
        for command in [&["eval", "--", name][..], &["bias", "--", name], &["train", &resume]] {
            let line = fails(&run(folder.path(), command), &["no run at", &unnamed]);
            assert!(!line.contains("--name"), "{line}");
        }
    }
}

#[test]
fn the_default_run_is_on_the_cpu_with_or_without_a_gpu() {
    let folder = tempfile::tempdir().unwrap();
    let output = run(folder.path(), &["devices"]);
    let text = succeeds(&output);
    assert_eq!(stderr(&output), "", "drivers are quiet");
    let (_, auto) = text.split_once("--device auto uses\n").unwrap();
    assert!(auto.contains("for the default run: CPU: "), "{text}");
    assert!(auto.contains("for a language model: "), "{text}");
    let plan = succeeds(&run(folder.path(), &["train", "--dry-run"]));
    let device = plan.lines().find(|line| line.starts_with("# device ")).unwrap();
    let reason = device.split_once(" CPU: ").unwrap().1;
    assert!(auto.contains(&format!("for the default run: CPU: {reason}\n")), "{device} {auto}");
}

#[test]
fn forced_adapters_are_reported_beside_the_automatic_choice() {
    let folder = tempfile::tempdir().unwrap();
    let output = run(folder.path(), &["train", "--dry-run", "--device", "wgpu"]);
    if !output.status.success() {
        skipped("a forced adapter", "install a driver, or mesa-vulkan-drivers without one");
        return;
    }
    let plan = succeeds(&output);
    let (_, reason) = plan.split_once(": chosen with --device wgpu; kernels in ").unwrap();
    assert!(reason.contains("; auto would choose the CPU: an iteration of "), "{plan}");
}

#[test]
fn without_a_driver_devices_says_so_and_wgpu_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    // The Vulkan loader looks for drivers where this variable says.
    let without = |arguments: &[&str]| {
        hgpo(folder.path(), arguments)
            .env("VK_DRIVER_FILES", "/nonexistent")
            .env("VK_ICD_FILENAMES", "/nonexistent")
            .output()
            .unwrap()
    };
    let text = succeeds(&without(&["devices"]));
    if !text.contains("no graphics adapter found") {
        skipped(
            "a machine without graphics adapters",
            "run where the Vulkan loader finds them all",
        );
        return;
    }
    let train = ["--preset", "chores-tiny", "--device", "wgpu"];
    fails(&without(&train), &["--device wgpu", "driver", "--device cpu"]);
}

#[test]
fn software_adapters_of_vulkan_are_given_wgsl_and_say_why() {
    let folder = tempfile::tempdir().unwrap();
    let devices = succeeds(&run(folder.path(), &["devices"]));
    if !devices.contains("(software, vulkan)") || devices.contains(" GPU, ") {
        skipped("a software adapter", "install mesa-vulkan-drivers on a machine without a GPU");
        return;
    }
    let language = "WGSL (software drivers crash with SPIR-V)";
    assert!(devices.contains(&format!("    kernels: {language}\n")), "{devices}");
    let plan = succeeds(&run(folder.path(), &["train", "--dry-run", "--device", "vulkan"]));
    assert!(plan.contains(&format!("--device vulkan; kernels in {language}; auto")), "{plan}");
}

#[test]
fn unknown_devices_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let unknown = run(folder.path(), &["--device", "gpu"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(stderr(&unknown).contains("wgpu:N"), "{}", stderr(&unknown));
    fails(
        &run(folder.path(), &["--device", "wgpu:4095"]),
        &["--device wgpu:4095", "counted from 0"],
    );
    assert!(!folder.path().join("runs").exists());
}

#[test]
fn closed_readers_are_no_failure() {
    let folder = tempfile::tempdir().unwrap();
    let output = run_unread(folder.path(), &["--preset", "chores-tiny", "--dry-run"]);
    assert_eq!(stderr(&output), "");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn control_characters_of_files_are_escaped() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("rollouts.jsonl");
    let line = r#"{"task":"a\u001b]0;title\u0007","trajectory":"b","steps":[{"state":"\u001b[2J\u009bcleared\u202e","action":"x","reward":1}]}"#;
    std::fs::write(&file, format!("{line}\n")).unwrap();
    let name = "a\u{1b}]0;title\u{7}/b/0";
    let shown = succeeds(&run(folder.path(), &["advantages", "rollouts.jsonl", "--explain", name]));
    let refused = fails(
        &run(folder.path(), &["advantages", "rollouts.jsonl", "--explain", "a\u{1b}[2J/c/0"]),
        &[],
    );
    for text in [&shown, &refused] {
        assert!(text.contains(r"\u{1b}"), "{text}");
        assert!(
            !text.contains(|it: char| it.is_control() && it != '\n' || it == '\u{202e}'),
            "{text:?}"
        );
    }
}
