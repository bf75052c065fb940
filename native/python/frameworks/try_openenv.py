"""The package's environments behind OpenEnv's own server and clients:

    pip install openenv==0.10.0 "./native/python[envs]"
    python native/python/frameworks/try_openenv.py

A server of its own is started for every environment that needs no data, and played through WebSockets: what comes
back must be what the environment itself says.
"""

import asyncio
import json
import socket
import subprocess
import sys
import time
import urllib.request

from openenv import GenericEnvClient

import hgpo.envs
from hgpo.openenv import TextAction, TextClient

SESSIONS, STEPS = 16, 30


def main():
    for name, entry in hgpo.envs.environments().items():
        if entry["data"] is None:
            of_environment(name)
    refusals()


def of_environment(name):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "hgpo.openenv", name, "--port", str(port), "--setting", "max_steps=40"]
    server = subprocess.Popen(command)
    try:
        url = f"http://127.0.0.1:{port}"
        wait_for(url)
        told = json.loads(urllib.request.urlopen(f"{url}/metadata").read())
        assert told["name"] == f"hgpo/{name}", told
        schema = json.loads(urllib.request.urlopen(f"{url}/schema").read())
        assert schema["action"]["required"] == ["text"], schema
        a_plan_wins(name, url)
        per_second = asyncio.run(side_by_side(name, url))
        print(f"openenv: {name}: a plan wins, {SESSIONS} sessions of {STEPS} steps agree with the environment, {per_second:.0f} steps per second")
    finally:
        server.terminate()
        server.wait()


def wait_for(url):
    for _ in range(100):
        try:
            urllib.request.urlopen(f"{url}/health")
            return
        except OSError:
            time.sleep(0.2)
    raise SystemExit(f"no server at {url}")


def a_plan_wins(name, url):
    env = getattr(hgpo.envs, name)(max_steps=40)
    with TextClient(base_url=url).sync() as client:
        for task in (3, 4):
            text, info = env.reset(options={"task": task})
            seen = client.reset(task=task)
            assert (seen.observation.text, seen.observation.admissible) == (text, info["admissible"])
            plan = env.plan()
            for action in plan:
                result = client.step(TextAction(text=action))
                text, reward, terminated, _, info = env.step(action)
                assert (result.observation.text, result.reward, result.done) == (text, reward, terminated)
            state = client.state()
            assert result.observation.won and state.won and state.step_count == len(plan) > 0
        seen = client.reset(seed=9)
        assert seen.observation.text == env.reset(seed=9)[0]


async def side_by_side(name, url):
    """Sessions at once, each with a task of its own; half of them with OpenEnv's generic client."""
    begun = time.perf_counter()
    counts = await asyncio.gather(*(session(name, url, task) for task in range(SESSIONS)))
    return sum(counts) / (time.perf_counter() - begun)


async def session(name, url, task):
    env = getattr(hgpo.envs, name)(max_steps=40)
    text, info = env.reset(options={"task": task})
    generic = task % 2 == 1
    async with GenericEnvClient(base_url=url) if generic else TextClient(base_url=url) as client:
        result = await client.reset(task=task)
        for count in range(STEPS):
            observation = result.observation if generic else result.observation.model_dump()
            assert (observation["text"], observation["admissible"]) == (text, info["admissible"]), (name, task, count)
            if result.done:
                return count
            action = info["admissible"][(count + task) % len(info["admissible"])]
            result = await client.step({"text": action} if generic else TextAction(text=action))
            text, reward, terminated, truncated, info = env.step(action)
            assert (result.reward, result.done) == (reward, terminated or truncated)
    return STEPS


def refusals():
    for arguments, expected in (
        (["Chore"], "there is no environment 'Chore': use one of Chores"), (["Chores", "--setting", "moon=1"], "no setting `moon`"),
        (["Chores", "--setting", "moon"], "write NAME=VALUE"),
    ):
        found = subprocess.run([sys.executable, "-m", "hgpo.openenv", *arguments], capture_output=True, text=True)
        assert found.returncode == 2 and expected in found.stderr, found.stderr
    print("openenv: what there is not is refused")


if __name__ == "__main__":
    main()
