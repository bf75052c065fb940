//! Refusals of the hub, and the remedy for each.

use ureq::http::{Response, StatusCode, header};

/// Remedy if there is no connection.
pub(super) const NO_CONNECTION: &str = "check the connection";

/// Remedy if the answer is not that of a hub.
pub(super) const NO_HUB: &str = "this is not a working hub: check HF_ENDPOINT";

/// Remedy if the connection broke, and something is there.
pub(super) const AGAIN: &str = "the part downloaded is kept: run it again to continue";

/// Describes that there was no answer, with the remedy. Addresses are not repeated: secrets may be in them.
pub(super) fn describe_no_answer(error: &ureq::Error) -> String {
    match error {
        ureq::Error::BadUri(_) => "invalid address; use HF_ENDPOINT=https://HOST".to_owned(),
        ureq::Error::Http(error) => format!("{error}; check HF_ENDPOINT and HF_TOKEN"),
        error => format!("{error}; {NO_CONNECTION}"),
    }
}

/// Describes an answer without what was requested, with the remedy. `known`: whether the request had a token.
pub(super) fn describe_answer<T>(answer: &Response<T>, known: bool) -> String {
    let status = answer.status();
    let wait = answer.headers().get(header::RETRY_AFTER).and_then(|field| field.to_str().ok());
    let wait = wait.and_then(describe_retry).unwrap_or_else(|| "try again later".to_owned());
    let remedy: &str = match status {
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN if known => {
            "the token (HF_TOKEN, or that of your login) has no access: check the name and the \
             token, and whether the model's page asks you to accept terms"
        }
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => {
            "access is restricted: check the name, and set HF_TOKEN to a token with access, or run \
             `hf auth login`"
        }
        StatusCode::NOT_FOUND => {
            "no such model or version, or it is private: check the name; a private model needs a \
             token in HF_TOKEN, or `hf auth login`"
        }
        StatusCode::TOO_MANY_REQUESTS => &format!("too many requests: {wait}"),
        status if status.is_server_error() => &format!("an error of the hub: {wait}"),
        _ => NO_HUB,
    };
    format!("http status {}; {remedy}", status.as_u16())
}

/// When to ask again, by what the hub says: a number of seconds, or a date.
fn describe_retry(field: &str) -> Option<String> {
    let is_date = |it: char| it.is_ascii_alphanumeric() || " ,:".contains(it);
    match field.trim() {
        seconds
            if (1..=9).contains(&seconds.len())
                && seconds.bytes().all(|it| it.is_ascii_digit()) =>
        {
            Some(format!("try again in {seconds} s"))
        }
        date if date.ends_with("GMT") && date.len() < 40 && date.chars().all(is_date) => {
            Some(format!("try again after {date}"))
        }
        _ => None,
    }
}

/// An address without who asks: what stands before its last `@`.
pub(super) fn without_user(address: &str) -> String {
    match (address.split_once("://"), address.rsplit_once('@')) {
        (Some((scheme, _)), Some((_, place))) => format!("{scheme}://{place}"),
        (None, Some((_, place))) => place.to_owned(),
        (_, None) => address.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use ureq::http::Response;

    use super::{describe_answer, without_user};

    fn answer(status: u16, wait: Option<&str>, known: bool) -> String {
        let mut answer = Response::builder().status(status);
        if let Some(wait) = wait {
            answer = answer.header("Retry-After", wait);
        }
        describe_answer(&answer.body(()).expect("an answer"), known)
    }

    #[test]
    fn every_refusal_has_a_remedy_of_its_own() {
        for status in [401, 403] {
            assert!(answer(status, None, false).contains("set HF_TOKEN to a token with access"));
            assert!(
                answer(status, None, true)
                    .contains("(HF_TOKEN, or that of your login) has no access")
            );
        }
        assert!(answer(404, None, true).starts_with("http status 404; no such model"));
        let many = "http status 429; too many requests: try again ";
        let date = "Fri, 31 Dec 1999 23:59:59 GMT";
        assert_eq!(answer(429, Some(" 30 "), false), format!("{many}in 30 s"));
        assert_eq!(answer(429, Some(date), false), format!("{many}after {date}"));
        for odd in [None, Some(""), Some("-1"), Some("12345678901"), Some("[31m GMT")] {
            assert_eq!(answer(429, odd, false), format!("{many}later"));
        }
        for status in [500, 502, 503, 599] {
            let expected = format!("http status {status}; an error of the hub: try again later");
            assert_eq!(answer(status, None, true), expected);
        }
        assert!(answer(503, Some("5"), false).ends_with("try again in 5 s"));
        assert!(answer(418, None, false).ends_with("check HF_ENDPOINT"));
        for status in [404, 429, 500] {
            assert!(!answer(status, None, false).contains("set HF_TOKEN"), "{status}");
        }
    }

    #[test]
    fn addresses_are_shown_without_credentials() {
        for (address, told) in [
            ("https://huggingface.co", "https://huggingface.co"),
            ("https://me:secret@mirror.org/hub", "https://mirror.org/hub"),
            ("https://me@mirror.org", "https://mirror.org"),
            // Not as an address is written, and yet a secret.
            ("https://me:sec/r@t@mirror.org", "https://mirror.org"),
            ("me:secret@mirror.org", "mirror.org"),
        ] {
            assert_eq!(without_user(address), told);
        }
    }
}
