//! Writer of products and their index: one product after the other, of which only what all have in
//! common stays in memory.

use std::collections::HashMap;
use std::io::{self, Read, Seek, Write};

use indexmap::IndexSet;

use super::error::ReadError;
use super::file_catalogue::ROW;
use super::instructions::{self, Instruction};
use super::{Product, binary_record, is_number, next_place, products_file};
use crate::search::IndexBuilder;
use crate::search::index_file::{Counts, IndexWriter, Section};

/// Why a file of products could not be written.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The products cannot be read.
    #[error("{0}")]
    Products(#[from] ReadError),
    /// What is wanted of them cannot be read.
    #[error("{0}")]
    Instructions(ReadError),
    /// The file cannot be written.
    #[error("{0}")]
    Write(#[from] io::Error),
}

/// What was read and left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stock {
    /// Products that are kept.
    pub products: u64,
    /// Products whose numbers occurred before, or are none.
    pub left_out: u64,
}

/// Writes the products of a file, with what is wanted of them and their index, into a file that
/// [`super::Catalogue::open`] opens; `origin` is a digest of both files, which it keeps.
///
/// # Errors
/// Which of the files cannot be read or written, and why.
pub fn store<W: Write + Seek>(
    products: impl Read,
    wanted: impl Read,
    origin: u64,
    to: W,
) -> Result<(W, Stock), StoreError> {
    let mut file = IndexWriter::new(to)?;
    let mut index = IndexBuilder::default();
    let mut places: HashMap<String, u32> = HashMap::new();
    // Texts that many products have in common, by their first use.
    let (mut categories, mut queries) = (IndexSet::new(), IndexSet::new());
    let (mut table, mut combinations) = (Vec::new(), Vec::new());
    let (mut bytes, mut stock) = (Vec::new(), Stock::default());

    file.begin(Section::Products);
    products_file::products::<StoreError>(products, &mut |product: Product| {
        let place = next_place(places.len())?;
        if !is_number(&product.asin) || places.contains_key(&product.asin) {
            stock.left_out += 1;
            return Ok(());
        }
        stock.products += 1;
        let outline = product.outline();
        let prices = [outline.lowest, outline.highest.unwrap_or(f64::NAN)].map(f64::to_bits);
        for number in [file.within(), 0].into_iter().chain(prices) {
            table.extend(number.to_le_bytes());
        }
        table.extend(0_u32.to_le_bytes());
        combinations.push(product.combinations());
        index.add(&product.searched_text());
        bytes.clear();
        binary_record::product(&product, &mut bytes);
        file.put(&bytes)?;
        let (category, _) = categories.insert_full(product.category);
        let (query, _) = queries.insert_full(product.query);
        table.extend((category as u32).to_le_bytes());
        table.extend((query as u32).to_le_bytes());
        places.insert(product.asin, place);
        Ok(())
    })?;

    file.begin(Section::Instructions);
    let mut failed = None;
    let read = instructions::read(wanted, &mut |asin: &str, wanted: Instruction| {
        let Some(&place) = places.get(asin) else { return true };
        let mut product = Product::default();
        wanted.give(&mut product);
        let row = &mut table[place as usize * ROW..][..ROW];
        let goals = product.has_goals().then(|| combinations[place as usize].saturating_add(1));
        row[8..16].copy_from_slice(&(file.within() + 1).to_le_bytes());
        row[32..36].copy_from_slice(&goals.unwrap_or(0).to_le_bytes());
        bytes.clear();
        binary_record::instruction(&product, &mut bytes);
        failed = file.put(&bytes).err();
        failed.is_none()
    });
    if let Some(error) = failed {
        return Err(error.into());
    }
    read.map_err(StoreError::Instructions)?;

    file.begin(Section::Table);
    file.put(&table)?;
    drop((table, combinations));
    for (section, texts) in [(Section::Categories, categories), (Section::Queries, queries)] {
        bytes.clear();
        binary_record::texts(&Vec::from_iter(texts), &mut bytes);
        file.begin(section);
        file.put(&bytes)?;
    }
    let names = places.iter().map(|(name, &place)| (&**name, place)).collect();
    let length = index.write(names, &mut file)?;
    Ok((file.finish(Counts { length, origin })?, stock))
}
