//! The words around the lessons; what they say is in their files.

use super::words::words;

words! {
    lessons: "Lessons" / "단원";
    lesson_back: "Back" / "이전";
    show_steps: "Steps" / "단계";
    show_training: "Training" / "학습";
    lesson_next: "Next" / "다음";
    next_lesson: "Next lesson" / "다음 단원";
    finish_lesson: "Finish" / "마치기";
    leave_lesson: "All lessons" / "모든 단원";
    check_answer: "Check" / "확인";
    show_answer: "Show the answer" / "정답 보기";
    answer_right: "Right." / "맞습니다.";
    answer_wrong: "Not quite." / "조금 다릅니다.";
    answer_no_number: "Type a number, such as \u{2212}0.5, 2.25 or 40/9." / "\u{2212}0.5, 2.25, 40/9 같은 숫자를 쓰세요.";
    about: "HGPO is Hierarchy-of-Groups Policy Optimization (He and others, ICLR 2026): reinforcement learning for language models that act in many steps. Each lesson takes about ten minutes and asks as it goes; what you have open under Explore waits there." / "HGPO는 Hierarchy-of-Groups Policy Optimization(He 외, ICLR 2026)의 약자로, 여러 단계에 걸쳐 행동하는 언어 모델의 강화 학습 방법입니다. 단원마다 10분쯤 걸리고 중간에 질문이 있습니다. 탐구에서 열어 둔 작업은 그대로 남습니다.";
    keep_lesson: "Explore this example" / "이 예제 탐구하기";
    withheld: "You see this once you have answered the question: it would tell the answer." / "답을 알려 주는 내용이라 질문에 답한 뒤에 나옵니다.";
    explored_after: "Once you have answered, you can explore this example." / "질문에 답하면 이 예제를 탐구할 수 있습니다.";
    answer_key: "shows or hides the answer" / "정답 보이기, 숨기기";
    save_results: "Save my answers" / "내 답안 저장";
    forget_results: "Forget my answers" / "내 답안 지우기";
    results_hint: "Your answers are kept in this browser. Saved as a file, you can hand them in." / "답안은 이 브라우저에 남아 있습니다. 파일로 저장하여 제출할 수 있습니다.";
    sheet_name: "Name" / "이름";
    sheet_date: "Date" / "날짜";
    sheet_answer: "Answer:" / "답:";
    sheet_link: "On the page:" / "페이지에서 보기:";
    present: "Present to a room" / "강의실에서 보이기";
    worksheet_hint: "A lesson that is open prints as a worksheet with its questions." / "열린 수업을 인쇄하면 질문이 담긴 활동지가 됩니다.";
    lecture: "Slides for a lecture of 90 minutes" / "90분 강의용 슬라이드";
    or: " or " / " 또는 ";

    /// `9 of 12 questions answered, 8 right`.
    lesson_progress(answered: usize, right: usize, of: usize): "{answered} of {of} questions answered, {right} right" / "질문 {of}개 중 {answered}개 답함, {right}개 정답";
    /// `3 of 9`.
    progress(at: usize, of: usize): "{at} of {of}" / "{of}단계 중 {at}";
    /// When a step of a lecture begins.
    from_minute(minutes: u64): "from minute {minutes}" / "{minutes}분부터";
    /// The answer that a reader asks for.
    the_answer(answer: &str): "The answer is {answer}." / "답은 {answer}입니다.";
}

/// Texts of which each will do.
pub(crate) fn any_of(texts: &[String]) -> String {
    texts.join(or())
}
