// A lane of the page, compiled as for the page, writes the lines of metrics that `hgpo train` writes, byte for byte
// but for the clock. HGPO_BIN is the program, HGPO_LANE_WASM the script that wasm-bindgen wrote.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { test } from "node:test";
import { estimators } from "./estimators.mjs";
import { natively } from "./natively.mjs";

const { HGPO_BIN: program, HGPO_LANE_WASM: script } = process.env;
const { Instance } = WebAssembly;
let memory; // of the module that is instantiated next
WebAssembly.Instance = function instantiate(...given) {
  const instance = new Instance(...given);
  ({ memory } = instance.exports);
  return instance;
};
const lane = createRequire(import.meta.url)(script);

function ask(request, kind) {
  const answer = JSON.parse(lane.training(JSON.stringify(request)));
  assert.deepEqual(Object.keys(answer), [kind], JSON.stringify(answer));
  return answer[kind];
}

/** A line of metrics without what the clock said. */
const timeless = (line) => line.replace(/("(?:seconds\/[^"]*|time|[^"]*_per_second)":)[^,}]+/g, "$1");

const settings = (world, estimator, more) => ({
  environment: { name: "gridworld", max_steps: 100, gridworld: { world, slip: 0.1, ...more } },
  policy: { kind: "table" },
  estimator,
  rollout: { tasks: 4, group_size: 6, history_length: 2 },
  warm_start: { episodes: 0 },
  learn: { iterations: 6, learning_rate: 0.1, mini_batch_size: 128 },
  evaluation: { tasks: 8, seeds: [1, 2], every: 4 },
});

/** Compares the lines of some seeds; how many runs had a success. */
function compare(wanted, seeds) {
  const { settings: all } = ask({ start: { settings: wanted, seeds } }, "started");
  const { iteration, lines } = ask({ run: { iterations: 100, milliseconds: 60_000 } }, "ran");
  assert.equal(iteration, wanted.learn.iterations);
  seeds.forEach((seed, at) => {
    const expected = natively(program, { ...all, seed }).map(timeless);
    assert.equal(lines[at].length, expected.length);
    expected.forEach((line, index) => assert.equal(timeless(lines[at][index]), line, JSON.stringify({ ...wanted, seed })));
    assert.notEqual(expected[0].replace('"iteration":1', ""), expected.at(-1));
  });
  return lines.filter((of) => of.some((line) => JSON.parse(line).success_rate > 0)).length;
}

test("all estimators on three worlds", () => {
  const names = estimators.filter((name) => name !== "dr-mas");
  for (const world of ["signpost", "locked", "hall"]) {
    const won = names.map((name) => compare(settings(world, { name }), [3]));
    assert.ok(won.every(Boolean), `nothing is learned from in ${world}`);
  }
  // The only other one tells agents apart, and there is one alone: neither takes it.
  const alone = settings("signpost", { name: "dr-mas" });
  const { error } = JSON.parse(lane.training(JSON.stringify({ start: { settings: alone, seeds: [1] } })));
  assert.throws(() => natively(program, alone), ({ stderr }) => String(stderr).includes(error));
});

test("several seeds, a warm start, generated maps and options of their own", () => {
  const generated = { world: "generated", sight: "walls", key: true, height: 9, width: 9 };
  const own = settings("generated", { name: "hgpo", context_length: 3, alpha: 0.5, scale: "mean", weights: "adaptive" }, generated);
  own.learn.normalize_advantages = true;
  own.warm_start = { episodes: 20, epochs: 2, learning_rate: 0.05 };
  compare(own, [1, 2, 18446744073709]);
});

test("10,000 iterations take no more memory than 3,000", (context) => {
  // Without a past there are few memories, all of which are soon in the table.
  const rollout = { tasks: 1, group_size: 4, history_length: 0 };
  const environment = { name: "gridworld", max_steps: 20, gridworld: { world: "comb" } };
  const small = { ...settings("comb", { name: "hgpo" }), environment, rollout, learn: { iterations: 10_000 } };
  ask({ start: { settings: small, seeds: [1] } }, "started");
  const bytes = () => memory.buffer.byteLength;
  // In slices, as an answer is text that takes memory too.
  const run = (last) => {
    while (ask({ run: { iterations: 250, milliseconds: 60_000 } }, "ran").iteration < last);
  };
  run(3_000);
  const early = bytes();
  run(10_000);
  context.diagnostic(`bytes after 3,000 and 10,000 iterations: ${early} and ${bytes()}`);
  assert.ok(bytes() <= early + 65_536 * 4, `${early} ${bytes()}`);
  assert.equal(ask({ "go-back": { iteration: 2_500 } }, "went").iteration, 2_500);
});
