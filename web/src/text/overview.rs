//! Words of the overview.

use super::words::{Named, named, words, words_of};
use crate::overview::Key;
use hgpo_core::{NoSignal, Signal, format::RolloutWarnings};
use std::collections::BTreeSet;

words! {
    tasks: "All tasks" / "모든 과제";
    tasks_hint: "Press a head to sort, a task to open it." / "머리글을 누르면 정렬하고, 과제를 누르면 열립니다.";
    columns_title: "What the columns mean" / "열의 뜻";
    filter: "Only steps with" / "다음 단계만";
    only_opposite: "opposite signs" / "부호가 반대";
    only_alone: "a state of their own" / "혼자인 상태";
    only_invalid: "an invalid action" / "형식 오류";
    state_text: "Text of the state" / "상태의 글";
    agent: "Agent" / "에이전트";
    any_agent: "any" / "전체";
    clear: "Clear" / "지우기";
    nothing_found: "No step meets the filter." / "조건에 맞는 단계가 없습니다.";
    more: "Show more" / "더 보기";
    distributions: "Distributions of the advantages" / "어드밴티지 분포";
    distributions_hint: "Steps by advantage; the bar in the middle is exactly 0. Each axis has its own scale." / "어드밴티지별 단계 수입니다. 가운데 막대는 정확히 0이고, 축의 눈금은 추정기마다 다릅니다.";
    advantage: "Advantage" / "어드밴티지";
    disagreements: "Where they disagree" / "추정기가 엇갈리는 곳";
    disagreements_hint: "Opposite signs first, then by the difference of ranks over the whole file; press the head of a column to sort by it, or a step to open it." / "부호가 반대인 단계가 먼저, 다음은 파일 전체에서 순위 차이가 큰 순서입니다. 열의 제목을 누르면 그 열로 정렬하고, 단계를 누르면 열립니다.";
    pair: "Estimators that are compared" / "비교할 추정기";
    one: "Compare" / "비교";
    other: "With" / "상대";
    all_shown: "all that are shown" / "표시된 모든 추정기";
    no_disagreement: "The estimators agree in sign and rank on every step." / "모든 단계에서 추정기의 부호와 순위가 같습니다.";
    save_table: "Save the comparison (CSV)" / "비교 저장 (CSV)";
    step: "Step|Attempt, and step counted from 0" / "단계|시도와, 0부터 센 단계";
    state: "State|State that the step began in, and the action taken there" / "상태|단계가 시작된 상태와 그때 한 행동";
    ranks_apart: "Ranks apart|Share of the file's steps that lie between the step's ranks under two estimators, where it is largest" / "순위 차이|추정기마다 다른 이 단계의 두 순위 사이에 있는 단계의 비율(가장 큰 값)";
    opposite_sign: "opposite sign" / "부호 반대";
    runs: "Runs" / "학습 기록";
    runs_hint: "Open metrics.jsonl of a run, of another one beside it, or rollouts of several iterations; or drop them anywhere." / "학습 기록의 metrics.jsonl, 비교할 다른 기록, 여러 반복의 롤아웃 파일을 열거나 끌어다 놓으세요.";
    open_run: "Open files of a run…" / "학습 기록 파일 열기…";
    metric: "Metric" / "지표";
    iteration: "Iteration" / "반복";
    traces: "Rollouts of iteration" / "롤아웃의 반복";
    remove: "Remove" / "빼기";
    bold_line: "Bold: mean over up to 20 iterations." / "굵은 선은 최대 20회 반복의 평균입니다.";
    not_in_run: "No run has this metric." / "이 지표가 있는 기록이 없습니다.";
    not_text: "not a text file" / "텍스트 파일이 아닙니다";
    no_file: "The file could not be read." / "파일을 읽지 못했습니다.";
    /// The head of a column with the steps whose sign an estimator turns.
    opposite_to(name: &str): "Opposite in {name}" / "{name}와 반대";
    /// What is counted in such a column.
    opposite_hint(name: &str): "Steps that one of {name} and the chosen estimator raises and the other lowers" / "{name}와 선택한 추정기 중 하나는 높이고 다른 하나는 낮추는 단계";
    /// What is in the column of the chosen estimator.
    chosen_hint(name: &str): "Advantage under {name}, as it is set above" / "위에서 설정한 {name}의 어드밴티지";
    /// What is in the column of another estimator.
    other_hint(name: &str, chosen: &str): "Advantage under {name}; \u{21c5}: the sign is opposite to that of {chosen}" / "{name}의 어드밴티지. \u{21c5}: 부호가 {chosen}와 반대";
    /// Which estimators count an attempt as often as it has steps.
    by_steps(names: &str): "{names}: the score of an attempt counts once for each of its steps." / "{names}: 시도의 점수를 단계 수만큼 셉니다.";
    /// Which estimators count every attempt once.
    by_attempts(names: &str): "{names}: the score of every attempt counts once." / "{names}: 시도의 점수를 한 번씩 셉니다.";
    /// What the overview is of.
    heading(name: &str): "Overview of {name}" / "{name} 한눈에 보기";
    /// How far reading has come.
    reading(done: usize, all: usize): "{done} of {all} tasks read" / "과제 {all}개 중 {done}개 읽음";
    /// How much of a file meets the filter.
    found([tasks, all_tasks, steps, all_steps]: [&str; 4]): "{tasks} of {all_tasks} tasks \u{b7} {steps} of {all_steps} steps" / "과제 {all_tasks}개 중 {tasks}개 \u{b7} 단계 {all_steps}개 중 {steps}개";
    /// The estimator that is set above.
    the_chosen(name: &str): "{name} (chosen)" / "{name} (선택됨)";
    /// What estimators the signs and ranks of the chosen one are held against.
    against(chosen: &str, others: &str): "{chosen} as it is set above, against {others}." / "위에서 설정한 {chosen}를 {others}와 비교합니다.";
    /// A distribution in one sentence.
    spread([below, zero, above]: [String; 3]): "{below} below 0, {zero} exactly 0, {above} above 0" / "0보다 작음 {below}, 정확히 0 {zero}, 0보다 큼 {above}";
    /// What a screen reader says of a distribution's picture.
    picture_of(name: &str, [limit, highest]: [&str; 2], spread: &str): "{name}: histogram from \u{2212}{limit} to {limit}, the highest bar {highest} steps. {spread}." / "{name}: \u{2212}{limit}부터 {limit}까지의 히스토그램, 가장 높은 막대는 {highest}단계. {spread}.";
    /// What a screen reader says of a curve's picture.
    curve_of(key: &str, [first, last]: [u64; 2], runs: &str): "{key} over iterations {first} to {last}. {runs}" / "반복 {first}부터 {last}까지의 {key}. {runs}";
    /// A run's value at an iteration.
    at_iteration(run: &str, value: &str, iteration: u64): "{run}: {value} at iteration {iteration}" / "{run}: 반복 {iteration}에서 {value}";
    /// Which trace is shown of how many.
    trace_of(place: usize, all: usize, name: &str): "{place} of {all}: {name}" / "{all}개 중 {place}번째: {name}";
    padded_rows(count: usize): "Left out: {count} padded rows (active_masks is false)." / "채움 행(active_masks가 false) {count}개를 뺐습니다.";
    repeated_rows(count: usize): "{count} rows equal the row before them; remove them if they are copies." / "바로 앞 행과 같은 행이 {count}개 있습니다. 복사본이면 지우세요.";
    empty_states(count: usize): "{count} steps have an empty state and are compared with each other." / "상태가 비어 있는 단계가 {count}개 있으며, 서로 같은 상태로 비교합니다.";
    missing_values(count: usize): "{count} steps have a state or a name that stands for a missing value (nan, None, null)." / "상태나 이름이 빠진 값을 뜻하는 글자(nan, None, null)인 단계가 {count}개 있습니다.";
    lost_letters(count: usize): "{count} steps have a state with letters that were lost (U+FFFD); different states may be equal." / "상태의 글자가 깨진(U+FFFD) 단계가 {count}개 있습니다. 서로 다른 상태가 같아졌을 수 있습니다.";
    unflagged_rows(count: usize): "{count} rows do not say whether the action was valid, and count as valid." / "유효한 행동인지 적지 않은 행 {count}개를 유효한 것으로 봅니다.";
    late_attempts(count: usize): "{count} attempts begin with a later step than the first one: are rows missing?" / "첫 단계가 아닌 단계로 시작하는 시도가 {count}개 있습니다. 빠진 행이 없나요?";
    one_step_lines(count: usize): "{count} lines of a trainer's dump are one step each: the prompt is the state, the response the action." / "학습기가 남긴 줄 {count}개는 각각 한 단계입니다. 프롬프트가 상태, 응답이 행동입니다.";
    omitted_attempts(count: usize): "Left out: {count} attempts that failed or are not trained on." / "실패했거나 학습에 쓰지 않는 시도 {count}개를 뺐습니다.";
    cut_off_turns(count: usize): "{count} turns were cut off, and count as any other." / "중간에 잘린 차례 {count}개도 다른 차례처럼 셉니다.";
    incomplete_tasks([tasks, of, size]: [usize; 3]): "{tasks} of {of} tasks do not have {size} attempts: are some missing?" / "과제 {of}개 중 {tasks}개는 시도가 {size}개가 아닙니다. 빠진 시도가 없나요?";
    unread_fields(names: &str): "Not read, but kept: {names}. If one of these holds a field, name it below." / "읽지 않고 보관한 필드: {names}. 이 중에 읽어야 할 것이 있으면 아래에서 이름을 지정하세요.";
    unread_first_line(names: &str): "The first line is taken for how the file was made; {names} mean nothing there." / "첫 줄은 파일을 만든 방법으로 봅니다. 거기서 {names}에는 뜻이 없습니다.";
    no_signal([without, steps]: [usize; 2], name: &str, why: &str): "{without} of {steps} steps have no advantage under {name}: {why}" / "{name} 추정기로는 단계 {steps}개 중 {without}개의 어드밴티지가 0입니다. {why}";
    single_attempts: "every task has a single attempt." / "과제마다 시도가 하나뿐입니다.";
    equal_rewards: "the attempts at a task have the same rewards in sum." / "한 과제의 시도들이 얻은 보상의 합이 같습니다.";
    states_alone: "their states occur once in their task. If something in them differs each time, such as the time, leave it out, or compare similar states or whole attempts (GRPO)." / "그 상태들은 과제에 한 번씩만 나옵니다. 시각처럼 매번 달라지는 것이 있으면 빼거나, 비슷한 상태끼리 또는 시도 전체를(GRPO) 비교하세요.";
    equal_steps: "the steps that they are compared with are worth the same." / "비교하는 단계들의 값이 같습니다.";
    cut_off: "The last line does not end with a line break: was the file cut off?" / "마지막 줄이 줄바꿈으로 끝나지 않습니다. 파일이 잘리지 않았나요?";
}

words_of! {
    both_of(Key) {
        Name: "Task|A task, with its instruction where the file has one" / "과제|과제와, 파일에 있으면 그 지시문";
        Attempts: "Attempts|Attempts at the task that are in the file" / "시도|파일에 있는 이 과제의 시도 수";
        Success: "Success|Attempts that succeeded; where the file does not say, those whose rewards add up to more than 0" / "성공|성공한 시도. 파일에 적혀 있지 않으면 보상의 합이 0보다 큰 시도";
        Score: "Mean score|Mean over the attempts; a score is the sum of an attempt's rewards" / "평균 점수|시도들의 평균. 점수는 시도의 보상을 모두 더한 값입니다";
        Steps: "Steps|Steps of all attempts at the task" / "단계|이 과제의 모든 시도의 단계 수";
        Silent: "No signal|Steps whose advantage is exactly 0 under the chosen estimator" / "신호 없음|선택한 추정기에서 어드밴티지가 정확히 0인 단계";
        Alone: "Alone|States that only one step is in: groups of one" / "혼자|단계가 하나뿐인 상태(크기 1인 그룹)";
        Invalid: "Invalid|Steps whose response broke the format" / "형식 오류|응답 형식이 잘못된 단계";
        | Key::Opposite(_) => ""
    }
}

/// What a column of the tasks is called, and what it tells, if it is of no single estimator.
pub(crate) fn column(key: Key) -> Named {
    named(both_of(key))
}

/// What there is to say of rows that could be read; nothing if there is nothing.
pub(crate) fn noticed(noticed: &RolloutWarnings) -> String {
    let counts = [
        (noticed.inactive, padded_rows as fn(usize) -> String),
        (noticed.repeated, repeated_rows),
        (noticed.empty_states, empty_states),
        (noticed.missing, missing_values),
        (noticed.replaced, lost_letters),
        (noticed.unflagged, unflagged_rows),
        (noticed.late, late_attempts),
        (noticed.one_step, one_step_lines),
        (noticed.omitted, omitted_attempts),
        (noticed.cut_off, cut_off_turns),
    ];
    let counts = counts.into_iter().filter(|(count, _)| *count > 0);
    let cut = noticed.may_be_cut.then(|| cut_off().to_owned());
    let counts = counts.map(|(count, sentence)| sentence(count));
    let incomplete = noticed.incomplete.as_ref();
    let incomplete = incomplete.map(|all| incomplete_tasks([all.tasks, all.of, all.group_size]));
    let listed = |names: &BTreeSet<String>| {
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        (!names.is_empty()).then(|| names.join(", "))
    };
    let unread = listed(&noticed.unread).map(|names| unread_fields(&names));
    let first = listed(&noticed.unread_first_line).map(|names| unread_first_line(&names));
    let others = [incomplete, unread, first, cut].into_iter().flatten();
    counts.chain(others).collect::<Vec<_>>().join(" ")
}

/// That hardly any step has an advantage under an estimator, and why; nothing where more have one.
pub(crate) fn without_signal(signal: &Signal, name: &str) -> Option<String> {
    let why = match signal.lack()? {
        NoSignal::SingleTrajectories => single_attempts(),
        NoSignal::EqualRewards => equal_rewards(),
        NoSignal::StatesAlone => states_alone(),
        NoSignal::EqualSteps => equal_steps(),
    };
    Some(no_signal([signal.without, signal.steps], name, why))
}
