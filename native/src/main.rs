//! Entry point of the program `hgpo`.

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: hgpo_native::allocator::LargePages = hgpo_native::allocator::LargePages;

fn main() -> ExitCode {
    hgpo_native::cli::main()
}
