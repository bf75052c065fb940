//! Server of live pages on runs, the page and the traces that it opens: for this machine alone, and read only.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use axum::body::Body;
use axum::extract::{Path as UrlPath, RawQuery, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{Html, IntoResponse as _, Redirect, Response};
use axum::routing::get;
use axum::{Router, serve as serve_http};
use hgpo_report::live::{MOST_COMPARED, SCRIPT, curves_page, list_page, message_page, stage_page};
use tokio::net::TcpListener;
use tower_http::services::{ServeDir, ServeFile};

use super::Access;
use super::catalogue::{Catalogue, ListedRun};
use super::followed_metrics::FollowedMetrics;
use super::observed_run::{self, MeasuredRuns};
use crate::run::RunDirectory;
use crate::terminal::describe_error;

/// Runs whose metrics are kept between two looks at them.
const MOST_FOLLOWED: usize = 2 * MOST_COMPARED;

/// What live pages may do: nothing but fetch themselves, send their forms, and hold the page.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'self'; connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'self'";

/// Headers of every answer.
const HEADERS: [(HeaderName, &str); 5] = [
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "SAMEORIGIN"),
    // The address has the token in it.
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
];

/// What is served.
#[derive(Debug)]
pub(crate) struct Served {
    /// The runs.
    pub catalogue: Catalogue,
    /// Who may read.
    pub access: Access,
    /// The folder of the built page.
    pub page: Option<PathBuf>,
}

/// The metrics of a run, which several requests may ask for.
type SharedMetrics = Arc<Mutex<FollowedMetrics>>;

/// What is served, and what is known of it.
#[derive(Debug)]
struct View {
    served: Served,
    measured: Mutex<MeasuredRuns>,
    followed: Mutex<BTreeMap<PathBuf, (Instant, SharedMetrics)>>,
}

/// What a request is answered with, or why not.
type Answer = Result<Response, Failure>;

/// Why a request has no answer.
#[derive(Debug)]
struct Failure(StatusCode, String);

/// Answers requests until the process ends.
///
/// # Errors
/// The listener fails.
pub(crate) async fn serve(listener: TcpListener, served: Served) -> std::io::Result<()> {
    let root = format!("/{}", served.access.token());
    let page = served.page.clone();
    let view = Arc::new(View { served, measured: Mutex::default(), followed: Mutex::default() });
    let at = |path: &str| [&root, path].concat();
    let slash = [root.trim_start_matches('/'), "/"].concat();
    let mut routes = Router::new()
        .route(&root, get(|| async move { Redirect::permanent(&slash) }))
        .route(&at("/"), get(list))
        .route(&at("/runs"), get(runs))
        .route(&at("/stage"), get(stage))
        .route(&at("/report"), get(report))
        .route(&at("/traces/{*path}"), get(traces))
        .route(
            &at("/live.js"),
            get(|| async { ([(header::CONTENT_TYPE, "text/javascript")], SCRIPT) }),
        )
        .fallback(|| async { Failure::missing("there is nothing at this address") });
    if let Some(page) = page {
        routes = routes.nest_service(&at("/page"), ServeDir::new(page).precompressed_br());
    }
    let routes = routes.layer(from_fn_with_state(Arc::clone(&view), guard)).with_state(view);
    serve_http(listener, routes).await
}

/// Lets through what may be answered, and adds the headers of all answers.
async fn guard(State(view): State<Arc<View>>, request: Request, next: Next) -> Response {
    let checked = view.served.access.check(request.method(), request.uri(), request.headers());
    let mut answer = match checked {
        Ok(()) => next.run(request).await,
        // In plain text: whoever asks from elsewhere learns nothing.
        Err((status, why)) => (status, format!("{why}\n")).into_response(),
    };
    let headers = answer.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-cache"));
    answer
}

/// Reads files apart from the thread that answers.
async fn reading(
    view: Arc<View>,
    read: impl FnOnce(&View) -> Result<String, Failure> + Send + 'static,
) -> Answer {
    let read = tokio::task::spawn_blocking(move || read(&view)).await;
    let text = read.map_err(|_| Failure::broken("a defect of hgpo view"))??;
    Ok(live(Html(text).into_response()))
}

/// An answer that is never kept, and may do little.
fn live(mut answer: Response) -> Response {
    let headers = answer.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    answer
}

async fn list(State(view): State<Arc<View>>) -> Answer {
    reading(view, |view| {
        let mut measured = view.measured.lock().unwrap_or_else(PoisonError::into_inner);
        let all = measured.overviews(&view.served.catalogue.runs());
        Ok(list_page(&view.served.catalogue.place(), &all))
    })
    .await
}

async fn runs(State(view): State<Arc<View>>, RawQuery(query): RawQuery) -> Answer {
    reading(view, move |view| {
        let runs = view.chosen(&values(query.as_deref(), "run"))?;
        let runs = runs.iter().map(|run| {
            let followed = view.follow(run);
            let mut metrics = followed.lock().unwrap_or_else(PoisonError::into_inner);
            observed_run::curves(run, &mut metrics).map_err(|error| Failure::unread(run, &error))
        });
        let runs = runs.collect::<Result<Vec<_>, _>>()?;
        let page = curves_page(&runs, &values(query.as_deref(), "metric"));
        page.map_err(|error| Failure::broken(&error.to_string()))
    })
    .await
}

async fn stage(State(view): State<Arc<View>>, RawQuery(query): RawQuery) -> Answer {
    reading(view, move |view| {
        let iteration = values(query.as_deref(), "iteration").pop().unwrap_or_default();
        let number = iteration.parse().map_err(|_| {
            Failure::wrong(format!("iteration {iteration:?} is not a number from 0"))
        })?;
        let runs = view.chosen(&values(query.as_deref(), "run"))?.into_iter().map(|run| {
            let traces = observed_run::traces(&run.directory());
            let traces = traces.map_err(|error| Failure::unread(&run, &error))?;
            Ok((run.name, traces))
        });
        let runs = runs.collect::<Result<Vec<_>, Failure>>()?;
        Ok(stage_page(&runs, number, view.served.page.is_some()))
    })
    .await
}

async fn report(
    State(view): State<Arc<View>>,
    headers: HeaderMap,
    RawQuery(query): RawQuery,
) -> Answer {
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    let page = format!("http://{host}/{}/page/", view.served.access.token());
    reading(view, move |view| {
        let study = values(query.as_deref(), "study").pop().unwrap_or_default();
        let catalogue = &view.served.catalogue;
        let folder = catalogue.study(&study);
        let folder =
            folder.ok_or_else(|| Failure::missing(&format!("no study is called {study}")))?;
        let command = format!("hgpo report {study}");
        let runs = catalogue.folder().to_owned();
        let options = hgpo_report::Options { page, command, runs, ..Default::default() };
        let made = hgpo_report::render(&[folder], &options);
        Ok(made.map_err(|error| Failure::wrong(describe_error(&error.into())))?.0)
    })
    .await
}

async fn traces(
    State(view): State<Arc<View>>,
    UrlPath(path): UrlPath<String>,
    request: Request,
) -> Answer {
    let found = tokio::task::spawn_blocking(move || {
        let (run, file) = path.rsplit_once('/')?;
        let iteration = RunDirectory::trace_iteration(file)?;
        Some(view.served.catalogue.run(run)?.directory().traces(iteration))
    });
    let missing = || Failure::missing("there is no trace of this iteration");
    let path = found.await.ok().flatten().filter(|it| it.is_file()).ok_or_else(missing)?;
    let answer = ServeFile::new(path).try_call(request).await;
    let answer = answer.map_err(|error| Failure::broken(&error.to_string()))?;
    Ok(live(answer.map(Body::new)))
}

impl View {
    /// Runs by their names, each once.
    fn chosen(&self, names: &[String]) -> Result<Vec<ListedRun>, Failure> {
        let mut names: Vec<&String> = names.iter().collect();
        let mut seen = std::collections::BTreeSet::new();
        names.retain(|name| seen.insert(*name));
        if names.is_empty() {
            return Err(Failure::wrong("no run was chosen: tick one in the list".to_owned()));
        }
        if names.len() > MOST_COMPARED {
            let told =
                format!("{} runs were chosen: {MOST_COMPARED} at most have colours", names.len());
            return Err(Failure::wrong(told));
        }
        let all = self.served.catalogue.runs();
        let missing = |name: &str| Failure::missing(&format!("no run is called {name}"));
        let find = |name: &String| all.iter().find(|run| run.name == *name).cloned();
        names.into_iter().map(|name| find(name).ok_or_else(|| missing(name))).collect()
    }

    /// What is known of the metrics of a run.
    fn follow(&self, run: &ListedRun) -> SharedMetrics {
        let mut all = self.followed.lock().unwrap_or_else(PoisonError::into_inner);
        let entry = all.entry(run.folder.clone());
        let (used, metrics) = entry.or_insert_with(|| (Instant::now(), Arc::default()));
        *used = Instant::now();
        let metrics = Arc::clone(metrics);
        if all.len() > MOST_FOLLOWED {
            let oldest = all.iter().min_by_key(|(_, (used, _))| *used).map(|(run, _)| run.clone());
            oldest.map(|run| all.remove(&run));
        }
        metrics
    }
}

/// The values of a parameter, in their order.
fn values(query: Option<&str>, name: &str) -> Vec<String> {
    let pairs = form_urlencoded::parse(query.unwrap_or_default().as_bytes());
    pairs.filter(|(key, _)| key == name).map(|(_, value)| value.into_owned()).collect()
}

impl Failure {
    fn missing(why: &str) -> Self {
        Self(StatusCode::NOT_FOUND, why.to_owned())
    }

    fn wrong(why: String) -> Self {
        Self(StatusCode::BAD_REQUEST, why)
    }

    fn unread(run: &ListedRun, error: &std::io::Error) -> Self {
        Self::broken(&format!("cannot read the run {}: {error}", run.name))
    }

    fn broken(why: &str) -> Self {
        Self(StatusCode::INTERNAL_SERVER_ERROR, why.to_owned())
    }
}

impl axum::response::IntoResponse for Failure {
    fn into_response(self) -> Response {
        let Self(status, why) = self;
        let title = match status {
            StatusCode::NOT_FOUND => "Not found",
            _ => "This cannot be shown",
        };
        live((status, Html(message_page(title, &why))).into_response())
    }
}

/// Whether a folder has the built page.
pub(crate) fn is_page(folder: &Path) -> bool {
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let is_program = |it: &Path| it.extension().is_some_and(|it| it == "wasm");
    folder.join("index.html").is_file() && files.into_iter().any(|it| is_program(&it.path()))
}
