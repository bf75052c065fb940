//! Recordings of what other programs say, for all crates' tests: those that the repository holds
//! (`tests/recordings` of the crates), and longer ones if they are present (`HGPO_ORACLE`).
#![allow(dead_code, reason = "each test file uses a part of it")]
#![allow(clippy::print_stdout, reason = "says what is skipped")]
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use miniz_oxide::inflate::decompress_slice_iter_to_slice;

/// The folder that `HGPO_ORACLE` names, from the top of the repository on.
pub(crate) fn root() -> Option<PathBuf> {
    let named = std::env::var_os("HGPO_ORACLE").unwrap_or_else(|| "../shared/oracle".into());
    Some(top().join(named)).filter(|root| root.is_dir())
}

/// Says that the test which runs now leaves something out, and how to get it: to who reads the test's
/// output, and in the file that `HGPO_SKIPPED` names.
pub(crate) fn skipped(what: &str, how: &str) {
    println!("skipped: {what}: {how}");
    let Some(file) = std::env::var_os("HGPO_SKIPPED") else { return };
    let thread = std::thread::current();
    let test = thread.name().unwrap_or_default();
    let mut file = fs::OpenOptions::new().create(true).append(true).open(file).unwrap();
    // In one piece: tests write side by side.
    file.write_all(format!("{what}\t{how}\t{test}\n").as_bytes()).unwrap();
}

/// Recordings of one origin.
pub(crate) struct Recordings(Vec<PathBuf>);

/// What the repository holds.
pub(crate) fn held() -> Recordings {
    let crates = ["core", "core/env", "core/train"];
    Recordings(crates.map(|name| top().join(name).join("tests/recordings")).to_vec())
}

/// What the repository holds, and the same and more if it is present.
pub(crate) fn recordings() -> Vec<Recordings> {
    let longer = root().map(|root| Recordings(vec![root]));
    if longer.is_none() {
        skipped(
            "the longer recordings that those in tests/recordings are cut from",
            "HGPO_ORACLE names their folder (.github/CONTRIBUTING.md)",
        );
    }
    std::iter::once(held()).chain(longer).collect()
}

impl Recordings {
    /// A file, unpacked.
    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        let file = |folder: &PathBuf| {
            let file = folder.join(name);
            fs::read(&file).ok().or_else(|| fs::read(packed(&file)).ok().map(|it| gunzip(&it)))
        };
        self.0.iter().find_map(file).unwrap_or_else(|| panic!("no {name} in {:?}", self.0))
    }

    /// The names of a folder's files, sorted.
    pub(crate) fn names(&self, folder: &str) -> Vec<String> {
        let folders = self.0.iter().filter_map(|it| fs::read_dir(it.join(folder)).ok());
        let files = folders.flatten().map(|entry| entry.unwrap().path());
        let name = |file: PathBuf| {
            let name = file.file_name().unwrap().to_str().unwrap();
            name.strip_suffix(".gz").unwrap_or(name).to_owned()
        };
        let mut names: Vec<String> = files.filter(|it| it.is_file()).map(name).collect();
        names.sort();
        names
    }

    /// Writes all files of a folder and of the folders in it, unpacked.
    pub(crate) fn unpack(&self, folder: &str, target: &Path) {
        fs::create_dir_all(target).unwrap();
        for name in self.names(folder) {
            fs::write(target.join(&name), self.read(&format!("{folder}/{name}"))).unwrap();
        }
        let entries = self.0.iter().filter_map(|it| fs::read_dir(it.join(folder)).ok()).flatten();
        for path in entries.map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()) {
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            self.unpack(&format!("{folder}/{name}"), &target.join(name));
        }
    }
}

/// The top of the repository.
fn top() -> &'static Path {
    let mut folders = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    folders.find(|folder| folder.join("Cargo.lock").is_file()).unwrap()
}

fn packed(file: &Path) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(".gz");
    name.into()
}

/// What `gzip` packed as one member without a name: ten bytes of header, the data, checksum and length.
fn gunzip(bytes: &[u8]) -> Vec<u8> {
    assert_eq!(bytes[..4], [0x1f, 0x8b, 8, 0], "deflated, and no field beyond the header");
    let (rest, length) = bytes.split_last_chunk().unwrap();
    let mut content = vec![0; u32::from_le_bytes(*length) as usize];
    let data = std::iter::once(&rest[10..rest.len() - 4]);
    let written = decompress_slice_iter_to_slice(&mut content, data, false, true);
    assert_eq!(written, Ok(content.len()));
    content
}
