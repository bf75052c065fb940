//! Tied output heads: the embedding is the head, and files may hold the head as well.

use super::layout::{self, EMBEDDING, HEAD};
use super::{Checkpoint, Description, ModelError, Spec};

impl Checkpoint {
    /// Checks that a head in the files of a model whose embedding is its head is that embedding. If it is
    /// another one, transformers 4 leaves it out and transformers 5 uses it: two different models.
    ///
    /// # Errors
    /// The head has other values, or another shape; one of the two cannot be read.
    pub(super) fn check_tied_head(&self, description: &Description) -> Result<(), ModelError> {
        if !description.model.tie_word_embeddings || !self.holds(HEAD) {
            return Ok(());
        }
        let Some(embedding) =
            layout::tensors(description).into_iter().find(|it| it.name == EMBEDDING)
        else {
            return Ok(());
        };
        let head = Spec { name: HEAD.to_owned(), ..embedding.clone() };
        let own = self.rows(&head, description).map_err(|error| error.of_vocabulary(&head))?;
        if own.same_values(&self.rows(&embedding, description)?) {
            return Ok(());
        }
        Err(ModelError::TiedHead { file: self.file_of(HEAD).to_owned() })
    }
}
