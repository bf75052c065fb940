//! A server on this machine that answers as the hub does, or as one that cannot be trusted.
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

use std::collections::HashMap;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use sha1::Sha1;
use sha2::{Digest as _, Sha256};

use crate::model_files::Files;

/// What the server has: models by name, each with a version.
#[derive(Default)]
struct Shelf {
    models: HashMap<String, (String, Files)>,
    /// First lines of the requests, and what they were allowed with.
    log: Vec<String>,
    /// What is wrong with the answers.
    fault: Option<Fault>,
}

/// What a server, a mirror or a proxy may do.
#[derive(Clone, Debug)]
pub(crate) enum Fault {
    /// Answers end after this many bytes of a file.
    Cut(usize),
    /// Nothing comes after this many bytes of a file, and the connection stays open.
    Silent(usize),
    /// Nothing is answered at all.
    Mute,
    /// A bit of every file is another.
    Changed,
    /// Every file goes on after its end.
    Longer,
    /// Names of contents lead to this path.
    Path(String),
    /// The list comes a byte at a time, with this much time between.
    Drip(Duration),
    /// It refuses.
    Status {
        /// The status with its name.
        status: &'static str,
        /// A line of the head that goes with it.
        field: &'static str,
        /// Whether the list is answered.
        only_files: bool,
    },
}

#[derive(Clone)]
pub(crate) struct Server {
    pub(crate) address: String,
    shelf: Arc<Mutex<Shelf>>,
}

impl Server {
    pub(crate) fn start() -> Self {
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

    pub(crate) fn put(&self, model: &str, version: &str, files: Files) {
        let models = &mut self.shelf.lock().unwrap().models;
        models.insert(model.to_owned(), (version.to_owned(), files));
    }

    /// What is wrong with the answers from now on.
    pub(crate) fn fault(&self, fault: Option<Fault>) {
        self.shelf.lock().unwrap().fault = fault;
    }

    /// The requests since the last call.
    pub(crate) fn log(&self) -> Vec<String> {
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

/// The answer about a model: its version, and its files with their lengths and digests.
fn listing(shelf: &Shelf, path: &str) -> Option<String> {
    let model = path.strip_prefix("/api/models/")?.strip_suffix("/revision/main?blobs=true")?;
    let (version, files) = shelf.models.get(model)?;
    let siblings = files.iter().map(|(name, bytes)| {
        let mut entry = serde_json::json!({ "rfilename": name, "size": bytes.len() });
        let digest = match &shelf.fault {
            Some(Fault::Path(path)) => path.clone(),
            _ => sha256(bytes),
        };
        match (name.ends_with(".safetensors"), &shelf.fault) {
            (false, Some(Fault::Path(path))) => entry["blobId"] = path.as_str().into(),
            (true, _) => {
                entry["lfs"] = serde_json::json!({ "sha256": digest, "size": bytes.len() });
            }
            (false, _) => entry["blobId"] = git_name(bytes).into(),
        }
        entry
    });
    let siblings: Vec<_> = siblings.collect();
    Some(serde_json::json!({ "sha": version, "siblings": siblings }).to_string())
}

fn sha256(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}

/// What `git hash-object` says.
fn git_name(bytes: &[u8]) -> String {
    let head = format!("blob {}\0", bytes.len());
    hexadecimal(&Sha1::new().chain_update(head).chain_update(bytes).finalize())
}

fn hexadecimal(digest: &[u8]) -> String {
    digest.iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
}

/// A file with its version and an etag of its own.
fn file<'a>(shelf: &'a Shelf, path: &str) -> Option<(String, &'a [u8])> {
    let (model, rest) = path.strip_prefix('/')?.split_once("/resolve/")?;
    let (version, files) = shelf.models.get(model)?;
    let name = rest.strip_prefix(version.as_str())?.strip_prefix('/')?;
    let etag = match &shelf.fault {
        Some(Fault::Path(path)) => path.clone(),
        _ => format!("{version}-{}", name.replace('.', "-")),
    };
    Some((etag, files.get(name)?))
}

fn reply(
    mut stream: &TcpStream,
    shelf: &Shelf,
    path: &str,
    range: Option<&str>,
) -> std::io::Result<()> {
    const CLOSE: &str = "Connection: close\r\nContent-Length:";
    if matches!(shelf.fault, Some(Fault::Mute)) {
        thread::sleep(SILENCE);
        return Ok(());
    }
    let body = listing(shelf, path);
    if let Some(Fault::Status { status, field, only_files }) = shelf.fault
        && !(only_files && body.is_some())
    {
        return write!(stream, "HTTP/1.1 {status}\r\n{field}{CLOSE} 0\r\n\r\n");
    }
    if let Some(body) = body {
        if let Some(Fault::Drip(pause)) = shelf.fault {
            write!(stream, "HTTP/1.1 200 OK\r\n{CLOSE} {}\r\n\r\n", body.len())?;
            return body.bytes().try_for_each(|byte| {
                thread::sleep(pause);
                stream.write_all(&[byte])
            });
        }
        return write!(stream, "HTTP/1.1 200 OK\r\n{CLOSE} {}\r\n\r\n{body}", body.len());
    }
    let Some((etag, bytes)) = file(shelf, path) else {
        return write!(stream, "HTTP/1.1 404 Not Found\r\n{CLOSE} 0\r\n\r\n");
    };
    let mut bytes = bytes.to_vec();
    match shelf.fault {
        Some(Fault::Changed) => *bytes.last_mut().unwrap() ^= 1,
        Some(Fault::Longer) => bytes.push(0),
        _ => {}
    }
    let (status, from) = match range {
        Some(range) => ("206 Partial Content", range[6..range.len() - 1].parse().unwrap()),
        None => ("200 OK", 0),
    };
    write!(
        stream,
        "HTTP/1.1 {status}\r\n{CLOSE} {}\r\nETag: \"{etag}\"\r\n\
         X-Linked-Etag: \"{etag}\"\r\nContent-Range: bytes {from}-{}/{}\r\n\r\n",
        bytes.len() - from,
        bytes.len() - 1,
        bytes.len()
    )?;
    match shelf.fault {
        Some(Fault::Cut(cut)) => stream.write_all(&bytes[from..bytes.len().min(from + cut)]),
        Some(Fault::Silent(cut)) => {
            stream.write_all(&bytes[from..bytes.len().min(from + cut)])?;
            thread::sleep(SILENCE);
            Ok(())
        }
        _ => stream.write_all(&bytes[from..]),
    }
}

/// For how long a silent server says nothing: much longer than the hub is waited for in these tests.
pub(crate) const SILENCE: Duration = Duration::from_secs(4);
