//! How much memory shops and visits take: every byte that is asked for is counted.
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

#[path = "env/webshop/stock/mod.rs"]
mod stock;

use std::alloc::{GlobalAlloc, Layout, System};
use std::fs::{self, File};
use std::io::BufWriter;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use hgpo_env::files::Folder;
use hgpo_env::registry::suite;
use hgpo_env::{Environment, EnvironmentConfig, Split};

struct Counting;

static HELD: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

#[expect(unsafe_code, reason = "allocators have no other interface")]
// SAFETY: the system's allocator does all of it.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let held = HELD.fetch_add(layout.size(), Relaxed) + layout.size();
        MOST.fetch_max(held, Relaxed);
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), Relaxed);
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Looks around: a page of results in the middle of a long list, a product with its options chosen, and a
/// part of it.
fn visit(mut visit: Box<dyn Environment>, number: usize) -> Box<dyn Environment> {
    let mut chance =
        hgpo_env::random::Stream::new(number as u64, hgpo_env::random::Purpose::Sampling, [0, 0]);
    let search = ["<c> garden", "bak cak", "<r>", visit.instruction()][number % 4].to_owned();
    let mut act = |action: &str| assert!(visit.step(action, &mut chance).admissible, "{action}");
    act(&format!("search[{search}]"));
    act("click[next >]");
    act("click[< prev]");
    let clickables = |visit: &dyn Environment| match visit.observe().actions {
        hgpo_env::Actions::Free { clickables, .. } => clickables,
        other => other.listed().to_vec(),
    };
    let of = clickables(&*visit);
    let product = of.iter().find(|it| it.len() == 10 && it.starts_with("b0")).unwrap().clone();
    let mut act = |action: &str| assert!(visit.step(action, &mut chance).admissible, "{action}");
    act(&format!("click[{product}]"));
    let of = clickables(&*visit);
    let mut act = |action: &str| assert!(visit.step(action, &mut chance).admissible, "{action}");
    for value in of.iter().skip(6) {
        act(&format!("click[{value}]"));
    }
    if number.is_multiple_of(3) {
        visit.step("click[description]", &mut chance);
    }
    visit
}

/// One test, since the count is of the whole process.
#[test]
fn products_stay_in_their_file_and_visits_are_small() {
    let folder = tempfile::tempdir().unwrap();
    let (products, wanted) =
        (folder.path().join("items_shuffle.json"), folder.path().join("items_ins_v2.json"));
    let file = |path| BufWriter::with_capacity(1 << 20, File::create(path).unwrap());
    stock::Stock::new(1).write(26_000, 10, file(&products), file(&wanted)).unwrap();
    let size = fs::metadata(&products).unwrap().len() as usize;
    assert!(size > 70_000_000, "{size}");

    let config =
        EnvironmentConfig { name: "webshop".into(), max_steps: 30, ..EnvironmentConfig::default() };
    let open = || {
        let before = HELD.load(Relaxed);
        MOST.store(before, Relaxed);
        let suite = suite(&config, Some(Arc::new(Folder::new(folder.path())))).unwrap();
        let (most, held) = (MOST.load(Relaxed) - before, HELD.load(Relaxed) - before);
        println!("of {} kB: {} kB at most, then {} kB", size / 1000, most / 1000, held / 1000);
        (suite, most, held)
    };
    let (made, most, _) = open();
    // Words, terms and postings are in memory while the index is made, and no product.
    assert!(most < size / 2, "{most} bytes of {size}");
    let one = HELD.load(Relaxed);
    drop(made);
    let (suite, most, held) = open();
    // Goals (12 bytes) and prices (8), shuffled where they are; about five goals for each of 2,600.
    assert!(most < 4_000_000 && held < 1_000_000 && held < one, "{most}, {held}");
    // Whoever opens it again shares it.
    let (again, _, more) = open();
    assert!(more < 50_000, "{more}");
    drop(again);

    let warm = visit(suite.start(Split::Train, 0).unwrap(), 0);
    let before = HELD.load(Relaxed);
    let start = |number: usize| suite.start(Split::Train, number as u64).unwrap();
    let visits: Vec<_> = (0..1000).map(|number| visit(start(number), number)).collect();
    let each = (HELD.load(Relaxed) - before) / visits.len();
    println!("{each} bytes a visit");
    assert!(each <= 20_000, "{each}");
    drop(warm);
}
