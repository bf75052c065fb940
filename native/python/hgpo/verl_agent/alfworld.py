"""verl-agent's ALFWorld, played natively."""

import os

import numpy as np

from hgpo.verl_agent._envs import Groups

SPLITS = {"eval_in_distribution": "seen", "eval_out_of_distribution": "unseen"}


class AlfworldEnvs(Groups):
    """`env_num` groups of `group_n` games of ALFWorld: those that verl-agent's workers play under the seed."""

    def __init__(self, seed, env_num, group_n, split, **settings):
        from hgpo.envs import AlfworldVec

        super().__init__(AlfworldVec, env_num, group_n, seed=seed, split=split, **settings)
        self.data = settings.get("data") or os.environ.get("ALFWORLD_DATA", "")
        self.admissible = [None] * self.num_envs

    @property
    def get_admissible_commands(self):
        return self.admissible

    def infos(self, texts, infos):
        self.admissible = list(infos["admissible"])
        return [
            {
                "won": bool(infos["won"][place]), "admissible_commands": self.admissible[place],
                "extra.gamefile": os.path.join(self.data, infos["source"][place]), "observation_text": texts[place],
            }
            for place in range(self.num_envs)
        ]

    def reset(self):
        texts, infos = self.begin()
        return texts, None, self.infos(texts, infos)

    def step(self, actions):
        texts, _, dones, infos = self.play(actions)
        # Of the state, as there: once more at every step after the end.
        rewards = (10.0 * np.asarray(infos["won"])).tolist()
        return texts, None, rewards, dones, self.infos(texts, infos)


def build_alfworld_envs(
    alf_config_path, seed, env_num, group_n, resources_per_worker=None, is_train=True, env_kwargs=None, envs_per_worker=1,
):
    """The environments, with the kinds of task of a configuration file where it is there. The data are those
    that ALFWORLD_DATA names."""
    dataset = (env_kwargs or {}).get("eval_dataset", "eval_in_distribution")
    if not is_train and dataset not in SPLITS:
        raise ValueError(f"eval_dataset is {dataset!r}: use one of {', '.join(SPLITS)}")
    settings = {}
    if alf_config_path and os.path.exists(alf_config_path):
        import yaml

        with open(alf_config_path) as file:
            config = yaml.safe_load(file).get("env", {})
        if config.get("type", "AlfredTWEnv") != "AlfredTWEnv":
            raise ValueError(f"environments of type {config['type']} are not there: use AlfredTWEnv")
        settings["task_types"] = config.get("task_types", [1, 2, 3, 4, 5, 6])
    return AlfworldEnvs(seed, env_num, group_n, "train" if is_train else SPLITS[dataset], **settings)
