//! Catalogue of runs: those that are named, or all below the folder of runs, found anew whenever it is asked.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::bail;

use crate::run::RunDirectory;
use crate::study::StudyFolder;
use crate::terminal::quote_path;

/// How deep below the folder of runs a run may lie: a study has folders of arms, with the seeds in them.
const DEPTH: usize = 4;
/// Runs that are listed at most.
const MOST: usize = 10_000;

/// Where runs are looked for.
#[derive(Clone, Debug)]
pub(crate) struct Catalogue {
    /// The folder of runs.
    folder: PathBuf,
    /// Runs and studies that were named, with their folders; all in the folder of runs if there are none.
    named: Vec<(String, PathBuf)>,
}

/// A run and where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ListedRun {
    /// Its folder below the folder of runs, or as it was named.
    pub name: String,
    /// The study that it is part of.
    pub study: Option<String>,
    /// Its folder.
    pub folder: PathBuf,
}

impl ListedRun {
    /// Its folder, by what lies in it.
    pub(crate) fn directory(&self) -> RunDirectory {
        RunDirectory { root: self.folder.clone() }
    }
}

impl Catalogue {
    /// Runs and studies by their folders or by their names in the folder of runs; all of them if none is named.
    ///
    /// # Errors
    /// Something named is neither a run nor a study.
    pub(crate) fn new(folder: PathBuf, inputs: &[PathBuf]) -> anyhow::Result<Self> {
        let mut named = Vec::new();
        for name in inputs {
            let places = [name.clone(), folder.join(name)];
            let Some(found) = places.into_iter().find(|it| is_run(it) || is_study(it)) else {
                bail!(
                    "{}: neither a run (a folder with config.toml) nor a study (one with study.toml), here or in {}",
                    quote_path(name),
                    quote_path(&folder)
                );
            };
            let shown = found.strip_prefix(&folder).unwrap_or(&found).display().to_string();
            if named.iter().all(|(known, _)| *known != shown) {
                named.push((shown, found));
            }
        }
        Ok(Self { folder, named })
    }

    /// Where they are looked for, for people.
    pub(crate) fn place(&self) -> String {
        match &self.named[..] {
            [] => self.folder.display().to_string(),
            named => named.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", "),
        }
    }

    /// The folder of runs.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// All runs that there are now, by their names. Folders that cannot be read have none.
    pub(crate) fn runs(&self) -> Vec<ListedRun> {
        let mut found = Vec::new();
        if self.named.is_empty() {
            add_runs(&self.folder, "", None, DEPTH, &mut found);
        }
        for (name, folder) in &self.named {
            add_runs(folder, name, None, DEPTH, &mut found);
        }
        found
    }

    /// The run of a name.
    pub(crate) fn run(&self, name: &str) -> Option<ListedRun> {
        self.runs().into_iter().find(|run| run.name == name)
    }

    /// The folder of a study that has runs.
    pub(crate) fn study(&self, name: &str) -> Option<PathBuf> {
        let run = self.runs().into_iter().find(|run| run.study.as_deref() == Some(name))?;
        run.folder.ancestors().find(|it| is_study(it)).map(Path::to_owned)
    }
}

fn is_run(folder: &Path) -> bool {
    let run = RunDirectory { root: folder.to_owned() };
    run.config().is_file() || run.checkpoints().is_dir()
}

fn is_study(folder: &Path) -> bool {
    folder.join(StudyFolder::STUDY).is_file()
}

/// Adds the run in a folder, or those below it.
fn add_runs(
    folder: &Path,
    name: &str,
    study: Option<&str>,
    depth: usize,
    found: &mut Vec<ListedRun>,
) {
    if is_run(folder) {
        let study = study.map(str::to_owned);
        found.push(ListedRun { name: name.to_owned(), study, folder: folder.to_owned() });
        return;
    }
    let study = study.or_else(|| is_study(folder).then_some(name));
    let Some(depth) = depth.checked_sub(1) else { return };
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let mut names: Vec<String> = names.filter(|name| !name.starts_with('.')).collect();
    names.sort_by(|one, other| natural(one).cmp(&natural(other)));
    for child in names {
        let path = folder.join(&child);
        if found.len() < MOST && path.is_dir() {
            let name = if name.is_empty() { child } else { format!("{name}/{child}") };
            add_runs(&path, &name, study, depth, found);
        }
    }
}

/// What names are sorted by: numbers, such as seeds, by their size.
fn natural(name: &str) -> (Option<u64>, &str) {
    (name.parse().ok(), name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder_of(files: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for file in files {
            let path = folder.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        folder
    }

    #[test]
    fn runs_are_found_alone_and_in_studies() {
        let folder = folder_of(&[
            "b/config.toml",
            "a/config.toml",
            "a/checkpoints/iteration_1/config.toml",
            "s/study.toml",
            "s/hgpo/settings.toml",
            "s/hgpo/10/config.toml",
            "s/hgpo/9/config.toml",
            ".hidden/config.toml",
            "group/c/config.toml",
            "notes.txt",
        ]);
        let all = Catalogue::new(folder.path().to_owned(), &[]).unwrap();
        let names = |it: &Catalogue| it.runs().into_iter().map(|run| run.name).collect::<Vec<_>>();
        assert_eq!(names(&all), ["a", "b", "group/c", "s/hgpo/9", "s/hgpo/10"]);
        let run = all.run("s/hgpo/9").unwrap();
        assert_eq!((run.study.as_deref(), run.folder), (Some("s"), folder.path().join("s/hgpo/9")));
        assert_eq!(all.study("s"), Some(folder.path().join("s")));
        assert!(all.run("s").is_none() && all.run("../a").is_none() && all.study("a").is_none());
        let path = folder.path().join("b");
        let some =
            Catalogue::new(folder.path().to_owned(), &["s".into(), path, "b".into()]).unwrap();
        assert_eq!(names(&some), ["s/hgpo/9", "s/hgpo/10", "b"]);
        let refused = Catalogue::new(folder.path().to_owned(), &["notes.txt".into()]).unwrap_err();
        assert!(refused.to_string().starts_with("notes.txt: neither a run"), "{refused}");
    }
}
