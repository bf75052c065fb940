//! `hgpo view`: runs while they train, in a browser.

use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use clap::Args;
use tokio::net::TcpListener;
use tokio::runtime::Builder;

use super::options::runs_folder;
use crate::run::Display;
use crate::terminal::quote_path;
use crate::view::{Access, Catalogue, Served, is_page, serve};

pub(super) const AFTER: &str = "\
A list of runs, the curves of one while it trains or of several in the same axes, the report on a study,
and any iteration that has a trace on the page's stage, that of two runs side by side.

Nothing is written. The address holds a secret, which is another one each time, and is reached from this
machine alone; from another one, through a tunnel: ssh -L 8600:127.0.0.1:8600 HOST, with --port 8600 here.

The stage needs the page: a folder called page beside this program, or that of --page. 'scripts/web' builds
it in dist/.

Environment: HGPO_RUNS names the folder of runs and studies [default: runs].

Examples:
  hgpo view                            # every run in runs/, those that begin later too
  hgpo view chores-hgpo-seed1 --page dist
  hgpo view runs/estimators            # the runs of a study";

#[derive(Debug, Args)]
pub(super) struct View {
    /// Runs and studies: their folders, or their names under runs/ [default: all]
    #[arg(value_name = "RUN|STUDY")]
    inputs: Vec<PathBuf>,
    /// Folder of the built page
    #[arg(long, value_name = "DIR")]
    page: Option<PathBuf>,
    /// Port to listen at [default: a free one]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    port: u16,
}

/// Serves until the process is ended.
pub(super) fn run(args: &View) -> anyhow::Result<()> {
    let page = page_folder(args.page.as_deref())?;
    let catalogue = Catalogue::new(runs_folder(), &args.inputs)?;
    let runtime = Builder::new_current_thread().enable_io().build().context("cannot listen")?;
    runtime.block_on(async {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, args.port)).await;
        let listener = listener.with_context(|| format!("cannot listen at port {}", args.port))?;
        let access = Access::new()?;
        let address = format!("http://{}/{}/", listener.local_addr()?, access.token());
        let display = Display::new();
        let runs = catalogue.runs().len();
        display.warn(&format!("runs in {}: {runs}; Ctrl-C ends the view", catalogue.place()));
        if page.is_none() {
            display.warn(
                "without the page, iterations are not shown on its stage: 'scripts/web' builds it in dist/, then add \
                 --page dist",
            );
        }
        display.report(&address)?;
        serve(listener, Served { catalogue, access, page }).await.context("cannot serve")
    })
}

/// The folder of the page: the one that is asked for, or the one beside the program if it is there.
fn page_folder(asked: Option<&Path>) -> anyhow::Result<Option<PathBuf>> {
    if let Some(asked) = asked {
        if !is_page(asked) {
            bail!(
                "{}: not the built page (a folder with index.html and hgpo-web….wasm); 'scripts/web' builds it in dist/",
                quote_path(asked)
            );
        }
        return Ok(Some(asked.to_owned()));
    }
    let program = std::env::current_exe().and_then(|it| it.canonicalize()).ok();
    let beside = program.and_then(|it| Some(it.parent()?.join("page")));
    Ok(beside.filter(|folder| is_page(folder)))
}
