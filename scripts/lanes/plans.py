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

# The worlds for which the preset's discount will do, each with the sight and the chance to slip with which it shows
# what it is there to show.
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
# The world in which histories are there to help, and the discount with which they do.
TOLL = ("toll", "labels", 0.2)
NEAR = {"learn.discount": 0.8}
# What histories add to, and what has none.
THREE = ("GiGPO", "HGPO, K = 0", "HGPO, K = 2")


def world(name, sight, slip):
    return {f"{ENVIRONMENT}.world": name, f"{ENVIRONMENT}.sight": sight, f"{ENVIRONMENT}.slip": slip}


def worlds():
    """Every method in every one of these worlds."""
    for name, (sight, slip) in WORLDS.items():
        for method, settings in METHODS.items():
            yield f"{name} / {method}", {**world(name, sight, slip), **settings}


def sights():
    """Group sizes and what is seen, with as many episodes per iteration."""
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


def toll():
    """Every method where histories help."""
    for method, settings in METHODS.items():
        yield f"toll / {method}", {**world(*TOLL), **NEAR, **settings}


def discounts():
    """How much places that look alike differ in worth, by the discount."""
    for place in (("switchback", "labels", 0.2), TOLL):
        for discount in (0.95, 0.85, 0.75):
            for method in THREE:
                yield f"{place[0]}, discount {discount} / {method}", {
                    **world(*place), "learn.discount": discount, **METHODS[method]}


def memories():
    """Memories of the policy and context lengths."""
    for length in (0, 1, 2, 4):
        for method, settings in METHODS.items():
            if method.startswith("HGPO"):
                memory = {"rollout.history_length": length}
                yield f"memory of {length} / {method}", {**world(*TOLL), **NEAR, **memory, **settings}


# One setting another than the preset's at a time.
VARIANTS = {
    "cost 2": {f"{ENVIRONMENT}.cost": 2.0},
    "learning rate 0.02": {"learn.learning_rate": 0.02},
    "learning rate 0.1": {"learn.learning_rate": 0.1},
    "advantages as they are": {"learn.normalize_advantages": "false"},
    "divided by the deviation": {"estimator.scale": "mean-std"},
    "2 tasks of 8 attempts": {"rollout.tasks": 2},
    "2 tasks of 32 attempts": {"rollout.tasks": 2, "rollout.group_size": 32},
}


def variants():
    """Learning rates, normalisation and sizes of groups."""
    for name, settings in VARIANTS.items():
        for method in THREE:
            yield f"{name} / {method}", {**world(*TOLL), **NEAR, **METHODS[method], **settings}
    weighed = {"HGPO, K = 2, adaptive": {**hgpo(2), "estimator.weights": "adaptive"},
               "HGPO, K = 2, alpha 3": {**hgpo(2), "estimator.alpha": 3.0}}
    for method, settings in {**{name: METHODS[name] for name in THREE}, **weighed}.items():
        yield f"the preset's / {method}", {**world(*TOLL), **NEAR, **settings}


PLANS = {plan.__name__: plan for plan in (worlds, sights, slips, toll, discounts, memories, variants)}
