//! Runs folder, which `HGPO_RUNS` names.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::run::{RunDirectory, RunError};

/// The variable that names the folder of runs.
const VARIABLE: &str = "HGPO_RUNS";

/// The folder of runs and studies: what `HGPO_RUNS` names, or `runs` in the working directory.
pub(crate) fn runs_folder() -> PathBuf {
    folder_from(std::env::var_os(VARIABLE))
}

fn folder_from(variable: Option<OsString>) -> PathBuf {
    variable.filter(|value| !value.is_empty()).map_or_else(|| PathBuf::from("runs"), PathBuf::from)
}

/// Finds a run by its folder or by its name in the folder of runs.
///
/// # Errors
/// There is no such run.
pub(crate) fn find_run(name: &str) -> Result<RunDirectory, RunError> {
    RunDirectory::find(&runs_folder(), name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_variables_count_as_unset() {
        assert_eq!(folder_from(None), PathBuf::from("runs"));
        assert_eq!(folder_from(Some(OsString::new())), PathBuf::from("runs"));
        assert_eq!(folder_from(Some("elsewhere/r".into())), PathBuf::from("elsewhere/r"));
    }
}
