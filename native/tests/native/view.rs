//! View of runs: the server as a browser, a hostile page and a stranger on the machine meet it.
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use crate::compare::{STUDY, write};
use crate::eval::maze;
use crate::support::{fails, hgpo, metrics, run, run_file, succeeds};

/// A view that is served until it is dropped.
struct View {
    child: Child,
    host: String,
    token: String,
}

impl View {
    fn start(folder: &Path, arguments: &[&str]) -> Self {
        let mut command = hgpo(folder, &[&["view"], arguments].concat());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut address = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut address).unwrap();
        let rest = address.trim().strip_prefix("http://").unwrap();
        let (host, token) = rest.trim_end_matches('/').split_once('/').unwrap();
        assert!(host.starts_with("127.0.0.1:"), "{address}");
        Self { child, host: host.to_owned(), token: token.to_owned() }
    }

    /// Sends a request as it is, after its first line the headers, and gives the status and all of the answer back.
    fn send(&self, method: &str, path: &str, headers: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        write!(stream, "{method} {path} HTTP/1.1\r\n{headers}Connection: close\r\n\r\n").unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let answer = String::from_utf8_lossy(&answer).into_owned();
        (answer.split(' ').nth(1).unwrap().parse().unwrap(), answer)
    }

    /// Gets what a browser gets at an address below the token.
    fn get(&self, path: &str) -> (u16, String) {
        let host = format!("Host: {}\r\n", self.host);
        self.send("GET", &format!("/{}/{path}", self.token), &host)
    }

    #[track_caller]
    fn shows(&self, path: &str, parts: &[&str]) -> String {
        let (status, answer) = self.get(path);
        assert_eq!(status, 200, "{path}: {answer}");
        let shown = answer.split_once("</head>").unwrap().1.replace('\u{a0}', " ");
        for part in parts {
            assert!(shown.contains(part), "`{part}` is not in {path}: {shown}");
        }
        shown
    }

    /// The largest amount of memory that the process had, in kB.
    #[cfg(target_os = "linux")]
    fn peak_memory(&self) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find(|line| line.starts_with("VmHWM")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse().unwrap()
    }
}

impl Drop for View {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn traced<'a>(name: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let sets = ["--set", "checkpoint.traces_every=2", "--set", "checkpoint.every=2"];
    [&maze(name, "5")[..], &sets, more].concat()
}

#[test]
fn a_run_is_followed_through_its_death_and_its_end() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    fs::create_dir(path.join("runs")).unwrap();
    let view = View::start(path, &[]);
    view.shows("", &["There are no runs in <code>runs</code> yet."]);
    // Slow enough to be seen, and killed.
    let slow = traced("one", &["--set", "learn.iterations=100000"]);
    let mut child = hgpo(path, &slow).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let began = Instant::now();
    let iterations = || {
        let (status, answer) = view.get("runs?run=one");
        let done = answer.split_once("iteration ").filter(|_| status == 200);
        done.and_then(|(_, rest)| rest.split(' ').next()?.replace(',', "").parse::<u64>().ok())
    };
    let mut first = None;
    loop {
        assert!(began.elapsed() < Duration::from_mins(1), "the run does not begin");
        match (first, iterations()) {
            (None, Some(some)) if some >= 4 => first = Some(some),
            (Some(first), Some(later)) if later > first => break,
            _ => std::thread::sleep(Duration::from_millis(20)),
        }
    }
    view.shows("", &["in training", "href=\"runs?run=one\"", "gridworld"]);
    child.kill().unwrap();
    child.wait().unwrap();
    let kept = iterations().unwrap();
    assert_eq!(kept, metrics(path, "one").len() as u64);
    // It goes on from its last checkpoint, which is before what was seen, to an end that is a little later.
    let end = (kept + 5).to_string();
    let asked = format!("learn.iterations={end}");
    succeeds(&run(path, &["train", "--resume", "one", "--device", "cpu", "--set", &asked]));
    assert_eq!(iterations().unwrap(), kept + 5);
    view.shows("", &["class=\"state done\""]);
    view.shows("runs?run=one&metric=steps", &["Success in training", "− steps", "seed 5"]);
    let last = kept + 5 - (kept + 5) % 2;
    let stage = view.shows(&format!("stage?run=one&iteration={last}"), &["--page DIR"]);
    assert!(!stage.contains("<iframe"), "there is no page");
    let file = format!("iteration_{last:06}.rollouts.jsonl");
    let (status, answer) = view.get(&format!("traces/one/{file}"));
    let on_disk = fs::read_to_string(run_file(path, "one", "traces").join(&file)).unwrap();
    assert_eq!((status, answer.split_once("\r\n\r\n").unwrap().1), (200, &*on_disk));
}

#[test]
fn strangers_and_other_pages_read_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    fs::write(path.join("secret"), "hunter2").unwrap();
    succeeds(&run(path, &traced("one", &[])));
    let view = View::start(path, &[]);
    let (token, host) = (&view.token, &view.host);
    let own = format!("Host: {host}\r\n");
    let root = format!("/{token}/");
    let (status, answer) = view.send("GET", &root, &own);
    assert_eq!(status, 200);
    for header in [
        "content-security-policy: default-src 'none'",
        "x-frame-options: SAMEORIGIN",
        "cross-origin-resource-policy: same-origin",
        "referrer-policy: no-referrer",
        "cache-control: no-store",
    ] {
        assert!(answer.contains(header), "{header} is not in {answer}");
    }
    assert!(!answer.contains("access-control-allow-origin"), "{answer}");
    let wrong_token = format!("/{}/", "0".repeat(token.len()));
    let post = format!("{own}Content-Length: 0\r\n");
    for (method, path, headers, expected) in [
        ("GET", "/", own.clone(), 404),
        ("GET", "/live.js", own.clone(), 404),
        ("GET", &wrong_token, own.clone(), 404),
        // A name that was made to lead here.
        ("GET", &root, "Host: rebound.example\r\n".to_owned(), 403),
        ("GET", &root, format!("Host: {host}.rebound.example\r\n"), 403),
        ("GET", &root, format!("{own}Origin: http://other.example\r\n"), 403),
        ("GET", &root, format!("{own}Origin: null\r\n"), 403),
        (
            "GET",
            &root,
            format!("{own}Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: no-cors\r\n"),
            403,
        ),
        ("POST", &root, post.clone(), 405),
        ("DELETE", &root, post, 405),
        ("OPTIONS", &root, own.clone(), 405),
    ] {
        let (status, answer) = view.send(method, path, &headers);
        assert_eq!(status, expected, "{method} {path} {headers}: {answer}");
        assert!(!answer.contains("gridworld"), "{answer}");
    }
    for way_out in [
        "traces/../../secret",
        "traces/one/../../../secret",
        "traces/one%2f..%2f..%2f..%2fsecret",
        "traces/..%2f..%2fsecret%00/iteration_000002.rollouts.jsonl",
        "traces/%2e%2e/one/iteration_000002.rollouts.jsonl",
        "traces/one/iteration_000002.rollouts.jsonl/../../../../secret",
        "traces/one/metrics.jsonl",
        "page/../../secret",
        "page/index.html",
        "../secret",
        "runs?run=..%2Fsecret",
        "report?study=..",
        "nothing",
    ] {
        let (status, answer) = view.get(way_out);
        assert_eq!(status, 404, "{way_out}: {answer}");
        assert!(!answer.contains("hunter2"), "{way_out}: {answer}");
    }
    for wrong in [
        "runs",
        "stage?run=one&iteration=x",
        "stage?iteration=2",
        "runs?run=1&run=2&run=3&run=4&run=5&run=6&run=7&run=8&run=9",
    ] {
        assert_eq!(view.get(wrong).0, 400, "{wrong}");
    }
    // Neither half a request nor nonsense keeps others from being answered.
    let mut half = TcpStream::connect(host).unwrap();
    half.write_all(b"GET / HT").unwrap();
    let mut nonsense = TcpStream::connect(host).unwrap();
    nonsense.write_all(&[0xff; 4096]).unwrap();
    assert_eq!(view.get(&format!("runs?run=one&metric={}", "m".repeat(20_000))).0, 200);
    view.shows("", &["gridworld"]);
}

#[test]
fn studies_are_reported_and_runs_compared() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    write(path, STUDY);
    succeeds(&run(path, &["compare", "study.toml"]));
    let view = View::start(path, &["small"]);
    let names = ["grpo/3", "grpo/4", "hgpo/3", "hgpo/4"].map(|it| format!("small/{it}"));
    let list = view.shows("", &["report?study=small", "4 done."]);
    assert!(names.iter().all(|name| list.contains(&format!("value=\"{name}\""))), "{list}");
    let query = "runs?run=small%2Fgrpo%2F3&run=small%2Fhgpo%2F3";
    view.shows(query, &["2 runs", &names[0], &names[2], "class=\"ls1\""]);
    view.shows("report?study=small", &["hgpo report", "grpo", "iteration"]);
}

#[test]
fn what_cannot_be_served_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    fails(&run(path, &["view", "nothing"]), &["nothing: neither a run"]);
    fs::write(path.join("index.html"), "").unwrap();
    fails(&run(path, &["view", "--page", "."]), &[".: not the built page", "scripts/web"]);
    let view = View::start(path, &[]);
    let port = view.host.rsplit_once(':').unwrap().1;
    fails(&run(path, &["view", "--port", port]), &["cannot listen at port", port]);
}

#[cfg(target_os = "linux")]
#[test]
fn two_days_of_metrics_take_no_more_memory_than_an_hour() {
    const LINES: u64 = 2 * 24 * 3600;
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("runs/long");
    fs::create_dir_all(&root).unwrap();
    fs::write(root.join("config.toml"), "seed = 1\n").unwrap();
    let line = |iteration: u64| {
        let numbers = (0..20).map(|it| format!(",\"metric/{it}\":{}", (iteration * it) % 1000));
        format!(
            "{{\"iteration\":{iteration},\"success_rate\":0.5{}}}\n",
            numbers.collect::<String>()
        )
    };
    let mut file = fs::File::create(root.join("metrics.jsonl")).unwrap();
    let view = View::start(folder.path(), &[]);
    let mut add = |lines: std::ops::RangeInclusive<u64>| {
        file.write_all(lines.map(line).collect::<String>().as_bytes()).unwrap();
        view.shows("runs?run=long&metric=metric%2F7", &["iteration"]).len()
    };
    let hour = add(1..=3600);
    let before = view.peak_memory();
    let mut longest = 0;
    for part in 1..LINES / 3600 {
        longest = add(part * 3600 + 1..=(part + 1) * 3600).max(longest);
    }
    view.shows("runs?run=long", &["iteration 172,800"]);
    let grown = view.peak_memory() - before;
    assert!(grown < 8 << 10, "{grown} kB more than after an hour");
    assert!(longest < hour + hour / 2, "{longest} bytes of a page, {hour} after an hour");
}
