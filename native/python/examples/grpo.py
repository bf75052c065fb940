"""GRPO on arithmetic word problems, whole: problems, rewards, groups, advantages, updates.

    python grpo.py HuggingFaceTB/SmolLM2-135M-Instruct

Each problem is answered eight times; an answer counts as right if its last number is the one that was asked for. The
advantage of an answer is its reward less the mean of its group, over the group's standard deviation.
"""

import argparse
import random
import re
import statistics

from hgpo_train import Trainer

ATTEMPTS = 8
SETTINGS = ["pretrained.max_prompt_tokens=128", "pretrained.lora.rank=16", "rollout.max_response_tokens=32"]
SETTINGS += ["learn.epochs=1", "learn.mini_batch_size=1000", "learn.micro_batch_size=8", "learn.learning_rate=2e-4"]
STORIES = [
    ("{name} has {a} apples and buys {b} more. How many apples does {name} have now?", lambda a, b: a + b),
    ("{name} has {c} apples and gives away {b}. How many apples are left?", lambda a, b: a),
    ("{name} fills {a} bags with {b} apples each. How many apples are that?", lambda a, b: a * b),
]


def problem(seed):
    """A question and its answer. Problems of training have seeds from 0 on, those of evaluation below 0."""
    draw = random.Random(seed)
    (story, answer), name = draw.choice(STORIES), draw.choice(["Mina", "Joe", "Ada", "Noor"])
    a, b = draw.randint(2, 9), draw.randint(2, 9)
    question = story.format(name=name, a=a, b=b, c=a + b)
    return f"{question} Answer with the number alone.", answer(a, b)


def reward(text, answer):
    numbers = re.findall(r"-?\d+", text)
    return float(bool(numbers) and int(numbers[-1]) == answer)


def answers(trainer, problems, attempts):
    """Answers to each problem, one after the other, and their rewards."""
    columns = trainer.respond([question for question, _ in problems for _ in range(attempts)])
    expected = [answer for _, answer in problems for _ in range(attempts)]
    return columns, [reward(text, answer) for text, answer in zip(columns["text"], expected)]


def advantages(rewards):
    """Those of GRPO (Shao et al. 2024, arXiv 2402.03300)."""
    found = []
    for start in range(0, len(rewards), ATTEMPTS):
        group = rewards[start : start + ATTEMPTS]
        mean, deviation = statistics.fmean(group), statistics.stdev(group)
        found += [(it - mean) / (deviation + 1e-6) for it in group]
    return found


def main():
    options = argparse.ArgumentParser(description="GRPO on arithmetic word problems")
    options.add_argument("model", help="a model folder, or a model on the hub")
    options.add_argument("--iterations", type=int, default=20)
    options.add_argument("--problems", type=int, default=8, help="in an iteration")
    options.add_argument("--set", action="append", default=[], help="further settings")
    options.add_argument("--save", help="the folder that the model is written to")
    args = options.parse_args()
    trainer = Trainer(set=[f"pretrained.model={args.model}", *SETTINGS, *args.set])
    held_out = [problem(-1 - number) for number in range(64)]
    print(f"before: {statistics.fmean(answers(trainer, held_out, 1)[1]):.0%} of {len(held_out)} other problems right")
    for iteration in range(args.iterations):
        problems = [problem(iteration * args.problems + number) for number in range(args.problems)]
        columns, rewards = answers(trainer, problems, ATTEMPTS)
        metrics = trainer.update({**columns, "advantages": advantages(rewards)})
        print(f"iteration {metrics['iteration']}: {statistics.fmean(rewards):.0%} right, kl {metrics['kl']:.4f}")
    print(f"after: {statistics.fmean(answers(trainer, held_out, 1)[1]):.0%} right")
    if args.save:
        trainer.save_model(args.save)


if __name__ == "__main__":
    main()
