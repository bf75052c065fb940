// A report of `hgpo report`, opened from disk: what it looks like, on paper too, and that it keeps to itself.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { after, before, test } from "node:test";
import { artifacts, launch, open, serve, withoutViolations } from "./page.mjs";
import { skipped } from "../skipped.mjs";

const skip = process.env.HGPO_BIN ? false : skipped("reports in a browser", "HGPO_BIN names the program hgpo");

const hostile = `</style><img src=x onerror=alert(1)><script>alert(2)</script> ${"long".repeat(2560)}`;

/** A run whose success rises to twice its area. */
function run(seed, area, folder) {
  const point = (iteration) => ({ environment_steps: 500 * iteration, iteration, success_rate: 2 * area * iteration / 40 });
  const evaluation = (iteration, split, success_rate) => ({ iteration, environment_steps: 500 * iteration, split, success_rate, episodes: 100 });
  return {
    seed, folder, status: "finished", error: null, iterations: 40, environment_steps: 20_000, episodes: 640, device: "CPU", threads: 1,
    seconds: { rollout: 6 + seed / 10, advantage: area, update: 3, evaluation: 1, total: 10 }, peak_memory_bytes: 90_000_000,
    curve: Array.from({ length: 40 }, (_, at) => point(at + 1)),
    evaluations: [evaluation(0, "seen", 0.2), evaluation(40, "seen", area), evaluation(0, "unseen", 0.1), evaluation(40, "unseen", area / 2)],
    scores: { area, last_seen: area, last_unseen: area / 2, steps_to_50: area > 0.3 ? 9000 + 100 * seed : null, steps_to_80: null },
    metrics: { grad_norm: 0.4 + area, "group_size/level_0/mean": 5, "singleton_fraction/level_0": 0.04, "zero_std_fraction/level_0": 0.2, "weight/level_0/mean": 0.5,
      "group_size/level_1/mean": 2.5, "singleton_fraction/level_1": 0.3, "zero_std_fraction/level_1": 0.3, "weight/level_1/mean": 0.4 },
    group_sizes: [{ 1: 4, 2: 8, 5: 20, 40: 2 }, { 1: 30, 2: 20, 3: 10, 12: 3 }],
  };
}

/** Four arms, one with a name that is markup, a failed run, and traces of one run. */
function study(folder) {
  const arms = [["grpo", 0.3], ["gigpo", 0.36], ["hgpo", 0.4], [hostile, 0.33]].map(([name, area], at) => ({
    name, settings: { "estimator.name": name },
    runs: Array.from({ length: 6 }, (_, seed) => run(seed + 1, area + 0.012 * ((seed * 5 + at) % 7), `arm${at}/${seed + 1}`)),
  }));
  Object.assign(arms[1].runs[5], { status: "failed", error: hostile });
  const traces = join(folder, "arm2/1/traces");
  mkdirSync(traces, { recursive: true });
  const attempt = (trajectory, success) => JSON.stringify({ task: "g00", trajectory, success, instruction: hostile.slice(0, 70),
    steps: ["hall", "stairs", "attic"].map((state, at) => ({ state: `<b>${state}</b>`, action: "go on", reward: success && at === 2 ? 10 : 0 })) });
  writeFileSync(join(traces, "iteration_000040.rollouts.jsonl"), ['{"environment":"gridworld","seed":1,"iteration":40,"estimator":{"name":"hgpo","context_length":1}}',
    attempt("won", true), attempt("lost", false), attempt("won too", true)].join("\n"));
  const base = { environment: { name: "gridworld", gridworld: { world: "comb" } }, learn: { learning_rate: 0.05 } };
  return { version: 1, study: "estimators", command: "hgpo compare estimators.toml", environment_steps: 20_000, base, arms };
}

let folder, report, browser;
before(async () => {
  if (skip) return;
  folder = mkdtempSync(join(tmpdir(), "hgpo-report-"));
  report = write("summary", study(folder));
  browser = await launch();
});
after(async () => { await browser?.close(); if (folder) rmSync(folder, { recursive: true }); });

/** Writes the report on a study. */
function write(name, study) {
  const summary = join(folder, `${name}.json`);
  writeFileSync(summary, JSON.stringify(study, null, 1));
  const output = join(folder, `${name}.html`);
  execFileSync(process.env.HGPO_BIN, ["report", summary, "-o", output], { stdio: ["ignore", "ignore", "inherit"] });
  return output;
}

/** Opens the report from disk; `said` collects what the console says, `asked` the addresses asked for. */
async function opened(options = {}, file = report) {
  const context = await browser.newContext({ viewport: { width: 1200, height: 900 }, ...options });
  const page = await context.newPage();
  const [said, asked] = [[], []];
  page.on("console", (message) => said.push(message.text()));
  page.on("dialog", (dialog) => { said.push(dialog.message()); dialog.dismiss(); });
  page.on("request", (request) => asked.push(request.url()));
  await page.goto(pathToFileURL(file).href);
  return { page, said, asked, close: () => context.close() };
}

const looks = [
  ["wide", {}],
  ["dark", { colorScheme: "dark" }],
  ["narrow", { viewport: { width: 360, height: 780 } }],
  ["narrow-dark", { viewport: { width: 320, height: 780 }, colorScheme: "dark" }],
];

for (const [name, options] of looks) {
  test(`${name}: fits the window, breaks no accessibility rule, asks for nothing`, { skip }, async () => {
    const { page, said, asked, close } = await opened(options);
    await page.screenshot({ path: join(artifacts, `report-${name}.png`), fullPage: true });
    for (const isOpen of [false, true]) {
      await page.evaluate((isOpen) => document.querySelectorAll("details").forEach((it) => { it.open = isOpen; }), isOpen);
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(width <= page.viewportSize().width, `the page is ${width} pixels wide`);
    }
    // Policies of content forbid scripts in the page, and axe is one: it comes in by the debugger.
    await withoutViolations(page);
    assert.deepEqual(said, []);
    assert.deepEqual(asked, [pathToFileURL(report).href]);
    await close();
  });
}

test("worlds are parts of their own, and all together come first", { skip }, async () => {
  const grid = study(folder);
  grid.arms = grid.arms.slice(0, 3).flatMap((arm) => ["comb", "hall"].map((world) =>
    ({ ...arm, name: `${arm.name},world=${world}`, settings: { ...arm.settings, "environment.gridworld.world": world } })));
  const { page, close } = await opened({}, write("grid", grid));
  await page.screenshot({ path: join(artifacts, "report-parts.png"), fullPage: true });
  assert.deepEqual(await page.locator("h2").allTextContents(), ["estimators: 2 tasks together", "estimators: world comb", "estimators: world hall"]);
  await withoutViolations(page);
  await close();
});

test("the browser reads every element as it was written", { skip }, async () => {
  const { page, close } = await opened();
  const written = readFileSync(report, "utf8").match(/<[a-z]/g).length;
  assert.equal(await page.evaluate(() => document.querySelectorAll("*").length), written);
  assert.equal(await page.locator("img, script, iframe, link").count(), 0);
  await close();
});

test("every figure has a colour in light and in dark, and text of the page's size", { skip }, async () => {
  for (const options of [{}, { colorScheme: "dark" }, { viewport: { width: 360, height: 780 } }]) {
    const { page, close } = await opened(options);
    const found = await page.evaluate(() => {
      const paper = getComputedStyle(document.documentElement).backgroundColor;
      const shapes = [...document.querySelectorAll(".picture svg :is(circle, polygon, rect, line, polyline, text)")].filter((it) => it.checkVisibility());
      const bare = shapes.filter((it) => { const { fill, stroke } = getComputedStyle(it); return [fill, stroke].every((colour) => ["none", paper, "rgb(0, 0, 0)"].includes(colour)); });
      const heights = [...document.querySelectorAll(".picture svg")].filter((it) => it.checkVisibility())
        .map((it) => 52 * it.getBoundingClientRect().width / it.viewBox.baseVal.width);
      return { shapes: shapes.length, bare: bare.map((it) => it.outerHTML), smallest: Math.min(...heights) };
    });
    assert.ok(found.shapes > 100, `${found.shapes} shapes`);
    assert.deepEqual(found.bare, []);
    assert.ok(found.smallest > 11, `text of ${found.smallest} pixels`);
    await close();
  }
});

test("on paper: pages of A4, light, with nothing cut off", { skip }, async () => {
  // The width between the margins of an A4 page.
  const { page, close } = await opened({ viewport: { width: 688, height: 1000 }, colorScheme: "dark" });
  await page.emulateMedia({ media: "print" });
  await page.screenshot({ path: join(artifacts, "report-print.png"), fullPage: true });
  assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor), "rgb(255, 255, 255)");
  for (const part of [".picture .wide", "table"]) {
    const ends = await page.locator(part).evaluateAll((all) => all.filter((it) => it.checkVisibility()).map((it) => it.getBoundingClientRect().right));
    assert.ok(ends.length > 5 && Math.max(...ends) <= 690, `${part} ends at ${Math.max(...ends)}`);
  }
  assert.equal(await page.locator("nav").isVisible(), false);
  const paper = await page.pdf({ preferCSSPageSize: true, path: join(artifacts, "report.pdf") });
  assert.ok(paper.length > 20_000, `${paper.length} bytes`);
  assert.equal(paper.subarray(0, 5).toString(), "%PDF-");
  await close();
});

test("a trajectory's link opens it in the page, with its group and its estimator", { skip }, async () => {
  const { page, close } = await opened();
  const links = await page.locator("a.open").evaluateAll((all) => all.map((it) => it.getAttribute("href")));
  await close();
  assert.equal(links.length, 2);
  const server = await serve();
  const there = await open(browser, links[1].replace("http://127.0.0.1:8080/", server.address));
  assert.match(await there.page.locator(".panel h2").textContent(), /^lost, step 0/);
  assert.equal(await there.page.locator("[role=grid] [role=rowheader], [role=grid] th[scope=row]").count(), 3);
  assert.equal(await there.page.getByLabel("Method").locator("option:checked").textContent(), "HGPO");
  assert.deepEqual(there.said, []);
  await there.close();
  server.close();
});
