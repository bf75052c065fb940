//! Shop loader, from the files of the data.

use std::io::ErrorKind;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use rapidhash::v3::rapidhash_v3;

use super::catalogue::{Catalogue, ReadError};
use super::goals::Wanted;
use super::index_cache::{self, Source};
use super::reward::Nouns;
use super::{Shop, ShopError};
use crate::files::{Files, READ_WHOLE, ReadSeek, length, sampled};
use crate::search::index_file::with_piece;

/// The products, with the words of messages for them.
const PRODUCTS: (&str, &str) = ("items_shuffle", "items_shuffle*.json (the products)");
/// What is wanted of them, as a program wrote it.
const INSTRUCTIONS: (&str, &str) = ("items_ins_v2", "items_ins_v2*.json (the instructions)");
/// What people wrote.
const HUMAN: (&str, &str) =
    ("items_human_ins", "items_human_ins.json (the instructions of people)");
/// The nouns of titles, which may be missing.
const NOUNS: &str = "noun_tokens_by_title.json";
/// What the name of an index ends in.
const INDEX: &str = ".index";

/// What tells shops apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Key {
    /// The digest of all files.
    files: u64,
    wanted: Wanted,
    seed: u64,
}

/// The shops of this process that are in use.
static OPEN: Mutex<Vec<(Key, Weak<Shop>)>> = Mutex::new(Vec::new());

/// Opens the shop in a folder: products (`items_shuffle*.json`), what is wanted of them
/// (`items_ins_v2*.json`, `items_human_ins.json`) and, if it is there, the nouns of titles
/// (`noun_tokens_by_title.json`). Of several files with products the first by name is taken, and so of the
/// others: in the release, that with 1,000 comes after that with all, so keep only one of them there.
///
/// A shop that is open in this process already is shared. Products of more than 64 MiB stay in a file: the
/// index, which is made if there is none (`items_shuffle*.index` beside them, by [`Files::create`]). It
/// holds what is wanted of them as well, and is enough by itself if their files are gone.
///
/// # Errors
/// Says which file is missing, or what is wrong with it, and where.
pub fn open(files: &dyn Files, wanted: Wanted, seed: u64) -> Result<Arc<Shop>, ShopError> {
    let folder = Folder::list(files)?;
    let human = if wanted == Wanted::Human { Some(folder.named(HUMAN)?) } else { None };
    let nouns = folder.present.iter().any(|it| it == NOUNS).then_some(NOUNS);
    let stock = folder.stock()?;
    let mut digests = vec![stock.digest];
    for name in [human, nouns] {
        digests.push(name.map_or(Ok(0), |name| folder.digest(name))?);
    }
    let key = Key { files: together(&digests), wanted, seed };
    // Whoever else wants it waits, and shares it.
    let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
    open.retain(|(_, shop)| shop.strong_count() > 0);
    let known = open.iter().find(|(other, _)| *other == key);
    if let Some(shop) = known.and_then(|(_, shop)| shop.upgrade()) {
        return Ok(shop);
    }
    let mut catalogue = (stock.open)()?;
    if let Some(human) = human {
        folder.parse(human, |file| catalogue.read_human_instructions(file))?;
    }
    let nouns = nouns
        .map_or(Ok(Nouns::default()), |name| folder.parse(name, |file| Ok(Nouns::read(file)?)))?;
    let shop = Arc::new(Shop::new(Arc::new(catalogue), nouns, wanted, seed)?);
    open.push((key, Arc::downgrade(&shop)));
    Ok(shop)
}

/// Products that are still to be opened.
struct Products<'a> {
    /// The digest of their files.
    digest: u64,
    open: Box<dyn FnOnce() -> Result<Catalogue, ShopError> + 'a>,
}

/// Files, and what is among them.
struct Folder<'a> {
    files: &'a dyn Files,
    present: Vec<String>,
}

impl<'a> Folder<'a> {
    fn list(files: &'a dyn Files) -> Result<Self, ShopError> {
        let listed = files.list("").map_err(ShopError::opening(files, ""))?;
        let mut present: Vec<String> = listed.into_iter().map(|it| it.name).collect();
        present.sort_unstable();
        Ok(Self { files, present })
    }

    fn first(&self, begin: &str, end: &str) -> Option<&str> {
        let is_it = |it: &&String| it.strip_suffix(end).is_some_and(|name| name.starts_with(begin));
        self.present.iter().find(is_it).map(String::as_str)
    }

    fn named(&self, (begin, what): (&str, &'static str)) -> Result<&str, ShopError> {
        let missing = || ShopError::Missing { what, folder: self.files.place("") };
        self.first(begin, ".json").ok_or_else(missing)
    }

    fn read(&self, name: &str) -> Result<Box<dyn ReadSeek>, ShopError> {
        self.files.open(name).map_err(ShopError::opening(self.files, name))
    }

    fn parse<T>(
        &self,
        name: &str,
        parse: impl FnOnce(Box<dyn ReadSeek>) -> Result<T, ReadError>,
    ) -> Result<T, ShopError> {
        let wrong = |error| ShopError::Read { file: self.files.place(name), error };
        parse(self.read(name)?).map_err(wrong)
    }

    /// A digest of what tells a file from others ([`sampled`]): whether it is still the same.
    fn digest(&self, name: &str) -> Result<u64, ShopError> {
        let mut digest = 0;
        sampled(&mut *self.read(name)?, |piece| digest = with_piece(digest, piece))
            .map_err(ShopError::opening(self.files, name))?;
        Ok(digest)
    }

    fn length(&self, name: &str) -> Result<u64, ShopError> {
        length(&mut *self.read(name)?).map_err(ShopError::opening(self.files, name))
    }

    /// The products: in an index alone, in files that are read whole, or in files of which there is to be an index.
    fn stock(&self) -> Result<Products<'_>, ShopError> {
        let products = match (self.named(PRODUCTS), self.first(PRODUCTS.0, INDEX)) {
            (Err(_), Some(index)) => {
                let missing = || ShopError::opening(self.files, index)(ErrorKind::NotFound.into());
                let open = index_cache::opened(self.files, index, None)?.ok_or_else(missing)?;
                return Ok(Products { digest: open.origin(), open: Box::new(|| Ok(open)) });
            }
            (products, _) => products?,
        };
        let instructions = self.named(INSTRUCTIONS)?;
        let of_products = self.length(products)?;
        let digest = together(&[self.digest(products)?, self.digest(instructions)?]);
        let length = of_products + self.length(instructions)?;
        if of_products > READ_WHOLE {
            let source = Source { products, instructions, digest, length };
            let index = format!("{}{INDEX}", products.strip_suffix(".json").unwrap_or(products));
            let open = move || index_cache::catalogue(self.files, &index, source);
            return Ok(Products { digest, open: Box::new(open) });
        }
        let open = move || {
            let mut catalogue = self.parse(products, Catalogue::read)?;
            self.parse(instructions, |file| catalogue.read_instructions(file))?;
            Ok(catalogue)
        };
        Ok(Products { digest, open: Box::new(open) })
    }
}

/// The digest of several.
fn together(digests: &[u64]) -> u64 {
    let bytes: Vec<u8> = digests.iter().flat_map(|it| it.to_le_bytes()).collect();
    rapidhash_v3(&bytes)
}
