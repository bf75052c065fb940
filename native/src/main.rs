//! Entry point of the program `hgpo`.

#[global_allocator]
static ALLOCATOR: hgpo_native::allocator::LargePages = hgpo_native::allocator::LargePages;

fn main() {
    hgpo_native::cli::main()
}
