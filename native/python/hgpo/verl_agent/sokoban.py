"""verl-agent's Sokoban, as text, played natively."""

from hgpo.verl_agent._envs import Groups

ACTIONS = ("still", "up", "down", "left", "right")
TEXT = "tiny_rgb_array"


class SokobanEnvs(Groups):
    """`env_num` groups of `group_n` rooms: those whose seeds verl-agent draws."""

    mode = TEXT

    def __init__(self, seed, env_num, group_n, split, **settings):
        from hgpo.envs import SokobanVec

        super().__init__(SokobanVec, env_num, group_n, seed=seed, split=split, **settings)

    def reset(self):
        self.texts, _ = self.begin()
        return list(self.texts), [{"won": False} for _ in self.texts]

    def step(self, actions):
        before = self.texts
        self.texts, rewards, dones, infos = self.play([ACTIONS[action] for action in actions])
        # The player moves whenever anything does.
        told = [
            {"action_is_effective": self.texts[place] != before[place], "won": bool(infos["won"][place])}
            for place in range(self.num_envs)
        ]
        return list(self.texts), rewards.tolist(), dones, told

    def render(self, mode=TEXT, env_idx=None):
        if mode != TEXT:
            raise ValueError(f"mode is {mode!r}: rooms are there as text, {TEXT!r}")
        return self.texts[env_idx] if env_idx is not None else list(self.texts)


def build_sokoban_envs(seed=0, env_num=1, group_n=1, mode=TEXT, resources_per_worker=None, is_train=True, env_kwargs=None):
    """The environments, for the mode `tiny_rgb_array`."""
    if mode != TEXT:
        raise ValueError(f"mode is {mode!r}: rooms are there as text, set env.sokoban.mode to {TEXT!r}")
    named = dict(env_kwargs or {})
    height, width = named.pop("dim_room", (6, 6))
    settings = {
        "height": int(height), "width": int(width), "boxes": int(named.pop("num_boxes", 3)),
        "search_depth": int(named.pop("search_depth", 300)), "max_steps": int(named.pop("max_steps", 100)),
        "published_rooms": True,
    }
    if named:
        raise ValueError(f"unknown settings of Sokoban: {', '.join(named)}")
    return SokobanEnvs(seed, env_num, group_n, "train" if is_train else "seen", **settings)
