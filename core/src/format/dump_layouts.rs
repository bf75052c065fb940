//! Layouts of dumps: which fields say what in the files of each trainer.
//!
//! Each was looked up where it is written:
//! - verl (0.8 development, 2026-01-29), `verl/trainer/ppo/ray_trainer.py`, `_dump_generations`: `{step}.jsonl` in
//!   `rollout_data_dir` and `validation_data_dir`, with `input`, `output`, `gts`, `score`, `step` (of training) and what
//!   reward functions add (in validation, `reward`). The identifier of the group is not written, so that equal
//!   prompts within a training step are taken for it. RAGEN writes the same by the same function, but in validation
//!   with an empty `input`: that says nothing of the group.
//! - RAGEN (2026-04-14, mll-lab-nu/RAGEN), `ragen/llm_agent/agent_proxy.py`, `_save_as_jsonl`: an episode a line, with
//!   `custom_id`, `messages`, and `metadata` with `group_id` and `total_reward`. Its `metadata.success` is not read: it
//!   is looked up by a name that metrics do not have, and is always false.
//! - TRL (1.9, 2026-07-24), `trl/trainer/grpo_trainer.py`, `log`: tables with `step`, `prompt`, `completion`, a column
//!   for each reward function, and `advantage`; until 0.16 with `reward`, the weighted sum, which is not written since.
//! - verifiers' `results.jsonl` (0.1 to 0.3; `verifiers/legacy/utils/save_utils.py`, `state_to_output`), which
//!   prime-rl's `train_rollouts.jsonl` (2026-04-10 to 2026-06) is too: `example_id`, `prompt`, `completion`, `reward`,
//!   and, if it was asked for, `trajectory`, whose steps have `prompt`, `completion`, `reward`. The reward of the attempt
//!   is copied into steps without one (`rubrics/rubric.py`). `task` was the name of an environment.
//! - open-instruct (2026-08-20), `open_instruct/rl_utils.py`, `RolloutRecord`: `step`, `sample_idx`, `prompt_idx`,
//!   `prompt_tokens`, `response_tokens`, `reward`, `advantage`, `finish_reason` and others; tokens, not text.

/// The layout of a dump.
pub(super) struct Dump {
    /// What its first line has.
    pub(super) has: &'static [&'static str],
    /// What its first line has not.
    pub(super) lacks: &'static [&'static str],
    /// What comes before the key, where there is something: the name of an environment.
    pub(super) environment: Option<&'static str>,
    /// What attempts of a group have in common, by which the task is called, with `/` between.
    pub(super) key: &'static [&'static str],
    /// The name of an attempt; without one, the number of the line.
    pub(super) name: Option<&'static str>,
    pub(super) reward: &'static str,
    pub(super) body: Body,
    /// The list of steps, each with messages, that it may have besides.
    pub(super) steps: Option<&'static str>,
}

/// Where a dump says what was seen and done.
#[derive(Clone, Copy)]
pub(super) enum Body {
    /// What the model was given, and what it gave back: as one step.
    Pair(&'static str, &'static str),
    /// The same, or messages of a conversation, whose turns are steps.
    Chat(&'static str, &'static str),
    /// Messages of a conversation.
    Messages(&'static str),
}

/// All layouts; the first one that fits counts.
pub(super) const DUMPS: [Dump; 5] = [
    Dump {
        has: &["input", "output", "score", "step"],
        lacks: &[],
        environment: None,
        key: &["step", "input"],
        name: None,
        reward: "score",
        body: Body::Pair("input", "output"),
        steps: None,
    },
    Dump {
        has: &["step", "prompt_idx", "sample_idx", "prompt_tokens", "response_tokens"],
        lacks: &[],
        environment: None,
        key: &["step", "prompt_idx"],
        name: Some("sample_idx"),
        reward: "reward",
        body: Body::Pair("prompt_tokens", "response_tokens"),
        steps: None,
    },
    Dump {
        has: &["example_id", "prompt", "completion"],
        lacks: &[],
        environment: Some("task"),
        key: &["example_id"],
        name: None,
        reward: "reward",
        body: Body::Chat("prompt", "completion"),
        steps: Some("trajectory"),
    },
    Dump {
        has: &["step", "prompt", "completion"],
        lacks: &["task"],
        environment: None,
        key: &["step", "prompt"],
        name: None,
        reward: "reward",
        body: Body::Chat("prompt", "completion"),
        steps: None,
    },
    Dump {
        has: &["custom_id", "messages", "metadata.group_id"],
        lacks: &["task"],
        environment: None,
        key: &["metadata.group_id"],
        name: Some("custom_id"),
        reward: "metadata.total_reward",
        body: Body::Messages("messages"),
        steps: None,
    },
];
