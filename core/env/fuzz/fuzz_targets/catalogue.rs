//! Files of a shop: a byte that says where the products end and the instructions begin, then both. They
//! are refused in a line, or read, and then goals are drawn and the first ones looked at and bought. Kept
//! in a file, they are the same products.
#![no_main]

use std::io::Cursor;
use std::sync::Arc;

use hgpo_env::files::Bytes;
use hgpo_env::random::{Purpose, Stream};
use hgpo_env::webshop::catalogue::{Catalogue, ReadError, store};
use hgpo_env::webshop::goals::Wanted;
use hgpo_env::webshop::reward::Nouns;
use hgpo_env::webshop::{Session, Shop, Telling};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Some((&place, files)) = bytes.split_first() else { return };
    let (products, instructions) = files.split_at(files.len() * usize::from(place) / 256);
    let mut catalogue = match Catalogue::read(products) {
        Ok(catalogue) => catalogue,
        Err(ReadError::Broken(at)) => {
            let byte = at.byte.expect("it is known") as usize;
            return assert!(at.line > 0 && at.column > 0 && byte <= products.len());
        }
        Err(ReadError::Read(error)) => panic!("{error}"),
    };
    // A product may have more combinations of options than a fuzzer has memory for.
    let values = |product: &hgpo_env::webshop::catalogue::Product| {
        product.options.iter().map(|(_, values)| values.len()).product::<usize>()
    };
    if catalogue.products().map(|product| values(&product)).sum::<usize>() > 10_000 {
        return;
    }
    let is_read = catalogue.read_instructions(instructions).is_ok();
    let kept = store(products, instructions, 0, Cursor::new(Vec::new()));
    assert_eq!(kept.is_ok(), is_read);
    if let Ok((file, _)) = kept {
        let kept = Catalogue::open(Bytes::new(file.into_inner()), Some(0)).expect("it is whole");
        assert!(catalogue.products().eq(kept.products()));
    }
    let Ok(shop) = Shop::new(Arc::new(catalogue), Nouns::default(), Wanted::Synthetic, 7) else {
        return;
    };
    let shop = Arc::new(shop);
    let mut chance = Stream::new(0, Purpose::Sampling, [0, 0]).chance();
    for goal in 0..shop.goals().len().min(4) {
        let mut visit = Session::new(shop.clone(), goal).expect("it is among them");
        visit.act(&format!("search[{}]", visit.goal().instruction), &mut chance);
        for step in 0..8 {
            let clickables = visit.clickables();
            let Some(what) = clickables.get(step * 5 % clickables.len().max(1)) else { break };
            visit.act(&format!("click[{what}]"), &mut chance);
            assert!(visit.render(Telling::Text).len() + visit.render(Telling::TextRich).len() > 0);
        }
        if let Some(reward) = visit.reward() {
            assert!((0.0..=1.0).contains(&reward.score));
        }
    }
});
