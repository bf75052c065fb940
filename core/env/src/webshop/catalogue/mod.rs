//! Catalogue of a shop's products: one table, which all episodes share. A small one is held in memory;
//! a large one stays in a file, of which every product is read when it is looked at.

mod binary_record;
mod error;
mod file_catalogue;
mod file_writer;
mod instructions;
mod json_elements;
mod product;
mod products_file;

use std::borrow::Cow;
use std::io::{self, Read};

use indexmap::IndexMap;

pub use self::error::{Broken, ReadError};
use self::file_catalogue::Stored;
pub use self::file_writer::{Stock, StoreError, store};
pub use self::product::{HumanInstruction, Outline, Product};
use crate::files::Bytes;
use crate::random::python_random::PythonRandom;
use crate::search::Index;
use crate::search::IndexError;

/// All products, in the order of the file.
#[derive(Clone, Debug)]
pub struct Catalogue(Storage);

#[derive(Clone, Debug)]
enum Storage {
    InMemory(InMemory),
    Stored(Box<Stored>),
}

/// Products in memory, by their numbers.
type InMemory = IndexMap<String, Product>;

fn push(held: &mut InMemory, product: Product) -> Result<(), ReadError> {
    next_place(held.len())?;
    if is_number(&product.asin) {
        held.entry(product.asin.clone()).or_insert(product);
    }
    Ok(())
}

/// The place of the product after so many.
fn next_place(products: usize) -> io::Result<u32> {
    u32::try_from(products).map_err(|_| io::Error::other("more products than can be counted"))
}

/// Whether a product with this number is kept.
fn is_number(asin: &str) -> bool {
    asin != "nan" && asin.chars().count() <= 10
}

impl Catalogue {
    /// Reads products (`items_shuffle*.json`), one after the other. As in the original, those whose
    /// number (ASIN) occurred before, is longer than ten characters or is `nan` are left out.
    ///
    /// # Errors
    /// Says which product is wrong, at which line, column and byte, or that the file cannot be read.
    pub fn read(file: impl Read) -> Result<Self, ReadError> {
        let mut held = InMemory::default();
        products_file::products(file, &mut |product| push(&mut held, product))?;
        Ok(Self(Storage::InMemory(held)))
    }

    /// Products that are at hand, in their order; those that are left out of files are left out here.
    ///
    /// # Errors
    /// If there are more than can be counted.
    pub fn of(products: impl IntoIterator<Item = Product>) -> Result<Self, ReadError> {
        let mut held = InMemory::default();
        products.into_iter().try_for_each(|product| push(&mut held, product))?;
        Ok(Self(Storage::InMemory(held)))
    }

    /// Opens the products of an index, with what is wanted of them, where they are. If the digest of the
    /// files is given that it should be made from, it has to be that.
    ///
    /// # Errors
    /// What is wrong with the file.
    pub fn open(index: Bytes, origin: Option<u64>) -> Result<Self, IndexError> {
        Ok(Self(Storage::Stored(Box::new(Stored::open(index, origin)?))))
    }

    /// Reads what is wanted of products, as programs wrote it (`items_ins_v2*.json`). Products that the
    /// file does not name have no attributes that could be matched. An index knows what is wanted and
    /// reads nothing.
    ///
    /// # Errors
    /// Says at which line and column the file is broken, or that it cannot be read.
    pub fn read_instructions(&mut self, file: impl Read) -> Result<(), ReadError> {
        let Storage::InMemory(held) = &mut self.0 else { return Ok(()) };
        instructions::read(file, &mut |asin: &str, read: instructions::Instruction| {
            if let Some(product) = held.get_mut(asin) {
                read.give(product);
            }
            true
        })
    }

    /// Reads what people wrote of products (`items_human_ins.json`).
    ///
    /// # Errors
    /// As for instructions.
    pub fn read_human_instructions(&mut self, file: impl Read) -> Result<(), ReadError> {
        instructions::read(file, &mut |asin: &str, read: Vec<HumanInstruction>| {
            let Some(place) = self.find(asin) else { return true };
            match &mut self.0 {
                Storage::InMemory(held) => held[place as usize].human = read,
                Storage::Stored(stored) => drop(stored.human.insert(place, read)),
            }
            true
        })
    }

    /// How many products there are.
    #[must_use]
    pub fn len(&self) -> usize {
        match &self.0 {
            Storage::InMemory(held) => held.len(),
            Storage::Stored(stored) => stored.len(),
        }
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The product at a place.
    #[must_use]
    pub fn product(&self, place: u32) -> Option<Cow<'_, Product>> {
        match &self.0 {
            Storage::InMemory(held) => in_memory(held, place).map(Cow::Borrowed),
            Storage::Stored(stored) => stored.product(place).map(Cow::Owned),
        }
    }

    /// The products.
    pub fn products(&self) -> impl Iterator<Item = Cow<'_, Product>> {
        (0..self.len() as u32).filter_map(|place| self.product(place))
    }

    /// What goals are drawn by, of the product at a place.
    #[must_use]
    pub fn outline(&self, place: u32) -> Option<Outline> {
        match &self.0 {
            Storage::InMemory(held) => in_memory(held, place).map(Product::outline),
            Storage::Stored(stored) => stored.outline(place),
        }
    }

    /// What people want of the product at a place.
    #[must_use]
    pub fn human(&self, place: u32) -> &[HumanInstruction] {
        let human = match &self.0 {
            Storage::InMemory(held) => in_memory(held, place).map(|it| &it.human),
            Storage::Stored(stored) => stored.human.get(&place),
        };
        human.map_or(&[], Vec::as_slice)
    }

    /// The product of this number (ASIN): its place.
    #[must_use]
    pub fn find(&self, asin: &str) -> Option<u32> {
        match &self.0 {
            Storage::InMemory(held) => held.get_index_of(asin).map(|place| place as u32),
            Storage::Stored(stored) => stored.find(asin),
        }
    }

    /// The places of the products in a part of the shop.
    #[must_use]
    pub fn of_category(&self, category: &str) -> Vec<u32> {
        match &self.0 {
            Storage::InMemory(held) => such(held, |product| product.category == category),
            Storage::Stored(stored) => stored.of_category(category),
        }
    }

    /// The places of the products that a question found.
    #[must_use]
    pub fn of_query(&self, query: &str) -> Vec<u32> {
        match &self.0 {
            Storage::InMemory(held) => such(held, |product| product.query == query),
            Storage::Stored(stored) => stored.of_query(query),
        }
    }

    /// The index of what is searched in: that of its file, else one that is made now.
    ///
    /// # Errors
    /// If there are more terms than can be counted.
    pub fn index(&self) -> io::Result<Index> {
        match &self.0 {
            Storage::InMemory(held) => {
                Index::build(held.values().map(|it| (&*it.asin, it.searched_text())))
            }
            Storage::Stored(stored) => Ok(Index::new(stored.file.clone())),
        }
    }

    /// The digest of the files that its index was made from; 0 without one.
    pub(super) fn origin(&self) -> u64 {
        match &self.0 {
            Storage::InMemory(_) => 0,
            Storage::Stored(stored) => stored.file.counts.origin,
        }
    }

    /// What every product costs when it is bought: its price, or one between its lowest and highest,
    /// drawn in the order of products.
    #[must_use]
    pub fn prices(&self, random: &mut PythonRandom) -> Vec<f64> {
        let outlines = (0..self.len() as u32).filter_map(|place| self.outline(place));
        let price = |it: Outline| match it.highest {
            Some(highest) => random.uniform(it.lowest, highest),
            None => it.lowest,
        };
        outlines.map(price).collect()
    }
}

fn in_memory(held: &InMemory, place: u32) -> Option<&Product> {
    held.get_index(place as usize).map(|(_, product)| product)
}

fn such(held: &InMemory, is_such: impl Fn(&Product) -> bool) -> Vec<u32> {
    let products = (0..).zip(held.values());
    products.filter(|(_, product)| is_such(product)).map(|(place, _)| place).collect()
}
