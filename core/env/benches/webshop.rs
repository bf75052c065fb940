//! The shop of WebShop with 1,000 products, if it is present (`HGPO_ORACLE`).
//!
//! A visit searches, looks at a product and its parts, chooses, and buys; every page is told and what can
//! be clicked on it listed.
#![allow(missing_docs, reason = "criterion's macros")]
#![allow(clippy::unwrap_used, reason = "a benchmark stops where its ground is missing")]

#[path = "../tests/env/oracle/mod.rs"]
mod oracle;
#[path = "../../tests/reference_data/mod.rs"]
mod reference_data;

use std::fs::File;
use std::hint::black_box;
use std::sync::Arc;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use hgpo_env::random::{Purpose, Stream};
use hgpo_env::search::Index;
use hgpo_env::webshop::catalogue::Catalogue;
use hgpo_env::webshop::goals::Wanted;
use hgpo_env::webshop::reward::Nouns;
use hgpo_env::webshop::{Session, Shop, Telling};

/// Plays the plan of a goal, with a page about the product in between.
fn visit(shop: &Arc<Shop>, goal: usize, queries: &[&str]) -> usize {
    let mut chance = Stream::new(1, Purpose::Sampling, [0, 0]).chance();
    let mut visit = Session::new(shop.clone(), goal).unwrap();
    let product = shop.catalogue().product(visit.goal().product).unwrap();
    let link = format!("click[{}]", product.asin.to_lowercase());
    let query = format!("search[{}]", queries[goal % queries.len()]);
    let title = format!("search[{}]", product.title.replace(['[', ']'], " "));
    let ends = ["click[description]", "click[< prev]", "click[features]", "click[< prev]"];
    let actions = [&*query, "click[next >]", &*title, &*link].into_iter().chain(ends);
    let mut read = 0;
    for action in actions.chain(["click[buy now]"]) {
        visit.act(action, &mut chance);
        read += visit.render(Telling::Text).len() + black_box(visit.clickables()).len();
    }
    read
}

/// Actions of a visit.
const STEPS: u64 = 9;

fn webshop(c: &mut Criterion) {
    let Some(folder) = oracle::webshop() else { return };
    let open = |name: &str| File::open(folder.join(name)).unwrap();
    let read = || {
        let mut catalogue = Catalogue::read(open("items_shuffle_1000.json")).unwrap();
        catalogue.read_instructions(open("items_ins_v2_1000.json")).unwrap();
        catalogue
    };
    let mut group = c.benchmark_group("1000 products");
    group.sample_size(10);
    group.bench_function("read", |b| b.iter(|| black_box(read())));
    let catalogue = Arc::new(read());
    let texts: Vec<(String, String)> =
        catalogue.products().map(|it| (it.asin.clone(), it.searched_text())).collect();
    let build = || Index::build(texts.iter().map(|(name, text)| (&**name, text))).unwrap();
    group.bench_function("index", |b| b.iter(|| black_box(build())));
    group.finish();

    let queries = std::fs::read_to_string(folder.join("queries.txt")).unwrap();
    let queries: Vec<&str> = queries.lines().collect();
    let (index, mut next) = (build(), queries.iter().cycle());
    c.bench_function("search", |b| b.iter(|| black_box(index.search(next.next().unwrap(), 50))));

    let nouns = Nouns::read(open("noun_tokens_by_title.json")).unwrap();
    let shop = Shop::new(catalogue.clone(), nouns, Wanted::Synthetic, 0).unwrap();
    let (shop, mut goal) = (Arc::new(shop), 0);
    let mut group = c.benchmark_group("steps");
    group.throughput(Throughput::Elements(STEPS));
    group.bench_function("a visit, told", |b| {
        b.iter(|| {
            goal = (goal + 1) % shop.goals().len();
            visit(&shop, goal, &queries)
        });
    });
    group.finish();
}

criterion_group!(benches, webshop);
criterion_main!(benches);
