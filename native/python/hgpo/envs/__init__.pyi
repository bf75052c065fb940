# Made by tests/stubs.py from the registry; a test compares the two.
from collections.abc import Sequence
from os import PathLike
from typing import Any, Literal

from gymnasium.vector import AutoresetMode

from hgpo.envs._single import TextEnv as TextEnv
from hgpo.envs._text import AnyText as AnyText
from hgpo.envs._vector import GroupedVectorEnv as GroupedVectorEnv

def environments() -> dict[str, dict[str, Any]]: ...

class Chores(TextEnv):
    """Chores in a small household; needs no data."""

    def __init__(
        self,
        split: Literal["train", "seen", "unseen"] = "train",
        *,
        data: str | PathLike[str] | None = None,
        max_steps: int | None = 16,
        success_reward: float | None = 10.0,
        original: bool = False,
        render_mode: Literal["ansi"] | None = None,
    ) -> None: ...

class ChoresVec(GroupedVectorEnv):
    """Chores in a small household; needs no data."""

    def __init__(
        self,
        env_num: int,
        group_n: int = 1,
        *,
        seed: int = 0,
        autoreset: AutoresetMode = ...,
        threads: int = 0,
        split: Literal["train", "seen", "unseen"] = "train",
        data: str | PathLike[str] | None = None,
        max_steps: int | None = 16,
        success_reward: float | None = 10.0,
        original: bool = False,
        render_mode: Literal["ansi"] | None = None,
    ) -> None: ...

class Gridworld(TextEnv):
    """Mazes in which different places look alike; needs no data."""

    def __init__(
        self,
        split: Literal["train", "seen", "unseen"] = "train",
        *,
        data: str | PathLike[str] | None = None,
        max_steps: int | None = 30,
        success_reward: float | None = 10.0,
        original: bool = False,
        render_mode: Literal["ansi"] | None = None,
        world: str = 'signpost',
        map: str = '',
        sight: str = 'labels',
        slip: float = 0.0,
        cost: float = 1.0,
        maps: int = 16,
        height: int = 7,
        width: int = 9,
        loops: float = 0.2,
        key: bool = False,
        labels: int = 2,
        longest_plan: int = 15,
    ) -> None: ...

class GridworldVec(GroupedVectorEnv):
    """Mazes in which different places look alike; needs no data."""

    def __init__(
        self,
        env_num: int,
        group_n: int = 1,
        *,
        seed: int = 0,
        autoreset: AutoresetMode = ...,
        threads: int = 0,
        split: Literal["train", "seen", "unseen"] = "train",
        data: str | PathLike[str] | None = None,
        max_steps: int | None = 30,
        success_reward: float | None = 10.0,
        original: bool = False,
        render_mode: Literal["ansi"] | None = None,
        world: str = 'signpost',
        map: str = '',
        sight: str = 'labels',
        slip: float = 0.0,
        cost: float = 1.0,
        maps: int = 16,
        height: int = 7,
        width: int = 9,
        loops: float = 0.2,
        key: bool = False,
        labels: int = 2,
        longest_plan: int = 15,
    ) -> None: ...

class Alfworld(TextEnv):
    """ALFWorld's text games (needs its data)."""

    def __init__(
        self,
        split: Literal["train", "seen", "unseen"] = "train",
        *,
        data: str | PathLike[str] | None = None,
        max_steps: int | None = 50,
        success_reward: float | None = 10.0,
        original: bool = False,
        render_mode: Literal["ansi"] | None = None,
        task_types: Sequence[int] = [1, 2, 3, 4, 5, 6],
    ) -> None: ...

class AlfworldVec(GroupedVectorEnv):
    """ALFWorld's text games (needs its data)."""

    def __init__(
        self,
        env_num: int,
        group_n: int = 1,
        *,
        seed: int = 0,
        autoreset: AutoresetMode = ...,
        threads: int = 0,
        split: Literal["train", "seen", "unseen"] = "train",
        data: str | PathLike[str] | None = None,
        max_steps: int | None = 50,
        success_reward: float | None = 10.0,
        original: bool = False,
        render_mode: Literal["ansi"] | None = None,
        task_types: Sequence[int] = [1, 2, 3, 4, 5, 6],
    ) -> None: ...

class AlfworldGenerated(TextEnv):
    """ALFWorld-like games in generated houses."""

    def __init__(
        self,
        split: Literal["train", "seen", "unseen"] = "train",
        *,
        data: str | PathLike[str] | None = None,
        max_steps: int | None = 20,
        success_reward: float | None = 10.0,
        original: bool = False,
        render_mode: Literal["ansi"] | None = None,
        houses: int = 256,
        rooms: int = 3,
        doorways: float = 1.0,
        receptacles_per_room: int = 2,
        things_per_room: int = 2,
        task_types: Sequence[int] = [1, 2, 3, 4, 5, 6],
        longest_plan: int = 14,
    ) -> None: ...

class AlfworldGeneratedVec(GroupedVectorEnv):
    """ALFWorld-like games in generated houses."""

    def __init__(
        self,
        env_num: int,
        group_n: int = 1,
        *,
        seed: int = 0,
        autoreset: AutoresetMode = ...,
        threads: int = 0,
        split: Literal["train", "seen", "unseen"] = "train",
        data: str | PathLike[str] | None = None,
        max_steps: int | None = 20,
        success_reward: float | None = 10.0,
        original: bool = False,
        render_mode: Literal["ansi"] | None = None,
        houses: int = 256,
        rooms: int = 3,
        doorways: float = 1.0,
        receptacles_per_room: int = 2,
        things_per_room: int = 2,
        task_types: Sequence[int] = [1, 2, 3, 4, 5, 6],
        longest_plan: int = 14,
    ) -> None: ...

class Sokoban(TextEnv):
    """Boxes that are pushed onto targets; needs no data."""

    def __init__(
        self,
        split: Literal["train", "seen", "unseen"] = "train",
        *,
        data: str | PathLike[str] | None = None,
        max_steps: int | None = 15,
        success_reward: float | None = 10.0,
        original: bool = False,
        render_mode: Literal["ansi"] | None = None,
        height: int = 6,
        width: int = 6,
        boxes: int = 1,
        search_depth: int = 30,
        step_cost: float = 0.1,
        box_reward: float = 1.0,
        tasks_per_iteration: int = 32,
        published_rooms: bool = False,
    ) -> None: ...

class SokobanVec(GroupedVectorEnv):
    """Boxes that are pushed onto targets; needs no data."""

    def __init__(
        self,
        env_num: int,
        group_n: int = 1,
        *,
        seed: int = 0,
        autoreset: AutoresetMode = ...,
        threads: int = 0,
        split: Literal["train", "seen", "unseen"] = "train",
        data: str | PathLike[str] | None = None,
        max_steps: int | None = 15,
        success_reward: float | None = 10.0,
        original: bool = False,
        render_mode: Literal["ansi"] | None = None,
        height: int = 6,
        width: int = 6,
        boxes: int = 1,
        search_depth: int = 30,
        step_cost: float = 0.1,
        box_reward: float = 1.0,
        tasks_per_iteration: int = 32,
        published_rooms: bool = False,
    ) -> None: ...

class WebShop(TextEnv):
    """WebShop's goals and products (needs its data)."""

    def __init__(
        self,
        split: Literal["train", "seen", "unseen"] = "train",
        *,
        data: str | PathLike[str] | None = None,
        max_steps: int | None = 15,
        success_reward: float | None = 10.0,
        original: bool = False,
        render_mode: Literal["ansi"] | None = None,
        observation: str = 'text',
        human_goals: bool = False,
        webshop_seed: int = 0,
    ) -> None: ...

class WebShopVec(GroupedVectorEnv):
    """WebShop's goals and products (needs its data)."""

    def __init__(
        self,
        env_num: int,
        group_n: int = 1,
        *,
        seed: int = 0,
        autoreset: AutoresetMode = ...,
        threads: int = 0,
        split: Literal["train", "seen", "unseen"] = "train",
        data: str | PathLike[str] | None = None,
        max_steps: int | None = 15,
        success_reward: float | None = 10.0,
        original: bool = False,
        render_mode: Literal["ansi"] | None = None,
        observation: str = 'text',
        human_goals: bool = False,
        webshop_seed: int = 0,
    ) -> None: ...

class WebShopGenerated(TextEnv):
    """A generated shop like WebShop's; needs no data."""

    def __init__(
        self,
        split: Literal["train", "seen", "unseen"] = "train",
        *,
        data: str | PathLike[str] | None = None,
        max_steps: int | None = 15,
        success_reward: float | None = 10.0,
        original: bool = False,
        render_mode: Literal["ansi"] | None = None,
        products: int = 200,
        results_per_page: int = 5,
        generated_shop_seed: int = 0,
    ) -> None: ...

class WebShopGeneratedVec(GroupedVectorEnv):
    """A generated shop like WebShop's; needs no data."""

    def __init__(
        self,
        env_num: int,
        group_n: int = 1,
        *,
        seed: int = 0,
        autoreset: AutoresetMode = ...,
        threads: int = 0,
        split: Literal["train", "seen", "unseen"] = "train",
        data: str | PathLike[str] | None = None,
        max_steps: int | None = 15,
        success_reward: float | None = 10.0,
        original: bool = False,
        render_mode: Literal["ansi"] | None = None,
        products: int = 200,
        results_per_page: int = 5,
        generated_shop_seed: int = 0,
    ) -> None: ...

class CountdownTeam(TextEnv):
    """A target made of a few numbers, by a solver and a checker; needs no data."""

    def __init__(
        self,
        split: Literal["train", "seen", "unseen"] = "train",
        *,
        data: str | PathLike[str] | None = None,
        max_steps: int | None = 12,
        success_reward: float | None = 10.0,
        original: bool = False,
        render_mode: Literal["ansi"] | None = None,
        numbers: int = 3,
        largest: int = 12,
        attempts: int = 3,
        training_tasks: int = 0,
        actions: str = 'listed',
        agents: str = 'team',
    ) -> None: ...

class CountdownTeamVec(GroupedVectorEnv):
    """A target made of a few numbers, by a solver and a checker; needs no data."""

    def __init__(
        self,
        env_num: int,
        group_n: int = 1,
        *,
        seed: int = 0,
        autoreset: AutoresetMode = ...,
        threads: int = 0,
        split: Literal["train", "seen", "unseen"] = "train",
        data: str | PathLike[str] | None = None,
        max_steps: int | None = 12,
        success_reward: float | None = 10.0,
        original: bool = False,
        render_mode: Literal["ansi"] | None = None,
        numbers: int = 3,
        largest: int = 12,
        attempts: int = 3,
        training_tasks: int = 0,
        actions: str = 'listed',
        agents: str = 'team',
    ) -> None: ...

class Library(TextEnv):
    """Questions that a team answers from a collection of facts; needs no data."""

    def __init__(
        self,
        split: Literal["train", "seen", "unseen"] = "train",
        *,
        data: str | PathLike[str] | None = None,
        max_steps: int | None = 12,
        success_reward: float | None = 10.0,
        original: bool = False,
        render_mode: Literal["ansi"] | None = None,
        actions: str = 'listed',
        agents: str = 'team',
        collections: int = 64,
        people: int = 16,
        library_seed: int = 0,
    ) -> None: ...

class LibraryVec(GroupedVectorEnv):
    """Questions that a team answers from a collection of facts; needs no data."""

    def __init__(
        self,
        env_num: int,
        group_n: int = 1,
        *,
        seed: int = 0,
        autoreset: AutoresetMode = ...,
        threads: int = 0,
        split: Literal["train", "seen", "unseen"] = "train",
        data: str | PathLike[str] | None = None,
        max_steps: int | None = 12,
        success_reward: float | None = 10.0,
        original: bool = False,
        render_mode: Literal["ansi"] | None = None,
        actions: str = 'listed',
        agents: str = 'team',
        collections: int = 64,
        people: int = 16,
        library_seed: int = 0,
    ) -> None: ...

class GuideAndWalker(TextEnv):
    """A thing brought to a room by a guide who speaks and a walker who acts; needs no data."""

    def __init__(
        self,
        split: Literal["train", "seen", "unseen"] = "train",
        *,
        data: str | PathLike[str] | None = None,
        max_steps: int | None = 20,
        success_reward: float | None = 10.0,
        original: bool = False,
        render_mode: Literal["ansi"] | None = None,
        actions: str = 'listed',
        agents: str = 'team',
        words: int = 1,
        layouts: int = 64,
    ) -> None: ...

class GuideAndWalkerVec(GroupedVectorEnv):
    """A thing brought to a room by a guide who speaks and a walker who acts; needs no data."""

    def __init__(
        self,
        env_num: int,
        group_n: int = 1,
        *,
        seed: int = 0,
        autoreset: AutoresetMode = ...,
        threads: int = 0,
        split: Literal["train", "seen", "unseen"] = "train",
        data: str | PathLike[str] | None = None,
        max_steps: int | None = 20,
        success_reward: float | None = 10.0,
        original: bool = False,
        render_mode: Literal["ansi"] | None = None,
        actions: str = 'listed',
        agents: str = 'team',
        words: int = 1,
        layouts: int = 64,
    ) -> None: ...
