//! Folders of exports: files that this wrote may be written again, those of others not.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::ReportError;
use crate::report_file;

/// The list of what was written to a folder.
const LIST: &str = "hgpo-report.txt";

/// Writes files, each by its folder, name and content; how many they are. Nothing is written if one of them may not be.
///
/// # Errors
/// A file of somebody else is in the place of one of them, or one cannot be written.
pub(super) fn write(
    files: &[(PathBuf, String, Vec<u8>)],
    force: bool,
) -> Result<usize, ReportError> {
    let mut folders: BTreeMap<PathBuf, BTreeSet<String>> = BTreeMap::new();
    for (folder, name, _) in files {
        folders.entry(folder.clone()).or_default().insert(name.clone());
    }
    for (folder, names) in &mut folders {
        let known = listed(folder);
        let is_foreign = |name: &&String| !known.contains(*name) && folder.join(name).exists();
        if let Some(name) = names.iter().find(is_foreign).filter(|_| !force) {
            return Err(ReportError::ExistsInFolder(folder.join(name)));
        }
        names.extend(known);
    }
    for (folder, names) in &folders {
        fs::create_dir_all(folder)
            .map_err(|source| ReportError::Write { path: folder.clone(), source })?;
        // First, so that a second call after a full disk finds its own.
        let list: String = names.iter().map(|name| name.to_owned() + "\n").collect();
        report_file::write(&folder.join(LIST), list.as_bytes())?;
    }
    for (folder, name, content) in files {
        report_file::write(&folder.join(name), content)?;
    }
    Ok(files.len())
}

/// What was written to a folder before.
fn listed(folder: &Path) -> BTreeSet<String> {
    let list = fs::read_to_string(folder.join(LIST)).unwrap_or_default();
    list.lines().map(str::to_owned).collect()
}
