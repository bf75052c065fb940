"""A task as a conversation with a language model: what the model is told, and the action in what it answers."""

import re

FORMAT = "Write the action that you choose, as it is written above, between <action> and </action>."
ACTION = re.compile(r"<action>(.*?)</action>", re.DOTALL)


def describe_situation(text, info, first=False):
    """What the model is told of a situation: what is seen and what can be done, before the first step the task too."""
    lines = [info["instruction"], text] if first else [text]
    return "\n".join([*lines, f"Admissible actions: {', '.join(info['admissible'])}.", FORMAT])


def parse_response(response):
    """The action of a response, and whether the response keeps the format; one that does not is the action itself."""
    found = ACTION.search(response)
    return (found.group(1).strip(), True) if found else (response.strip(), False)
