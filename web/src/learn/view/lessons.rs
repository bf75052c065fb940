//! The choice of lessons, with what was answered in each.

use super::{begin, title};
use crate::model::{Action, Chrome, LESSONS, Progress, spoken};
use crate::platform::download;
use crate::text;
use gloo::file::Blob;
use yew::prelude::*;

/// The name of the file of answers.
const FILE: &str = "hgpo-lessons.json";

/// The slides of the lecture: a lesson, opened by its address as any other that is not in the list.
const LECTURE: &str = "lessons/lecture.json";

/// The choice of lessons.
pub(crate) fn choice_of_lessons(progress: &Progress, dispatch: &Callback<Action>) -> Html {
    let done = |[answered, right]: [usize; 2], all: usize| {
        html! { <small class="answered">{ text::lesson_progress(answered, right, all) }</small> }
    };
    let presented = |name: &str| {
        let (lesson, language) = (Some(name.to_owned()), Some(spoken()));
        Chrome { lesson, language, present: true, ..Chrome::default() }.query()
    };
    html! {
        <main class="lessons" aria-labelledby="lesson-title">
            { title(text::lessons()) }
            <p class="about">{ text::about() }</p>
            <ol>
                for (lesson, one) in LESSONS.iter().enumerate() {
                    <li>
                        <button type="button" class="start" onclick={begin(lesson, dispatch)}>
                            <b>{ one.title.text() }</b><span>{ one.summary.text() }</span>
                            { one.progress(progress).map(|count| done(count, one.questions)) }
                        </button>
                        <a class="present" href={presented(&one.name)}>{ text::present() }</a>
                    </li>
                }
            </ol>
            <p class="about"><a class="lecture" href={presented(LECTURE)}>{ text::lecture() }</a></p>
            <p class="about">{ text::worksheet_hint() }</p>
            if !progress.is_empty() { { results(progress, dispatch) } }
        </main>
    }
}

/// What takes the answers away as a file, and what forgets them.
fn results(progress: &Progress, dispatch: &Callback<Action>) -> Html {
    let progress = progress.clone();
    let save = move |_: MouseEvent| {
        let file = Blob::new_with_options(progress.written().as_str(), Some("application/json"));
        download::save(FILE, file);
    };
    html! {
        <div class="results">
            <p class="hint">{ text::results_hint() }</p>
            <button type="button" class="button save-results" onclick={save}>{ text::save_results() }</button>
            <button type="button" class="button forget-results"
                onclick={dispatch.reform(|_: MouseEvent| Action::Forget)}>{ text::forget_results() }</button>
        </div>
    }
}
