//! Regular files, told from pipes, sockets and devices.

use std::fs::{self, FileType};
use std::io::{self, ErrorKind};
use std::path::Path;

/// Refuses what is not a regular file once links are followed. To open a named pipe means to wait until somebody
/// writes into it, which may be never; a device may have no end.
///
/// # Errors
/// There is none, or it is something else; the error says what.
pub fn check_regular(path: &Path) -> io::Result<()> {
    let kind = fs::metadata(path)?.file_type();
    if kind.is_file() {
        return Ok(());
    }
    let error = if kind.is_dir() { ErrorKind::IsADirectory } else { ErrorKind::InvalidInput };
    Err(io::Error::new(error, format!("it is {}, not a regular file", name(kind))))
}

/// The bytes of a regular file on disk.
///
/// # Errors
/// Those of [`check_regular`] and [`super::read`].
pub fn read_regular(path: &Path) -> io::Result<Vec<u8>> {
    check_regular(path)?;
    super::read(path)
}

#[cfg(unix)]
fn name(kind: FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt as _;
    if kind.is_dir() {
        "a folder"
    } else if kind.is_fifo() {
        "a named pipe"
    } else if kind.is_socket() {
        "a socket"
    } else {
        "a device"
    }
}

#[cfg(not(unix))]
fn name(kind: FileType) -> &'static str {
    if kind.is_dir() { "a folder" } else { "a device" }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn pipes_devices_and_folders_are_refused_without_waiting() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("file"), "text").unwrap();
        std::os::unix::fs::symlink(at("file"), at("link")).unwrap();
        assert_eq!(read_regular(&at("link")).unwrap(), b"text");
        assert_eq!(read_regular(&at("none")).unwrap_err().kind(), ErrorKind::NotFound);
        let made = std::process::Command::new("mkfifo").arg(at("pipe")).status();
        assert!(made.unwrap().success());
        let refused = |path: &Path| read_regular(path).unwrap_err().to_string();
        assert_eq!(refused(&at("pipe")), "it is a named pipe, not a regular file");
        assert_eq!(refused(folder.path()), "it is a folder, not a regular file");
        assert_eq!(refused(Path::new("/dev/zero")), "it is a device, not a regular file");
    }
}
