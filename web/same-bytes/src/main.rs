//! `hgpo-same-bytes DISCOUNT PENALTY < ROLLOUTS`, `hgpo-same-bytes --worker < REQUEST`: what the wasm
//! says, from the host.

use std::error::Error;
use std::io::{Write as _, read_to_string, stdin, stdout};

fn main() -> Result<(), Box<dyn Error>> {
    let mut numbers = std::env::args().skip(1).peekable();
    if numbers.peek().is_some_and(|it| it == "--worker") {
        let request = read_to_string(stdin())?;
        stdout().write_all(hgpo_same_bytes::worker(&request).as_bytes())?;
        return Ok(());
    }
    let mut next = || -> Result<f64, Box<dyn Error>> {
        Ok(numbers.next().ok_or("two numbers are needed: discount and penalty")?.parse()?)
    };
    let (discount, penalty) = (next()?, next()?);
    let rollouts = read_to_string(stdin())?;
    stdout().write_all(hgpo_same_bytes::bits(&rollouts, discount, penalty).as_bytes())?;
    Ok(())
}
