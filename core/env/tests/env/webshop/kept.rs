//! Products that stay in a file: the same shop as in memory, and files that are refused.

use super::stock::Stock;

use std::collections::BTreeMap;
use std::io::{self, Cursor, Read};
use std::sync::Arc;

use hgpo_env::files::{Bytes, Files, ListedFile, MemoryFiles, ReadSeek};
use hgpo_env::random::{Purpose, Stream};
use hgpo_env::webshop::catalogue::{Catalogue, ReadError, StoreError, store};
use hgpo_env::webshop::goals::Wanted;
use hgpo_env::webshop::reward::Nouns;
use hgpo_env::webshop::{IndexError, Session, Shop, Telling, open, seal};
use proptest::prelude::*;

/// Products and what is wanted of them.
fn written(count: usize) -> (Vec<u8>, Vec<u8>) {
    let (mut products, mut wanted) = (Vec::new(), Vec::new());
    Stock::new(3).write(count, 2, &mut products, &mut wanted).unwrap();
    (products, wanted)
}

fn indexed(products: &[u8], wanted: &[u8]) -> Vec<u8> {
    store(products, wanted, 5, Cursor::new(Vec::new())).unwrap().0.into_inner()
}

#[test]
fn a_shop_in_a_file_is_the_shop_in_memory() {
    let (products, wanted) = written(300);
    let human = br#"{"B000000000": [{"instruction": "one.", "instruction_attributes": ["x"],
        "instruction_options": []}], "none": []}"#;
    let mut held = Catalogue::read(&*products).unwrap();
    held.read_instructions(&*wanted).unwrap();
    let mut kept = Catalogue::open(Bytes::new(indexed(&products, &wanted)), Some(5)).unwrap();
    for catalogue in [&mut held, &mut kept] {
        catalogue.read_human_instructions(&human[..]).unwrap();
    }
    assert_eq!((held.len(), kept.len()), (300, 300));
    for (place, (one, other)) in (0..).zip(held.products().zip(kept.products())) {
        assert_eq!(one, other);
        assert_eq!(held.outline(place), kept.outline(place));
        assert_eq!(kept.find(&one.asin), Some(place));
    }
    assert!(kept.product(300).is_none() && kept.find("none").is_none());
    assert_eq!(held.of_category("beauty"), kept.of_category("beauty"));
    let query = held.product(7).unwrap().query.clone();
    assert_eq!(held.of_query(&query), kept.of_query(&query));
    assert!(kept.of_query(&query).contains(&7) && kept.of_query("none").is_empty());

    let shops = [held, kept].map(|catalogue| {
        let shop = Shop::new(Arc::new(catalogue), Nouns::default(), Wanted::Synthetic, 3);
        Arc::new(shop.unwrap())
    });
    assert_eq!(shops[0].goals().len(), shops[1].goals().len());
    for goal in 0..40 {
        let mut visits = shops.each_ref().map(|shop| Session::new(shop.clone(), goal).unwrap());
        let searches = [
            "bak cak".into(),
            visits[0].goal().instruction.clone(),
            "<c> garden".into(),
            "<r>".into(),
        ];
        let search = &searches[goal % 4];
        let told = visits.each_mut().map(|visit| {
            let mut chance = Stream::new(goal as u64, Purpose::Sampling, [0, 0]).chance();
            visit.act(&format!("search[{search}]"), &mut chance);
            for click in ["next >", "< prev"] {
                visit.act(&format!("click[{click}]"), &mut chance);
            }
            for _ in 0..2 {
                let last = visit.clickables().pop().unwrap_or_default();
                visit.act(&format!("click[{last}]"), &mut chance);
            }
            let told = visit.render(Telling::TextRich);
            visit.act("click[buy now]", &mut chance);
            (told, visit.reward())
        });
        assert_eq!(told[0], told[1]);
    }
}

#[test]
fn files_that_are_no_index_or_not_this_one_are_refused() {
    let (products, wanted) = written(20);
    let whole = indexed(&products, &wanted);
    let refused = |bytes: &[u8]| Catalogue::open(Bytes::new(bytes.to_vec()), None).err();
    assert_eq!(refused(&whole), None);
    for end in [0, 7, 40, whole.len() / 2, whole.len() - 1] {
        assert!(refused(&whole[..end]).is_some(), "{end}");
    }
    let cut = refused(&whole[..whole.len() - 1]).unwrap().to_string();
    assert!(cut.contains("it was cut short or added to"), "{cut}");
    assert!(matches!(refused(b"PK\x03\x04"), Some(IndexError::Other)));
    let mut other = whole.clone();
    other[8] = 9;
    assert_eq!(refused(&other), Some(IndexError::Version { found: 9 }));
    // Every bit counts; one of every 97 bytes is tried.
    for at in (0..whole.len()).step_by(97) {
        let mut flipped = whole.clone();
        flipped[at] ^= 1 << (at % 8);
        let is_spare = (12..16).contains(&at);
        assert_eq!(refused(&flipped).is_some(), !is_spare, "byte {at}");
    }
    let error = Catalogue::open(Bytes::new(whole.clone()), Some(6)).err();
    assert_eq!(error, Some(IndexError::Origin));
    // Sections that are not where they can be, in a file that says it is whole.
    let mut parts = whole.clone();
    let tail = parts.len() - 8 * 13;
    parts[tail..tail + 8].copy_from_slice(&u64::MAX.to_le_bytes());
    seal(&mut parts);
    assert_eq!(refused(&parts), Some(IndexError::Parts));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Whatever is in a file that says it is whole, nothing is found in it but by chance.
    #[test]
    fn damaged_files_that_say_they_are_whole_do_no_harm(
        places in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..40),
    ) {
        let (products, wanted) = written(12);
        let mut bytes = indexed(&products, &wanted);
        for (place, byte) in places {
            let at = place.index(bytes.len());
            bytes[at] = byte;
        }
        seal(&mut bytes);
        let Ok(catalogue) = Catalogue::open(Bytes::new(bytes), None) else { return Ok(()) };
        let _ = catalogue.find("B000000001");
        catalogue.products().for_each(|product| drop(product.searched_text()));
        let Ok(index) = catalogue.index() else { return Ok(()) };
        prop_assert!(index.search("bak cak dak bakcak", 50).len() <= 50);
    }

    /// A file of broken JSON is refused at the byte at which `serde_json` refuses it read as a whole.
    #[test]
    fn broken_files_are_refused_where_they_are_broken(
        place in any::<prop::sample::Index>(),
        byte in prop::sample::select(&b"{}[],:\"\\ \nx0"[..]),
        cut in any::<bool>(),
        step in 1_usize..50,
    ) {
        let (mut products, _) = written(3);
        let at = place.index(products.len());
        if cut { products.truncate(at) } else { products[at] = byte }
        let whole = serde_json::from_slice::<serde_json::Value>(&products);
        let read = Catalogue::read(Slow { bytes: &products, step });
        match (whole, read) {
            (Err(whole), Err(ReadError::Broken(read))) => {
                // What is missing or of another type is told before what is broken later on; so is a file that is another
                // value than a list, which it may be if a blank stands for the bracket.
                let told_before =
                    ["missing", "invalid type", "data did not", "price", "options", "a list of products"];
                let is_syntax = !told_before.iter().any(|it| read.problem.contains(it));
                if is_syntax {
                    let lines = products.split_inclusive(|&it| it == b'\n');
                    let before: usize = lines.take(whole.line() - 1).map(<[u8]>::len).sum();
                    // The byte that is wrong, or one beside it: `serde_json` counts otherwise in what it
                    // passes over.
                    let apart = read.byte.unwrap().abs_diff((before + whole.column()) as u64);
                    prop_assert!(apart <= 2, "{read} in place of {whole}");
                }
                let before = &products[..read.byte.unwrap() as usize];
                let lines = before.split(|&it| it == b'\n').count() as u64;
                prop_assert_eq!(read.line, lines);
            }
            (Err(whole), read) => prop_assert!(false, "{whole}, but {read:?}"),
            (Ok(_), _) => {}
        }
    }
}

/// A few bytes at a time.
struct Slow<'a> {
    bytes: &'a [u8],
    step: usize,
}

impl Read for Slow<'_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let length = self.step.min(to.len());
        self.bytes.read(&mut to[..length])
    }
}

/// Products of more than 64 MiB: the spaces between them count.
fn long() -> MemoryFiles {
    let (mut products, wanted) = written(30);
    let end = products.iter().rposition(|&it| it == b']').unwrap();
    products.splice(end..end, std::iter::repeat_n(b' ', 70 << 20));
    let files = [("items_shuffle.json", products), ("items_ins_v2.json", wanted)];
    MemoryFiles(files.map(|(name, bytes)| (name.to_owned(), bytes)).into())
}

#[test]
fn many_products_are_indexed_and_the_index_is_enough() {
    let files = long();
    let shop = open(&files, Wanted::Synthetic, 1).unwrap();
    // Nothing is kept in memory, but who opens it meanwhile shares it.
    assert!(Arc::ptr_eq(&shop, &open(&files, Wanted::Synthetic, 1).unwrap()));
    assert!(!Arc::ptr_eq(&shop, &open(&files, Wanted::Synthetic, 2).unwrap()));
    assert_eq!(shop.catalogue().len(), 30);

    let (products, wanted) = written(30);
    let index = ("items_shuffle.index".to_owned(), indexed(&products, &wanted));
    let alone = MemoryFiles(BTreeMap::from([index]));
    let other = open(&alone, Wanted::Synthetic, 1).unwrap();
    assert_eq!(shop.goals().len(), other.goals().len());
    assert_eq!(shop.goal(3), other.goal(3));
    let mut cut = alone.clone();
    cut.0.get_mut("items_shuffle.index").unwrap().pop();
    let error = open(&cut, Wanted::Synthetic, 1).unwrap_err().to_string();
    assert!(error.starts_with("items_shuffle.index: it has "), "{error}");
    assert!(error.ends_with("remove it, and it is made anew from the products"), "{error}");
}

/// Files that break off while they are read.
struct Broken(MemoryFiles);

impl Files for Broken {
    fn list(&self, folder: &str) -> io::Result<Vec<ListedFile>> {
        self.0.list(folder)
    }

    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        self.0.read(path)
    }

    fn open(&self, path: &str) -> io::Result<Box<dyn ReadSeek>> {
        let mut bytes = self.read(path)?;
        if path == "items_shuffle.json" {
            let middle = bytes.len().min(20_000);
            bytes[middle..middle + 9].fill(b'\n');
        }
        Ok(Box::new(Cursor::new(bytes)))
    }

    fn place(&self, path: &str) -> String {
        self.0.place(path)
    }
}

#[test]
fn what_is_broken_in_the_middle_is_told_with_its_place() {
    let error = open(&Broken(long()), Wanted::Synthetic, 0).unwrap_err().to_string();
    assert!(error.starts_with("items_shuffle.json: product "), "{error}");
    assert!(error.contains(" at line ") && error.contains("(byte 19999)"), "{error}");
}

/// On disk: the index is made, kept, refused if it is damaged, and reported if it is of other products.
#[cfg(feature = "files")]
#[test]
fn an_index_on_disk_is_made_once_and_checked() {
    use hgpo_env::files::Folder;
    use std::fs;

    let place = tempfile::tempdir().unwrap();
    for (name, bytes) in long().0 {
        fs::write(place.path().join(name), bytes).unwrap();
    }
    let files = Folder::new(place.path());
    let goal = |shop: Arc<Shop>| shop.goal(2).unwrap().instruction;
    let first = goal(open(&files, Wanted::Synthetic, 9).unwrap());
    let index = place.path().join("items_shuffle.index");
    let whole = fs::read(&index).unwrap();
    let made = fs::metadata(&index).unwrap().modified().unwrap();
    assert_eq!(goal(open(&files, Wanted::Synthetic, 9).unwrap()), first);
    assert_eq!(fs::metadata(&index).unwrap().modified().unwrap(), made);

    let refused = || open(&files, Wanted::Synthetic, 9).unwrap_err().to_string();
    let mut damaged = whole.clone();
    damaged[whole.len() / 3] ^= 4;
    for (bytes, problem) in [(&whole[..900], "cut short"), (&damaged, "its digest")] {
        fs::write(&index, bytes).unwrap();
        let error = refused();
        assert!(error.contains(problem) && error.ends_with("from the products"), "{error}");
    }
    fs::write(&index, whole).unwrap();
    assert_eq!(goal(open(&files, Wanted::Synthetic, 9).unwrap()), first);
    // A space more is another file.
    let products = place.path().join("items_shuffle.json");
    let mut other = fs::read(&products).unwrap();
    other.push(b' ');
    fs::write(&products, &other).unwrap();
    assert!(refused().contains("made from other files than those beside it"));
    // Broken products leave nothing behind.
    fs::remove_file(&index).unwrap();
    other.truncate(60_000);
    other.resize(70 << 20, b'{');
    fs::write(&products, &other).unwrap();
    let error = refused();
    assert!(error.contains("product ") && error.contains(" at line "), "{error}");
    let names = fs::read_dir(place.path()).unwrap().map(|it| it.unwrap().file_name());
    let mut names: Vec<_> = names.map(|it| it.into_string().unwrap()).collect();
    names.sort_unstable();
    assert_eq!(names, ["items_ins_v2.json", "items_shuffle.index.lock", "items_shuffle.json"]);
}

/// A disk that is full after some bytes.
struct Full(usize);

impl io::Write for Full {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0 == 0 {
            return Err(io::ErrorKind::StorageFull.into());
        }
        let written = bytes.len().min(self.0);
        self.0 -= written;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl io::Seek for Full {
    fn seek(&mut self, _to: io::SeekFrom) -> io::Result<u64> {
        Ok(0)
    }
}

#[test]
fn a_full_disk_is_an_error_wherever_it_happens() {
    let (products, wanted) = written(3000);
    let length = indexed(&products, &wanted).len();
    assert!(length > 2 << 20, "{length}");
    for room in [0, 31, 1 << 20, 2 << 20, length - 1] {
        let error = store(&*products, &*wanted, 0, Full(room)).err().unwrap();
        assert!(matches!(error, StoreError::Write(_)), "{room}: {error}");
    }
    // The head is written again, over the first.
    assert!(store(&*products, &*wanted, 0, Full(length + 32)).is_ok());
}
