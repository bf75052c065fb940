"""A training step of TRL with a tiny random model and the package's advantages:

    pip install torch==2.15.0 trl==1.16.0 "./native/python[envs]"
    python native/python/frameworks/try_trl.py

Nothing is fetched: the model has random weights and a tokenizer of characters.
"""

import os
import tempfile

import numpy as np
import torch
from datasets import Dataset
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast, Qwen2Config, Qwen2ForCausalLM
from trl import GRPOConfig

import hgpo
from hgpo.envs import Chores
from hgpo.trl import StepGRPOTrainer, environment

os.environ["TRL_EXPERIMENTAL_SILENCE"] = "1"
GROUP, TURNS, LONGEST = 4, 5, 6
CHARACTERS = ["<pad>", "<eos>", "<unk>", *map(chr, range(32, 127))]


def tokenizer():
    made = Tokenizer(models.WordLevel({text: number for number, text in enumerate(CHARACTERS)}, unk_token="<unk>"))
    made.pre_tokenizer = pre_tokenizers.Split("", "isolated")
    return PreTrainedTokenizerFast(tokenizer_object=made, pad_token="<pad>", eos_token="<eos>", unk_token="<unk>")


def rollouts(prompts, trainer):
    """Attempts of a few turns: what the "model" says is random, and what it does is drawn among what is
    admissible; between two turns stand the environment's tokens, which are masked."""
    generator = np.random.default_rng(len(recorded))
    found = {"prompt_ids": [], "completion_ids": [], "logprobs": [], "env_mask": [], "steps": []}
    for number, prompt in enumerate(prompts):
        env = Chores(max_steps=TURNS)
        text, info = env.reset(options={"task": int(prompt)})
        completion, mask, steps = [], [], []
        while info["admissible"]:
            action = info["admissible"][generator.integers(len(info["admissible"]))]
            said = generator.integers(3, len(CHARACTERS), size=generator.integers(1, LONGEST)).tolist()
            steps.append({"state": text, "action": action, "valid": bool(generator.random() < 0.9)})
            text, reward, terminated, truncated, info = env.step(action)
            # Every attempt's last step earns another reward, so that something is to be learned.
            steps[-1]["reward"] = reward + (float(generator.integers(5)) if terminated or truncated else 0.0)
            answer = [] if terminated or truncated else [3, 4]
            completion += said + answer
            mask += [1] * len(said) + [0] * len(answer)
            if terminated or truncated:
                break
        found["prompt_ids"].append([5, 6])
        found["completion_ids"].append(completion)
        found["logprobs"].append([0.0] * len(completion))
        found["env_mask"].append(mask)
        found["steps"].append(steps)
    recorded.append(found)
    return found


recorded, scored = [], []


class Watched(StepGRPOTrainer):
    def _generate_and_score_completions(self, inputs):
        output = super()._generate_and_score_completions(inputs)
        scored.append(output)
        return output


def main():
    torch.manual_seed(1)
    config = Qwen2Config(
        vocab_size=len(CHARACTERS), hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4,
        num_key_value_heads=2, max_position_embeddings=256,
    )
    model = Qwen2ForCausalLM(config)
    before = {name: weights.detach().clone() for name, weights in model.named_parameters()}
    with tempfile.TemporaryDirectory() as folder:
        trainer = Watched(
            model=model, processing_class=tokenizer(), rollout_func=rollouts,
            reward_funcs=lambda completions, steps, **_: [sum(step["reward"] for step in of_one) for of_one in steps],
            train_dataset=Dataset.from_dict({"prompt": [str(task) for task in range(8)]}),
            args=GRPOConfig(
                output_dir=folder, per_device_train_batch_size=2 * GROUP, num_generations=GROUP, max_steps=2, learning_rate=1e-3,
                max_completion_length=64, use_cpu=True, report_to=[], save_strategy="no", logging_steps=1, bf16=False, beta=0.0,
            ),
            estimator="hgpo", options={"context_length": 1, "scale": "mean"},
        )
        trainer.train()
    losses = [entry["loss"] for entry in trainer.state.log_history if "loss" in entry]
    assert len(recorded) == len(scored) == 2 and np.isfinite(losses).all()
    compared = 0
    for found, output in zip(recorded, scored):
        steps = [(number, step) for number, of_one in enumerate(found["steps"]) for step in of_one]
        expected = hgpo.advantages(
            [step["reward"] for _, step in steps], [number // GROUP for number, _ in steps], [number for number, _ in steps],
            [step["state"] for _, step in steps], valid=[step["valid"] for _, step in steps], context_length=1, scale="mean",
        )
        assert np.abs(expected).max() > 0.1
        expected = iter(expected.astype(np.float32))
        for number, mask in enumerate(found["env_mask"]):
            row = output["advantages"][number].numpy()
            turns = "".join(map(str, mask)).split("00")
            assert len(turns) == len(found["steps"][number])
            at = 0
            for turn in turns:
                advantage = next(expected)
                assert (row[at : at + len(turn)] == advantage).all()
                at += len(turn) + 2
                compared += 1
            assert (row[np.array(mask + [0] * (len(row) - len(mask))) == 0] == 0).all()
    changed = max((weights.detach() - before[name]).abs().max().item() for name, weights in model.named_parameters())
    assert changed > 1e-5
    print(f"trl: 2 training steps, {compared} steps with the advantages of hgpo at their tokens, loss {losses}")

    made = environment(Chores, max_steps=3)()
    told = made.reset(task=3)
    assert "Admissible actions: " in told
    first = told.rsplit("Admissible actions: ", 1)[1].split(", ")[0]
    made.act(first)
    made.act("no such action")
    assert [step["valid"] for step in made.steps] == [True, False] and made.get_reward() == 0.0
    made.act(first)
    assert made.act(first) == "The task is over." and len(made.steps) == 3


if __name__ == "__main__":
    main()
