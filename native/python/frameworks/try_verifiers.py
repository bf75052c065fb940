"""The package's environments in verifiers' own rollouts, and advantages of steps on their tokens:

    pip install verifiers==0.4.0 uv "./native/python[envs]"
    python native/python/frameworks/try_verifiers.py

Taskset, environment, harness (`null`, as a process), interception and traces are verifiers'; the model is a server on
this machine that takes one of the admissible actions, and now and then answers without the format. verifiers' traces
have no tokens without its engine, so that the script puts some on them before advantages are assigned.
"""

import asyncio
import http.server
import json
import random
import threading

import verifiers.v1 as vf
from verifiers.v1.clients import ModelContext
from verifiers.v1.configs.client import EvalClientConfig
from verifiers.v1.utils.loaders import load_environment, resolve_env_config

import hgpo
from hgpo.envs import Chores
from hgpo.verifiers import STEPS, assign_advantages

TASKS, ATTEMPTS, LONGEST = 2, 4, 6


class Model(http.server.BaseHTTPRequestHandler):
    """OpenAI's protocol for chats."""

    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        asked.append(body["messages"])
        last = body["messages"][-1]["content"]
        last = last if isinstance(last, str) else "".join(part["text"] for part in last)
        line = next(line for line in last.split("\n") if line.startswith("Admissible actions: "))
        actions = line.removeprefix("Admissible actions: ").removesuffix(".").split(", ")
        with lock:
            action, kept = choose.choice(actions), choose.random() < 0.8
        said = f"I think.<action>{action}</action>" if kept else "I do not know."
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        message = {"role": "assistant", "content": said}
        if body.get("stream"):
            chunks = [self.chunk(body, delta=message), self.chunk(body, delta={}, finish_reason="stop"), {**self.chunk(body), "choices": [], "usage": usage}]
            answer = "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks) + "data: [DONE]\n\n"
            self.answer("text/event-stream", answer)
        else:
            whole = self.chunk(body, kind="chat.completion", message=message, finish_reason="stop")
            self.answer("application/json", json.dumps({**whole, "usage": usage}))

    @staticmethod
    def chunk(body, kind="chat.completion.chunk", finish_reason=None, **said):
        choice = {"index": 0, "finish_reason": finish_reason, **said}
        return {"id": "answer", "object": kind, "created": 0, "model": body["model"], "choices": [choice]}

    def answer(self, kind, text):
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(text.encode())))
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_):
        pass


asked, choose, lock = [], random.Random(3), threading.Lock()


def main():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Model)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    episodes = asyncio.run(play(f"http://127.0.0.1:{server.server_address[1]}/v1"))
    steps = [compare(episode) for episode in episodes]
    print(f"verifiers: {len(episodes)} episodes, {sum(steps)} steps through its null harness as the environment itself plays them")
    advantages(episodes)
    refusals(episodes)


async def play(url):
    config = resolve_env_config(
        {"taskset": {"id": "hgpo-verifiers", "environment": "Chores", "first": 3, "tasks": TASKS, "settings": {"max_steps": LONGEST}}}
    )
    env = load_environment(config)
    context = ModelContext(model="stub", client=EvalClientConfig(base_url=url, api_key_var="NO_SUCH_KEY"))
    async with env.serving():
        slots = [slot for task in env.taskset for slot in env.slots(task, ATTEMPTS)]
        episodes = await asyncio.gather(*(env.run_slot(slot, context, asyncio.Semaphore(4)) for slot in slots))
    for episode in episodes:
        assert episode.ok, episode.errors or [trace.errors for trace in episode.traces]
    return episodes


def compare(episode):
    """The steps of a trace, played again by the environment itself."""
    (trace,) = episode.traces
    env = Chores(max_steps=LONGEST)
    text, info = env.reset(options={"task": trace.task.data.number})
    told = [node.message.content for node in trace.nodes if not node.sampled and node.message.role == "user"]
    steps, total = trace.info[STEPS], 0.0
    for place, step in enumerate(steps):
        assert step["state"] == text and text in told[place]
        said = [node.message.content for node in trace.nodes[slice(*step["nodes"])] if node.sampled]
        assert len(said) == 1 and (f"<action>{step['action']}</action>" in said[0]) == step["valid"]
        text, reward, terminated, truncated, info = env.step(step["action"])
        assert step["reward"] == reward
        total += reward
    assert terminated or truncated
    assert trace.reward == total and trace.metrics["won"] == info["won"] and trace.metrics["steps"] == len(steps)
    return len(steps)


def advantages(episodes):
    generator = random.Random(5)
    for episode in episodes:
        # Rewards of its own for every attempt, so that something is to be learned.
        episode.traces[0].info[STEPS][-1]["reward"] += generator.random()
        for node in episode.traces[0].nodes:
            prompt, said = generator.randrange(4), generator.randrange(1, 5)
            node.token_ids = list(range(prompt + said)) if node.sampled else [0] * prompt
            node.mask = [False] * prompt + [True] * said if node.sampled else [False] * prompt
            node.logprobs = [0.0] * sum(node.mask)
    logged = assign_advantages(episodes, context_length=1, scale="mean")
    assert logged["hgpo/level_0/mean_size"] >= 1
    rows = [(task, step) for task, episode in enumerate(episodes) for step in episode.traces[0].info[STEPS]]
    expected = hgpo.advantages(
        [step["reward"] for _, step in rows], [task // ATTEMPTS for task, _ in rows], [task for task, _ in rows],
        [step["state"] for _, step in rows], valid=[step["valid"] for _, step in rows], context_length=1, scale="mean",
    )
    assert abs(expected).max() > 0.1
    at = 0
    for episode in episodes:
        (trace,) = episode.traces
        for node in trace.nodes:
            if node.sampled:
                assert node.advantages == [expected[at]] * sum(node.mask)
                at += 1
            else:
                assert node.advantages is None
        (branch,) = trace.branches
        assert len(branch.advantages) == len(branch.token_ids)
        again = vf.Episode.model_validate(episode.model_dump(mode="python"))
        assert [node.advantages for node in again.traces[0].nodes] == [node.advantages for node in trace.nodes]
    assert at == len(rows)
    print(f"verifiers: {at} steps have the advantages of hgpo at their sampled tokens")


def refusals(episodes):
    try:
        resolve_and_load("Chore")
        raise AssertionError("an environment that there is not was taken")
    except ValueError as error:
        assert "use one of Chores" in str(error)
    del episodes[0].traces[0].info[STEPS]
    try:
        assign_advantages(episodes)
        raise AssertionError("an episode without steps was taken")
    except ValueError as error:
        assert "has no steps" in str(error)


def resolve_and_load(name):
    list(load_environment(resolve_env_config({"taskset": {"id": "hgpo-verifiers", "environment": name}})).taskset)


if __name__ == "__main__":
    main()
