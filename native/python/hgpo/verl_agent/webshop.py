"""verl-agent's WebShop, played natively."""

import os

from hgpo.verl_agent._envs import Groups

FORM = "search[<your query>]"


class WebshopEnvs(Groups):
    """`env_num` groups of `group_n` visits of the shop. Goals are drawn as verl-agent draws them, of one order
    of goals for all; there, the workers of every group have an order of their own."""

    def __init__(self, seed, env_num, group_n, split, **settings):
        from hgpo.envs import WebShopVec

        super().__init__(WebShopVec, env_num, group_n, seed=seed, split=split, **settings)

    def infos(self, infos):
        told = []
        for place, actions in enumerate(infos["admissible"]):
            clickables = [action.removeprefix("click[").removesuffix("]") for action in actions if action != FORM]
            told.append(
                {
                    "available_actions": {"has_search_bar": FORM in actions, "clickables": clickables},
                    "won": bool(infos["won"][place]), "task_score": float(infos["score"][place]) if "score" in infos else 0.0,
                }
            )
        return told

    def reset(self):
        texts, infos = self.begin()
        return texts, self.infos(infos)

    def step(self, actions):
        texts, rewards, dones, infos = self.play(actions)
        return texts, rewards.tolist(), dones, self.infos(infos)


def build_webshop_envs(seed, env_num, group_n, resources_per_worker=None, is_train=True, env_kwargs=None):
    """The environments, of the products that `file_path` is of where it is there, else of those that
    WEBSHOP_DATA names."""
    env_kwargs = dict(env_kwargs or {})
    settings = {"observation": env_kwargs.get("observation_mode", "text"), "human_goals": bool(env_kwargs.get("human_goals", False))}
    products = env_kwargs.get("file_path")
    if products and os.path.exists(products):
        settings["data"] = os.path.dirname(products)
    if env_kwargs.get("num_products") is not None:
        raise ValueError(f"num_products is {env_kwargs['num_products']}: the shop has all products of its folder")
    return WebshopEnvs(seed, env_num, group_n, "train" if is_train else "seen", **settings)
