//! File catalogue: products in a file, looked up one at a time.
//!
//! # Format
//! [`Section::Products`] and [`Section::Instructions`] have records, in any order. [`Section::Table`] has
//! for every product where its record begins (u64), where that of its instruction begins, plus 1, or 0 for
//! none (u64), its lowest and its highest price (f64, the second not a number if there is one price), how
//! many goals it has, plus 1, or 0 if it has no instruction (u32), and the places of its category and
//! its query in their lists (u32).

use std::collections::BTreeMap;

use super::binary_record::Reader;
use super::{HumanInstruction, Outline, Product, product};
use crate::files::Bytes;
use crate::search::index_file::{IndexError, IndexFile, Section, u32_at, u64_at};

/// Bytes of a product in its table.
pub(super) const ROW: usize = 44;

/// Most bytes of a record.
const LONGEST: usize = 1 << 26;

/// Products of a file.
#[derive(Clone, Debug)]
pub(super) struct Stored {
    pub(super) file: IndexFile,
    categories: Vec<String>,
    queries: Vec<String>,
    pub(super) human: BTreeMap<u32, Vec<HumanInstruction>>,
}

impl Stored {
    /// Opens a file, which was made from files of this digest, if one is given.
    pub(super) fn open(bytes: Bytes, origin: Option<u64>) -> Result<Self, IndexError> {
        let file = IndexFile::open(bytes)?;
        if origin.is_some_and(|origin| origin != file.counts.origin) {
            return Err(IndexError::Origin);
        }
        let texts = |section| Reader(file.section(section)).texts();
        let (categories, queries) = (texts(Section::Categories), texts(Section::Queries));
        Ok(Self { file, categories, queries, human: BTreeMap::new() })
    }

    fn rows(&self) -> &[[u8; ROW]] {
        self.file.section(Section::Table).as_chunks().0
    }

    pub(super) fn len(&self) -> usize {
        self.rows().len()
    }

    fn record(&self, section: Section, begin: u64) -> Reader<'_> {
        let from = usize::try_from(begin).ok().and_then(|at| self.file.section(section).get(at..));
        let record = from.unwrap_or_default();
        Reader(&record[..record.len().min(LONGEST)])
    }

    pub(super) fn product(&self, place: u32) -> Option<Product> {
        let row = self.rows().get(place as usize)?;
        let mut product = self.record(Section::Products, u64_at(row, 0)).product();
        match u64_at(row, 8).checked_sub(1) {
            Some(at) => self.record(Section::Instructions, at).instruct(&mut product),
            None => product.attributes = product::no_attributes(),
        }
        let Outline { lowest, highest, .. } = outline(row);
        product.prices = [lowest].into_iter().chain(highest).collect();
        let listed = |list: &[String], at| list.get(u32_at(row, at) as usize).cloned();
        product.category = listed(&self.categories, 36).unwrap_or_default();
        product.query = listed(&self.queries, 40).unwrap_or_default();
        product.human = self.human.get(&place).cloned().unwrap_or_default();
        Some(product)
    }

    pub(super) fn outline(&self, place: u32) -> Option<Outline> {
        self.rows().get(place as usize).map(outline)
    }

    /// The product of this number (ASIN), which the index's order leads to.
    pub(super) fn find(&self, asin: &str) -> Option<u32> {
        let (order, _) = self.file.section(Section::Order).as_chunks();
        let name = |place: u32| {
            let row = self.rows().get(place as usize);
            self.record(Section::Products, row.map_or(0, |row| u64_at(row, 0))).text()
        };
        let number = order.partition_point(|it| name(u32::from_le_bytes(*it)) < asin);
        let found = order.get(number).map(|it| u32::from_le_bytes(*it));
        found.filter(|&place| name(place) == asin)
    }

    pub(super) fn of_category(&self, category: &str) -> Vec<u32> {
        self.listed(&self.categories, category, 36)
    }

    pub(super) fn of_query(&self, query: &str) -> Vec<u32> {
        self.listed(&self.queries, query, 40)
    }

    /// The products that have this entry of a list in their rows.
    fn listed(&self, list: &[String], text: &str, at: usize) -> Vec<u32> {
        let Some(wanted) = list.iter().position(|it| it == text) else { return Vec::new() };
        let rows = (0..).zip(self.rows());
        let of = rows.filter(|(_, row)| u32_at(*row, at) as usize == wanted);
        of.map(|(place, _)| place).collect()
    }
}

fn outline(row: &[u8; ROW]) -> Outline {
    let highest = f64::from_bits(u64_at(row, 24));
    Outline {
        lowest: f64::from_bits(u64_at(row, 16)),
        highest: (!highest.is_nan()).then_some(highest),
        goals: u32_at(row, 32).checked_sub(1),
    }
}
