"""verl-agent's own rollout loop and advantages over the package's environments, with a stub in place of the model:

    python native/python/frameworks/try_verl_agent_loop.py CLONE ALFWORLD_DATA WEBSHOP_DATA [ITERATIONS]

CLONE is a checkout of verl-agent (d490e5b was tried). Needs torch, tensordict, torchdata, transformers, omegaconf,
codetiming, pillow, ray and the package. make_envs, prompts, memory, projections, TrajectoryCollector, rewards,
penalties and both trainers' compute_advantage are verl-agent's; its class for servers of models is stood in for. The
model is one that takes an admissible action at random and now and then forgets the format. Whatever `install()`
replaced is compared with what was there before.
"""

import copy
import gc
import os
import pathlib
import random
import re
import sys
import time
import types
from unittest import mock

import numpy as np
import omegaconf
import torch
from tokenizers import ByteLevelBPETokenizer
from transformers import PreTrainedTokenizerFast

import hgpo.verl_agent

GROUPS, GROUP, LONGEST_ANSWER, DISCOUNT, PENALTY = 16, 8, 64, 0.95, 0.1
KINDS = {
    "alfworld": dict(env_name="alfworld/AlfredTWEnv", max_steps=50, alfworld={"eval_dataset": "eval_in_distribution"}, tokens=4096),
    "webshop": dict(env_name="Webshop", max_steps=15, webshop={"use_small": True, "human_goals": False}, tokens=4096),
}


def main():
    clone, alfworld, webshop = sys.argv[1:4]
    iterations = int(sys.argv[4]) if len(sys.argv) > 4 else 3
    os.environ.update(ALFWORLD_DATA=alfworld, WEBSHOP_DATA=webshop)
    sys.path.insert(0, clone)
    servers = types.ModuleType("verl.workers.rollout.async_server")
    servers.AsyncLLMServerManager = object
    sys.modules[servers.__name__] = servers
    from gigpo import core_gigpo
    from recipe.hgpo import core_hgpo

    core_gigpo.print = lambda *_: None
    theirs = {"hgpo": core_hgpo.compute_hgpo_outcome_advantage, "gigpo": core_gigpo.compute_gigpo_outcome_advantage}
    hgpo.verl_agent.install()
    for kind, settings in KINDS.items():
        run(kind, dict(settings), iterations, theirs)


def run(kind, settings, iterations, theirs):
    from agent_system.multi_turn_rollout.rollout_loop import TrajectoryCollector
    from agent_system.reward_manager.episode import EpisodeRewardManager
    from recipe.hgpo.env_manager import make_envs

    tokens = settings.pop("tokens")
    config = omegaconf.OmegaConf.create(
        {
            "data": {"train_batch_size": GROUPS, "val_batch_size": 4, "max_prompt_length": tokens, "truncation": "left", "return_raw_chat": False},
            "env": {"seed": 1, "history_length": 2, "rollout": {"n": GROUP}, "resources_per_worker": {"num_cpus": 0.1}, **settings},
            "algorithm": {"filter_groups": {"enable": False}}, "trainer": {"val_only": False, "val_out": False},
        }
    )
    before = memory()
    begun = time.perf_counter()
    with mock.patch("time.sleep"):  # it waits for its own workers
        envs, _ = make_envs(config)
    assert type(envs.envs).__module__ == f"hgpo.verl_agent.{kind}", type(envs.envs)
    watched = Watched(envs)
    first, _ = envs.reset({})
    made, took = memory() - before, time.perf_counter() - begun
    tokenizer = tokenizer_of(first["text"])
    model, collector = Model(tokenizer, kind), TrajectoryCollector(config, tokenizer)
    reward = EpisodeRewardManager(tokenizer, num_examine=0)
    rows, worst, begun = 0, {}, time.perf_counter()
    for number in range(iterations):
        batch = collector.multi_turn_loop(prompts(), model, watched, is_train=True)
        rows += len(batch)
        check(batch, config)
        for name, difference in advantages(batch, reward, theirs).items():
            worst[name] = max(worst.get(name, 0.0), difference)
        won = batch.non_tensor_batch["episode_rewards"].astype(float) > 0
        kept = batch.non_tensor_batch["is_action_valid"].astype(float).mean()
        print(f"{kind}: iteration {number}: {len(batch)} steps, {100 * won.mean():.1f} % of them in won episodes, {100 * kept:.0f} % valid")
    whole = time.perf_counter() - begun
    print(
        f"{kind}: {GROUPS} x {GROUP} environments take {made:.0f} MB more, and {took:.1f} s to "
        f"make and reset; {watched.steps} steps in {watched.seconds:.2f} s of verl-agent's manager ({watched.steps / watched.seconds:.0f} a second), "
        f"{watched.own:.2f} s of them the environments' ({watched.steps / watched.own:.0f} a second); the loop with the stub took {whole:.0f} s"
    )
    print(f"{kind}: largest difference from verl-agent's own advantages: " + ", ".join(f"{name} {it:.1e}" for name, it in worst.items()))
    watched.close()


class Watched:
    """A manager, with the time that it and its environments take."""

    def __init__(self, manager):
        self.manager, self.steps, self.seconds, self.own = manager, 0, 0.0, 0.0
        step = manager.envs.step

        def timed(actions):
            begun = time.perf_counter()
            found = step(actions)
            self.own += time.perf_counter() - begun
            return found

        manager.envs.step = timed

    def __getattr__(self, name):
        return getattr(self.manager, name)

    def step(self, actions):
        begun = time.perf_counter()
        found = self.manager.step(actions)
        self.seconds += time.perf_counter() - begun
        self.steps += len(actions)
        return found


def memory():
    """What this process takes now, in MB."""
    gc.collect()
    return int(pathlib.Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def tokenizer_of(texts):
    """Words of what the environments say, learned here: nothing is fetched, and every text comes back as it was."""
    made = ByteLevelBPETokenizer()
    made.train_from_iterator(texts[:: max(1, len(texts) // 32)], vocab_size=2000, special_tokens=["<pad>", "<eos>"])
    found = PreTrainedTokenizerFast(tokenizer_object=made._tokenizer, pad_token="<pad>", eos_token="<eos>")
    found.chat_template = "{% for message in messages %}{{ message['content'] }}{% endfor %}"
    return found


def prompts():
    """A batch of verl's data set, of which the loop takes the size alone."""
    from verl import DataProto

    return DataProto.from_single_dict(
        {
            "input_ids": torch.zeros(GROUPS, 1, dtype=torch.int64), "raw_prompt": np.array([[{}]] * GROUPS, dtype=object),
            "data_source": np.array(["text"] * GROUPS, dtype=object),
        }
    )


class Model:
    """Reads the admissible actions in its prompt and takes one of them."""

    world_size = 1

    def __init__(self, tokenizer, kind):
        self.tokenizer, self.kind, self.choose = tokenizer, kind, random.Random(7)

    def answer(self, prompt):
        admissible = re.findall(r"'([^'\n]+)'(?:,?\n|\]|,$)", prompt.rsplit("dmissible actions", 1)[-1].split("Now it's your turn", 1)[0])
        if not admissible:  # its episode is over, and the loop goes on for the others
            assert re.search(r"current situation are:\s*\[\s*\]", prompt), prompt[-2000:]
            return "<think></think><action>look</action>"
        action = self.choose.choice(admissible).replace("<your query>", "women shoes")
        if self.choose.random() < 0.1:
            return "I do not know."
        return f"<think>on we go</think><action>{action}</action>"

    def generate_sequences(self, batch):
        from verl import DataProto

        said = [self.answer(self.tokenizer.decode(ids)) for ids in batch.non_tensor_batch["raw_prompt_ids"]]
        encoded = self.tokenizer(said, padding="max_length", max_length=LONGEST_ANSWER, truncation=True, return_tensors="pt", padding_side="right")
        prompt, answers = batch.batch["input_ids"], encoded["input_ids"]
        mask = torch.cat([batch.batch["attention_mask"], encoded["attention_mask"]], dim=1)
        return DataProto.from_single_dict(
            {"prompts": prompt, "responses": answers, "input_ids": torch.cat([prompt, answers], dim=1), "attention_mask": mask,
             "position_ids": torch.clip(mask.cumsum(dim=1) - 1, min=0)}
        )


def check(batch, config):
    """Groups play one task, trajectories are of their length, and rewards are those of episodes."""
    rows = batch.non_tensor_batch
    assert len(set(rows["traj_uid"])) == GROUPS * GROUP and len(set(rows["uid"])) == GROUPS
    first = {}
    for uid, traj, anchor in zip(rows["uid"], rows["traj_uid"], rows["anchor_obs"]):
        first.setdefault(uid, {}).setdefault(traj, anchor)
    assert all(len(of_task) == GROUP and len(set(of_task.values())) == 1 for of_task in first.values())
    for traj in set(rows["traj_uid"]):
        mine = rows["traj_uid"] == traj
        assert mine.sum() == rows["episode_lengths"][mine][0] <= config.env.max_steps
        assert rows["rewards"][mine].sum() == rows["episode_rewards"][mine][0]


def advantages(batch, reward, theirs):
    """What both trainers compute of a batch, beside what they would have without this package; rows of groups whose
    rewards are equal are left out, where float32 has noise."""
    from recipe.hgpo import hgpo_ray_trainer as of_hgpo
    from verl.trainer.ppo import ray_trainer as of_gigpo

    from try_verl_agent import touched_by_constant_groups

    found = {}
    for name, trainer, core in (("hgpo", of_hgpo, of_hgpo.core_hgpo), ("gigpo", of_gigpo, of_gigpo.core_gigpo)):
        data = copy.deepcopy(batch)
        data.batch["step_rewards"] = core.compute_step_discounted_returns(batch=data, gamma=DISCOUNT)
        data.batch["response_mask"] = trainer.compute_response_mask(data)
        data.batch["token_level_scores"] = reward(data)
        data, _ = trainer.apply_invalid_action_penalty(data, PENALTY)
        data.batch["token_level_rewards"] = data.batch["token_level_scores"]
        estimator = trainer.AdvantageEstimator[{"hgpo": "HGPO", "gigpo": "GiGPO"}[name]]
        function = f"compute_{name}_outcome_advantage"
        assert getattr(core, function).__module__ == "hgpo.verl_agent._advantages"
        mine = trainer.compute_advantage(copy.deepcopy(data), estimator, gamma=DISCOUNT, history_length=2)
        with mock.patch.object(core, function, theirs[name]):
            original = trainer.compute_advantage(copy.deepcopy(data), estimator, gamma=DISCOUNT, history_length=2)
        given = {
            "step_rewards": data.batch["step_rewards"], "token_level_rewards": data.batch["token_level_rewards"],
            "index": data.non_tensor_batch["uid"], "traj_index": data.non_tensor_batch["traj_uid"], "anchor_obs": data.non_tensor_batch["anchor_obs"],
        }
        constant = touched_by_constant_groups(given, 2)
        difference = (mine.batch["advantages"] - original.batch["advantages"]).abs().amax(dim=1).numpy()
        assert mine.batch["advantages"].shape == data.batch["responses"].shape
        assert np.abs(mine.batch["advantages"].numpy()).max() > 0.1
        found[name] = difference[~constant].max(initial=0)
        assert found[name] < 2e-4, (name, found[name])
    return found


if __name__ == "__main__":
    sys.path.insert(0, str(pathlib.Path(__file__).parent))
    main()
