//! Indexes of shops: bytes that get a head of the right length and digest. They are refused, or opened and
//! searched, and whatever product is in them is looked at.
#![no_main]

use hgpo_env::files::Bytes;
use hgpo_env::webshop::catalogue::Catalogue;
use hgpo_env::webshop::seal;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    // As it is, it would have to have its digest by chance.
    let mut sealed = bytes.to_vec();
    seal(&mut sealed);
    let Ok(catalogue) = Catalogue::open(Bytes::new(sealed), None) else { return };
    assert!(catalogue.len() <= bytes.len());
    for place in (0..catalogue.len() as u32).take(8) {
        let product = catalogue.product(place).expect("it is among them");
        assert!(product.searched_text().len() <= 64 * bytes.len());
        assert!(catalogue.outline(place).is_some());
        let _ = catalogue.find(&product.asin);
        let _ = (catalogue.of_category(&product.category), catalogue.of_query(&product.query));
    }
    let Ok(index) = catalogue.index() else { return };
    for query in ["lamp", "it shines red lamp lamp", "one size small", "the"] {
        let hits = index.search(query, 5);
        assert!(hits.len() <= 5 && hits.len() <= index.documents());
        assert!(hits.windows(2).all(|pair| pair[0].score.total_cmp(&pair[1].score).is_ge()));
    }
});
