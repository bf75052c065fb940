//! `strftime_now`: the caller's time as Python writes it if no locale is set.

use jiff::civil::DateTime;
use minijinja::{Error, ErrorKind};

/// Bytes of a format; a date and a time take twenty.
const LONGEST: usize = 1000;

/// Writes a time.
pub(super) fn strftime(format: &str, now: DateTime) -> Result<String, Error> {
    if format.len() > LONGEST {
        let problem = format!("strftime_now takes formats of up to {LONGEST} bytes");
        return Err(Error::new(ErrorKind::InvalidOperation, problem));
    }
    jiff::fmt::strtime::format(spelled_out(format), now).map_err(|error| {
        let problem = format!("strftime_now cannot write {format:?}: {error}");
        Error::new(ErrorKind::InvalidOperation, problem)
    })
}

/// Directives that depend on the locale, or on a time zone, which a time of Python's `now` has not.
fn spelled_out(format: &str) -> String {
    let mut out = String::with_capacity(format.len());
    let mut letters = format.chars();
    while let Some(letter) = letters.next() {
        if letter != '%' {
            out.push(letter);
            continue;
        }
        match letters.next() {
            Some('c') => out.push_str("%a %b %e %H:%M:%S %Y"),
            Some('x') => out.push_str("%m/%d/%y"),
            Some('X') => out.push_str("%H:%M:%S"),
            Some('f') => out.push_str("%6f"),
            Some('Z' | 'z') => {}
            directive => {
                out.push('%');
                out.extend(directive);
            }
        }
    }
    out
}
