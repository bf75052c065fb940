// The worker answers with the same bytes as wasm and on the host, for the process of every worked example.
// HGPO_SAME_BYTES is the host's program, HGPO_SAME_BYTES_WASM the script that wasm-bindgen wrote.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { test } from "node:test";

const { HGPO_SAME_BYTES: host, HGPO_SAME_BYTES_WASM: script } = process.env;
const wasm = createRequire(import.meta.url)(script);
const presets = new URL("../../assets/presets/", import.meta.url);
const files = readdirSync(presets).filter((name) => name.endsWith(".process.json"));

const estimators = [{ name: "hgpo", scale: "mean" }, { name: "hgpo", weights: "adaptive" }, { name: "reinforce-plus-plus" },
  { name: "crbc", scale: "mean" }, { name: "pgpo" }, { name: "ecpo", context_length: 2 }, { name: "gagpo", scale: "mean" }];

test("studies and attempts of every process", () => {
  assert.ok(files.length >= 8);
  for (const name of files) {
    const of = JSON.parse(readFileSync(fileURLToPath(new URL(name, presets)), "utf8"));
    const study = (estimator) => ({ study: { process: of, options: { estimator }, attempts: 6, samples: 20, seed: 7 } });
    const draw = { draw: { process: of, task: "g", attempts: 20, seed: 7 } };
    for (const request of [...estimators.map(study), draw].map((it) => JSON.stringify(it))) {
      const ofHost = execFileSync(host, ["--worker"], { input: request, encoding: "utf8", maxBuffer: 2 ** 28 });
      assert.match(ofHost, /^\{"(study|draw)":/, `${name}: ${ofHost.slice(0, 200)}`);
      assert.equal(wasm.worker(request), ofHost, name);
    }
  }
});
