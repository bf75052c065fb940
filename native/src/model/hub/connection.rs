//! Connection to the hub: requests, with a limit on how long it may be silent.

use std::io::Read;
use std::time::Duration;

use ureq::config::RedirectAuthHeaders;
use ureq::http::{Response, StatusCode, header};
use ureq::typestate::WithoutBody;
use ureq::{Agent, Body, RequestBuilder};

use super::listing::Listing;
use super::refusal::{self, NO_CONNECTION, NO_HUB};

/// The most bytes that the list of a model's files may have.
const LISTING_BYTES: u64 = 32 << 20;

/// A hub to ask.
#[derive(Debug)]
pub(super) struct Connection {
    agent: Agent,
    endpoint: String,
    token: Option<String>,
    patience: Duration,
}

/// Why nothing comes.
pub(super) enum RequestError {
    /// The hub answers, but not with what was asked for: what it says, and the remedy.
    Answer(String),
    /// It does not answer.
    Connection(ureq::Error),
}

/// Why there is no list of a model's files.
pub(super) struct ListingError {
    /// In a line, with the remedy.
    pub problem: String,
    /// Whether somebody answered.
    pub answered: bool,
}

impl From<RequestError> for ListingError {
    fn from(refused: RequestError) -> Self {
        match refused {
            RequestError::Answer(problem) => Self { problem, answered: true },
            RequestError::Connection(error) => {
                Self { problem: refusal::describe_no_answer(&error), answered: false }
            }
        }
    }
}

/// The bytes of a file, from one of them on.
pub(super) struct IncomingFile {
    /// Index of the first byte.
    pub from: u64,
    /// Bytes of the whole file, if the hub says so.
    pub size: Option<u64>,
    /// The bytes.
    pub bytes: Box<dyn Read>,
}

impl Connection {
    /// Asks at `endpoint`; gives up if nothing comes for as long as `patience`.
    pub(super) fn new(endpoint: &str, token: Option<String>, patience: Duration) -> Self {
        let agent = Agent::config_builder()
            .timeout_resolve(Some(patience))
            .timeout_connect(Some(patience))
            .timeout_per_read(Some(patience))
            .timeout_per_write(Some(patience))
            .timeout_recv_response(Some(patience))
            // A model that got another name is answered for by the same host.
            .redirect_auth_headers(RedirectAuthHeaders::SameHost)
            .http_status_as_error(false)
            .user_agent("hgpo")
            .build()
            .into();
        Self { agent, endpoint: endpoint.trim_end_matches('/').to_owned(), token, patience }
    }

    /// What a model has, at its newest version. All of it is here within twice the patience.
    pub(super) fn listing(&self, model: &str) -> Result<Listing, ListingError> {
        let url = format!("{}/api/models/{model}/revision/main?blobs=true", self.endpoint);
        let request = self.agent.get(&url).config().timeout_global(Some(2 * self.patience)).build();
        let answer = self.send(request, 0)?;
        let body = answer.into_body().into_with_config().limit(LISTING_BYTES).reader();
        let listing: Listing = serde_json::from_reader(body).map_err(|error| {
            let remedy = if error.is_io() { NO_CONNECTION } else { NO_HUB };
            let problem = format!("not the list of a model's files: {error}; {remedy}");
            ListingError { problem, answered: !error.is_io() }
        })?;
        listing.check().map_err(|problem| {
            let problem = format!("{problem}; {NO_HUB}");
            ListingError { problem, answered: true }
        })?;
        Ok(listing)
    }

    /// The bytes of a file, from one of them on if the hub can do that.
    pub(super) fn file(
        &self,
        model: &str,
        version: &str,
        file: &str,
        from: u64,
    ) -> Result<IncomingFile, RequestError> {
        let url = format!("{}/{model}/resolve/{version}/{file}", self.endpoint);
        let answer = self.send(self.agent.get(&url), from)?;
        let field = |name| answer.headers().get(name).and_then(|value| value.to_str().ok());
        let (from, size) = if answer.status() == StatusCode::PARTIAL_CONTENT {
            field(header::CONTENT_RANGE).and_then(range).unwrap_or((0, None))
        } else {
            (0, field(header::CONTENT_LENGTH).and_then(|it| it.parse().ok()))
        };
        let bytes = answer.into_body().into_with_config().limit(u64::MAX).reader();
        Ok(IncomingFile { from, size, bytes: Box::new(bytes) })
    }

    fn send(
        &self,
        mut request: RequestBuilder<WithoutBody>,
        from: u64,
    ) -> Result<Response<Body>, RequestError> {
        if let Some(token) = &self.token {
            request = request.header(header::AUTHORIZATION, format!("Bearer {token}"));
        }
        if from > 0 {
            request = request.header(header::RANGE, format!("bytes={from}-"));
        }
        let answer = request.call().map_err(RequestError::Connection)?;
        if answer.status().is_success() {
            return Ok(answer);
        }
        Err(RequestError::Answer(refusal::describe_answer(&answer, self.token.is_some())))
    }
}

/// First byte and size of `bytes FIRST-LAST/SIZE`.
fn range(field: &str) -> Option<(u64, Option<u64>)> {
    let (span, size) = field.strip_prefix("bytes ")?.split_once('/')?;
    Some((span.split_once('-')?.0.trim().parse().ok()?, size.trim().parse().ok()))
}
