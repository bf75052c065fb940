"""What adapters of frameworks share: a task as a conversation, environments for every episode, numbers for the log."""

import pytest

import hgpo
from hgpo._chat import describe_situation, parse_response
from hgpo._metrics import metrics
from hgpo._serving import episode_of


@pytest.mark.parametrize(
    ("response", "action", "valid"),
    [
        ("I go.<action>go to kitchen</action>", "go to kitchen", True),
        ("<action>\n take mug \n</action> and <action>look</action>", "take mug", True),
        ("<action></action>", "", True),
        (" go to kitchen\n", "go to kitchen", False),
        ("<action>go to kitchen", "<action>go to kitchen", False),
        ("", "", False),
    ],
)
def test_the_action_of_a_response(response, action, valid):
    assert parse_response(response) == (action, valid)


def test_a_model_that_reads_what_it_is_told_wins():
    env = episode_of("Chores", max_steps=20)
    text, info = env.reset(options={"task": 3})
    first = describe_situation(text, info, first=True)
    assert first.startswith(info["instruction"]) and text in first
    for action in env.plan():
        said = describe_situation(text, info)
        assert info["instruction"] not in said
        line = next(line for line in said.split("\n") if line.startswith("Admissible actions: "))
        assert action in line.removeprefix("Admissible actions: ").removesuffix(".").split(", ")
        chosen, valid = parse_response(f"So be it. <action>{action}</action>")
        text, _, terminated, _, info = env.step(chosen)
        assert valid and info["is_admissible"]
    assert terminated and info["won"]


def test_games_stay_when_their_episodes_are_gone():
    suite = id(episode_of("Chores", max_steps=21)._suite)
    assert id(episode_of("Chores", max_steps=21)._suite) == suite
    with pytest.raises(ValueError, match="there is no environment 'Chore': use one of Chores, "):
        episode_of("Chore")
    with pytest.raises(ValueError, match="no setting `moon`"):
        episode_of("Chores", moon=1)


def test_the_numbers_of_a_batch_have_flat_names(columns):
    found = hgpo.diagnostics(columns, context_length=1)
    flat = metrics(found)
    assert flat["hgpo/no_signal_fraction"] == found["no_signal_fraction"]
    assert flat["hgpo/level_1/mean_size"] == found["levels"][1]["mean_size"]
    assert len(flat) == 7 and all(type(value) is float for value in flat.values())
