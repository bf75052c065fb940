// hgpo view in a browser: runs while they train, iterations on the stage, and a page of somebody else beside it.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { createServer } from "node:http";
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { skipped } from "../skipped.mjs";
import { artifacts, dist, launch } from "./page.mjs";

const program = process.env.HGPO_BIN;
const skip = program ? false : skipped("hgpo view in a browser", "HGPO_BIN names the program hgpo");
const folder = mkdtempSync(join(tmpdir(), "hgpo-view-"));
const hgpo = (...words) => spawnSync(program, words, { cwd: folder, encoding: "utf8" });
const long = join(folder, "runs", "long");

let browser, view, address;
before(async () => {
  if (skip) return;
  const set = ["learn.iterations=6", "evaluation.every=2", "evaluation.tasks=4", "evaluation.seeds=[1]", "checkpoint.traces_every=1"];
  for (const [name, estimator] of [["one", "hgpo"], ["two", "grpo"]]) {
    const words = [...set, `estimator=${estimator}`].flatMap((it) => ["--set", it]);
    const done = hgpo("train", "--preset", "gridworld", "--device", "cpu", "--name", name, ...words);
    assert.equal(done.status, 0, done.stderr);
  }
  mkdirSync(long);
  writeFileSync(join(long, "config.toml"), "seed = 1\n");
  view = spawn(program, ["view", "--page", dist], { cwd: folder });
  address = await new Promise((found) => view.stdout.once("data", (text) => found(String(text).trim())));
  browser = await launch();
});
after(async () => {
  await browser?.close();
  view?.kill();
  rmSync(folder, { recursive: true, force: true });
});

/** Opens an address of the view; `said` collects what goes wrong in it. */
async function open(path, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  const said = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && said.push(message.text()));
  page.on("pageerror", (error) => said.push(String(error)));
  await page.goto(address + path);
  return { context, page, said, close: async () => { await context.close(); assert.deepEqual(said, []); } };
}

/** Metrics of so many seconds' iterations, from one on. */
const lines = (from, count) => Array.from({ length: count }, (_, at) => {
  const numbers = Array.from({ length: 8 }, (_, it) => `"metric/${it}":${((from + at) * it) % 100}`);
  return `{"iteration":${from + at},"success_rate":${((from + at) % 10) / 10},${numbers}}\n`;
}).join("");

test("ticked runs are compared, and an iteration of both is on the stage side by side", { skip }, async () => {
  const { page, close } = await open("");
  for (const run of ["one", "two"]) await page.locator(`input[value=${run}]`).check();
  await page.getByRole("button", { name: "compare their curves" }).click();
  await page.waitForURL(/runs\?run=(one|two)&run=(one|two)$/);
  assert.match(await page.locator("h1").textContent(), /^2 runs$/);
  assert.ok(await page.locator(".charts figure").count() >= 6);
  await page.screenshot({ path: join(artifacts, "view-curves.png"), fullPage: true });
  await page.getByRole("link", { name: "iteration 6" }).click();
  for (const at of [0, 1]) {
    const stage = page.frameLocator("iframe").nth(at);
    await stage.locator("table[role=grid]").waitFor();
    await stage.getByText("iteration_000006.rollouts.jsonl").first().waitFor();
  }
  await page.screenshot({ path: join(artifacts, "view-stage.png") });
  const [alone] = await Promise.all([page.waitForEvent("popup"), page.getByRole("link", { name: "Open in the page" }).first().click()]);
  await alone.locator("table[role=grid]").waitFor();
  await page.getByRole("link", { name: "← iteration 5" }).click();
  await page.waitForURL(/iteration=5/);
  await close();
});

test("curves follow a run; two days of it make the page no larger", { skip }, async () => {
  const metrics = join(long, "metrics.jsonl");
  writeFileSync(metrics, lines(1, 3600));
  const { page, context, close } = await open("runs?run=long&metric=metric%2F3");
  const facts = page.locator("[data-live=facts]");
  assert.match(await facts.textContent(), /iteration 3,600/);
  await page.locator("summary").click(); // open, as one of its metrics is asked for
  const session = await context.newCDPSession(page);
  const size = async () => {
    await session.send("HeapProfiler.collectGarbage");
    const { metrics } = await session.send("Performance.getMetrics");
    const of = (name) => metrics.find((it) => it.name === name).value;
    return { heap: of("JSHeapUsedSize"), nodes: of("Nodes"), documents: of("Documents") };
  };
  await session.send("Performance.enable");
  await facts.getByText("iteration 3,600").waitFor();
  const hour = await size();
  const hours = 48;
  for (let at = 1; at < hours; at += 6) {
    const count = Math.min(6, hours - at);
    appendFileSync(metrics, lines(at * 3600 + 1, count * 3600));
    await facts.getByText(`iteration ${((at + count) * 3600).toLocaleString("en")}`).waitFor();
  }
  const days = await size();
  assert.ok(days.heap < hour.heap + 1e6 && days.nodes < hour.nodes + 500 && days.documents <= hour.documents + 1, JSON.stringify({ hour, days }));
  // What a reader does with the page outlives its refreshes.
  assert.equal(await page.locator("details").getAttribute("open"), null);
  await close();
});

test("ticks and the focus stay while the list is brought up to date", { skip }, async () => {
  const { page, close } = await open("");
  await page.locator("input[value=one]").check();
  await page.locator("input[value=two]").focus();
  const begun = join(folder, "runs", "three");
  mkdirSync(begun);
  writeFileSync(join(begun, "config.toml"), "seed = 3\n");
  await page.locator("input[value=three]").waitFor();
  assert.equal(await page.locator("input[value=one]").isChecked(), true);
  assert.equal(await page.evaluate(() => document.activeElement.value), "two");
  rmSync(begun, { recursive: true });
  await page.locator("input[value=three]").waitFor({ state: "detached" });
  await close();
});

test("a page of somebody else in another tab reads nothing, though it knows the address", { skip }, async () => {
  const server = createServer((_, answer) => answer.setHeader("content-type", "text/html").end("<!doctype html><title>other</title>"));
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  const got = await page.evaluate(async (address) => {
    const tried = async (read) => { try { return await read(); } catch { return "nothing"; } };
    const element = (name, attributes) => new Promise((done) => {
      const it = Object.assign(document.createElement(name), attributes);
      it.onload = () => done(name === "iframe" ? tried(() => it.contentDocument?.body.textContent ?? "nothing") : "loaded");
      it.onerror = () => done("nothing");
      document.body.append(it);
      setTimeout(() => done("nothing"), 3000);
    });
    const words = "runs?run=one";
    return {
      fetch: await tried(async () => (await fetch(address + words)).text()),
      opaque: await tried(async () => (await fetch(address + words, { mode: "no-cors" })).text() || "nothing"),
      post: await tried(async () => (await fetch(address, { method: "POST", mode: "no-cors" })).text() || "nothing"),
      script: await element("script", { src: `${address}live.js` }),
      image: await element("img", { src: `${address}page/icon.svg` }),
      frame: await element("iframe", { src: address + words }),
      window: await tried(async () => {
        const opened = window.open(address + words);
        await new Promise((done) => setTimeout(done, 2000));
        return opened?.document.body.textContent ?? "nothing";
      }),
    };
  }, address);
  assert.deepEqual([...new Set(Object.values(got))], ["nothing"], JSON.stringify(got));
  await context.close();
  server.close();
});

test("the end of the view is said, and what was shown stays", { skip }, async () => {
  const { page, context } = await open("runs?run=one", { viewport: { width: 390, height: 800 }, colorScheme: "dark" });
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.equal(wide, 390, "nothing sticks out of a narrow window");
  await page.screenshot({ path: join(artifacts, "view-narrow.png") });
  view.kill();
  await page.getByText("hgpo view has ended").waitFor();
  assert.ok(await page.locator(".charts figure").count() > 0);
  await context.close();
});
