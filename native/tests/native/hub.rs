//! Models by name, from a server on this machine that answers as the hub does.
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

use std::collections::HashMap;
use std::path::Path;
use std::time::{Duration, Instant};

use hgpo_native::model::hub::{Download, Hub};
use hgpo_train::models::{Architecture, Checkpoint, ModelError, Precision};

use crate::hub_server::{Fault, SILENCE, Server};
use crate::model_files::{Files, description, files, refused, sharded, tensors};

fn hub(server: &Server, cache: &Path) -> Hub {
    let patience = Duration::from_millis(500);
    let (endpoint, cache) = (server.address.clone(), cache.to_owned());
    Hub { endpoint, cache, offline: false, token: None, patience }
}

fn fetch(hub: &Hub, model: &str) -> Result<std::path::PathBuf, ModelError> {
    hub.fetch(model, &mut |_| {})
}

/// A model in one file, with what is fetched beside it and what is not.
fn with_others() -> Files {
    let mut files = files(&description(Architecture::Qwen2, true), Precision::F32);
    for name in ["tokenizer.json", "tokenizer_config.json", "pytorch_model.bin", "README.md"] {
        files.insert(name.to_owned(), name.as_bytes().to_vec());
    }
    files
}

fn assert_model(folder: &Path, architecture: Architecture) {
    let checkpoint = Checkpoint::open(folder).unwrap();
    let found: Result<Vec<_>, _> = checkpoint.parameters().unwrap().collect();
    assert_eq!(found.unwrap(), tensors(&description(architecture, true), false));
}

#[test]
fn models_are_fetched_once_and_cached() {
    let (server, cache) = (Server::start(), tempfile::tempdir().unwrap());
    server.put("owner/one", "c0ffee", with_others());
    let hub = hub(&server, cache.path());
    let mut last = HashMap::new();
    let mut note = |it: Download<'_>| {
        last.insert(it.file.to_owned(), (it.done, it.size));
    };
    let folder = hub.fetch("owner/one", &mut note).unwrap();
    assert_model(&folder, Architecture::Qwen2);
    assert_eq!(last["tokenizer.json"], (14, 14));
    assert_eq!(last.len(), 4);
    assert!(last.values().all(|(done, size)| done == size), "{last:?}");
    assert!(!folder.join("pytorch_model.bin").exists() && !folder.join("README.md").exists());
    // The layout of Hugging Face's own tools.
    assert_eq!(folder, cache.path().join("models--owner--one/snapshots/c0ffee"));
    assert_eq!(
        std::fs::read(cache.path().join("models--owner--one/refs/main")).unwrap(),
        b"c0ffee"
    );

    server.log();
    assert_eq!(fetch(&hub, "owner/one").unwrap(), folder);
    assert_eq!(server.log(), ["/api/models/owner/one/revision/main?blobs=true"]);
    let offline = Hub { offline: true, ..hub.clone() };
    assert_eq!(fetch(&offline, "owner/one").unwrap(), folder);
    assert!(server.log().is_empty());
    // Nothing listens there any more.
    let unreachable = Hub { endpoint: "http://127.0.0.1:1".to_owned(), ..hub };
    assert_eq!(fetch(&unreachable, "owner/one").unwrap(), folder);
    refused(fetch(&offline, "owner/two"), &["owner/two", "incomplete in", "HF_HUB_OFFLINE"]);
    refused(fetch(&unreachable, "owner/two"), &["owner/two", "http://127.0.0.1:1", "connection"]);
}

#[test]
fn all_files_of_a_split_model_and_of_a_new_version_are_fetched() {
    let (server, cache) = (Server::start(), tempfile::tempdir().unwrap());
    let hub = hub(&server, cache.path());
    server.put("split", "a1", sharded(&description(Architecture::Llama, true)));
    assert_model(&fetch(&hub, "split").unwrap(), Architecture::Llama);
    server.put("split", "b2", files(&description(Architecture::Qwen2, true), Precision::F32));
    let newer = fetch(&hub, "split").unwrap();
    assert!(newer.ends_with("b2"));
    assert_model(&newer, Architecture::Qwen2);
    let offline = Hub { offline: true, ..hub };
    assert_eq!(fetch(&offline, "split").unwrap(), newer);
    std::fs::remove_file(newer.join("model.safetensors")).unwrap();
    refused(fetch(&offline, "split"), &["incomplete in"]);
}

#[test]
fn interrupted_downloads_are_resumed() {
    let (server, cache) = (Server::start(), tempfile::tempdir().unwrap());
    server.put("owner/one", "c0ffee", with_others());
    let hub = hub(&server, cache.path());
    server.fault(Some(Fault::Cut(100)));
    refused(fetch(&hub, "owner/one"), &["owner/one", &server.address, "config.json", "300 bytes"]);
    server.fault(None);
    let mut first = None;
    let mut note = |it: Download<'_>| {
        first.get_or_insert((it.file.to_owned(), it.done));
    };
    let folder = hub.fetch("owner/one", &mut note).unwrap();
    assert_model(&folder, Architecture::Qwen2);
    assert_eq!(first, Some(("config.json".to_owned(), 300)));
    assert!(leftovers(cache.path()).is_empty());
}

/// The files in a cache that are not whole.
fn leftovers(cache: &Path) -> Vec<String> {
    let Ok(blobs) = std::fs::read_dir(cache.join("models--owner--one/blobs")) else {
        return vec![];
    };
    let names = blobs.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name.ends_with(".incomplete")).collect()
}

#[test]
fn silent_servers_time_out() {
    for (fault, expected) in [(Fault::Mute, "timeout"), (Fault::Silent(100), "after 100 bytes")] {
        let (server, cache) = (Server::start(), tempfile::tempdir().unwrap());
        server.put("owner/one", "c0ffee", with_others());
        server.fault(Some(fault));
        let began = Instant::now();
        refused(fetch(&hub(&server, cache.path()), "owner/one"), &[&server.address, expected]);
        assert!(began.elapsed() < SILENCE, "{expected}: {:?}", began.elapsed());
    }
}

#[test]
fn slow_listings_time_out() {
    let (server, cache) = (Server::start(), tempfile::tempdir().unwrap());
    server.put("owner/one", "c0ffee", with_others());
    // A byte at a time, each much sooner than a silent hub is given up: patience is 500 ms.
    server.fault(Some(Fault::Drip(Duration::from_millis(50))));
    let began = Instant::now();
    refused(fetch(&hub(&server, cache.path()), "owner/one"), &[&server.address, "timeout"]);
    let took = began.elapsed();
    assert!(took >= Duration::from_secs(1) && took < SILENCE, "{took:?}");
}

#[test]
fn refusals_of_the_hub_are_reported_with_the_remedy() {
    for (status, field, expected) in [
        ("401 Unauthorized", "", "set HF_TOKEN to a token with access"),
        ("403 Forbidden", "", "set HF_TOKEN to a token with access"),
        ("404 Not Found", "", "no such model or version"),
        ("429 Too Many Requests", "Retry-After: 17\r\n", "too many requests: try again in 17 s"),
        ("500 Internal Server Error", "", "an error of the hub: try again later"),
        ("503 Service Unavailable", "Retry-After: 5\r\n", "of the hub: try again in 5 s"),
    ] {
        let (server, cache) = (Server::start(), tempfile::tempdir().unwrap());
        server.put("owner/one", "c0ffee", with_others());
        let hub = hub(&server, cache.path());
        for only_files in [false, true] {
            server.fault(Some(Fault::Status { status, field, only_files }));
            refused(fetch(&hub, "owner/one"), &[&server.address, &status[..3], expected]);
        }
        assert!(leftovers(cache.path()).is_empty(), "{status}");
        let allowed = Hub { token: Some("secret".to_owned()), ..hub };
        let told = fetch(&allowed, "owner/one").unwrap_err().to_string();
        assert!(!told.contains("secret") && !told.contains("set HF_TOKEN"), "{told}");
    }
}

#[test]
fn credentials_are_never_printed() {
    let (server, cache) = (Server::start(), tempfile::tempdir().unwrap());
    let place = server.address.strip_prefix("http://").unwrap().to_owned();
    let token = Some("token-secret".to_owned());
    for endpoint in [
        format!("http://me-secret:pass-secret@{place}"),
        format!("http://me-secret@{place}/path"),
        format!("http://me-secret:pass/secret@{place}"),
        format!("me-secret:pass-secret@{place}"),
        "http://me-secret:pass-secret@".to_owned(),
        "http://me-secret:pass-secret@127.0.0.1:1".to_owned(),
        "odd://me-secret:pass-secret@host".to_owned(),
    ] {
        let hub =
            Hub { endpoint: endpoint.clone(), token: token.clone(), ..hub(&server, cache.path()) };
        let told = fetch(&hub, "owner/none").unwrap_err().to_string();
        assert!(told.contains("owner/none") && !told.contains("secret"), "{endpoint}: {told}");
    }
    // They are used.
    let log = server.log();
    assert!(log[0].ends_with(" Bearer token-secret"), "{log:?}");
}

#[test]
fn files_that_differ_from_the_listing_are_refused_and_removed() {
    for (fault, expected) in [
        (Fault::Changed, "config.json does not match the hub's digest"),
        (Fault::Longer, "where the hub's list says"),
    ] {
        let (server, cache) = (Server::start(), tempfile::tempdir().unwrap());
        server.put("owner/one", "c0ffee", with_others());
        let hub = hub(&server, cache.path());
        server.fault(Some(fault));
        refused(fetch(&hub, "owner/one"), &["owner/one", &server.address, expected]);
        assert!(leftovers(cache.path()).is_empty());
        let offline = Hub { offline: true, ..hub.clone() };
        refused(fetch(&offline, "owner/one"), &["incomplete in"]);
        server.fault(None);
        assert_model(&fetch(&hub, "owner/one").unwrap(), Architecture::Qwen2);
    }
}

#[test]
fn resumed_downloads_are_checked_as_a_whole() {
    let (server, cache) = (Server::start(), tempfile::tempdir().unwrap());
    server.put("owner/one", "c0ffee", with_others());
    let hub = hub(&server, cache.path());
    let blobs = cache.path().join("models--owner--one/blobs");
    std::fs::create_dir_all(&blobs).unwrap();
    let left = blobs.join("c0ffee.model.safetensors.incomplete");
    std::fs::write(&left, b"not its beginning").unwrap();
    refused(
        fetch(&hub, "owner/one"),
        &["model.safetensors does not match the hub's digest", "deleted"],
    );
    assert!(!left.exists());
    assert_model(&fetch(&hub, "owner/one").unwrap(), Architecture::Qwen2);
}

#[test]
fn nothing_is_written_outside_the_cache() {
    let place = tempfile::tempdir().unwrap();
    let victim = place.path().join("victim");
    std::fs::write(&victim, "mine").unwrap();
    let absolute = victim.to_str().unwrap().to_owned();
    for path in [absolute.as_str(), "../../../victim", "../../../../victim", "..", ""] {
        let (server, cache) = (Server::start(), place.path().join("cache"));
        server.put("owner/one", "c0ffee", with_others());
        server.fault(Some(Fault::Path(path.to_owned())));
        refused(fetch(&hub(&server, &cache), "owner/one"), &["did not answer with a SHA-256"]);
        // Versions, and names of files in an index.
        server.fault(None);
        server.put("owner/two", path, with_others());
        refused(fetch(&hub(&server, &cache), "owner/two"), &["instead of a version"]);
        let mut split = sharded(&description(Architecture::Llama, true));
        let index = split.get_mut("model.safetensors.index.json").unwrap();
        let text = String::from_utf8(index.clone()).unwrap();
        *index = text.replace("a.safetensors", path).into_bytes();
        server.put("owner/three", "c0ffee", split);
        refused(fetch(&hub(&server, &cache), "owner/three"), &["name"]);
        assert_eq!(std::fs::read(&victim).unwrap(), b"mine");
        assert_eq!(std::fs::read_dir(place.path()).unwrap().count(), 2, "{path}");
    }
}

#[test]
fn cached_contents_are_not_fetched_again() {
    let (server, cache) = (Server::start(), tempfile::tempdir().unwrap());
    let hub = hub(&server, cache.path());
    server.put("owner/one", "a1", with_others());
    fetch(&hub, "owner/one").unwrap();
    server.log();
    server.put("owner/one", "b2", with_others());
    let newer = fetch(&hub, "owner/one").unwrap();
    assert!(newer.ends_with("b2"));
    assert_model(&newer, Architecture::Qwen2);
    assert_eq!(server.log(), ["/api/models/owner/one/revision/main?blobs=true"]);
}

/// What contents are called in the cache.
fn blob_of(folder: &Path, file: &str) -> std::path::PathBuf {
    folder.join(file).canonicalize().unwrap()
}

#[test]
fn changed_files_in_the_cache_are_fetched_again() {
    for (file, damage) in [
        ("config.json", b"{\"changed\": 1}".to_vec()),
        ("tokenizer.json", b"TOKENIZER.JSON".to_vec()),
        ("model.safetensors", b"short".to_vec()),
    ] {
        let (server, cache) = (Server::start(), tempfile::tempdir().unwrap());
        server.put("owner/one", "c0ffee", with_others());
        let hub = hub(&server, cache.path());
        let folder = fetch(&hub, "owner/one").unwrap();
        let blob = blob_of(&folder, file);
        let before = std::fs::read(&blob).unwrap();
        std::fs::write(&blob, &damage).unwrap();
        let offline = Hub { offline: true, ..hub.clone() };
        refused(
            fetch(&offline, "owner/one"),
            &[file, "has changed since the download", "HF_HUB_OFFLINE"],
        );
        // Nothing listens there any more.
        let unreachable = Hub { endpoint: "http://127.0.0.1:1".to_owned(), ..hub.clone() };
        refused(fetch(&unreachable, "owner/one"), &["127.0.0.1:1", "check the connection"]);
        server.log();
        assert_eq!(fetch(&hub, "owner/one").unwrap(), folder);
        assert_eq!(std::fs::read(&blob).unwrap(), before);
        assert_eq!(server.log().len(), 2, "the list, and the file alone");
        assert_eq!(fetch(&offline, "owner/one").unwrap(), folder);
    }
}

#[test]
fn contents_shared_with_another_version_are_checked() {
    let (server, cache) = (Server::start(), tempfile::tempdir().unwrap());
    let hub = hub(&server, cache.path());
    server.put("owner/one", "a1", with_others());
    let blob = blob_of(&fetch(&hub, "owner/one").unwrap(), "model.safetensors");
    let before = std::fs::read(&blob).unwrap();
    let mut changed = before.clone();
    *changed.last_mut().unwrap() ^= 1;
    std::fs::write(&blob, changed).unwrap();
    server.put("owner/one", "b2", with_others());
    assert_model(&fetch(&hub, "owner/one").unwrap(), Architecture::Qwen2);
    assert_eq!(std::fs::read(&blob).unwrap(), before);
}

#[test]
fn unusable_names_and_models_are_refused_with_the_reason() {
    let (server, cache) = (Server::start(), tempfile::tempdir().unwrap());
    let hub = hub(&server, cache.path());
    refused(fetch(&hub, "owner/none"), &["owner/none", "404", "check the name", "HF_TOKEN"]);
    let mut only_torch = with_others();
    only_torch.remove("model.safetensors");
    server.put("owner/torch", "a1", only_torch);
    refused(fetch(&hub, "owner/torch"), &["no model.safetensors", "safetensors"]);
    server.put("owner/odd", "../..", with_others());
    refused(fetch(&hub, "owner/odd"), &["instead of a version"]);
    server.log();
    for name in ["", "a/b/c", "../x", "a/..", "a b", "a/", "file.gguf?"] {
        refused(fetch(&hub, name), &["OWNER/NAME"]);
    }
    assert!(server.log().is_empty());
    let allowed = Hub { token: Some("secret".to_owned()), ..hub };
    refused(fetch(&allowed, "owner/none"), &["404"]);
    assert_eq!(server.log(), ["/api/models/owner/none/revision/main?blobs=true Bearer secret"]);
}

#[test]
fn environment_variables_name_hub_cache_and_token() {
    let with = |variables: &[(&str, &str)]| {
        let find = |name: &str| {
            let found = variables.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| (*value).to_owned())
        };
        Hub::from_environment(&find).unwrap()
    };
    let plain = with(&[("HF_HOME", "/hf"), ("HF_HUB_OFFLINE", "0"), ("HF_TOKEN", "")]);
    let expected = Hub {
        endpoint: "https://huggingface.co".to_owned(),
        cache: "/hf/hub".into(),
        offline: false,
        token: None,
        patience: Duration::from_mins(1),
    };
    assert_eq!(plain, expected);
    let set = with(&[
        ("HF_HOME", "/hf"),
        ("HF_HUB_CACHE", "/cache"),
        ("HF_ENDPOINT", "http://127.0.0.1:9"),
        ("HF_HUB_OFFLINE", "1"),
        ("HF_TOKEN", "secret"),
    ]);
    assert_eq!((set.cache.to_str(), set.offline), (Some("/cache"), true));
    assert_eq!(
        (set.endpoint.as_str(), set.token.as_deref()),
        ("http://127.0.0.1:9", Some("secret"))
    );
    assert!(with(&[("HF_HOME", "relative")]).cache.is_absolute());
    let home = tempfile::tempdir().unwrap();
    let path = |name: &str| home.path().join(name).display().to_string();
    std::fs::create_dir(home.path().join("huggingface")).unwrap();
    std::fs::write(home.path().join("huggingface/token"), "of a login\n").unwrap();
    std::fs::write(home.path().join("other"), "elsewhere").unwrap();
    let token = |variables: &[(&str, &str)]| with(variables).token;
    // If the cache is elsewhere, the login is still the home's.
    let (login, cache) = (path("huggingface"), path("cache"));
    let moved = token(&[("HF_HOME", &login), ("HF_HUB_CACHE", &cache)]);
    assert_eq!(moved.as_deref(), Some("of a login"));
    let xdg = with(&[("XDG_CACHE_HOME", home.path().to_str().unwrap())]);
    assert_eq!(xdg.cache, home.path().join("huggingface/hub"));
    assert_eq!(xdg.token.as_deref(), Some("of a login"));
    let named = token(&[("HF_HOME", &login), ("HF_TOKEN_PATH", &path("other"))]);
    assert_eq!(named.as_deref(), Some("elsewhere"));
    assert_eq!(token(&[("HF_HOME", &login), ("HF_TOKEN", "mine")]).as_deref(), Some("mine"));
    let implicit = [("HF_HOME", login.as_str()), ("HF_HUB_DISABLE_IMPLICIT_TOKEN", "1")];
    assert_eq!(token(&implicit), None);
    assert!(with(&[("HF_HOME", "/hf"), ("TRANSFORMERS_OFFLINE", "1")]).offline);
}
