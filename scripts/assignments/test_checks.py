"""The checks of docs/assignments say yes to the solutions, and of typical mistakes what is wrong.

    HGPO_BIN=PROGRAM python3 -m unittest discover scripts/assignments
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

FOLDER = pathlib.Path(__file__).parents[2] / "docs" / "assignments"
SOLUTIONS = FOLDER / "solutions"


def call(*command, folder=None):
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False, cwd=folder)


class Checks(unittest.TestCase):
    """Answers in a folder of their own, and what is said of them."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.scratch = pathlib.Path(scratch.name)

    def output(self, *arguments):
        done = call(sys.executable, FOLDER / "check.py", *arguments)
        self.assertNotIn("Traceback", done.stderr)
        return done.returncode, done.stdout + done.stderr

    def assert_right(self, *arguments):
        status, output = self.output(*arguments)
        self.assertEqual((status, output.splitlines()[-1]), (0, "right"), output)

    def assert_wrong(self, sentence, *arguments):
        status, output = self.output(*arguments)
        self.assertEqual(status, 1, output)
        self.assertIn(sentence, output)
        return output

    def altered(self, solution, *changes):
        """A copy of a solution with texts replaced, each of which must be there."""
        text = (SOLUTIONS / solution).read_text(encoding="utf-8")
        for old, new in changes:
            self.assertIn(old, text)
            text = text.replace(old, new)
        copy = self.scratch / solution
        copy.write_text(text, encoding="utf-8")
        return copy


class Grpo(Checks):
    def assert_mistake(self, sentence, *changes):
        return self.assert_wrong(sentence, "grpo", self.altered("grpo.csv", *changes))

    def test_the_solution_is_right(self):
        self.assert_right("grpo", SOLUTIONS / "grpo.csv")
        self.assert_right("grpo", self.altered("grpo.csv", ("a,8,5,", "a,16/2,5.004,")))

    def test_what_is_empty_or_misspelt_is_said(self):
        self.assert_wrong("tea/a: score is still empty", "grpo", FOLDER / "grpo" / "answers.csv")
        self.assert_mistake("write 2.5, not 2,5", ("a,8,5,1.050", "a,8,5,1,050"))
        self.assert_mistake("it lacks scaled", ("scaled", "divided"))
        self.assert_mistake("no answer for tea/a (rows missing: 1)", ("tea,a,8,5,1.050\n", ""))
        self.assert_mistake("nothing is asked about coffee/a", ("tea,a", "coffee,a"))
        for text in ("five", "nan", "1e999", "1/0"):
            self.assert_mistake(f"'{text}', which is no number", ("a,8,5,", f"a,8,{text},"))
        (self.scratch / "other.csv").write_bytes("t\u00e4sk".encode("latin-1"))
        self.assert_wrong("not in UTF-8", "grpo", self.scratch / "other.csv")
        self.assert_wrong("there is no file nothing.csv", "grpo", "nothing.csv")

    def test_typical_mistakes_are_told_apart(self):
        rows = [("tea,a,8,5,1.050", "tea,a,8,8,1.050"), ("tea,b,0,-3,", "tea,b,0,0,"), ("tea,c,6,3,", "tea,c,6,6,"),
                ("tea,d,-2,-5,", "tea,d,-2,-2,"), (",4,0,0", ",4,4,0")]
        self.assert_mistake("this is the score. Subtract the mean", *rows)
        self.assert_mistake("divide by n - 1", ("1.050", "1.2127"), ("0.630", "0.7276"))
        self.assert_mistake("not divided by the deviation yet", ("5,1.050", "5,5"), ("5,-1.050", "5,-5"),
                            ("3,-0.630", "3,-3"), ("3,0.630", "3,3"))
        self.assert_mistake("the sign is the wrong way round", ("8,5,", "8,-5,"), ("0,-3,", "0,3,"), ("6,3,", "6,-3,"),
                            ("-2,-5,", "-2,5,"))

    def test_numbers_are_told_only_when_asked_for(self):
        wrong = self.altered("grpo.csv", ("a,8,5,", "a,9,5,"))
        self.assertNotIn("it is 8", self.assert_wrong("tea/a: score 9: too high", "grpo", wrong))
        self.assert_wrong("tea/a: score 9: it is 8", "grpo", wrong, "--show")


class Gigpo(Checks):
    def assert_mistake(self, sentence, *changes):
        return self.assert_wrong(sentence, "gigpo", self.altered("gigpo.py", *changes))

    def test_the_solution_is_right_as_a_program_and_by_hand(self):
        self.assert_right("gigpo", SOLUTIONS / "gigpo.py")
        printed = call(sys.executable, SOLUTIONS / "gigpo.py", FOLDER / "gigpo" / "rollouts.jsonl").stdout
        by_hand = self.scratch / "answers.csv"
        by_hand.write_text(printed.replace("9.3065", "9.307"), encoding="utf-8")
        self.assert_right("gigpo", by_hand)

    def test_typical_mistakes_are_told_apart(self):
        self.assert_mistake("these are not discounted", ("DISCOUNT = 0.9", "DISCOUNT = 1"))
        self.assert_mistake("only later ones are discounted",
                            ('step["reward"] + DISCOUNT * value', 'DISCOUNT * (step["reward"] + value)'))
        self.assert_mistake("groups hold steps of both tasks", ('attempt["task"], step["state"])', '0, step["state"])'),
                            ("groups[task,", "groups[0,"))
        self.assert_mistake("this is the step's term alone", ("episode + own", "own"))
        self.assert_mistake("this is the attempt's term alone", ("episode + own", "episode"))
        self.assert_mistake("this is the return. Subtract the mean", ("- sum(group) / len(group)", ""))

    def test_a_program_that_stops_is_quoted(self):
        output = self.assert_mistake("stopped with an error: KeyError: 'points'", ('step["reward"] for', 'step["points"] for'))
        self.assertNotIn("too", output)


class Hgpo(Checks):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        for name, more in (("maze", ["--preset", "gridworld", "--set", "learn.iterations=20"]),
                           ("house", ["--preset", "chores-tiny"])):
            done = call(os.environ["HGPO_BIN"], "train", "--device", "cpu", "--name", name, *more, folder=folder.name)
            assert done.returncode == 0, done.stderr
        traces = pathlib.Path(folder.name, "runs")
        cls.maze = traces / "maze" / "traces" / "iteration_000010.rollouts.jsonl"
        cls.house = traces / "house" / "traces" / "iteration_000003.rollouts.jsonl"

    def assert_mistake(self, part, sentence, *changes, trace=None):
        output = self.assert_wrong(sentence, "hgpo", self.altered("hgpo.py", *changes), trace or self.maze)
        self.assertIn(f"not right yet:\n{part}", output)

    def test_the_solution_is_right_on_both_traces(self):
        self.assert_right("hgpo", SOLUTIONS / "hgpo.py", self.maze)
        self.assert_right("hgpo", SOLUTIONS / "hgpo.py", self.house)

    def test_the_starter_runs_and_is_not_right_yet(self):
        self.assert_wrong("K = 0, the state alone:", "hgpo", FOLDER / "hgpo" / "starter.py", self.maze)

    def test_mistakes_with_returns_are_found_first(self):
        self.assert_mistake("K = 0", "these are not discounted", ("discount * value", "value"))
        self.assert_mistake("K = 0", "groups hold steps of several tasks", ('attempt["task"], *(', "0, *("))
        self.assert_mistake("K = 0", "an invalid step loses", ('(0 if step["valid"] else penalty)', "0"), trace=self.house)
        self.assert_mistake("K = 0", "is no reward", ("discount * value\n", "discount * value - (not step['valid']) * penalty\n"),
                            ('(0 if step["valid"] else penalty)', "0"), trace=self.house)

    def test_mistakes_with_levels_are_found_at_the_first_level(self):
        left_out = "is left out, and the weights of the others are scaled to sum to 1"
        alone = ("deviation) > 1e-9", "deviation) > -1 and len(group) > 1")
        self.assert_mistake("K = 1", left_out, alone)
        self.assert_mistake("K = 1", left_out,
                            ("total / weights if weights", "total / sum((k + 1) ** alpha for k in range(min(at, longest) + 1)) if weights"))
        self.assert_mistake("K = 1", "these weigh all levels alike", ("(level + 1) ** alpha", "1"))
        self.assert_mistake("K = 1", "yours begin at 2", ("(level + 1)", "(level + 2)"))
        self.assert_mistake("K = 1", "fewer than 1 states before them", ("[at - level", "[max(0, at - level)"),
                            ("min(at, longest)", "longest"), ('attempt["task"], *(', 'attempt["task"], level, *('))
        length = 'made["estimator"]["context_length"]'
        self.assert_mistake("K = 4", "`context_length` is not 2 always", (length, f"min(2, {length})"))
        self.assert_mistake("K = 2, alpha = 2", "`alpha` is not 1 always", ('made["estimator"]["alpha"]', "1"))

    def test_what_is_no_program_or_no_trace_is_said(self):
        self.assert_wrong("the answer is a program", "hgpo", SOLUTIONS / "grpo.csv", self.maze)
        self.assert_wrong("is no trace", "hgpo", SOLUTIONS / "hgpo.py", FOLDER / "gigpo" / "rollouts.jsonl")


class Experiment(Checks):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        script = shutil.copy(FOLDER / "experiment" / "train.sh", folder.name)
        done = call(script)
        assert done.returncode == 0, done.stderr
        cls.runs = pathlib.Path(folder.name, "runs")

    def assert_mistake(self, sentence, *changes):
        self.assert_wrong(sentence, "experiment", self.altered("experiment.py", *changes), self.runs)

    def test_the_solution_is_right_and_its_numbers_are_those_of_the_document(self):
        self.assert_right("experiment", SOLUTIONS / "experiment.py", self.runs)
        self.assert_right("experiment", SOLUTIONS / "experiment.csv", self.runs)

    def test_typical_mistakes_are_told_apart(self):
        spread = "2.262157 * statistics.stdev(values) / math.sqrt(len(values))"
        self.assert_mistake("the deviation between seeds", (spread, "statistics.stdev(values)"))
        self.assert_mistake("this is the standard error", ("2.262157 * ", ""))
        self.assert_mistake("Student's t is 2.262", ("2.262157", "1.959964"))
        self.assert_mistake("the width of the whole interval", ("2.262157", "2 * 2.262157"))
        self.assert_mistake("That of a sample divides by n - 1", ("statistics.stdev", "statistics.pstdev"))
        self.assert_mistake("the seeds are paired",
                            ("    tell(f\"gain_{name}_half\", half)",
                             "    tell(f\"gain_{name}_half\", math.hypot(*(mean_and_half(success[lane])[1] for lane in (\"hgpo\", other))))"))
        self.assert_mistake("leaves out 0", ("abs(mean) > half", "abs(mean) < half"))

    def test_other_runs_than_asked_for_are_refused(self):
        copy = self.scratch / "runs"
        shutil.copytree(self.runs, copy, ignore=shutil.ignore_patterns("checkpoints"))
        config = copy / "gigpo-3" / "config.toml"
        config.write_text(config.read_text(encoding="utf-8").replace("slip = 0.2", "slip = 0.1"), encoding="utf-8")
        self.assert_wrong("gigpo-3 has environment.gridworld.slip = 0.1, but 0.2 is asked for",
                          "experiment", SOLUTIONS / "experiment.csv", copy)
        shutil.rmtree(copy / "grpo-7")
        self.assert_wrong("train it with --name grpo-7", "experiment", SOLUTIONS / "experiment.csv", copy)


if __name__ == "__main__":
    unittest.main()
