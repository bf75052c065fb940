//! Addresses of live pages, relative to the list.

/// A part of an address: bytes that are no letters, digits or one of `-_.~` as `%` and two digits.
fn encode(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte);
    let one =
        |byte: u8| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    text.bytes().map(one).collect()
}

/// Several runs as a query: `run=a&run=b`.
fn runs_query<'a>(runs: impl IntoIterator<Item = &'a str>) -> String {
    let pairs: Vec<String> = runs.into_iter().map(|run| format!("run={}", encode(run))).collect();
    pairs.join("&")
}

/// The curves of runs, and further metrics beside the usual ones.
pub(super) fn curves<'a>(
    runs: impl IntoIterator<Item = &'a str>,
    metrics: impl IntoIterator<Item = &'a str>,
) -> String {
    let metrics = metrics.into_iter().map(|metric| format!("&metric={}", encode(metric)));
    format!("runs?{}{}", runs_query(runs), metrics.collect::<String>())
}

/// An iteration of runs on the stage.
pub(super) fn stage<'a>(runs: impl IntoIterator<Item = &'a str>, iteration: u64) -> String {
    format!("stage?{}&iteration={iteration}", runs_query(runs))
}

/// The report on a study.
pub(super) fn report(study: &str) -> String {
    format!("report?study={}", encode(study))
}

/// The page with the trace of an iteration open.
pub(super) fn trace_in_page(run: &str, iteration: u64) -> String {
    let run: Vec<String> = run.split('/').map(encode).collect();
    let file = format!("../traces/{}/iteration_{iteration:06}.rollouts.jsonl", run.join("/"));
    format!("page/?file={}", encode(&file))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_inside_their_part_of_an_address() {
        assert_eq!(
            curves(["a&b=c", "한"], ["x/y"]),
            "runs?run=a%26b%3Dc&run=%ED%95%9C&metric=x%2Fy"
        );
        assert_eq!(stage(["s/a/1"], 7), "stage?run=s%2Fa%2F1&iteration=7");
        assert_eq!(report("a b"), "report?study=a%20b");
        // The run's own percent signs are those of the path, which the page's parameter holds encoded once more.
        let file = "page/?file=..%2Ftraces%2Fs%2Fa%2525%2Fiteration_000007.rollouts.jsonl";
        assert_eq!(trace_in_page("s/a%", 7), file);
    }
}
