//! Access to the server: who may read, by the address, the host it was reached under, and where a request comes from.

use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};

/// The secret part of the address. Other programs of this machine and pages in other tabs do not know it.
#[derive(Clone, Debug)]
pub(crate) struct Access {
    token: String,
}

impl Access {
    /// A new token.
    ///
    /// # Errors
    /// The system has no random numbers.
    pub(crate) fn new() -> anyhow::Result<Self> {
        let mut bytes = [0; size_of::<u128>()];
        getrandom::fill(&mut bytes).map_err(|error| anyhow::anyhow!("no random token: {error}"))?;
        Ok(Self { token: format!("{:032x}", u128::from_ne_bytes(bytes)) })
    }

    /// The first part of every address.
    pub(crate) fn token(&self) -> &str {
        &self.token
    }

    /// Whether a request may be answered; what is answered in its place if it may not.
    pub(super) fn check(
        &self,
        method: &Method,
        uri: &Uri,
        headers: &HeaderMap,
    ) -> Result<(), (StatusCode, &'static str)> {
        let text = |name: header::HeaderName| headers.get(name).map(|it| it.to_str().unwrap_or(""));
        // A name of somebody else's that leads here would make their page one of ours.
        let host = uri.authority().map(axum::http::uri::Authority::as_str).or(text(header::HOST));
        if !host.is_some_and(is_this_machine) {
            return Err((
                StatusCode::FORBIDDEN,
                "this address is served as 127.0.0.1 and localhost alone",
            ));
        }
        let origin = text(header::ORIGIN);
        let own = |origin: &str| origin.strip_prefix("http://").is_some_and(|it| Some(it) == host);
        let site = headers.get("sec-fetch-site").map(HeaderValue::as_bytes);
        let mode = headers.get("sec-fetch-mode").map(HeaderValue::as_bytes);
        let is_other_site = matches!(site, Some(b"cross-site" | b"same-site"));
        if origin.is_some_and(|it| !own(it)) || is_other_site && mode != Some(b"navigate") {
            return Err((StatusCode::FORBIDDEN, "another page asked for this"));
        }
        if !matches!(*method, Method::GET | Method::HEAD) {
            return Err((StatusCode::METHOD_NOT_ALLOWED, "hgpo view can be read alone"));
        }
        let given = uri.path().trim_start_matches('/').split('/').next().unwrap_or_default();
        if !is_equal(given.as_bytes(), self.token.as_bytes()) {
            return Err((
                StatusCode::NOT_FOUND,
                "not found: the address is what hgpo view printed, with its token",
            ));
        }
        Ok(())
    }
}

/// Whether a host, with or without its port, is this machine under a name that nobody else can give to theirs.
fn is_this_machine(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|it| it.is_ascii_digit()) => name,
        _ => host,
    };
    ["127.0.0.1", "[::1]"].contains(&name) || name.eq_ignore_ascii_case("localhost")
}

/// Compares in a time that does not depend on where they differ.
fn is_equal(one: &[u8], other: &[u8]) -> bool {
    one.len() == other.len()
        && one.iter().zip(other).fold(0, |difference, (one, other)| difference | (one ^ other)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_this_machine_with_the_token_may_read() {
        let access = Access::new().unwrap();
        assert_eq!(access.token().len(), 32);
        assert_ne!(access.token(), Access::new().unwrap().token());
        let check = |method: Method, path: &str, headers: &[(&'static str, &str)]| {
            let headers = headers.iter().map(|(name, value)| {
                (header::HeaderName::from_static(name), value.parse().unwrap())
            });
            let uri: Uri = path.replace("TOKEN", access.token()).parse().unwrap();
            access.check(&method, &uri, &headers.collect()).map_err(|(status, _)| status.as_u16())
        };
        let get = |path: &str, headers: &[(&'static str, &str)]| check(Method::GET, path, headers);
        let local = ("host", "127.0.0.1:8000");
        for (path, headers) in [
            ("/TOKEN/", &[local][..]),
            ("/TOKEN/runs?run=a", &[("host", "localhost:1")]),
            ("/TOKEN", &[("host", "[::1]:8000")]),
            ("/TOKEN/", &[local, ("origin", "http://127.0.0.1:8000")]),
            ("/TOKEN/", &[local, ("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate")]),
        ] {
            assert_eq!(get(path, headers), Ok(()), "{path} {headers:?}");
        }
        for (path, headers, status) in [
            ("/", &[local][..], 404),
            ("/TOKENx/", &[local], 404),
            ("/0TOKEN/", &[local], 404),
            ("/TOKEN/", &[], 403),
            ("/TOKEN/", &[("host", "evil.example:8000")], 403),
            ("/TOKEN/", &[("host", "127.0.0.1.evil.example")], 403),
            ("/TOKEN/", &[("host", "evil.example:127.0.0.1")], 403),
            ("http://evil.example/TOKEN/", &[local], 403),
            ("/TOKEN/", &[local, ("origin", "http://evil.example")], 403),
            ("/TOKEN/", &[local, ("origin", "null")], 403),
            ("/TOKEN/", &[local, ("origin", "http://127.0.0.1:9000")], 403),
            (
                "/TOKEN/",
                &[local, ("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "no-cors")],
                403,
            ),
        ] {
            assert_eq!(get(path, headers), Err(status), "{path} {headers:?}");
        }
        for method in [Method::POST, Method::PUT, Method::DELETE, Method::OPTIONS] {
            assert_eq!(check(method, "/TOKEN/", &[local]), Err(405));
        }
    }
}
