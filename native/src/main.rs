//! The trainer's command line.

use std::process::ExitCode;

fn main() -> ExitCode {
    hgpo_native::cli::main()
}
