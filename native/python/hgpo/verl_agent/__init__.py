"""HGPO's and GiGPO's advantages and native environments in verl-agent, without an edit of its files.

>>> import hgpo.verl_agent
>>> hgpo.verl_agent.install()

before verl-agent's trainer is started; where its functions run in Ray's workers, there too:

    ray.init(runtime_env={"worker_process_setup_hook": "hgpo.verl_agent.install"})

From then on `core_hgpo.compute_hgpo_outcome_advantage` and `core_gigpo.compute_gigpo_outcome_advantage` are
those below, and the environments `AlfredTWEnv`, `Webshop` and `Sokoban` (as text) are played in the process
that asks for them. Prompts, memory, projections and everything else stay verl-agent's.
"""

import sys

from hgpo._imports import await_import
from hgpo.verl_agent import alfworld, sokoban, webshop
from hgpo.verl_agent._advantages import compute_gigpo_outcome_advantage, compute_hgpo_outcome_advantage
from hgpo.verl_agent.alfworld import build_alfworld_envs
from hgpo.verl_agent.sokoban import build_sokoban_envs
from hgpo.verl_agent.webshop import build_webshop_envs

__all__ = [
    "build_alfworld_envs",
    "build_sokoban_envs",
    "build_webshop_envs",
    "compute_gigpo_outcome_advantage",
    "compute_hgpo_outcome_advantage",
    "install",
]

ESTIMATORS = {
    "recipe.hgpo.core_hgpo": compute_hgpo_outcome_advantage,
    "gigpo.core_gigpo": compute_gigpo_outcome_advantage,
}
PACKAGES = "agent_system.environments.env_package"
ENVIRONMENTS = {f"{PACKAGES}.alfworld.envs": alfworld, f"{PACKAGES}.webshop.envs": webshop, f"{PACKAGES}.sokoban.envs": sokoban}


def replace(module):
    """Puts this package's function in the place of the module's."""
    function = ESTIMATORS[module.__name__]
    setattr(module, function.__name__, function)


def install(estimators=True, envs=True):
    """Puts this package's functions in the place of verl-agent's, in modules that are there and in those that
    will be imported. Called again, it changes nothing."""
    if estimators:
        for name in ESTIMATORS:
            if name in sys.modules:
                replace(sys.modules[name])
            await_import(name, replace)
    if envs:
        for name, module in ENVIRONMENTS.items():
            # Their packages import what builds environments from here; their projections stay.
            sys.modules[name] = module
            package = sys.modules.get(name.rpartition(".")[0])
            builder = f"build_{name.split('.')[-2]}_envs"
            if package is not None:
                setattr(package, builder, getattr(module, builder))
