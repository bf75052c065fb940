//! `--dry-run` of language models: `config.json` is enough, and without it the rest is shown.
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

use std::fs;
use std::path::Path;
use std::process::Output;

use hgpo_native::model::hub::Hub;
use hgpo_train::models::{Architecture, Precision};

use crate::hub_server::{Fault, Server};
use crate::model_files::{Files, description, files, write};
use crate::support::{fails, hgpo, stderr, succeeds};

const UNKNOWN: &str = "# parameters and memory       unknown without config.json: ";

/// Plans a run of the default settings, with a hub and variables of the environment.
fn plan(folder: &Path, hub: &str, offline: bool, model: &str, more: &[&str]) -> Output {
    let arguments = [&["train", "--model", model, "--dry-run"], more].concat();
    let mut command = hgpo(folder, &arguments);
    command.env("HF_ENDPOINT", hub).env("HF_HOME", folder.join("hf"));
    for name in ["HF_HUB_CACHE", "HF_TOKEN", "http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"] {
        command.env_remove(name);
    }
    command.env("HF_HUB_OFFLINE", if offline { "1" } else { "0" }).output().unwrap()
}

/// The files of a whole model.
fn qwen() -> Files {
    files(&description(Architecture::Qwen2, true), Precision::F32)
}

/// A plan without its time, which is measured anew each time.
fn timeless(plan: &Output) -> String {
    let text = succeeds(plan);
    let (time, rest): (Vec<&str>, Vec<&str>) =
        text.lines().partition(|line| line.starts_with("# time "));
    let [time] = time[..] else { panic!("{text}") };
    assert!(time.contains("at most about ") && time.contains(" for 500 iterations"), "{time}");
    assert!(time.contains(" for 3.0e11 operations "), "{time}");
    rest.join("\n")
}

/// A hub where nobody answers.
const NOBODY: &str = "http://127.0.0.1:1";

#[test]
fn folders_with_config_json_alone_are_planned_like_whole_ones() {
    let folder = tempfile::tempdir().unwrap();
    let model = folder.path().join("model");
    fs::create_dir(&model).unwrap();
    write(&model, &qwen());
    let whole = timeless(&plan(folder.path(), NOBODY, false, "model", &[]));
    assert!(
        whole.contains("\n# parameters   ") && whole.contains("\n# memory, estimated "),
        "{whole}"
    );
    fs::remove_file(model.join("model.safetensors")).unwrap();
    assert_eq!(timeless(&plan(folder.path(), NOBODY, false, "model", &[])), whole);
    fs::remove_file(model.join("config.json")).unwrap();
    fails(&plan(folder.path(), NOBODY, false, "model", &[]), &["no config.json"]);
}

#[test]
fn only_config_json_of_a_hub_model_is_fetched_and_only_once() {
    let (server, folder) = (Server::start(), tempfile::tempdir().unwrap());
    let path = folder.path();
    server.put("owner/one", "c0ffee", qwen());
    let listed = "/api/models/owner/one/revision/main?blobs=true";
    let text = timeless(&plan(path, &server.address, false, "owner/one", &[]));
    assert!(text.contains("\n# memory, estimated "), "{text}");
    assert_eq!(server.log(), [listed, "/owner/one/resolve/c0ffee/config.json"]);
    for (hub, offline) in [(server.address.as_str(), false), (NOBODY, false), (NOBODY, true)] {
        assert_eq!(timeless(&plan(path, hub, offline, "owner/one", &[])), text);
    }
    assert!(server.log().is_empty());
    // A whole model in the cache serves as well.
    server.put("owner/two", "d2", qwen());
    let variable = |name: &str| match name {
        "HF_ENDPOINT" => Some(server.address.clone()),
        "HF_HOME" => path.join("hf").to_str().map(str::to_owned),
        _ => None,
    };
    Hub::from_environment(&variable).unwrap().fetch("owner/two", &mut |_| {}).unwrap();
    let whole = timeless(&plan(path, NOBODY, true, "owner/two", &[]));
    assert_eq!(whole.replace("owner/two", "owner/one"), text);
    // What has changed in the cache is not planned with.
    let config = path.join("hf/hub/models--owner--one/snapshots/c0ffee/config.json");
    fs::write(config.canonicalize().unwrap(), "{}").unwrap();
    assert!(succeeds(&plan(path, NOBODY, true, "owner/one", &[])).contains(UNKNOWN));
    assert_eq!(timeless(&plan(path, &server.address, false, "owner/one", &[])), text);
}

#[test]
fn plan_is_printed_without_hub_and_config_json() {
    let (server, folder) = (Server::start(), tempfile::tempdir().unwrap());
    let path = folder.path();
    server.put("owner/one", "c0ffee", qwen());
    for (offline, why) in
        [(false, "check the connection"), (true, "unset HF_HUB_OFFLINE to fetch its config.json")]
    {
        let text = succeeds(&plan(path, NOBODY, offline, "owner/one", &[]));
        let unknown: Vec<&str> = text.lines().filter(|line| line.contains("unknown")).collect();
        let [line] = unknown[..] else { panic!("{text}") };
        assert!(line.starts_with(UNKNOWN), "{line}");
        assert!(line.contains("model owner/one: ") && line.contains(why), "{line}");
        // The rest is as it is of a model that is known; it is a file of settings, too.
        fs::write(path.join("plan.toml"), &text).unwrap();
        let known =
            succeeds(&plan(path, &server.address, false, "owner/one", &["--config", "plan.toml"]));
        let not_known = ["# parameters", "# memory of weights", "# memory of optimiser"];
        let depends =
            |line: &&str| !line.starts_with("# working memory") && !line.starts_with("# time");
        assert!(text.contains("# time                        not known: "), "{text}");
        for line in known.lines().filter(depends) {
            let left_out = not_known.iter().any(|name| line.starts_with(name));
            let left_out = left_out || line.starts_with("# memory, estimated");
            assert_eq!(text.lines().any(|it| it == line), !left_out, "{line}");
        }
        fs::remove_dir_all(path.join("hf")).unwrap();
    }
    // Episodes that fit into no memory do not need a model to be found out.
    let many = ["--set", "rollout.tasks=1000000", "--set", "rollout.group_size=1000000"];
    let text = succeeds(&plan(path, NOBODY, false, "owner/one", &many));
    assert!(text.contains(UNKNOWN) && text.contains("# not enough memory"), "{text}");
}

#[test]
fn models_that_training_refuses_are_refused() {
    let (server, folder) = (Server::start(), tempfile::tempdir().unwrap());
    let path = folder.path();
    let refused = |model: &str, parts: &[&str]| {
        fails(&plan(path, &server.address, false, model, &[]), parts);
    };
    refused("owner/none", &["model owner/none", "404", "check the name"]);
    refused("./nowhere", &["nowhere", "no such file or folder"]);
    let mut only_torch = files(&description(Architecture::Qwen2, true), Precision::F32);
    only_torch.remove("model.safetensors");
    server.put("owner/torch", "a1", only_torch);
    refused("owner/torch", &["no model.safetensors"]);
    let mut other = files(&description(Architecture::Qwen2, true), Precision::F32);
    other.insert("config.json".to_owned(), br#"{"model_type": "mamba"}"#.to_vec());
    server.put("owner/other", "a1", other);
    // Its config.json had to come first, which is said.
    let output = plan(path, &server.address, false, "owner/other", &[]);
    assert_eq!(output.status.code(), Some(1));
    let told = stderr(&output);
    let refusal = format!("unsupported architecture 'mamba'; use {}\n", Architecture::names());
    assert!(told.ends_with(&refusal), "{told}");
    server.fault(Some(Fault::Status {
        status: "503 Service Unavailable",
        field: "",
        only_files: false,
    }));
    refused("owner/late", &["http status 503", "try again later"]);
}
