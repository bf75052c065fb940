//! The words around the lessons; what they say is in their files.

use super::{either, words::words};

words! {
    lessons: "Lessons" / "단원";
    lesson_back: "Back" / "이전";
    lesson_next: "Next" / "다음";
    next_lesson: "Next lesson" / "다음 단원";
    finish_lesson: "Finish" / "마치기";
    leave_lesson: "Leave the lesson" / "단원 나가기";
    check_answer: "Check" / "확인";
    show_answer: "Show the answer" / "정답 보기";
    answer_right: "Right." / "맞습니다.";
    answer_wrong: "Not quite." / "조금 다릅니다.";
    answer_no_number: "Type a number, such as \u{2212}0.5, 2.25 or 40/9." / "\u{2212}0.5, 2.25, 40/9 같은 숫자를 쓰세요.";
    look_stage: "Look at the steps" / "단계 보기";
    look_groups: "Look at the groups" / "그룹 보기";
    look_arithmetic: "Look at the arithmetic" / "계산 보기";
    look_controls: "Look at the controls" / "설정 보기";
    look_comparison: "Look at the comparison" / "비교 보기";
}

/// `3 of 9`.
pub(crate) fn progress(at: usize, of: usize) -> String {
    either(format!("{at} of {of}"), format!("{of}단계 중 {at}"))
}

/// What leads to a part that a lesson outlines.
pub(crate) fn look(part: &str) -> &'static str {
    match part {
        "groups" => look_groups(),
        "arithmetic" => look_arithmetic(),
        "controls" => look_controls(),
        "comparison" => look_comparison(),
        _ => look_stage(),
    }
}
