// A training with a table gives the same numbers as wasm and as `hgpo train`, byte for byte.
// HGPO_BIN is the program, HGPO_SAME_BYTES_WASM the script that wasm-bindgen wrote.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { test } from "node:test";

const { HGPO_BIN: program, HGPO_SAME_BYTES_WASM: script } = process.env;
const wasm = createRequire(import.meta.url)(script);

/** Fields as they are written, without those of the clock and of evaluations, which the program adds. */
function fields(line) {
  const clock = /^(seconds\/|time$|eval\/)|_per_second$/;
  return Object.entries(JSON.parse(line)).filter(([name]) => !clock.test(name)).map((it) => JSON.stringify(it));
}

test("20 iterations of chores-tiny with a table", (context) => {
  const folder = mkdtempSync(join(tmpdir(), "hgpo-"));
  context.after(() => rmSync(folder, { recursive: true }));
  const settings = ["policy.kind=table", "learn.iterations=20", "rollout.tasks=4"];
  const set = settings.flatMap((setting) => ["--set", setting]);
  execFileSync(program, ["train", "--preset", "chores-tiny", "--device", "cpu", "--name", "table", ...set], { cwd: folder });
  const read = (name) => readFileSync(join(folder, "runs/table", name), "utf8");
  const expected = read("metrics.jsonl").trimEnd().split("\n").map(fields);
  const before = performance.now();
  const text = wasm.training(read("config.toml"));
  const seconds = (performance.now() - before) / 1000;
  assert.match(text, /^{/, text);
  const found = text.trimEnd().split("\n").map(fields);
  assert.equal(found.length, 20);
  found.forEach((line, index) => assert.deepEqual(line, expected[index], `iteration ${index + 1}`));
  // Something was learned from, so that the comparison is one of numbers that move.
  assert.notDeepEqual(found[0], found[19]);
  const native = read("metrics.jsonl").trimEnd().split("\n").map((line) => JSON.parse(line)["seconds/iteration"]);
  const total = native.reduce((sum, it) => sum + it, 0);
  context.diagnostic(`iterations a second: ${(20 / total).toFixed(0)} natively, ${(20 / seconds).toFixed(0)} as wasm with its warm start`);
});
