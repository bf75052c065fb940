"""Compares answers with what they should be."""
import dataclasses

from .wrong import Wrong

BY_HAND = 0.005  # how far an answer may be off
BY_PROGRAM = 1e-6
LISTED = 5  # wrong rows of a column that are named


@dataclasses.dataclass
class Column:
    """What is asked: the right numbers per row, and what typical mistakes lead to, each with a sentence."""
    name: str
    right: dict
    mistakes: list = dataclasses.field(default_factory=list)


def is_near(given, number, tolerance):
    return abs(given - number) <= max(tolerance, 1e-9 * abs(number))


def same_rows(answers, column):
    """Refuses answers with other rows than those asked for."""
    unknown = [key for key in answers if key not in column.right]
    if unknown:
        raise Wrong(f"nothing is asked about {'/'.join(unknown[0])}")
    missing = [key for key in column.right if key not in answers]
    if missing:
        raise Wrong(f"there is no answer for {'/'.join(missing[0])} (rows missing: {len(missing)})")


def sentences(wrong, column, tolerance):
    """What the wrong numbers of a column come from: the mistake that explains most of them, then those that
    explain the rest. One number alone is explained only if it is the last."""
    left = dict(wrong)
    while left:
        explained = [[key for key, given in left.items() if key in numbers and is_near(given, numbers[key], tolerance)]
                     for _, numbers in column.mistakes]
        most = max(explained, key=len, default=[])
        if not most or (len(most) == 1 and len(left) > 1):
            return
        yield column.mistakes[explained.index(most)][0]
        left = {key: given for key, given in left.items() if key not in most}


def told(wrong, column, tolerance, shows):
    """Lines about the wrong numbers of a column."""
    for key, given in list(wrong.items())[:LISTED]:
        right = column.right[key]
        end = f"it is {right:.6g}" if shows else f"too {'high' if given > right else 'low'}"
        yield f"  {'/'.join(key)}: {column.name} {given:.6g}: {end}"
    if len(wrong) > LISTED:
        yield f"  and {len(wrong) - LISTED} more of {len(column.right)}"
    for sentence in sentences(wrong, column, tolerance):
        yield f"  {column.name}: {sentence}"


def compare(answers, columns, tolerance, shows=False):
    """What is wrong, in lines; none if all is right."""
    same_rows(answers, columns[0])
    lines = []
    for column in columns:
        wrong = {key: row[column.name] for key, row in answers.items()
                 if not is_near(row[column.name], column.right[key], tolerance)}
        lines.extend(told(wrong, column, tolerance, shows) if wrong else [])
    return lines
