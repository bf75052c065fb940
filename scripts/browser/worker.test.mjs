// The page's worker in a real browser: asked for when it is used, quick, and right.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { brotliCompressSync } from "node:zlib";
import { dist, launch, open, root, serve } from "./page.mjs";

let server, browser;
before(async () => { server = await serve(); browser = await launch(); });
after(async () => { await browser.close(); server.close(); });

const process = (name) => JSON.parse(readFileSync(join(root, `assets/presets/${name}.process.json`), "utf8"));

const study = (name, samples) => ({
  study: {
    process: process(name), attempts: 8, samples, seed: 1,
    options: { discount: 0.95, invalid_penalty: 0, estimator: { name: "hgpo", context_length: 2, scale: "mean" } },
  },
});

/** Starts the worker as the page does, sends requests one after the other, and returns the answers with their times. */
const ask = (page, ...requests) => page.evaluate(async (requests) => {
  const { content } = document.querySelector("meta[name=hgpo-worker]");
  const worker = new Worker(content, { type: "module" });
  const answers = [];
  for (const request of requests) {
    const from = performance.now();
    const answer = await new Promise((done, failed) => {
      worker.onmessage = ({ data }) => done(data);
      worker.onerror = ({ message }) => failed(new Error(message || "the worker could not be started"));
      worker.postMessage(request);
    });
    answers.push({ answer: JSON.parse(answer), milliseconds: performance.now() - from });
  }
  worker.terminate();
  return answers;
}, requests.map((request) => typeof request === "string" ? request : JSON.stringify(request)));

test("a study of 200 groups is answered, and nothing was asked for before", async (context) => {
  const { page, asked, said, close } = await open(browser, server.address);
  await page.waitForLoadState("networkidle");
  assert.deepEqual(asked.filter((address) => /worker/.test(address)), []);
  const first = asked.length;
  const answers = await ask(page, study("streets", 200), study("errand", 200), "not JSON");
  const files = asked.slice(first).map((address) => new URL(address).pathname.slice(1));
  assert.equal(files.length, 3, `${files}`);
  const sizes = files.map((name) => `${name} ${brotliCompressSync(readFileSync(join(dist, name))).length}`);
  const times = answers.map(({ milliseconds }) => Math.round(milliseconds));
  context.diagnostic(`bytes compressed: ${sizes.join(", ")}; milliseconds, the first with the start: ${times.join(", ")}`);
  const [streets, errand, refused] = answers.map(({ answer }) => answer);
  assert.equal(streets.study.steps, 200 * 8 * 4);
  // At the river, one step left, to take the bridge: 10 − 7.5.
  const bridge = streets.study.decisions.find(({ decision }) => decision.situation === 5 && decision.action === 0);
  assert.equal(bridge.truth, 2.5);
  assert.equal(errand.study.samples, 200);
  assert.match(refused.error, /^not a request: /);
  assert.deepEqual(said, []);
  await close();
});

test("the true advantages of an example come from files of this host", async () => {
  const { page, close } = await open(browser, server.address);
  const name = "inconsistent";
  const process = await page.evaluate(async (name) => (await fetch(`processes/${name}.json`)).json(), name);
  const lines = readFileSync(join(root, `assets/presets/${name}.rollouts.jsonl`), "utf8").trimEnd().split("\n");
  const attempts = lines.map((line) => JSON.parse(line));
  const edited = structuredClone(attempts[0]);
  edited.steps[2].action = "sing";
  const truth = (attempt, step) => ({ truth: { process, discount: 0.95, attempt, step, situation: null } });
  const steps = attempts.flatMap((attempt, row) => attempt.steps.map((_, at) => [row, at]));
  const answers = await ask(page, ...steps.map(([row, at]) => truth(attempts[row], at)), truth(edited, 2));
  const told = answers.map(({ answer }) => answer.truth);
  told.slice(0, -1).forEach(({ known }, at) => assert.ok(Number.isFinite(known.advantage), `${steps[at]}`));
  assert.ok(told[steps.findIndex((step) => `${step}` === "1,2")].known.advantage < 0, "the needless knock");
  assert.deepEqual(told.at(-1), { misfit: 2 });
  assert.equal(await page.evaluate(async () => (await fetch("processes/chores.json")).status), 404);
  await close();
});

test("a worker of another host is not let in", async () => {
  const { page, close } = await open(browser, server.address);
  const broken = await page.evaluate(() => new Promise((done) => {
    addEventListener("securitypolicyviolation", ({ effectiveDirective }) => done(effectiveDirective));
    try { new Worker(URL.createObjectURL(new Blob([""]))); } catch { /* told by the event */ }
  }));
  assert.equal(broken, "worker-src");
  await close();
});
