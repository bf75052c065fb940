//! Game files of a generated game, in the form of the official data.

use serde_json::json;

use super::super::data_folder::{TASK_TYPES, folder_of};
use super::super::game::GameFile;
use super::catalogue::{Kind, THINGS};
use super::task::Task;
use super::vocabulary::{command, instruction};
use super::{DOMAIN, GRAMMAR, problem::problem, shortest_plan::Action};
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
    /// ALFWorld's name of the kind of task.
    pub(super) task_type: &'static str,
    object: String,
    target: String,
}

impl GeneratedGame {
    /// The game of a task.
    pub(super) fn new(task: &Task, plan: &[Action], split: Split, seed: u64) -> Self {
        let (object, target) = (capital(THINGS[task.thing].name), capital(task.target));
        let task_type = official(task.kind);
        let data = folder_of(split);
        // Houses of unseen tasks are counted from 1001, as no other house is.
        let scene = task.scene + if split == Split::Unseen { 1001 } else { 1 };
        Self {
            folder: format!("{data}/{task_type}-{object}-None-{target}-{scene}/trial_G{seed:020}"),
            instruction: instruction(task),
            walkthrough: plan.iter().map(|&action| command(task, action)).collect(),
            problem: problem(task),
            task_type,
            object,
            target,
        }
    }

    /// What `game.tw-pddl` holds.
    pub(super) fn file(&self) -> GameFile {
        GameFile {
            pddl_domain: DOMAIN.to_owned(),
            grammar: GRAMMAR.replace("TASK", &self.instruction),
            pddl_problem: self.problem.clone(),
            solvable: Some(true),
            walkthrough: Some(self.walkthrough.clone()),
        }
    }

    /// The bytes of `game.tw-pddl`.
    ///
    /// # Errors
    /// Never: texts and lists of texts are JSON.
    pub fn game_file(&self) -> Result<Vec<u8>, serde_json::Error> {
        serde_json::to_vec(&self.file())
    }

    /// The bytes of `traj_data.json`.
    ///
    /// # Errors
    /// Never: texts and truth values are JSON.
    pub fn trajectory_file(&self) -> Result<Vec<u8>, serde_json::Error> {
        let mut targets = [self.target.as_str(), ""];
        if self.task_type == official(Kind::Examine) {
            targets.reverse();
        }
        let [parent, toggle] = targets;
        serde_json::to_vec_pretty(&json!({
            "task_type": self.task_type,
            "pddl_params": {
                "object_target": self.object,
                "parent_target": parent,
                "toggle_target": toggle,
                "mrecep_target": "",
                "object_sliced": false,
            },
            "turk_annotations": { "anns": [{ "task_desc": self.instruction }] },
        }))
    }
}

/// The name of a kind of task in the official data.
fn official(kind: Kind) -> &'static str {
    TASK_TYPES[kind as usize - 1]
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
