//! Actions as agents write them, one a line, in a shop of our own: what is possible is carried out, and
//! everything else changes nothing.
#![no_main]

use std::sync::{Arc, OnceLock};

use hgpo_env::random::{Purpose, Stream};
use hgpo_env::webshop::catalogue::Catalogue;
use hgpo_env::webshop::goals::Wanted;
use hgpo_env::webshop::reward::Nouns;
use hgpo_env::webshop::{Action, Session, Shop, Telling};
use libfuzzer_sys::fuzz_target;

const PRODUCTS: &str = r#"[{"asin": "A1", "name": "Lamp", "full_description": "It shines.",
    "small_description": ["done", "item_page"], "pricing": "$10$20", "category": "home", "query": "lamps",
    "product_category": "Home", "customization_options": {"Color": [{"value": "red"}, {"value": "features"}],
    "Size": [{"value": "red"}, {"value": "\"a\" é"}]}}]"#;
const INSTRUCTIONS: &str = r#"{"A1": {"attributes": ["bright"], "instruction": "Find a lamp",
    "instruction_attributes": ["bright"]}}"#;

fn shop() -> Arc<Shop> {
    static SHOP: OnceLock<Arc<Shop>> = OnceLock::new();
    let open = || {
        let mut catalogue = Catalogue::read(PRODUCTS.as_bytes()).expect("products");
        catalogue.read_instructions(INSTRUCTIONS.as_bytes()).expect("instructions");
        let shop = Shop::new(Arc::new(catalogue), Nouns::default(), Wanted::Synthetic, 0);
        Arc::new(shop.expect("goals"))
    };
    SHOP.get_or_init(open).clone()
}

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let mut chance = Stream::new(0, Purpose::Sampling, [0, 0]).chance();
    let mut visit = Session::new(shop(), 0).expect("there are goals");
    for line in text.lines().take(16) {
        let before = (visit.render(Telling::TextRich), visit.clickables());
        let possible = visit.act(line, &mut chance);
        assert!(possible || (visit.render(Telling::TextRich), visit.clickables()) == before);
        assert!(!possible || Action::parse(line).is_some());
    }
});
