//! Exports: what a report shows, as files for papers and for programs of others.

mod data;
mod folder;
mod latex;
mod pdf;

use std::cell::RefCell;
use std::path::PathBuf;

use crate::ReportError;
use crate::figure::standalone;
use crate::findings::Part;
use crate::page::key::Key;
use crate::page::section::Place;
use crate::page::table::Table;

/// Where exports go; none where nothing is wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExportFolders {
    /// Every figure as SVG and PDF.
    pub figures: Option<PathBuf>,
    /// Every table for LaTeX.
    pub latex: Option<PathBuf>,
    /// The numbers of arms, runs and curves as CSV.
    pub csv: Option<PathBuf>,
}

/// A figure that stands alone, as SVG.
pub(crate) struct Figure(String);

impl Figure {
    /// A drawing with its key, described by a sentence.
    pub(crate) fn new(drawing: &str, key: &Key, sentence: &str) -> Self {
        Self(standalone(drawing, key, sentence))
    }
}

/// What is collected while the page is made.
#[derive(Default)]
pub(crate) struct Exports {
    /// Whether figures are wanted, which have to be drawn once more.
    pub(crate) takes_figures: bool,
    figures: RefCell<Vec<(String, Figure)>>,
    tables: RefCell<Vec<(String, Table)>>,
}

impl Exports {
    pub(crate) fn new(folders: &ExportFolders) -> Self {
        Self { takes_figures: folders.figures.is_some(), ..Self::default() }
    }

    pub(crate) fn put_figure(&self, place: &Place<'_>, figure: Figure) {
        self.figures.borrow_mut().push((place.name(), figure));
    }

    pub(crate) fn put_table(&self, place: &Place<'_>, table: &Table) {
        self.tables.borrow_mut().push((place.name(), table.clone()));
    }

    /// Writes what was collected to the folders that are wanted; the number of files.
    ///
    /// # Errors
    /// A folder cannot be written, or holds files that this did not write and `force` does not give up.
    pub(crate) fn write(
        &self,
        folders: &ExportFolders,
        parts: &[Part<'_>],
        force: bool,
    ) -> Result<usize, ReportError> {
        let mut files: Vec<(PathBuf, String, Vec<u8>)> = Vec::new();
        if let Some(folder) = &folders.figures {
            for (name, Figure(svg)) in numbered(&self.figures.borrow()) {
                files.push((folder.clone(), format!("{name}.pdf"), pdf::pdf(svg)?));
                files.push((folder.clone(), format!("{name}.svg"), svg.clone().into_bytes()));
            }
        }
        if let Some(folder) = &folders.latex {
            for (name, table) in numbered(&self.tables.borrow()) {
                let text = latex::tabular(table).into_bytes();
                files.push((folder.clone(), format!("{name}.tex"), text));
            }
        }
        if let Some(folder) = &folders.csv {
            for (name, bytes) in data::files(parts)? {
                files.push((folder.clone(), name.to_owned(), bytes));
            }
        }
        folder::write(&files, force)
    }
}

/// Each with its name: the second of a name has a 2 after it, and so on.
fn numbered<T>(all: &[(String, T)]) -> impl Iterator<Item = (String, &T)> {
    all.iter().enumerate().map(|(at, (name, one))| {
        let earlier = all[..at].iter().filter(|(other, _)| other == name).count();
        let name = if earlier == 0 { name.clone() } else { format!("{name}-{}", earlier + 1) };
        (name, one)
    })
}
