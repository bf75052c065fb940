"""Environments as servers of OpenEnv (0.10), each session an episode of its own in one process:

    python -m hgpo.openenv Chores --port 8000 --setting max_steps=20

    from hgpo.openenv import TextAction, TextClient

    with TextClient(base_url="http://localhost:8000").sync() as client:
        result = client.reset(task=3)
        result = client.step(TextAction(text=result.observation.admissible[0]))

Any client of OpenEnv can play them: an action is ``{"text": "go to desk 1"}``.
"""

import argparse
import uuid

from openenv.core.client_types import StepResult
from openenv.core.env_client import EnvClient
from openenv.core.env_server import Action, Environment, Observation, State, create_app
from openenv.core.env_server.types import EnvironmentMetadata
from pydantic import Field

from hgpo._arguments import value_of
from hgpo._serving import episode_of

__all__ = ["TextAction", "TextClient", "TextEnvironment", "TextObservation", "app", "environment"]


class TextAction(Action):
    """One action, as it is written."""

    text: str = Field(description="One of the admissible actions; any other changes nothing and costs the step")


class TextObservation(Observation):
    """What is seen, and what can be done."""

    text: str = Field(description="What is seen")
    admissible: list[str] = Field(default_factory=list, description="Actions that change something")
    instruction: str = Field(default="", description="The task")
    won: bool = Field(default=False, description="Whether the task is achieved")
    score: float | None = Field(default=None, description="How far it is achieved, where the environment says so")
    truncated: bool = Field(default=False, description="Whether the limit of steps ended the episode")


class TextEnvironment(Environment[TextAction, TextObservation, State]):
    """An episode of an environment of `hgpo.envs`. `reset(task=n)` plays the task of that number, `reset(seed=s)` the
    first of that seed, `reset()` the next."""

    SUPPORTS_CONCURRENT_SESSIONS = True
    name = None
    settings = {}

    def __init__(self):
        super().__init__()
        self.env = episode_of(self.name, **self.settings)
        self._state = State()

    def reset(self, seed: int | None = None, episode_id: str | None = None, task: int | None = None) -> TextObservation:
        text, info = self.env.reset(seed=seed, options=None if task is None else {"task": task})
        self._state = State(episode_id=episode_id or str(uuid.uuid4()), step_count=0, task=int(info["task"]), won=False)
        return self._observation(text, info)

    def step(self, action: TextAction, timeout_s: float | None = None) -> TextObservation:
        if self._state.episode_id is None:
            raise ValueError("there is no episode: call reset first")
        text, reward, terminated, truncated, info = self.env.step(action.text)
        self._state.step_count += 1
        self._state.won = info["won"]
        return self._observation(text, info, reward=reward, done=terminated or truncated, truncated=truncated)

    @property
    def state(self) -> State:
        return self._state

    def get_metadata(self) -> EnvironmentMetadata:
        return EnvironmentMetadata(name=f"hgpo/{self.name}", description=self.env.entry["summary"], version=None)

    def web_actions(self, observation):
        return [(text, {"text": text}) for text in observation.get("admissible", [])]

    @staticmethod
    def _observation(text, info, **outcome):
        return TextObservation(
            text=text, admissible=info["admissible"], instruction=info["instruction"], won=info["won"], score=info.get("score"), **outcome
        )


class TextClient(EnvClient[TextAction, TextObservation, State]):
    """Plays on a server that `app` or ``python -m hgpo.openenv`` made; `.sync()` for code that does not wait."""

    def _step_payload(self, action):
        return {"text": action.text}

    def _parse_result(self, payload):
        outcome = {"done": payload.get("done", False), "reward": payload.get("reward")}
        known = {name: it for name, it in payload.get("observation", {}).items() if name in TextObservation.model_fields}
        return StepResult(observation=TextObservation(**{**known, **outcome}), **outcome)

    def _parse_state(self, payload):
        return State(**payload)


def environment(name, **settings):
    """The class of OpenEnv environments for an environment of `hgpo.envs` with these settings."""
    episode_of(name, **settings)  # refuses what there is not, before a client asks
    return type(f"{name}Environment", (TextEnvironment,), {"name": name, "settings": settings, "__doc__": TextEnvironment.__doc__})


def app(name, sessions=128, **settings):
    """The server, as an application that uvicorn runs, for so many sessions at once."""
    made = environment(name, **settings)
    return create_app(made, TextAction, TextObservation, env_name=f"hgpo-{name}", max_concurrent_envs=sessions)


def setting_of(argument):
    """``NAME=VALUE`` as a name and a value: JSON where it is some, else text."""
    name, equals, value = argument.partition("=")
    if not equals:
        raise ValueError(f"--setting {argument!r} has no value: write NAME=VALUE")
    return name, value_of(value)


def main(arguments=None):
    """Serves an environment until it is stopped."""
    import uvicorn

    parser = argparse.ArgumentParser(prog="python -m hgpo.openenv", description="Serves an environment of hgpo.envs to OpenEnv's clients.")
    parser.add_argument("name", help="class of hgpo.envs, such as Chores")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen at (default: %(default)s)")
    parser.add_argument("--port", type=int, default=8000, help="port to listen at (default: %(default)s)")
    parser.add_argument("--sessions", type=int, default=128, help="most episodes at once (default: %(default)s)")
    parser.add_argument("--setting", action="append", default=[], metavar="NAME=VALUE", help="a setting of the environment, any number of times")
    given = parser.parse_args(arguments)
    try:
        made = app(given.name, given.sessions, **dict(setting_of(one) for one in given.setting))
    except ValueError as error:
        parser.error(str(error))
    uvicorn.run(made, host=given.host, port=given.port, log_level="warning")


if __name__ == "__main__":
    main()
