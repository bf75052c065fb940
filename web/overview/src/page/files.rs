//! Files of runs: metrics are read at once, rollouts when they are to be shown.

use super::{draw, with};
use crate::{
    model::{Run, is_metrics, iteration, rewritten},
    text,
};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{
    Blob, File, HtmlInputElement,
    js_sys::{Array, Reflect, Uint8Array, futures::JsFuture, futures::spawn_local},
};

/// Runs that are compared.
const RUNS: usize = 2;

/// Bytes from which it is told what a file holds: more than its first line if that is not a trajectory.
const BEGINNING: f64 = 65_536.0;

/// The rollouts of an iteration.
#[derive(Debug)]
pub(super) struct Trace {
    /// The file's name.
    pub(super) name: String,
    /// The iteration, if it is known.
    pub(super) iteration: Option<u64>,
    file: File,
}

impl Trace {
    /// What it is called: its iteration, or else its name.
    pub(super) fn describe(&self) -> String {
        self.iteration.map_or_else(|| self.name.clone(), |iteration| iteration.to_string())
    }
}

/// Takes over files, and opens the last of the rollouts among them.
pub(super) async fn add(files: Array) {
    with(|page| page.problems.clear());
    let mut added = Vec::new();
    for file in files.iter().filter_map(|file| file.dyn_into::<File>().ok()) {
        let name = file.name();
        match take_over(file).await {
            Ok(Kind::Metrics) => {}
            Ok(Kind::Rollouts) => added.push(name),
            Err(why) => with(|page| page.problems.push(text::not_taken(&name, &why))),
        }
    }
    with(|page| {
        let order = |trace: &Trace| (trace.iteration, trace.name.clone());
        page.traces.sort_by_key(order);
        page.wanted = page.traces.iter().rposition(|trace| added.contains(&trace.name));
        if page.screen.is_some() {
            draw::runs(page);
        }
    });
    open_wanted();
}

/// What a file holds.
enum Kind {
    Metrics,
    Rollouts,
}

async fn take_over(file: File) -> Result<Kind, String> {
    let part = file.slice_with_f64_and_f64(0.0, BEGINNING).map_err(|_| text::no_file())?;
    let beginning = read(&part).await?;
    // It may end in the middle of a character.
    let beginning = String::from_utf8_lossy(&beginning);
    let name = file.name();
    if is_metrics(&beginning) {
        let whole = read(&file).await?;
        let whole = String::from_utf8(whole).map_err(|_| text::not_text().to_owned())?;
        let run = Run::read(&path(&file), &whole)?;
        with(|page| add_run(&mut page.runs, run));
        return Ok(Kind::Metrics);
    }
    let trace = Trace { iteration: iteration(&name, &beginning), name, file };
    with(|page| {
        page.traces.retain(|other| other.name != trace.name);
        page.traces.push(trace);
    });
    Ok(Kind::Rollouts)
}

/// The bytes of a file or a part of one: what is no text is refused, with its line, by whoever reads them. A text would
/// have signs in its place, by which different states could become one.
async fn read(blob: &Blob) -> Result<Vec<u8>, String> {
    let bytes = JsFuture::from(blob.array_buffer()).await.map_err(|_| text::no_file())?;
    Ok(Uint8Array::new(&bytes).to_vec())
}

/// The path of a file in the folder that was opened, if it was one, else its name.
fn path(file: &File) -> String {
    let path = Reflect::get(file, &JsValue::from_str("webkitRelativePath"));
    let path = path.ok().and_then(|path| path.as_string()).filter(|path| !path.is_empty());
    path.unwrap_or_else(|| file.name())
}

/// Adds a run beside another; the same file again takes its own place, and a third run that of the first.
fn add_run(runs: &mut Vec<Run>, mut run: Run) {
    runs.retain(|other| other.points != run.points);
    if runs.len() == RUNS {
        runs.remove(0);
    }
    let name = run.name.clone();
    let is_taken = |name: &str| runs.iter().any(|other| other.name == name);
    let free = (2..).map(|number| format!("{name} ({number})"));
    if let Some(other) = free.take(RUNS).find(|other| !is_taken(other)).filter(|_| is_taken(&name))
    {
        run.name = other;
    }
    runs.push(run);
}

/// Opens the trace that is wanted, if one is.
pub(super) fn open_wanted() {
    let wanted = with(|page| {
        let screen = page.screen.as_ref()?;
        let trace = page.traces.get(page.wanted?)?;
        let wanted = (screen.answer.clone(), trace.file.clone(), trace.name.clone());
        page.wanted = None;
        Some(wanted)
    });
    let Some((take, file, name)) = wanted else { return };
    spawn_local(async move {
        match read(&file).await.and_then(|bytes| rewritten(&bytes)) {
            Ok((text, noticed)) => {
                let noticed = text::noticed(noticed);
                drop(take.call3(&JsValue::NULL, &name.into(), &text.into(), &noticed.into()));
            }
            Err(why) => with(|page| {
                page.problems = vec![text::not_taken(&name, &why)];
                draw::runs(page);
            }),
        }
    });
}

/// Says which trace a slider stands at while it is on its way.
pub(super) fn tell_wanted(slider: &HtmlInputElement) {
    let told = with(|page| {
        let place: usize = slider.value().parse().ok()?;
        let trace = page.traces.get(place)?;
        Some(text::trace_of(place + 1, page.traces.len(), &trace.describe()))
    });
    let output = gloo::utils::document().get_element_by_id("trace-name");
    if let (Some(told), Some(output)) = (told, output) {
        let _ = slider.set_attribute("aria-valuetext", &told);
        output.set_text_content(Some(&told));
    }
}

#[cfg(test)]
mod tests {
    use super::add_run;
    use crate::model::Run;

    #[test]
    fn two_runs_stand_side_by_side() {
        let run = |value: f64| {
            let text = format!("{{\"iteration\":1,\"kl\":{value}}}\n");
            Run::read("metrics.jsonl", &text).expect("metrics")
        };
        let mut runs = Vec::new();
        let mut names = |value: f64| {
            add_run(&mut runs, run(value));
            runs.iter().map(|run| (run.name.clone(), run.of("kl")[0].1)).collect::<Vec<_>>()
        };
        let [first, second] = ["metrics.jsonl", "metrics.jsonl (2)"].map(str::to_owned);
        assert_eq!(names(1.0), [(first.clone(), 1.0)]);
        assert_eq!(names(1.0).len(), 1, "the same file again");
        assert_eq!(names(2.0), [(first.clone(), 1.0), (second.clone(), 2.0)]);
        assert_eq!(names(3.0), [(second, 2.0), (first, 3.0)]);
    }
}
