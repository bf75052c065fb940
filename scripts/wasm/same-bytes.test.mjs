// The library gives the same bits as wasm and on the host, under every estimator and every option.
// HGPO_SAME_BYTES is the host's program, HGPO_SAME_BYTES_WASM the script that wasm-bindgen wrote.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { test } from "node:test";
import { estimators } from "./estimators.mjs";
import { recorded, walks } from "./rollouts.mjs";

const { HGPO_SAME_BYTES: host, HGPO_SAME_BYTES_WASM: script } = process.env;
const wasm = createRequire(import.meta.url)(script);

function compare({ name, rollouts, discount, penalty }) {
  const options = { input: rollouts, encoding: "utf8", maxBuffer: 2 ** 28 };
  const ofHost = execFileSync(host, [discount, penalty], options).split("\n");
  const ofWasm = wasm.bits(rollouts, discount, penalty).split("\n");
  const first = ofHost.findIndex((line, index) => line !== ofWasm[index]);
  assert.ok(first < 0, `${name}, line ${first}:\nhost: ${ofHost[first]}\nwasm: ${ofWasm[first]}`);
  assert.equal(ofHost.length, ofWasm.length);
  return ofHost;
}

test("generated rollouts", () => {
  for (const seed of [1, 2, 3]) {
    const lines = compare(walks(seed));
    // Every estimator gave numbers, with options of its own and with those of others left out.
    const names = new Set(lines.filter((line) => line.includes("/t0: ")).map((line) => line.split(" ")[0]));
    assert.deepEqual([...names].sort(), estimators);
  }
});

test("recorded batches", () => {
  const batches = recorded();
  assert.ok(batches.length >= 7);
  batches.forEach(compare);
});
