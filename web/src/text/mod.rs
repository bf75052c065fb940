//! Every word on the screen, in every language.

pub(crate) mod agents;
pub(crate) mod compare;
mod controls;
pub(crate) mod export;
mod lesson;
mod made;
pub(crate) mod notice;
pub(crate) mod overview;
mod panel;
mod sentences;
mod share;
mod stage;
pub(crate) mod state_graph;
pub(crate) mod tokens;
pub(crate) mod train;
pub(crate) mod truth;
pub(crate) mod words;

pub(crate) use controls::*;
pub(crate) use lesson::*;
pub(crate) use made::*;
pub(crate) use panel::*;
pub(crate) use sentences::{because, sentence};
pub(crate) use share::*;
pub(crate) use stage::*;
#[cfg(test)]
pub(crate) use words::speak;
pub(crate) use words::{Language, Named, named, spoken};

use crate::model::{Refusal, Theme, number};
use words::{either, words, words_of};

words! {
    subtitle: "groups within groups" / "그룹 속의 그룹";
    parts: "Parts of this page" / "페이지의 부분";
    learn: "Learn" / "배우기";
    explore: "Explore" / "탐구";
    train: "Train" / "학습시키기";
    back_to_training: "Back to training" / "학습으로 돌아가기";
    menu: "Language, colours, keys" / "언어, 색상, 단축키";
    edit: "Edit" / "편집";
    options_of_method: "Options" / "설정";
    explanation: "Explanation" / "설명";
    beside: "What is shown beside the steps" / "단계 옆에 보이는 것";
    theme: "Colours" / "색상";
    source: "Rollouts" / "롤아웃";
    example: "Example" / "예제";
    own_file: "Your own file" / "내 파일";
    own_work: "Your work" / "내 작업";
    open_file: "Open a file…" / "파일 열기…";
    open_hint: "Or drop a file, or paste its text, anywhere on the page." / "파일을 끌어다 놓거나 내용을 붙여넣어도 됩니다.";
    drop_here: "Drop the rollouts file to open it" / "롤아웃 파일을 놓으면 열립니다";
    task: "Task" / "과제";
    overview: "Overview" / "한눈에 보기";
    overview_hint: "All tasks of the file, and runs" / "파일의 모든 과제와 학습 기록";
    not_loaded: "This part could not be loaded. Check the connection, and try again." / "이 부분을 불러오지 못했습니다. 연결을 확인하고 다시 시도하세요.";
    try_again: "Try again" / "다시 시도";
    no_file_there: "there is no such file, or no connection. Check the address and the connection, and try again." / "파일이 없거나 연결되지 않았습니다. 주소와 연결을 확인하고 다시 시도하세요.";
    own_host_only: "an address opens files on this page\u{2019}s own host only. Put the file beside the page, or open it from your computer." / "주소로는 이 페이지와 같은 호스트에 있는 파일만 열 수 있습니다. 파일을 페이지 옆에 두거나 컴퓨터에서 여세요.";
    check_connection: "check the connection, and try again." / "연결을 확인하고 다시 시도하세요.";
    on_its_way: "Loading…" / "불러오는 중…";
    reading_log: "How the file is read" / "파일을 읽는 방법";
    log_columns: "Columns" / "열";
    log_columns_hint: "What columns are called that have other names, for example task=group,trajectory=id,state=obs,reward=score." / "이름이 다른 열을 지정합니다. 예: task=group,trajectory=id,state=obs,reward=score.";
    state_of: "State of a conversation" / "대화의 상태";
    last_observation: "What was said since the last turn" / "지난 차례 뒤에 나온 말";
    transcript: "All that was said before the turn" / "그 차례 전까지 나온 말 전부";
    tool_result: "The last result of a tool" / "도구의 마지막 결과";
    not_text: "not a text file: choose a rollouts file (JSON Lines)" / "텍스트 파일이 아닙니다. 롤아웃 파일(JSON Lines)을 선택하세요";
    controls: "Estimator" / "추정기";
    more_options: "More options" / "설정 더 보기";
    no_agents: "No step has an agent, so all steps are one agent\u{2019}s." / "에이전트가 적힌 단계가 없어 모든 단계를 한 에이전트의 단계로 봅니다.";
    language: "Language" / "언어";
    undo: "Undo" / "되돌리기";
    redo: "Redo" / "다시 하기";
    reset: "Reset" / "처음으로";
    history: "Changes" / "변경";
    stage: "Steps of every attempt" / "모든 시도의 단계";
    stage_hint: "Arrow keys move, Enter explains a step" / "화살표 키로 이동하고 Enter로 설명을 봅니다";
    trajectory: "Attempt" / "시도";
    success: "success" / "성공";
    failure: "failure" / "실패";
    invalid: "invalid" / "형식 오류";
    legend_groups: "Shares with the chosen step" / "선택한 단계와 같은 점";
    legend_advantage: "Advantage" / "어드밴티지";
    legend_return: "Return" / "리턴";
    edited: "Edited:" / "편집됨:";
    panel: "The chosen step" / "선택한 단계";
    state: "State" / "상태";
    action: "Action" / "행동";
    reward: "Reward" / "보상";
    advantage: "Advantage A" / "어드밴티지 A";
    level: "Level" / "레벨";
    step_count: "Steps" / "단계 수";
    step: "Step" / "단계";

    same_state: "the same state" / "같은 상태";
    same_state_before: "and the same state before it" / "그리고 바로 앞 상태도 같음";
    same_states_before(level: usize): "and the same {level} states before it" / "그리고 앞선 상태 {level}개도 같음";
    the_state: "the state" / "상태";
    the_state_before: "the state before" / "바로 앞 상태";
    states_before(level: usize): "{level} states before" / "앞선 상태 {level}개";
    training_at_all: "training" / "학습";
    training_iteration(iteration: u64): "training, iteration {iteration}" / "학습, 반복 {iteration}";
    /// The members of a group that are not listed by name.
    and_more(number: usize): "and {number} more" / "그 밖에 {number}개";
}

/// The problem with a file.
pub(crate) fn file_problem(name: &str, message: &str) -> String {
    let name = words::isolated(name);
    either!(
        format!("Could not open {name}: {message}"),
        format!("{name} 파일을 열지 못했습니다: {message}"),
    )
}

/// That what reads files could not be loaded.
pub(crate) fn file_not_read(name: &str) -> String {
    file_problem(name, check_connection())
}

/// That a file is not there under its address, or not to be had.
pub(crate) fn file_missing(address: &str) -> String {
    file_problem(address, no_file_there())
}

/// That a file is not on the page's own host.
pub(crate) fn file_elsewhere(address: &str) -> String {
    file_problem(address, own_host_only())
}

/// What rollouts of the training are called.
pub(crate) fn training(iteration: Option<u64>) -> String {
    iteration.map_or_else(|| training_at_all().to_owned(), training_iteration)
}

words_of! {
    /// What colours are called.
    theme_name(Theme) {
        Auto: "Auto" / "자동";
        Light: "Light" / "밝게";
        Dark: "Dark" / "어둡게";
    }
}

words_of! {
    /// Why the rollouts cannot be changed that way.
    refusal(Refusal) {
        Reward: "A reward is a number, such as 10 or \u{2212}0.1." / "보상은 10이나 \u{2212}0.1 같은 숫자입니다.";
        Name: "Each attempt at a task needs its own name." / "한 과제의 시도는 이름이 서로 달라야 합니다.";
        LastTrajectory: "A task needs at least one attempt." / "과제에는 시도가 하나 이상 있어야 합니다.";
        LastStep: "An attempt needs at least one step." / "시도에는 단계가 하나 이상 있어야 합니다.";
        Edge: "There is nothing on that side." / "그쪽에는 아무것도 없습니다.";
        Estimator: "The estimator needs data of every step, such as its action." / "추정기에는 행동처럼 모든 단계에 있어야 하는 데이터가 필요합니다.";
    }
}

/// `1 step`, `2 steps`.
fn count(number: usize, one: &str, many: &str, korean: &str) -> String {
    let english = if number == 1 { one } else { many };
    either!(format!("{number}\u{a0}{english}"), format!("{korean}\u{a0}{number}개"))
}

/// How many steps.
pub(crate) fn steps(number: usize) -> String {
    count(number, "step", "steps", "단계")
}

/// How many attempts.
pub(crate) fn attempts(number: usize) -> String {
    count(number, "attempt", "attempts", "시도")
}

/// What the file holds.
pub(crate) fn holdings(tasks: usize, trajectories: usize, number_of_steps: usize) -> String {
    let parts =
        [count(tasks, "task", "tasks", "과제"), attempts(trajectories), steps(number_of_steps)];
    parts.join(" \u{b7} ")
}

/// What a screen reader says when a step was chosen.
pub(crate) fn summary(step: &str, advantage: f64, sizes: &[usize]) -> String {
    let sizes: Vec<String> = sizes.iter().map(usize::to_string).collect();
    let sizes = sizes.join(", ");
    let groups = match sizes.as_str() {
        "" => String::new(),
        _ => either!(format!("; group sizes {sizes}"), format!("; 그룹 크기 {sizes}")),
    };
    format!("{step}: {} {}{groups}", self::advantage(), number::signed(advantage, 3))
}

/// What two steps share that are in one group of a level.
pub(crate) fn shared(level: usize) -> String {
    match level {
        0 => same_state().to_owned(),
        1 => same_state_before().to_owned(),
        _ => same_states_before(level),
    }
}

/// What the legend calls a level.
pub(crate) fn legend(level: usize) -> String {
    match level {
        0 => the_state().to_owned(),
        1 => the_state_before().to_owned(),
        _ => states_before(level),
    }
}

/// The name of a step: trajectory and time, counted from 0 as in `s_0`.
pub(crate) fn step_name(trajectory: &str, step: usize) -> String {
    let name = words::isolated(trajectory);
    either!(format!("{name}, step {step}"), format!("{name}, 단계 {step}"))
}
