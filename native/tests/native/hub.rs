//! Models by name, from a server on this machine that answers as the hub does.
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

use std::collections::HashMap;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread;

use hgpo_native::model::hub::{Download, Hub};
use hgpo_train::model::{Architecture, Checkpoint, ModelError, Precision};

use crate::model_files::{Files, description, files, refused, sharded, tensors};

/// What the server has: models by name, each with a version.
#[derive(Default)]
struct Shelf {
    models: HashMap<String, (String, Files)>,
    /// First lines of the requests, and what they were allowed with.
    log: Vec<String>,
    /// Answers with half of a file stop after this many bytes of it.
    cut: Option<usize>,
}

#[derive(Clone)]
struct Server {
    address: String,
    shelf: Arc<Mutex<Shelf>>,
}

impl Server {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let shelf = Arc::new(Mutex::new(Shelf::default()));
        let served = Arc::clone(&shelf);
        thread::spawn(move || {
            for stream in listener.incoming() {
                answer(&stream.unwrap(), &mut served.lock().unwrap());
            }
        });
        Self { address, shelf }
    }

    fn put(&self, model: &str, version: &str, files: Files) {
        let models = &mut self.shelf.lock().unwrap().models;
        models.insert(model.to_owned(), (version.to_owned(), files));
    }

    /// The requests since the last call.
    fn log(&self) -> Vec<String> {
        std::mem::take(&mut self.shelf.lock().unwrap().log)
    }
}

fn answer(stream: &TcpStream, shelf: &mut Shelf) {
    let mut head = Vec::new();
    for line in BufReader::new(stream).lines() {
        let Ok(line) = line else { return };
        if line.is_empty() {
            break;
        }
        head.push(line);
    }
    let Some(path) = head.first().and_then(|line| line.split(' ').nth(1)) else { return };
    let field = |name: &str| {
        head.iter().find_map(|line| {
            let (key, value) = line.split_once(": ")?;
            key.eq_ignore_ascii_case(name).then(|| value.to_owned())
        })
    };
    let allowed = field("authorization").map(|token| format!(" {token}")).unwrap_or_default();
    shelf.log.push(format!("{path}{allowed}"));
    // A client may go away before the end.
    let _ = reply(stream, shelf, path, field("range").as_deref());
}

/// The answer about a model: its version and the names of its files.
fn listing(shelf: &Shelf, path: &str) -> Option<String> {
    let model = path.strip_prefix("/api/models/")?.strip_suffix("/revision/main")?;
    let (version, files) = shelf.models.get(model)?;
    let siblings: Vec<_> =
        files.keys().map(|name| serde_json::json!({ "rfilename": name })).collect();
    Some(serde_json::json!({ "sha": version, "siblings": siblings }).to_string())
}

/// A file with its version and an etag of its own.
fn file<'a>(shelf: &'a Shelf, path: &str) -> Option<(&'a str, String, &'a [u8])> {
    let (model, name) = path.strip_prefix('/')?.split_once("/resolve/main/")?;
    let (version, files) = shelf.models.get(model)?;
    Some((version, format!("{version}-{}", name.replace('.', "-")), files.get(name)?))
}

fn reply(
    mut stream: &TcpStream,
    shelf: &Shelf,
    path: &str,
    range: Option<&str>,
) -> std::io::Result<()> {
    const CLOSE: &str = "Connection: close\r\nContent-Length:";
    if let Some(body) = listing(shelf, path) {
        return write!(stream, "HTTP/1.1 200 OK\r\n{CLOSE} {}\r\n\r\n{body}", body.len());
    }
    let Some((version, etag, bytes)) = file(shelf, path) else {
        return write!(stream, "HTTP/1.1 404 Not Found\r\n{CLOSE} 0\r\n\r\n");
    };
    let (from, to) = range.unwrap().strip_prefix("bytes=").unwrap().split_once('-').unwrap();
    let from: usize = from.parse().unwrap();
    let to = if to.is_empty() { bytes.len() } else { to.parse::<usize>().unwrap() + 1 };
    write!(
        stream,
        "HTTP/1.1 206 Partial Content\r\n{CLOSE} {}\r\nETag: \"{etag}\"\r\n\
         X-Repo-Commit: {version}\r\nContent-Range: bytes {from}-{}/{}\r\n\r\n",
        to - from,
        to - 1,
        bytes.len()
    )?;
    let end = shelf.cut.map_or(to, |cut| to.min(from + cut));
    stream.write_all(&bytes[from..end])
}

fn hub(server: &Server, cache: &Path) -> Hub {
    Hub { endpoint: server.address.clone(), cache: cache.to_owned(), offline: false, token: None }
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
    let found: Result<Vec<_>, _> =
        checkpoint.parameters(checkpoint.description()).unwrap().collect();
    assert_eq!(found.unwrap(), tensors(&description(architecture, true), false));
}

#[test]
fn a_model_is_fetched_once_and_then_kept() {
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
    assert_eq!(server.log(), ["/api/models/owner/one/revision/main"]);
    let offline = Hub { offline: true, ..hub.clone() };
    assert_eq!(fetch(&offline, "owner/one").unwrap(), folder);
    assert!(server.log().is_empty());
    // Nothing listens there any more.
    let unreachable = Hub { endpoint: "http://127.0.0.1:1".to_owned(), ..hub };
    assert_eq!(fetch(&unreachable, "owner/one").unwrap(), folder);
    refused(fetch(&offline, "owner/two"), &["owner/two", "not all of it", "HF_HUB_OFFLINE"]);
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
    refused(fetch(&offline, "split"), &["not all of it"]);
}

#[test]
fn a_download_that_broke_off_goes_on() {
    let (server, cache) = (Server::start(), tempfile::tempdir().unwrap());
    server.put("owner/one", "c0ffee", with_others());
    let hub = hub(&server, cache.path());
    server.shelf.lock().unwrap().cut = Some(300);
    refused(fetch(&hub, "owner/one"), &["owner/one", &server.address]);
    server.shelf.lock().unwrap().cut = None;
    let mut first = None;
    let mut note = |it: Download<'_>| {
        first.get_or_insert((it.file.to_owned(), it.done));
    };
    let folder = hub.fetch("owner/one", &mut note).unwrap();
    assert_model(&folder, Architecture::Qwen2);
    assert_eq!(first, Some(("config.json".to_owned(), 300)));
}

#[test]
fn names_and_models_that_cannot_be_used_say_why() {
    let (server, cache) = (Server::start(), tempfile::tempdir().unwrap());
    let hub = hub(&server, cache.path());
    refused(fetch(&hub, "owner/none"), &["owner/none", "404", "HF_TOKEN"]);
    let mut only_torch = with_others();
    only_torch.remove("model.safetensors");
    server.put("owner/torch", "a1", only_torch);
    refused(fetch(&hub, "owner/torch"), &["no model.safetensors", "safetensors"]);
    server.put("owner/odd", "../..", with_others());
    refused(fetch(&hub, "owner/odd"), &["no version"]);
    server.log();
    for name in ["", "a/b/c", "../x", "a/..", "a b", "a/", "file.gguf?"] {
        refused(fetch(&hub, name), &["OWNER/NAME"]);
    }
    assert!(server.log().is_empty());
    let allowed = Hub { token: Some("secret".to_owned()), ..hub };
    refused(fetch(&allowed, "owner/none"), &["404"]);
    assert_eq!(server.log(), ["/api/models/owner/none/revision/main Bearer secret"]);
}

#[test]
fn the_environment_names_hub_cache_and_token() {
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
}
