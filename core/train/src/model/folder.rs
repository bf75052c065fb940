//! Models by path: a folder, or a GGUF file.

use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::Path;

use super::checkpoint::CONFIG;
use super::{Checkpoint, ModelError, Source, gguf};

impl Source {
    /// Opens the file at a path; `None` where there is none.
    ///
    /// # Errors
    /// It is there, but cannot be opened.
    pub fn open(path: &Path) -> Result<Option<Self>, ModelError> {
        let name = path.display().to_string();
        match File::open(path) {
            Ok(file) => Self::new(&name, Box::new(file)).map(Some),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(reason) => Err(ModelError::Read { file: name, reason }),
        }
    }
}

impl Checkpoint {
    /// Opens the model in a folder of Hugging Face's kind, or in a GGUF file.
    ///
    /// # Errors
    /// There is none, or it cannot be read; the error says what to do.
    pub fn open(path: &Path) -> Result<Self, ModelError> {
        if path.is_dir() {
            return open_folder(path);
        }
        let no_model = |problem: &str| ModelError::NoModel {
            path: path.display().to_string(),
            problem: problem.to_owned(),
        };
        let absent = "there is no such folder or file";
        let source = Source::open(path)?.ok_or_else(|| no_model(absent))?;
        if source.length() < 4 || source.read(0, 4)? != gguf::MAGIC {
            let other = "it is not GGUF; name the folder that config.json and the weights are in";
            return Err(no_model(other));
        }
        Self::from_gguf(gguf::File::open(source)?)
    }
}

fn open_folder(folder: &Path) -> Result<Checkpoint, ModelError> {
    let place = folder.display().to_string();
    if !folder.join(CONFIG).exists()
        && let Some(file) = gguf_in(folder)
    {
        let problem = format!("it has no config.json, but a GGUF file: name {file}");
        return Err(ModelError::NoModel { path: place, problem });
    }
    Checkpoint::from_files(&place, &mut |name| Source::open(&folder.join(name)))
}

/// The first GGUF file of a folder.
fn gguf_in(folder: &Path) -> Option<String> {
    let entries = fs::read_dir(folder).ok()?;
    let mut paths: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    let found = paths.into_iter().find(|path| path.extension().is_some_and(|it| it == "gguf"));
    found.map(|path| path.display().to_string())
}
