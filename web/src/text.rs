//! Every word on the screen.

use crate::model::{DEEPEST, Field, STEEPEST, number};

pub(crate) const TITLE: &str = "Groups within groups";
pub(crate) const SUBTITLE: &str =
    "How HGPO turns the returns of a few attempts at one task into an advantage for every step";

pub(crate) const THEME: &str = "Colours";
pub(crate) const THEME_AUTO: &str = "Auto";
pub(crate) const THEME_LIGHT: &str = "Light";
pub(crate) const THEME_DARK: &str = "Dark";

pub(crate) const SOURCE: &str = "Rollouts";
pub(crate) const EXAMPLE: &str = "Example";
pub(crate) const OWN_FILE: &str = "Your own file";
pub(crate) const OPEN_FILE: &str = "Open a file\u{2026}";
pub(crate) const OPEN_HINT: &str = "A file can also be dropped anywhere on the page.";
pub(crate) const DROP_HERE: &str = "Drop the rollouts file to open it";
pub(crate) const TASK: &str = "Task";
pub(crate) const NOT_TEXT: &str =
    "it could not be read as text: choose a rollouts file (JSON Lines)";

pub(crate) const OVERVIEW: &str = "Overview: four paths through s2";
pub(crate) const OVERVIEW_NOTE: &str = "Four attempts start in s0 and all pass through s2. Three of them come from s1, two of those \
     from s0 before it: groups of 4, 3 and 2 steps, each compared with more of the same past.";
pub(crate) const ERRAND: &str = "Errand: states in words";
pub(crate) const ERRAND_NOTE: &str = "Five attempts to bring a clean cup to the study. States are compared by their exact text; the \
     second visit of an attempt to the same room joins the same group.";
pub(crate) const ALIKE: &str = "All alike: nothing to compare";
pub(crate) const ALIKE_NOTE: &str = "Every attempt succeeds in as many steps, so all returns of a group are equal: every advantage \
     is 0 and nothing is learned, whatever the estimator.";
pub(crate) const ALONE: &str = "All alone: states that never repeat";
pub(crate) const ALONE_NOTE: &str = "A clock in the text makes every state unique, so no step finds company: every step advantage \
     is 0 although half of the attempts succeed. Choose GRPO, which compares whole attempts.";

pub(crate) const CONTROLS: &str = "Estimator";
pub(crate) const METHOD: &str = "Method";
pub(crate) const GRPO: &str = "GRPO";
pub(crate) const GIGPO: &str = "GiGPO";
pub(crate) const HGPO: &str = "HGPO";
pub(crate) const DEPTH: &str = "Depth K";
pub(crate) const DEPTH_HINT: &str =
    "How many earlier states two steps must share at the deepest level";
pub(crate) const ALPHA: &str = "Slope \u{3b1}";
pub(crate) const ALPHA_HINT: &str =
    "How fast the weights of the levels grow with depth: 0 weighs all alike";
pub(crate) const SCALE: &str = "Scale";
pub(crate) const SCALE_HINT: &str =
    "Whether a centred return is divided by the group's standard deviation";
pub(crate) const SCALE_MEAN_STD: &str = "mean and \u{3c3}";
pub(crate) const SCALE_MEAN: &str = "mean only";
pub(crate) const WEIGHTS: &str = "Weights";
pub(crate) const WEIGHTS_HINT: &str =
    "The paper's formula, or that of the code which produced the paper's numbers";
pub(crate) const WEIGHTS_PAPER: &str = "paper: (k+1)^\u{3b1}";
pub(crate) const WEIGHTS_VERL: &str = "code: (k+2)^\u{3b1}";

pub(crate) const STAGE: &str = "Steps of every attempt";
pub(crate) const STAGE_HINT: &str = "Arrow keys move, Enter explains a step";
pub(crate) const TRAJECTORY: &str = "Attempt";
pub(crate) const SUCCESS: &str = "success";
pub(crate) const FAILURE: &str = "failure";
pub(crate) const INVALID: &str = "invalid";
pub(crate) const LEGEND_GROUPS: &str = "Shares with the chosen step";
pub(crate) const LEGEND_ADVANTAGE: &str = "Advantage";

pub(crate) const PANEL: &str = "The chosen step";
pub(crate) const STATE: &str = "State";
pub(crate) const ACTION: &str = "Action";
pub(crate) const REWARD: &str = "Reward";
pub(crate) const RETURN: &str = "Return R";
pub(crate) const ADVANTAGE: &str = "Advantage A";
pub(crate) const GROUPS: &str = "Who it is compared with";
pub(crate) const LEVELS: &str = "How the advantage comes about";
pub(crate) const LEVEL: &str = "Level";
pub(crate) const STEPS: &str = "Steps";
pub(crate) const MEAN: &str = "Mean";
pub(crate) const DEVIATION: &str = "\u{3c3}";
pub(crate) const SUM: &str = "Sum";
pub(crate) const EPISODE: &str = "Attempts";
pub(crate) const FORMULAS: &str = "The formulas with these numbers";
pub(crate) const ONLY_MEMBER: &str = "alone: left out";
pub(crate) const ALL_EQUAL: &str = "all equal: left out";
pub(crate) const AT_THE_MEAN: &str = "at the mean: left out";
pub(crate) const NOTHING_COUNTS: &str = "no level tells this step from others";

/// The problem with a typed number.
pub(crate) fn field_problem(field: Field) -> String {
    match field {
        Field::ContextLength => format!("K is a whole number from 0 to {DEEPEST}."),
        Field::Alpha => format!("\u{3b1} is a number from 0 to {STEEPEST}."),
    }
}

/// The problem with a file.
pub(crate) fn file_problem(name: &str, message: &str) -> String {
    format!("{name} was not opened: {message}")
}

/// `1 step`, `2 steps`.
pub(crate) fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number}\u{a0}{}", if number == 1 { one } else { many })
}

/// How many steps.
pub(crate) fn steps(number: usize) -> String {
    count(number, "step", "steps")
}

/// What the file or example holds.
pub(crate) fn holdings(tasks: usize, trajectories: usize, number_of_steps: usize) -> String {
    let parts = [
        count(tasks, "task", "tasks"),
        count(trajectories, "attempt", "attempts"),
        steps(number_of_steps),
    ];
    parts.join(" \u{b7} ")
}

/// Where the return of an invalid step comes from.
pub(crate) fn penalised(discounted_return: f64, penalty: f64) -> String {
    let (before, penalty) = (number::short(discounted_return, 4), number::short(penalty, 4));
    format!(" = {before} \u{2212} {penalty} for the invalid action")
}

/// The members of a group that are not listed by name.
pub(crate) fn and_more(number: usize) -> String {
    format!("and {number} more")
}

/// What a screen reader says when a step was chosen.
pub(crate) fn summary(step: &str, advantage: f64, sizes: &[usize]) -> String {
    let sizes: Vec<String> = sizes.iter().map(usize::to_string).collect();
    let groups = if sizes.is_empty() {
        String::new()
    } else {
        format!("; groups of {} steps", sizes.join(", "))
    };
    format!("{step}: {ADVANTAGE} {}{groups}", number::signed(advantage, 3))
}

/// What two steps share that are in one group of a level.
pub(crate) fn shared(level: usize) -> String {
    match level {
        0 => "the same state".to_owned(),
        1 => "and the same state before it".to_owned(),
        _ => format!("and the same {level} states before it"),
    }
}

/// What the legend calls a level.
pub(crate) fn legend(level: usize) -> String {
    match level {
        0 => "the state".to_owned(),
        1 => "the state before".to_owned(),
        _ => format!("{level} states before"),
    }
}

/// The name of a step: trajectory and time, counted from 0 as in `s_0`.
pub(crate) fn step_name(trajectory: &str, step: usize) -> String {
    format!("{trajectory}, step {step}")
}
