//! Allocator of the extension module: tensors are allocated as in the program `hgpo`.

#[global_allocator]
static ALLOCATOR: hgpo_native::allocator::LargePages = hgpo_native::allocator::LargePages;
