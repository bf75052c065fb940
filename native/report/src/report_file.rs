//! Report file, written atomically: nobody meets half of one.

use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::path::Path;

use tempfile::Builder;

use crate::ReportError;

/// What every report begins with: the sign that a file may be replaced by another report.
pub(crate) const SIGN: &str =
    "<!DOCTYPE html><html lang=\"en\"><head><meta name=\"generator\" content=\"hgpo report\">";

/// Refuses a place where something else is.
///
/// # Errors
/// There is a file that is no report, or a folder.
pub(crate) fn check(path: &Path, force: bool) -> Result<(), ReportError> {
    let write = |source| ReportError::Write { path: path.to_owned(), source };
    let Ok(known) = fs::metadata(path) else {
        return Ok(());
    };
    if known.is_dir() {
        return Err(write(std::io::ErrorKind::IsADirectory.into()));
    }
    // What is no file, as /dev/stdout is none, is neither read nor replaced.
    if force || !known.is_file() || known.len() == 0 {
        return Ok(());
    }
    let mut beginning = Vec::new();
    let file = File::open(path).map_err(write)?;
    file.take(SIGN.len() as u64).read_to_end(&mut beginning).map_err(write)?;
    if beginning == SIGN.as_bytes() { Ok(()) } else { Err(ReportError::Exists(path.to_owned())) }
}

/// Writes beside the place, waits until it is on the disk, and renames.
///
/// # Errors
/// It cannot be written; what was there is as it was.
pub(crate) fn write(path: &Path, text: &[u8]) -> Result<(), ReportError> {
    let refused = |source| ReportError::Write { path: path.to_owned(), source };
    if fs::metadata(path).is_ok_and(|known| !known.is_file()) {
        return fs::write(path, text).map_err(refused);
    }
    // A link stays one: what it leads to is replaced.
    let place = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let folder = match place.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut builder = Builder::new();
    builder.prefix(".report").suffix(".partial");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // As any new file, less what the process masks.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.tempfile_in(folder).map_err(refused)?;
    file.write_all(text).and_then(|()| file.as_file().sync_all()).map_err(refused)?;
    file.persist(&place).map_err(|error| refused(error.error))?;
    Ok(())
}
