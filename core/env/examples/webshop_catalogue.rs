//! Writes a catalogue of the size of WebShop's, opens its shop twice, the second time from the index that
//! the first one made, and searches: `cargo run --release -p hgpo-env --features files --example
//! webshop_catalogue -- FOLDER [PRODUCTS]`. Prints seconds, bytes and the peak of memory (Linux).
#![allow(missing_docs, clippy::print_stdout, clippy::unwrap_used, reason = "a measurement")]

#[path = "../tests/env/webshop/stock/mod.rs"]
mod stock;

use std::fs::{self, File};
use std::hint::black_box;
use std::io::BufWriter;
use std::path::Path;
use std::time::Instant;

use hgpo_env::files::Folder;
use hgpo_env::webshop::goals::Wanted;
use hgpo_env::webshop::open;

/// WebShop's.
const PRODUCTS: usize = 1_181_436;

/// How often each search is repeated.
const REPEATED: u32 = 10;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().expect("a folder to write to");
    let count = arguments.next().map_or(PRODUCTS, |it| it.parse().expect("a number of products"));
    let folder = Path::new(&folder);
    fs::create_dir_all(folder).unwrap();
    let (products, wanted) = (folder.join("items_shuffle.json"), folder.join("items_ins_v2.json"));
    let mut stock = stock::Stock::new(7);
    if !products.exists() {
        let file = |path: &Path| BufWriter::with_capacity(1 << 20, File::create(path).unwrap());
        stock.write(count, 10, file(&products), file(&wanted)).unwrap();
    }
    println!("products: {} MB", fs::metadata(&products).unwrap().len() / 1_000_000);

    let files = Folder::new(folder).with_progress(|line| println!("{line}"));
    let index = folder.join("items_shuffle.index");
    for _ in 0..2 {
        let (is_there, begin) = (index.exists(), Instant::now());
        let shop = open(&files, Wanted::Synthetic, 0).unwrap();
        let seconds = begin.elapsed().as_secs_f64();
        let (goals, what) = (shop.goals().len(), if is_there { "opened" } else { "made" });
        println!("{what} in {seconds:.2} s, {goals} goals; peak {} MB", peak());
    }
    println!("index: {} MB", fs::metadata(&index).unwrap().len() / 1_000_000);

    let shop = open(&files, Wanted::Synthetic, 0).unwrap();
    let queries: Vec<String> = (0..500).map(|_| stock.text(2, 15)).collect();
    // Other work on the machine interrupts searches: what counts is the time of the processor, which the
    // system tells to a few milliseconds.
    let search = |query: &String| {
        let (begin, before) = (Instant::now(), processor());
        (0..REPEATED).for_each(|_| drop(black_box(shop.search(query))));
        let (wall, after) = (1000.0 * begin.elapsed().as_secs_f64(), processor());
        after.zip(before).map_or(wall, |(after, before)| after - before) / f64::from(REPEATED)
    };
    tell("first", queries.iter().map(search).collect());
    tell("again", queries.iter().map(search).collect());
}

/// Milliseconds that the thread has had a processor; none if that is not known.
fn processor() -> Option<f64> {
    let status = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(status.split_whitespace().next()?.parse::<f64>().ok()? / 1e6)
}

/// Says how milliseconds are spread.
fn tell(what: &str, mut times: Vec<f64>) {
    let mean = times.iter().sum::<f64>() / times.len() as f64;
    times.sort_by(f64::total_cmp);
    let at = |share: usize| times[(times.len() - 1) * share / 100];
    let [half, most, nearly, all] = [50, 90, 99, 100].map(at);
    println!(
        "{} queries, {what}: mean {mean:.2} ms, median {half:.2}, 90 % {most:.2}, 99 % {nearly:.2}, all {all:.2}",
        times.len()
    );
}

/// The most memory that the process had, in MB; 0 if that is not known.
fn peak() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) / 1000
}
