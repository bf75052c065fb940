//! Audit of evaluations: the tables of docs/evaluation.md.
//!
//! `cargo run --release -p hgpo-env --features files --example audit -- TABLE`, where TABLE is `rates`,
//! `alfworld`, `webshop DIR` (the folder of WebShop's data), or `overlap` (of the environments whose data the
//! usual variables name).

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program of its own")]

mod alfworld;
mod binomial;
mod overlap;
mod rates;
mod webshop;

use std::error::Error;
use std::path::Path;
use std::process::ExitCode;

const USAGE: &str = "usage: audit rates | alfworld | webshop DIR | overlap";

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["rates"] => rates::print(),
        ["alfworld"] => alfworld::print(),
        ["overlap"] => overlap::print()?,
        ["webshop", folder] => webshop::print(Path::new(folder))?,
        _ => {
            eprintln!("{USAGE}");
            return Ok(ExitCode::from(2));
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// A row of a table in Markdown.
fn row(cells: &[String]) {
    println!("| {} |", cells.join(" | "));
}

/// The head of a table in Markdown.
fn head(cells: &[&str]) {
    println!("\n| {} |\n|{}", cells.join(" | "), "---|".repeat(cells.len()));
}

/// A share in per cent.
fn percent(share: f64) -> String {
    format!("{:.1}", 100.0 * share)
}
