"""verl-agent's advantages, with its signatures: tensors in, tensors out."""

import numpy as np

import hgpo
from hgpo._states import numbers

EPSILON = 1e-6
SCALES = {"mean_std_norm": "mean-std", "mean_norm": "mean"}


def compute_hgpo_outcome_advantage(
    token_level_rewards, step_rewards, response_mask, anchor_obs, index, traj_index, history_length,
    epsilon=EPSILON, mode="mean_std_norm", length_weight_alpha=1.0, base_group=False,
):
    """HGPO's advantages as verl-agent's `core_hgpo` has them: A_k of k = 0…`history_length` with the weights
    (k+2)^α / (Σ_l (l+2)^α + 1e-6), where `base_group` adds the episode's with the weight 1.

    Groups of equal rewards give exactly 0, where verl-agent's float32 leaves noise of up to 0.7.

    Returns
    -------
    (advantages, returns), the same tensor: float32, of the shape of `response_mask`.
    """
    batch = dict(rewards=as_array(step_rewards), task=numbers(index), trajectory=numbers(traj_index), state=numbers(anchor_obs))
    plain = dict(
        discount=0.0, invalid_penalty=0.0, estimator="hgpo", context_length=int(history_length),
        alpha=float(length_weight_alpha), weights="verl", scale=scale_of(mode, epsilon),
    )
    if not base_group:
        return over_tokens(hgpo.advantages(batch, **plain), response_mask)
    episode = episodes(token_level_rewards, batch["task"], plain["scale"])
    episode = np.where(as_array(response_mask).sum(axis=1) > 0, episode, 0.0)
    # The library knows this term of its own rewards alone, and here the episode's come apart from the steps'.
    levels = [hgpo.advantages(batch, **plain, only_level=level) for level in range(int(history_length) + 1)]
    terms = np.stack([episode, *levels])
    weights = np.arange(1.0, len(terms) + 1)[:, None] ** plain["alpha"] * (terms != 0)
    return over_tokens((weights * terms).sum(axis=0) / (weights.sum(axis=0) + EPSILON), response_mask)


def compute_gigpo_outcome_advantage(
    token_level_rewards, step_rewards, response_mask, anchor_obs, index, traj_index, epsilon=EPSILON,
    step_advantage_w=1.0, mode="mean_norm", enable_similarity=False, similarity_thresh=0.95,
):
    """GiGPO's advantages as verl-agent's `core_gigpo` has them: the episode's, over all step rows of the task,
    plus `step_advantage_w` times that among equal (or similar) states.

    Returns
    -------
    (advantages, returns), the same tensor: float32, of the shape of `response_mask`.
    """
    scale, task = scale_of(mode, epsilon), numbers(index)
    states = texts(anchor_obs) if enable_similarity else numbers(anchor_obs)
    similar = dict(similarity="edit", threshold=float(similarity_thresh)) if enable_similarity else {}
    # States are compared in the order of the rows, whatever trajectory they are of.
    steps = hgpo.advantages(
        as_array(step_rewards), task, np.arange(len(task)), states, discount=0.0, invalid_penalty=0.0,
        estimator="hgpo", context_length=0, std="sample", scale=scale, **similar,
    )
    both = episodes(token_level_rewards, task, scale) + float(step_advantage_w) * steps
    return over_tokens(both, response_mask)


def episodes(token_level_rewards, task, scale):
    """GRPO's advantages over the step rows of a task."""
    scores, rows = as_array(token_level_rewards).sum(axis=-1), np.arange(len(task))
    return hgpo.advantages(scores, task, rows, rows, discount=0.0, invalid_penalty=0.0, estimator="grpo", scale=scale)


def scale_of(mode, epsilon):
    if mode not in SCALES:
        raise ValueError(f"mode is {mode!r}: use one of {', '.join(SCALES)}")
    if epsilon != EPSILON:
        raise ValueError(f"epsilon is {epsilon}: only {EPSILON} is there")
    return SCALES[mode]


def as_array(tensor):
    return np.asarray(tensor.detach().cpu().double() if hasattr(tensor, "detach") else tensor, dtype=np.float64)


def over_tokens(advantages, response_mask):
    """Each row's advantage at every token of its response."""
    import torch

    column = torch.as_tensor(advantages, dtype=torch.float32, device=response_mask.device).unsqueeze(-1)
    scores = column * response_mask
    return scores, scores


def texts(column):
    entries = list(column)
    for row, entry in enumerate(entries):
        if not isinstance(entry, str):
            raise ValueError(f"row {row}: the state is of type {type(entry).__name__}: only texts can be similar")
    return entries
