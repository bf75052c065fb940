//! Models on disk.

use std::path::Path;

use hgpo_env::files::Folder;

use super::{Checkpoint, Description, ModelError};

impl Checkpoint {
    /// Opens the model in a Hugging Face model folder, or in a GGUF file.
    ///
    /// # Errors
    /// As [`Self::find`].
    pub fn open(path: &Path) -> Result<Self, ModelError> {
        let (files, name) = Folder::around(path);
        Self::find(&files, &name)
    }

    /// What the model in a Hugging Face model folder or a GGUF file looks like; weights are not needed.
    ///
    /// # Errors
    /// As [`Self::describe`].
    pub fn description_in(path: &Path) -> Result<Description, ModelError> {
        let (files, name) = Folder::around(path);
        Self::describe(&files, &name)
    }
}
