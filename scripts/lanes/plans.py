"""What is trained: names, and the settings behind them."""


def hgpo(length):
    return {"estimator": "hgpo", "estimator.context_length": length}


METHODS = {
    "GRPO": {"estimator": "grpo"},
    "GiGPO": {"estimator": "gigpo"},
    "HGPO, K = 0": hgpo(0),
    "HGPO, K = 1": hgpo(1),
    "HGPO, K = 2": hgpo(2),
    "HGPO, K = 4": hgpo(4),
}
ENVIRONMENT = "environment.gridworld"

# Every world with the sight and the chance to slip with which it shows what it is there to show.
WORLDS = {
    "signpost": ("labels", 0.0),
    "remote": ("labels", 0.0),
    "switchback": ("labels", 0.2),
    "comb": ("labels", 0.0),
    "locked": ("labels", 0.0),
    "landmarks": ("labels", 0.0),
    "hall": ("place", 0.2),
    "shortcut": ("labels", 0.2),
}


def world(name, sight, slip):
    return {f"{ENVIRONMENT}.world": name, f"{ENVIRONMENT}.sight": sight, f"{ENVIRONMENT}.slip": slip}


def worlds():
    """Every method in every world."""
    for name, (sight, slip) in WORLDS.items():
        for method, settings in METHODS.items():
            yield f"{name} / {method}", {**world(name, sight, slip), **settings}


def sights():
    """Group sizes and what is seen, with as many episodes an iteration."""
    for sight in ("walls", "labels", "place"):
        for size in (4, 8, 16, 32):
            rollout = {"rollout.group_size": size, "rollout.tasks": 64 // size}
            for method in ("GRPO", "GiGPO", "HGPO, K = 2"):
                yield f"{sight}, groups of {size} / {method}", {
                    **world("signpost", sight, 0.0), **rollout, **METHODS[method]}


def slips():
    """Chances to slip and context lengths."""
    for slip in (0.0, 0.1, 0.2, 0.4):
        for method, settings in METHODS.items():
            yield f"slip {slip} / {method}", {**world("comb", "labels", slip), **settings}


PLANS = {"worlds": worlds, "sights": sights, "slips": slips}
