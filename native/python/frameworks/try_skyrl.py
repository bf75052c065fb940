"""The package's environments in SkyRL's generator, and advantages of steps in its trainer:

    pip install skyrl==0.3.0 skyrl-gym==0.4.0 torch==2.15.0 ray==2.56.0 "./native/python[envs]"   # Python 3.12, and what skyrl-train needs
    python native/python/frameworks/try_skyrl.py

Data set, registry, generator (step by step), validation of its output, conversion to a batch, advantages and the
logged metrics are SkyRL's. Generator and trainer are made by the package's experiment, with Ray. The engine is a stub that takes an
admissible action and now and then forgets the format; nothing is trained, as SkyRL's workers ask for GPUs.
"""

import asyncio
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import types

import numpy as np
import ray
import torch
from skyrl.backends.skyrl_train.utils.ppo_utils import AdvantageEstimatorRegistry, sync_registries
from skyrl.train.config import SkyRLTrainConfig
from skyrl.train.dataset import PromptDataset
from skyrl.train.generators.utils import prepare_generator_input
from skyrl.train.utils import validate_cfg
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast, Qwen2Config

import hgpo
from hgpo.envs import Chores
from hgpo.skyrl.main import Experiment, options_of
from hgpo.skyrl.train import STEPS, StepGenerator, StepTrainer, estimator_names

TASKS, ATTEMPTS, LONGEST, DEVICES = 3, 4, 6, 5
CHARACTERS = ["<pad>", "<eos>", "<unk>", *map(chr, range(32, 127)), "\n"]


def tokenizer():
    made = Tokenizer(models.WordLevel({text: number for number, text in enumerate(CHARACTERS)}, unk_token="<unk>"))
    made.pre_tokenizer = pre_tokenizers.Split("", "isolated")
    made.decoder = decoders.Fuse()
    found = PreTrainedTokenizerFast(tokenizer_object=made, pad_token="<pad>", eos_token="<eos>", unk_token="<unk>", padding_side="left")
    found.chat_template = (
        "{% for message in messages %}{{ message['role'] + ': ' + message['content'] + '<eos>' + '\n' }}{% endfor %}"
        "{% if add_generation_prompt %}assistant: {% endif %}"
    )
    return found


class Engine:
    """Reads the admissible actions in its prompt and takes one of them."""

    model_name = "stub"

    def __init__(self, tokens):
        self.tokens, self.choose = tokens, random.Random(5)

    async def generate(self, batch, model=None):
        said = []
        for ids in batch["prompt_token_ids"]:
            line = [line for line in self.tokens.decode(ids).split("\n") if line.startswith("Admissible actions: ")][-1]
            action = self.choose.choice(line.removeprefix("Admissible actions: ").removesuffix(".").split(", "))
            said.append(f"<action>{action}</action>" if self.choose.random() < 0.8 else "I do not know")
        await asyncio.sleep(0)
        ids = [[*self.tokens.encode(text, add_special_tokens=False), self.tokens.eos_token_id] for text in said]
        return {"responses": said, "response_ids": ids, "stop_reasons": ["stop"] * len(said), "response_logprobs": [[-1.0] * len(one) for one in ids]}

    async def finish_session(self, session):
        pass


def configured(estimator, longest_prompt=100_000):
    arguments = [
        f"trainer.algorithm.advantage_estimator={estimator}", "generator.step_wise_trajectories=true", f"generator.max_turns={LONGEST}",
        f"generator.n_samples_per_prompt={ATTEMPTS}", f"trainer.train_batch_size={TASKS}", f"trainer.policy_mini_batch_size={TASKS}",
        "hgpo.context_length=1", "hgpo.scale=mean", "generator.batched=false", "trainer.algorithm.gamma=0.9",
        "trainer.logger=console", f"generator.max_input_length={longest_prompt}",
    ]
    options, others = options_of(arguments)
    assert options == {"context_length": 1, "scale": "mean"}, options
    return SkyRLTrainConfig.from_cli_overrides(others), options


def data_set(tokens, folder):
    path = pathlib.Path(folder) / "chores.jsonl"
    rows = [{"prompt": [{"role": "system", "content": "You tidy up."}], "env_class": "hgpo/Chores", "task": 3 + task} for task in range(TASKS)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    found = PromptDataset([str(path)], tokens, max_prompt_length=512, num_workers=1)
    return found.collate_fn([found[row] for row in range(len(found))])


def experiment_of(cfg, options):
    """The package's experiment without what its own constructor fetches: a model's tokenizer, and places on GPUs."""
    made = Experiment.__new__(Experiment)
    made.cfg, made.estimator_options = cfg, options
    return made


def trainer_of(cfg, options):
    """The trainer that the experiment makes, without workers, of which it only asks how many there are."""
    made = experiment_of(cfg, options).get_trainer(
        cfg=cfg, tracker=None, tokenizer=tokens, train_dataset=None, eval_dataset=None, inference_engine_client=None, generator=None, colocate_pg=None
    )
    assert type(made) is StepTrainer and made.estimator_options == options
    made.dispatch = types.SimpleNamespace(get_lcm_dp_size=lambda: DEVICES)
    return made


def rollout(cfg, prompts):
    generator = experiment_of(cfg, {}).get_generator(cfg, tokens, Engine(tokens))
    assert type(generator) is StepGenerator
    batch, uids = prepare_generator_input(prompts, ATTEMPTS, None, "hgpo/Chores", "train", 1)
    output = asyncio.run(generator.generate(batch, disable_tqdm=True))
    told = {f"environment/{name}" for name in ("won", "steps", "valid")} <= set(output["rollout_metrics"])
    assert told == (cfg.generator.max_input_length > 1000), output["rollout_metrics"]
    return output, [trajectory.instance_id for trajectory in output["trajectory_ids"]]


def main():
    os.environ["RAY_AUTH_MODE"] = "disabled"
    ray.init(num_cpus=2, log_to_driver=False)
    sync_registries()
    assert set(estimator_names()) <= set(AdvantageEstimatorRegistry.list_available())
    with tempfile.TemporaryDirectory() as folder:
        prompts = data_set(tokens, folder)
    # The last have prompts that grow too long before any episode is over.
    for name, estimator, longest in (("hgpo", "hgpo", 100_000), ("gigpo", "gigpo", 100_000), ("hgpo-grpo", "grpo", 100_000), ("hgpo", "hgpo", 800)):
        cfg, options = configured(name, longest)
        try:
            validate_cfg(cfg)
        except (AssertionError, ValueError) as error:
            # It goes on to what a machine has, once names are known.
            assert "advantage_estimator" not in str(error), error
        if estimator != "hgpo":
            options = {"scale": "mean"}
        output, uids = rollout(cfg, prompts)
        compare(cfg, options, estimator, output, uids)
    assert AdvantageEstimatorRegistry.get("grpo").__module__ != "hgpo.skyrl.train"
    refusals(prompts)
    ray.shutdown()
    the_entry_point()


def compare(cfg, options, estimator, output, uids):
    trainer = trainer_of(cfg, options)
    # Rewards of its own for every attempt, so that something is to be learned.
    generator = random.Random(8)
    for rewards, last in zip(output["rewards"], output["is_last_step"]):
        rewards[-1] += generator.random() if last else 0.0
    output, uids = trainer.postprocess_generator_output(output, uids)
    data = trainer.convert_to_training_input(output, uids)
    data["values"] = None
    rows, pad = len(uids), data.metadata["pad_size"]
    assert pad > 0, "no rows fill the batch up: choose other numbers"
    steps = data.metadata[STEPS]
    played = replay(steps, output["is_last_step"], cfg.generator.max_input_length > 1000)
    ends = np.cumsum(output["is_last_step"]) - np.asarray(output["is_last_step"])
    expected = hgpo.advantages(
        [float(np.sum(rewards)) for rewards in output["rewards"]], uids, ends, [step["state"] for step in steps],
        valid=[step["valid"] for step in steps], estimator=estimator, discount=0.9, **options,
    )
    assert np.abs(expected).max() > 0.1
    data = trainer.compute_advantages_and_returns(data)
    for row in range(rows):
        mask = data["response_mask"][row].bool()
        assert mask.sum() == len(output["response_ids"][row])
        assert torch.allclose(data["advantages"][row][mask], torch.tensor(expected[row], dtype=torch.float32))
        assert (data["advantages"][row][~mask] == 0).all()
    assert (data["advantages"][rows:] == 0).all() and STEPS not in data.metadata
    logged = trainer.all_metrics
    assert abs(logged["loss/avg_raw_advantages_abs"]) > 0 and "hgpo/no_signal_fraction" in logged and (estimator == "grpo" or "hgpo/level_0/mean_size" in logged)
    print(f"skyrl: {estimator}: {played} steps as the environment itself plays them, {rows} rows and {pad} that fill up have the advantages of hgpo")


def replay(steps, last, to_the_end):
    """The steps of the rows, played again by the environment itself."""
    env, number, begin = Chores(max_steps=LONGEST), 0, True
    for step, ends in zip(steps, last):
        if begin:
            text, _ = env.reset(options={"task": 3 + number // ATTEMPTS})
        assert step["state"] == text
        text, _, terminated, truncated, _ = env.step(step["action"])
        assert (terminated or truncated) == (ends and to_the_end)
        begin, number = ends, number + ends
    assert number == TASKS * ATTEMPTS
    return len(steps)


def refusals(prompts):
    cfg, options = configured("hgpo")
    output, uids = rollout(cfg, prompts)
    cfg.generator.merge_stepwise_output = True
    trainer = trainer_of(cfg, options)
    merged, uids = trainer.postprocess_generator_output(output, uids)
    try:
        trainer.compute_advantages_and_returns(trainer.convert_to_training_input(merged, uids))
        raise AssertionError("merged steps were taken")
    except ValueError as error:
        assert "generator.merge_stepwise_output=false" in str(error)
    print("skyrl: merged steps are refused")


def the_entry_point():
    """The command itself: configuration, Ray, tokenizer and data set are SkyRL's, up to where it waits for GPUs."""
    with tempfile.TemporaryDirectory() as folder:
        tokens.save_pretrained(folder)
        Qwen2Config(vocab_size=len(CHARACTERS), hidden_size=8, intermediate_size=8, num_hidden_layers=1, num_attention_heads=1).save_pretrained(folder)
        rows = pathlib.Path(folder, "chores.jsonl")
        rows.write_text(json.dumps({"prompt": [{"role": "system", "content": "You tidy up."}], "env_class": "hgpo/Chores", "task": 3}) + "\n")
        asked = [
            "generator.step_wise_trajectories=true", "generator.batched=false", "generator.max_turns=6", "hgpo.context_length=1", "trainer.logger=console",
            f"data.train_data=['{rows}']", f"data.val_data=['{rows}']", f"trainer.policy.model.path={folder}", "trainer.train_batch_size=1",
            "trainer.policy_mini_batch_size=1", f"trainer.log_path={folder}",
        ]
        for estimator, expected in (("hgpo", "placement group"), ("moon", "invalid advantage_estimator: moon. Must be one of")):
            found = subprocess.run(
                [sys.executable, "-m", "hgpo.skyrl.main", f"trainer.algorithm.advantage_estimator={estimator}", *asked], capture_output=True, text=True,
                env={**os.environ, "SKYRL_RAY_PG_TIMEOUT_IN_S": "5"},
            )
            assert found.returncode != 0 and expected in found.stderr, found.stderr[-4000:]
    print("skyrl: the command goes on to where SkyRL waits for GPUs, and refuses an estimator that there is not")


tokens = tokenizer()
if __name__ == "__main__":
    main()
