//! Game files of a generated game, in the form of the official data.

use serde::Serialize;

use super::task::Task;
use super::task_kind::Kind;
use super::vocabulary::{command, instruction};
use super::{DOMAIN, GRAMMAR, catalogue::THINGS, problem::problem, shortest_plan::Action};
use crate::Split;

/// A generated game: what the files in its folder hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GeneratedGame {
    /// The folder, below that of the data; `/` between its parts.
    pub folder: String,
    /// What the agent is asked to do.
    pub instruction: String,
    /// The shortest solution.
    pub walkthrough: Vec<String>,
    /// The planning problem; the domain is the same in every game, and so is the grammar but for the
    /// instruction.
    pub problem: String,
    task_type: &'static str,
    object: String,
    target: String,
}

/// `game.tw-pddl`.
#[derive(Serialize)]
struct GameFile<'a> {
    pddl_domain: &'a str,
    grammar: &'a str,
    pddl_problem: &'a str,
    solvable: bool,
    walkthrough: &'a [String],
}

/// `traj_data.json`, as far as loaders read it.
#[derive(Serialize)]
struct Trajectory<'a> {
    task_type: &'a str,
    pddl_params: Parameters<'a>,
    turk_annotations: Annotations<'a>,
}

#[derive(Serialize)]
struct Parameters<'a> {
    object_target: &'a str,
    parent_target: &'a str,
    toggle_target: &'a str,
    mrecep_target: &'a str,
    object_sliced: bool,
}

#[derive(Serialize)]
struct Annotations<'a> {
    anns: [Annotation<'a>; 1],
}

#[derive(Serialize)]
struct Annotation<'a> {
    task_desc: &'a str,
}

impl GeneratedGame {
    /// The game of a task.
    pub(super) fn new(task: &Task, plan: &[Action], split: Split, seed: u64) -> Self {
        let (object, target) = (capital(THINGS[task.thing].name), capital(task.target));
        let task_type = official(task.kind);
        let data = match split {
            Split::Train => "train",
            Split::Seen => "valid_seen",
            Split::Unseen => "valid_unseen",
        };
        // Houses of unseen tasks are counted from 1001, as no other house is.
        let scene = task.scene + if split == Split::Unseen { 1001 } else { 1 };
        Self {
            folder: format!(
                "json_2.1.1/{data}/{task_type}-{object}-None-{target}-{scene}/trial_G{seed:020}"
            ),
            instruction: instruction(task),
            walkthrough: plan.iter().map(|&action| command(task, action)).collect(),
            problem: problem(task).unwrap_or_default(),
            task_type,
            object,
            target,
        }
    }

    /// ALFWorld's name of the kind of task.
    #[must_use]
    pub fn task_type(&self) -> &'static str {
        self.task_type
    }

    /// The grammar of its texts.
    #[must_use]
    pub fn grammar(&self) -> String {
        GRAMMAR.replace("TASK", &self.instruction)
    }

    /// The bytes of `game.tw-pddl`.
    ///
    /// # Errors
    /// Never: texts and lists of texts are JSON.
    pub fn game_file(&self) -> Result<Vec<u8>, serde_json::Error> {
        serde_json::to_vec(&GameFile {
            pddl_domain: DOMAIN,
            grammar: &self.grammar(),
            pddl_problem: &self.problem,
            solvable: true,
            walkthrough: &self.walkthrough,
        })
    }

    /// The bytes of `traj_data.json`.
    ///
    /// # Errors
    /// Never: texts and truth values are JSON.
    pub fn trajectory_file(&self) -> Result<Vec<u8>, serde_json::Error> {
        let lamp = self.task_type == official(Kind::Examine);
        serde_json::to_vec_pretty(&Trajectory {
            task_type: self.task_type,
            pddl_params: Parameters {
                object_target: &self.object,
                parent_target: if lamp { "" } else { &self.target },
                toggle_target: if lamp { &self.target } else { "" },
                mrecep_target: "",
                object_sliced: false,
            },
            turk_annotations: Annotations { anns: [Annotation { task_desc: &self.instruction }] },
        })
    }
}

/// The name of a kind of task in the official data.
fn official(kind: Kind) -> &'static str {
    match kind {
        Kind::Place => "pick_and_place_simple",
        Kind::Examine => "look_at_obj_in_light",
        Kind::Clean => "pick_clean_then_place_in_recep",
        Kind::Heat => "pick_heat_then_place_in_recep",
        Kind::Cool => "pick_cool_then_place_in_recep",
        Kind::Two => "pick_two_obj_and_place",
    }
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
