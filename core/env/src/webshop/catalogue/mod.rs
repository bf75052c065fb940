//! The products of a shop: one table, which all episodes share.

mod instructions;
mod pricing;
mod product;
mod read;

use std::collections::HashMap;
use std::io::Read;

use serde_json::Error;

pub use self::product::{HumanInstruction, Product};
use crate::random::python::Random;

/// All products, in the order of the file.
#[derive(Clone, Debug, Default)]
pub struct Catalogue {
    products: Vec<Product>,
    places: HashMap<String, u32>,
}

impl Catalogue {
    /// Reads products (`items_shuffle*.json`), one after the other. As in the original, those whose
    /// number (ASIN) occurred before, is longer than ten characters or is `nan` are left out.
    ///
    /// # Errors
    /// Says at which line and column the file is broken, or which field of which product is missing.
    pub fn read(file: impl Read) -> Result<Self, Error> {
        let mut catalogue = Self::default();
        read::products(file, &mut |product| catalogue.push(product))?;
        Ok(catalogue)
    }

    /// Products that are at hand, in their order; those that are left out of files are left out here.
    ///
    /// # Errors
    /// Where there are more than can be counted.
    pub fn of(products: impl IntoIterator<Item = Product>) -> Result<Self, String> {
        let mut catalogue = Self::default();
        products.into_iter().try_for_each(|product| catalogue.push(product))?;
        Ok(catalogue)
    }

    fn push(&mut self, product: Product) -> Result<(), String> {
        let too_many = || "more products than can be counted".to_owned();
        let place = u32::try_from(self.products.len()).map_err(|_| too_many())?;
        let is_number = product.asin != "nan" && product.asin.chars().count() <= 10;
        if is_number && !self.places.contains_key(&product.asin) {
            self.places.insert(product.asin.clone(), place);
            self.products.push(product);
        }
        Ok(())
    }

    /// Reads what is wanted of products, as programs wrote it (`items_ins_v2*.json`). Products that the
    /// file does not name have no attributes that could be matched.
    ///
    /// # Errors
    /// As for products.
    pub fn read_instructions(&mut self, file: impl Read) -> Result<(), Error> {
        instructions::read(file, &mut |asin: &str, read: instructions::Instruction| {
            if let Some(product) = self.product_mut(asin) {
                product.attributes = read.attributes.unwrap_or_else(product::no_attributes);
                product.instruction = read.text;
                product.instruction_attributes = read.wanted.unwrap_or_default();
            }
        })
    }

    /// Reads what people wrote of products (`items_human_ins.json`).
    ///
    /// # Errors
    /// As for products.
    pub fn read_human_instructions(&mut self, file: impl Read) -> Result<(), Error> {
        instructions::read(file, &mut |asin: &str, read: Vec<HumanInstruction>| {
            if let Some(product) = self.product_mut(asin) {
                product.human = read;
            }
        })
    }

    fn product_mut(&mut self, asin: &str) -> Option<&mut Product> {
        let place = self.find(asin)?;
        self.products.get_mut(place as usize)
    }

    /// The products.
    #[must_use]
    pub fn products(&self) -> &[Product] {
        &self.products
    }

    /// The product of this number (ASIN): its place.
    #[must_use]
    pub fn find(&self, asin: &str) -> Option<u32> {
        self.places.get(asin).copied()
    }

    /// What every product costs when it is bought: its price, or one between its lowest and highest,
    /// drawn in the order of products.
    #[must_use]
    pub fn prices(&self, random: &mut Random) -> Vec<f64> {
        let price = |product: &Product| match *product.prices {
            [low, high, ..] => random.uniform(low, high),
            [price] => price,
            [] => pricing::UNPRICED,
        };
        self.products.iter().map(price).collect()
    }
}
