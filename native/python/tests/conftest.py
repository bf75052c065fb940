"""What several tests share."""

import gzip
import json
import os
import pathlib
import tarfile

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
ORACLE = pathlib.Path(os.environ.get("HGPO_ORACLE", ROOT / "../shared/oracle"))


def skipped(what, how, test):
    """Tells `scripts/test` what a test left out, and how to get it."""
    if "HGPO_SKIPPED" in os.environ:
        with open(os.environ["HGPO_SKIPPED"], "a") as file:
            file.write(f"{what}\t{how}\t{test}\n")


def cases():
    """The recorded batches, those outside the repository too where they are."""
    found = {}
    for path in sorted((ROOT / "core/tests/recordings/advantages").glob("*.json.gz")):
        found[f"recordings/{path.name}"] = json.loads(gzip.decompress(path.read_bytes()))
    for path in sorted((ORACLE / "advantages").glob("*.json")):
        found[f"oracle/{path.name}"] = json.loads(path.read_text())
    return found


@pytest.fixture
def columns():
    """Two tasks of two attempts each, two steps per attempt."""
    return {
        "rewards": [0, 10, 0, 0, 0, 5, 0, 1],
        "task": ["t"] * 4 + ["u"] * 4,
        "trajectory": ["a", "a", "b", "b"] * 2,
        "state": ["home", "shop", "home", "shop", "home", "park", "home", "park"],
    }


def unpacked(name, what, tmp_path_factory):
    """The folder that an archive of the oracle is unpacked to, where it is."""
    archive = ORACLE / name
    if not archive.is_file():
        skipped(what, "set HGPO_ORACLE", "test_envs.py")
        pytest.skip(f"{what} are not there")
    folder = tmp_path_factory.mktemp(archive.parent.name)
    with tarfile.open(archive) as packed:
        packed.extractall(folder, filter="data")
    return folder


@pytest.fixture(scope="session")
def alfworld(tmp_path_factory):
    """The official evaluation games, where they are; `train` are those of valid_seen again."""
    return unpacked("alfworld/games.tar.xz", "ALFWorld's games", tmp_path_factory)


@pytest.fixture(scope="session")
def webshop(tmp_path_factory):
    folder = unpacked("webshop/webshop.tar.xz", "WebShop's products", tmp_path_factory)
    (found,) = {os.path.dirname(path) for path in map(str, folder.rglob("items_shuffle_1000.json"))}
    return found
