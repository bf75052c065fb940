"""Step-level advantages in Trinity-RFT (0.6): in its configuration,

    algorithm:
      advantage_fn: hgpo.trinity.StepAdvantageFn
      advantage_fn_args: {estimator: hgpo, context_length: 2}

Workflows set what its own GiGPO reads: ``eid.run`` and ``eid.step``, and in ``info`` the state that a step was
taken in and its reward.
"""

import torch
from trinity.algorithm.advantage_fn.advantage_fn import AdvantageFn
from trinity.buffer.operators import ExperienceOperator

import hgpo
from hgpo._metrics import metrics
from hgpo._states import numbers

__all__ = ["StepAdvantageFn"]


class StepAdvantageFn(AdvantageFn, ExperienceOperator):
    """The advantages of an estimator of this package, on every token that the model wrote.

    Parameters
    ----------
    estimator : one of `hgpo.estimators()`.
    state_key, step_reward_key, valid_key : where in ``info`` are the state (text or a whole number), the reward of
        the step, and whether the response kept the format (true where there is none). Without rewards of steps,
        the last step has the experience's reward, and the others 0.
    **options : those of `hgpo.options(estimator)`.
    """

    def __init__(self, estimator="hgpo", state_key="env_state_hash", step_reward_key="step_reward", valid_key="is_action_valid", **options):
        self.estimator, self.options = estimator, options
        self.state_key, self.step_reward_key, self.valid_key = state_key, step_reward_key, valid_key
        hgpo.options(estimator)  # refuses one that there is not

    def process(self, exps):
        if not exps:
            return [], {}
        columns = {
            "rewards": self.rewards(exps), "task": [exp.eid.tid for exp in exps], "trajectory": [exp.eid.rid for exp in exps],
            "state": numbers([self.state(exp) for exp in exps]), "step": [int(exp.eid.step) for exp in exps],
            "valid": [bool((exp.info or {}).get(self.valid_key, True)) for exp in exps],
        }
        advantages = hgpo.advantages(columns, estimator=self.estimator, **self.options)
        for exp, advantage in zip(exps, advantages.tolist()):
            scalar = torch.tensor(advantage, dtype=torch.float32)
            exp.advantages = scalar if exp.action_mask is None else exp.action_mask * scalar
            exp.returns = exp.advantages.clone()
        return exps, self.metrics(columns)

    def __call__(self, exps, **kwargs):
        return self.process(exps)

    def state(self, exp):
        state = (exp.info or {}).get(self.state_key)
        if state is None:
            raise ValueError(f"experience {exp.eid}: info has no `{self.state_key}`: set the state that the step was taken in")
        return state

    def rewards(self, exps):
        given = [(exp.info or {}).get(self.step_reward_key) for exp in exps]
        # As Trinity's GiGPO takes them: a run's own where one of its steps has one.
        runs, last = {}, {}
        for place, exp in enumerate(exps):
            runs[exp.eid.rid] = runs.get(exp.eid.rid, False) or given[place] is not None
            if exp.eid.rid not in last or exp.eid.step > exps[last[exp.eid.rid]].eid.step:
                last[exp.eid.rid] = place
        return [
            (given[place] or 0.0) if runs[exp.eid.rid] else (exp.reward or 0.0) if last[exp.eid.rid] == place else 0.0
            for place, exp in enumerate(exps)
        ]

    def metrics(self, columns):
        found = hgpo.diagnostics(columns, estimator=self.estimator, **self.options)
        return {"experience_count": found["steps"], **metrics(found)}

    @classmethod
    def compute_in_trainer(cls):
        """In the pipeline of experiences, as all that groups them."""
        return False

    @classmethod
    def default_args(cls):
        return {"estimator": "hgpo"}
