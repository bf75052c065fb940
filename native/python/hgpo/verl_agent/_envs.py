"""What verl-agent's vector environments have in common."""


class Groups:
    """Episodes of a vector of this package, as verl-agent's environments offer theirs: lists of texts and of
    infos. Episodes that have ended are stepped on, as there: nothing happens any more."""

    multi_modal = False

    def __init__(self, make, env_num, group_n, **settings):
        from gymnasium.vector import AutoresetMode

        self.env_num, self.group_n, self.num_envs = env_num, group_n, env_num * group_n
        # verl-agent's own count by this name, too.
        self.num_processes = self.num_envs
        self.envs = make(env_num, group_n, autoreset=AutoresetMode.DISABLED, original=True, **settings)

    def begin(self):
        texts, infos = self.envs.reset()
        return list(texts), infos

    def play(self, actions):
        if len(actions) != self.num_envs:
            raise ValueError(f"{len(actions)} actions for {self.num_envs} environments: pass one for each")
        texts, rewards, terminated, truncated, infos = self.envs.step(actions)
        return list(texts), rewards, (terminated | truncated).tolist(), infos

    def close(self, timeout_s=30):
        self.envs.close()
