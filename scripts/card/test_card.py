"""What scripts/gpu reads, plans and tells."""

import contextlib
import io
import json
import os
import sys
import tempfile
import types
import unittest
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from unittest import mock

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import packing
import steps
import table

try:
    import jsonschema
except ImportError:
    jsonschema = None


def program(name="gpu"):
    """A script whose name is no module's."""
    path = os.path.join(packing.ROOT, "scripts", name)
    loader = SourceFileLoader(name, path)
    module = module_from_spec(spec_from_loader(name, loader))
    loader.exec_module(module)
    return module


def line(number, time, success, seconds=2.0):
    return {"iteration": number, "time": time, "success_rate": success, "seconds/iteration": seconds,
            "seconds/rollout": seconds / 2, "seconds/update": seconds / 4, "seconds/advantage": 0.0,
            "tokens_per_second": 100.0 * number}


def row(program, what, batch, way, speed, **more):
    measured = {"tokens_per_second": speed, "seconds": [1.0, 2.0], "peak_memory_bytes": 2**30} if speed else \
        {"tokens_per_second": None, "error": "exit status 101: out of memory"}
    return {"program": program, "shape": "qwen2.5-0.5b", "what": what, "way": way, "batch": batch, "device": "wgpu",
            **measured, **more}


def report():
    lines = [line(number, 1000.0 + 2 * number, number / 100) for number in range(1, 41)]
    run = {"preset": "chores", "device": "wgpu", "status": "done", "seconds": 85.0, "output": "", "seconds_to_stop": 1.5,
           "seconds_of_imitation": steps.imitation("x\nwarm start: loss 0.123 in 2 min 03 s\n"), **steps.readings(lines, 998.0, 85.0)}
    return {
        "version": 2, "date": "2026-01-02",
        "machine": {"program": "hgpo 1 (abc)", "card": {"name": "Card", "driver": "1.2", "memory_bytes": 80 * 2**30},
                    "adapters": ["wgpu:0  Card"], "processors": 16, "torch": "2.11"},
        "tests": {"status": "done", "seconds": 3.0, "passed": 9, "failed": 0, "skipped": ["x"], "output": ""},
        "runs": [run],
        "speed": [row("hgpo", "training", 8, "float16", 50.0), row("torch", "training", 8, "autocast+recomputed", 80.0),
                  row("torch", "training", 8, "autocast+compiled", 1234.5), row("hgpo", "training", 64, "float16", None),
                  row("torch", "generation", 1, "float16", 10.0)],
        "kernels": [row("hgpo", "generation", 1, "float16", 10.0, kernels={
            "started": 300.0, "seconds": 0.002, "is_device_time": True,
            "by_name": [{"name": "MatmulEntry | f16", "started": 100.0, "seconds": 0.0015},
                        {"name": "RmsNorm | f32", "started": 200.0, "seconds": 0.0005}]})],
        "first": [{"shape": "tiny", "what": "training", "batch": 8, "device": "wgpu", "status": "done", "is_cached": cached,
                   "bytes_cached": 2**20, "seconds_of_process": 4.0, "seconds_to_load": 1.0,
                   "seconds_of_first_round": 0.5 if cached else 2.5, "seconds_of_second_round": 0.1} for cached in (False, True)],
        "steps": [{"name": "machine", "status": "done", "seconds": 1.0}],
    }


class Readings(unittest.TestCase):
    def test_shapes_are_those_of_the_script_that_measures_them(self):
        self.assertEqual(steps.SHAPES, list(program("speed").SHAPES))

    def test_success_is_that_of_the_iterations_that_were_over(self):
        run = report()["runs"][0]
        # Iteration n ends 2 + 2n seconds after the start: 14 of them within 30 s, 29 within 60 s.
        points = {point["after"]: point for point in run["success"]}
        self.assertEqual((points[30]["iterations"], points[60]["iterations"]), (14, 29))
        self.assertAlmostEqual(points[30]["rate"], sum(range(1, 15)) / 14 / 100)
        self.assertAlmostEqual(points[60]["rate"], sum(range(10, 30)) / 20 / 100)
        self.assertNotIn(120, points)
        self.assertEqual(run["success"][-1]["after"], 85.0)
        self.assertEqual((run["iterations"], run["before_first"], run["seconds_per_iteration"]), (40, 2.0, 2.0))
        self.assertEqual(run["phases"], {"rollout": 1.0, "advantage": 0.0, "update": 0.5})
        self.assertEqual(run["tokens_per_second"], 2200.0)  # the median of iterations 4 to 40

    def test_a_run_without_iterations_tells_none(self):
        found = steps.readings([], 0.0, 5.0)
        self.assertEqual((found["iterations"], found["seconds_per_iteration"], found["success"]), (0, None, []))


    def test_imitation_is_told_in_seconds(self):
        for text, seconds in [("9.4 s", 9.4), ("59 s", 59), ("2 min 03 s", 123), ("1 h 02 min", 3720)]:
            self.assertEqual(steps.imitation(f"a\nwarm start: loss 0.5 in {text}\nb"), seconds)
        self.assertIsNone(steps.imitation("warm start: left out"))


class Tables(unittest.TestCase):
    def test_every_number_has_its_place(self):
        text = table.markdown([report()])
        self.assertIn("**Card, 80 GiB, driver 1.2**, 16 processors, PyTorch 2.11", text)
        self.assertIn("9 passed, 0 failed, 1 skipped", text)
        self.assertIn("| `chores` | wgpu | 123.0 s | 2 s | 40 | 2.00 | 1.00 s, 0.50 s | 1.5 s |", text)
        self.assertIn("| batch | hgpo float16 | PyTorch autocast, recomputed | PyTorch autocast, compiled |\n", text)
        self.assertIn("| qwen2.5-0.5b | 8 | 50 (1.000, 1.0) | 80 (1.000, 1.0) | 1,234 (1.000, 1.0) |", text)
        self.assertIn("| qwen2.5-0.5b | 64 | out of memory | - | - |", text)
        self.assertIn("| generation: tokens/s (s, GiB) | batch | PyTorch float16 |", text)
        self.assertIn("decode step | 1 | float16 | 300 | 2.00 | 1.50 | MatmulEntry 100 × 15 µs, RmsNorm 200 × 2 µs |", text)
        self.assertIn("| tiny, training | 8 | empty | 1.00 s | 2.50 s | 0.10 s | 1.0 MiB |", text)

    def test_they_replace_what_stands_between_the_marks(self):
        document = f"before\n{table.BEGIN}\nold\n{table.END}\nafter\n"
        once = table.replace_tables(document, "new\n")
        self.assertTrue(once.startswith("before\n") and once.endswith("after\n") and "old" not in once)
        self.assertEqual(table.replace_tables(once, "new\n"), once)
        with self.assertRaises(SystemExit):
            table.replace_tables("no marks", "new")

    @unittest.skipUnless(jsonschema, "the package jsonschema is not there")
    def test_the_schema_holds_what_is_measured_and_refuses_the_rest(self):
        table.check(report())
        for change in [lambda it: it.pop("machine"), lambda it: it["speed"][0].pop("program"),
                       lambda it: it["speed"][0].update(way="float16+fast"), lambda it: it["first"][0].pop("is_cached"),
                       lambda it: it["runs"][0]["success"][0].update(rate=1.5), lambda it: it.update(other=1),
                       lambda it: it["steps"][0].update(status="well"), lambda it: it.update(version=1)]:
            broken = report()
            change(broken)
            with self.assertRaises(SystemExit):
                table.check(broken)


class Plan(unittest.TestCase):
    def setUp(self):
        self.gpu, self.folder = program(), tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.clock, self.done = [0.0], []

    def measure(self, budget, *more):
        """Runs a plan whose steps take as long as they may, on a clock of its own."""
        file = os.path.join(self.folder.name, "gpu.json")
        with mock.patch.object(sys, "argv", ["gpu", "measure", "x", "--json", file, "--budget", str(budget), *more]):
            options = self.gpu.parse()

        def step(_, name, limit, unit):
            self.done.append((name, limit))
            self.clock[0] += limit
            return "done"

        clock = types.SimpleNamespace(monotonic=lambda: self.clock[0], strftime=lambda _: "2026-01-02")
        said = io.StringIO()
        with mock.patch.object(packing, "unpack", lambda _: ({}, {})), mock.patch.object(packing, "collect", lambda _: None), \
                mock.patch.object(self.gpu.Measurement, "step", step), mock.patch.object(self.gpu, "time", clock), \
                contextlib.redirect_stdout(said):
            self.gpu.Measurement(options).run()
        self.assertLessEqual(self.clock[0], budget + 1e-9)
        with open(file) as found:
            names = [it["name"] for it in json.load(found)["steps"]]
        self.clock[0] = 0.0
        return names, said.getvalue()

    def test_calls_go_on_where_the_last_one_stopped_until_all_is_measured(self):
        calls = 0
        while True:
            names, said = self.measure(540)
            calls += 1
            if "all is measured" in said:
                break
            self.assertLess(calls, 12)
        self.assertEqual(names[:3], ["machine", "tests", "training qwen2.5-0.5b hgpo float16"])
        self.assertEqual(names[-1], "compiled qwen2.5-1.5b autocast+recomputed+compiled")
        self.assertEqual(len(names), len(set(names)))
        # machine, tests; training 3, generation 2, kernels 2, first; two runs; 1.5B 3; compiled 4
        self.assertEqual(len(names), 2 + 3 + 2 + 2 + 1 + 2 + 3 + 4)
        self.assertEqual(len(self.done), len(names))

    def test_what_is_asked_for_alone_is_done_alone(self):
        names, _ = self.measure(540, "--only", "tests")
        self.assertEqual(names, ["machine", "tests"])
        names, _ = self.measure(540, "--only", "tests", "--again")
        self.assertEqual([name for name, _ in self.done].count("tests"), 2)
        names, _ = self.measure(540, "--only", "generation,kernels training", "--without-torch")
        self.assertEqual(names[2:], ["generation qwen2.5-0.5b hgpo float16", "kernels training qwen2.5-0.5b"])


class Speed(unittest.TestCase):
    def test_what_a_process_did_not_print_failed_as_it_did(self):
        speed = program("speed")
        options = types.SimpleNamespace(batch=[1, 8], seconds=60)
        way = speed.Way("autocast+recomputed")
        self.assertEqual((way.of_products, way.is_recomputed, way.is_compiled), ("bfloat16", True, False))
        lines = 'print(\'{"peak": 5}\\n{"batch": 1, "way": "autocast+recomputed", "tokens_per_second": 2}\'); '
        for end, error in [("raise MemoryError('too much')", "exit status 1: MemoryError: too much"), ("", "not measured")]:
            with contextlib.redirect_stderr(io.StringIO()):
                found, failure = speed.lines_of([sys.executable, "-c", lines + end], options, False)
            rows, facts = speed.complete(options, "torch", "training", [way], found, failure)
            self.assertEqual([(row["batch"], row["tokens_per_second"], row.get("error")) for row in rows],
                             [(1, 2, None), (8, None, error)])
            self.assertEqual(facts["peak"], 5)
        for text in ["float8", "float16+fast"]:
            with self.assertRaises(speed.argparse.ArgumentTypeError):
                speed.Way(text)


class Parts(unittest.TestCase):
    def test_a_model_that_came_in_parts_is_whole_again_or_none(self):
        with tempfile.TemporaryDirectory() as here, tempfile.TemporaryDirectory() as there, \
                mock.patch.object(packing, "PART", 10), mock.patch.object(packing, "UNPACKED", os.path.join(there, "u")), \
                contextlib.redirect_stdout(io.StringIO()):
            model = os.path.join(here, "m.gguf")
            with open(model, "wb") as file:
                file.write(bytes(range(25)))
            packing.split(model, os.path.join(here, "pack", "model"))
            names = sorted(os.listdir(os.path.join(here, "pack", "model")))
            self.assertEqual(names, ["part0", "part1", "part2"])
            for name in names:
                self.assertIsNone(packing.collect(os.path.join(here, "call")))
                place = os.path.join(here, "call", "model")
                os.makedirs(place, exist_ok=True)
                os.rename(os.path.join(here, "pack", "model", name), os.path.join(place, name))
                found = packing.collect(os.path.join(here, "call"))
                os.rename(place, os.path.join(here, "call", f"gone{name}"))
            with open(found, "rb") as file:
                self.assertEqual(file.read(), bytes(range(25)))
            with open(os.path.join(there, "u", "part1"), "wb") as file:
                file.write(b"0123456789")
            self.assertIsNone(packing.collect(os.path.join(here, "call")))


if __name__ == "__main__":
    unittest.main()
