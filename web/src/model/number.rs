//! Numbers as the page writes and reads them.

pub(crate) use hgpo_words::number::{plain, short, signed};

/// Every digit that tells the number from its neighbours, for programs that read the page.
pub(crate) fn exact(value: f64) -> String {
    value.to_string()
}
