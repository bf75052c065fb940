//! The words of links and of the share menu.

use super::either;
use super::words::{words, words_of};
use crate::model::lesson::own;
use crate::model::share::{Fault, LONGEST};
use crate::model::{Ignored, LESSONS, PRESETS, Part, RECORDED, listed};

words! {
    share: "Share" / "공유";
    share_title: "Share this view" / "지금 보는 화면 공유";
    share_training: "The link contains the world, the lanes and the settings. Nothing is sent until you send it." / "링크에 세계, 레인, 설정이 담깁니다. 직접 보내기 전에는 전송되지 않습니다.";
    share_intro: "The link contains the rollouts, the settings and the chosen step. Nothing is sent until you send it." / "링크에 롤아웃, 설정, 선택한 단계가 담깁니다. 직접 보내기 전에는 전송되지 않습니다.";
    share_link: "Link" / "링크";
    copy_link: "Copy link" / "링크 복사";
    copy_markdown: "Copy as Markdown" / "마크다운으로 복사";
    copy_frame: "Copy iframe" / "iframe 복사";
    copy_element: "Copy <hgpo-lab>" / "<hgpo-lab> 복사";
    leave_out: "Leave out of the shared page" / "공유한 화면에서 뺄 부분";
    in_this_language: "Open in English" / "한국어로 열기";
    this_lesson: "Share this step of the lesson" / "단원의 현재 단계 공유";
    this_task: "Share this task only" / "이 과제만 공유";
    words_of_own: "Title, note, question" / "제목, 설명, 질문";
    told_title: "Title" / "제목";
    told_note: "Note" / "설명";
    told_question: "Question" / "질문";
    told_answer: "Its answer, a number: without it, nothing is asked" / "답 (숫자): 없으면 질문도 빠집니다";
    save_rollouts: "Save the rollouts alone as a file" / "롤아웃만 파일로 저장";
    copied: "Copied." / "복사했습니다.";
    not_copied: "The browser does not allow copying: copy the link by hand." / "브라우저가 복사를 허용하지 않습니다. 링크를 직접 복사하세요.";

    /// Why a lesson cannot be taken.
    lesson_missing(name: &str): "Could not load the lesson {name}. Check the connection, and try again." / "{name} 단원을 불러오지 못했습니다. 연결을 확인하고 다시 시도하세요.";
    /// How long a link is that programs cut off, and what to do.
    long_link(length: usize): "The link has {length} characters; many programs cut off links beyond {LONGEST}. Share the file instead." / "링크가 {length}자입니다. {LONGEST}자를 넘으면 잘릴 수 있으니 파일로 공유하세요.";
    letters(length: usize): "{length} characters" / "{length}자";
    lesson_elsewhere: "a lesson is a file on this page's own host whose path ends in .json." / "단원은 이 페이지와 같은 호스트에 있고 경로가 .json으로 끝나는 파일이어야 합니다.";
    no_such_file: "there is no such file, or no connection. Open a file of yours again." / "파일이 없거나 연결되지 않았습니다. 직접 연 파일이면 다시 여세요.";
    link_not_opened: "Could not open the link" / "링크를 열지 못했습니다";
    newer_link(version: &str): "its version, {version}, is newer than this page. Reload the page." / "이 페이지보다 새로운 버전({version})입니다. 페이지를 새로 고치세요.";
    damaged_link: "it is incomplete or damaged. Copy all of it again." / "잘렸거나 깨졌습니다. 끝까지 다시 복사하세요.";
    large_link: "it contains more than the page can show." / "페이지에 담기에는 내용이 너무 많습니다.";
    no_example(name: &str, known: &str): "no example is called {name}. There are {known}." / "{name} 예제가 없습니다. 있는 예제: {known}";
    no_lesson(name: &str, known: &str): "no lesson is called {name}. There are {known}." / "{name} 단원이 없습니다. 있는 단원: {known}";
}

words_of! {
    /// What a part of the page is called.
    part(Part) {
        Masthead: "Title" / "제목";
        Lessons: "Lessons" / "단원";
        Sources: "Choice of rollouts" / "롤아웃 선택";
        Controls: "Controls" / "설정";
        Note: "Note" / "설명";
        Editor: "Editing" / "편집";
        Panel: "Chosen step" / "고른 단계";
        Comparison: "Comparison" / "비교";
        Graph: "Graph of states" / "상태 그래프";
        World: "World" / "세계";
        Dials: "Settings" / "설정";
        Lanes: "Lanes" / "레인";
        Chart: "Chart" / "차트";
        Place: "Chosen place" / "고른 칸";
        Study: "Map of settings" / "설정 지도";
        Bar: "Buttons" / "단추";
        | Part::Control(key) => super::control(key).label
    }
}

/// What the words of who shares the work are called.
pub(crate) fn told_words() -> [&'static str; 4] {
    [told_title(), told_note(), told_question(), told_answer()]
}

/// How long a link is, and what to do if it is too long.
pub(crate) fn link_length(length: usize) -> String {
    if length > LONGEST { long_link(length) } else { letters(length) }
}

/// What of the address is left alone, and what there is instead.
pub(crate) fn ignored(ignored: &[Ignored]) -> String {
    let part = |Ignored { said, known }: &Ignored| match known.as_str() {
        "" => said.clone(),
        _ => [said, " (", known, ")"].concat(),
    };
    let parts: Vec<String> = ignored.iter().map(part).collect();
    [either!("Ignored in the address: ", "주소에서 무시한 것: "), &parts.join("; ")].concat()
}

/// Why a lesson of one's own cannot be taken.
pub(crate) fn own_lesson(name: &str, fault: &own::Fault) -> String {
    let why = match fault {
        own::Fault::Elsewhere => lesson_elsewhere(),
        own::Fault::Missing => no_such_file(),
        own::Fault::Wrong(why) => why,
    };
    super::file_problem(name, why)
}

/// What is wrong with a link.
pub(crate) fn fault(fault: &Fault) -> String {
    let why = match fault {
        Fault::Version(version) => newer_link(version),
        Fault::Damaged => damaged_link().to_owned(),
        Fault::TooLarge => large_link().to_owned(),
        Fault::Example(name) => {
            let recorded = RECORDED.split('.').next();
            let names = PRESETS.iter().map(|preset| &*preset.name).chain(recorded);
            no_example(name, &listed(names))
        }
        Fault::Lesson(name) => no_lesson(name, &listed(LESSONS.iter().map(|one| &*one.name))),
        Fault::Content(why) => why.clone(),
    };
    [link_not_opened(), ": ", &why].concat()
}
