// Addresses and elements that were given away, one of each kind, opened in the page as it is built; files that the
// program wrote once, opened in it too. scripts/witnesses/README.md says what to do where one fails.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { launch, open, root, serve } from "./page.mjs";

const witnesses = join(root, "scripts/witnesses");
const RULE = 'a witness of what users have is broken: scripts/witnesses/README.md, "Where one fails"';
const read = (path) => readFileSync(join(witnesses, path), "utf8");
const lines = (path) => read(path).trimEnd().split("\n").map((line) => JSON.parse(line));
const lesson = read("page/doors.lesson.json");

let server, browser;
before(async () => { server = await serve(); browser = await launch(); });
after(async () => { await browser.close(); server.close(); });

/** What the page shows, of what is recorded. */
const shown = (body) => body.evaluate(() => {
  const seen = (selector) => [...document.querySelectorAll(selector)].some((one) => one.checkVisibility());
  // Shown to a room, steps and what is said of them may take turns.
  const inTurn = /turn/.test(document.documentElement.dataset.room ?? "") && document.querySelector("[role=grid]");
  const rows = [];
  for (const step of document.querySelectorAll(".step")) {
    const [row, at] = step.id.split("-").slice(1).map(Number);
    (rows[row] ??= [])[at] = Number(step.querySelector("data")?.value);
  }
  return {
    view: seen(".training") ? "training" : seen("#overview-status") ? "overview" : seen("[role=grid]") || inTurn ? "grid" : "choice",
    language: document.documentElement.lang,
    lesson: seen(".lesson-text"),
    estimator: document.querySelector("[data-option=estimator] select")?.value,
    selected: document.querySelector(".step.selected")?.id,
    ignored: document.querySelectorAll(".ignored, .broken-link:not(:empty)").length,
    slip: document.querySelector("#dial-slip")?.value,
    rows,
  };
});

/** What is recorded of it, where it can be seen. */
function recorded({ shows, trains }, now) {
  const isTraining = shows.view === "train" || Boolean(shows.training);
  const hasSteps = !isTraining && shows.view !== "overview" && shows.advantages !== undefined;
  const isOfLevel = shows.phase === "returns" || (shows.lesson !== undefined && (shows.level ?? null) !== null);
  return {
    view: isTraining ? "training" : shows.view === "overview" ? "overview" : hasSteps ? "grid" : "choice",
    language: shows.language ?? "en",
    lesson: shows.lesson !== undefined,
    estimator: now.estimator === undefined || !hasSteps ? now.estimator : shows.options.estimator.name,
    selected: hasSteps ? `step-${shows.selected.join("-")}` : now.selected,
    ignored: shows.ignored.length,
    slip: now.slip === undefined || !isTraining ? now.slip : String(trains.lanes[0].environment.gridworld.slip),
    rows: hasSteps && !isOfLevel && !(shows.present && shows.answer != null) ? shows.advantages : now.rows,
  };
}

/** Answers the question of a lesson, so that the page tells what it asks for. */
async function answer(inside, { answer: right, present }) {
  if (right == null || present || !await inside.locator(".step .withheld").count()) return;
  const choices = inside.locator("input[name=answer][type=radio]");
  if (await choices.count()) await choices.nth(right - 1).check();
  else await inside.locator("#answer").fill(String(right));
  await inside.locator(".asked button[type=submit]").click();
  await inside.locator(".step .withheld").first().waitFor({ state: "detached" });
}

const kinds = new Map(lines("page/addresses.jsonl").map((one) => [one.kind, one]));

for (const [kind, witness] of kinds) {
  test(`${kind}: ${witness.address ?? witness.element}`, async () => {
    const { page, said, close } = await open(browser, server.address, { folded: true });
    await page.route("**/doors.lesson.json", (route) => route.fulfill({ body: lesson, contentType: "application/json" }));
    await page.route("**/course.html", (route) => route.fulfill({
      contentType: "text/html", body: `<!doctype html><script src="hgpo-lab.js"></script>${witness.element}`,
    }));
    // A change of what follows # alone would load nothing.
    await page.goto("about:blank");
    await page.goto(server.address + (witness.element ? "course.html" : witness.address));
    const inside = witness.element ? page.frameLocator("iframe") : page;
    const { shows } = witness;
    const isTraining = shows.view === "train" || Boolean(shows.training);
    const place = isTraining ? ".training" : shows.view === "overview" ? "#overview-status" : shows.advantages ? ".step" : ".lessons";
    await inside.locator(place).first().waitFor();
    await answer(inside, shows);
    const now = await shown(inside.locator("body"));
    // What an open question asks for is not told; who sent a link recorded no answer.
    if (await inside.locator(".step .withheld").count()) now.rows = shows.advantages;
    assert.deepEqual(now, recorded(witness, now), `page/addresses.jsonl, ${witness.address ?? witness.element}: ${RULE}`);
    assert.deepEqual(said, []);
    await close();
  });
}

test("work that an earlier visit kept is there again", async () => {
  const { page, close } = await open(browser, server.address);
  const kept = JSON.parse(read("page/storage.json"));
  await page.evaluate((kept) => { localStorage.clear(); for (const key in kept) localStorage.setItem(key, kept[key]); }, kept.stored);
  await page.goto("about:blank");
  await page.goto(server.address);
  await page.locator(".step").first().waitFor();
  const now = await shown(page.locator("body"));
  const others = await page.locator(".sources optgroup option").count();
  assert.deepEqual([now.estimator, now.selected, now.rows, others], kept.shows, `page/storage.json: ${RULE}`);
  await close();
});

test("a trace opens with the advantages that it was trained with", async () => {
  const trace = lines("rollouts/advantages.jsonl").find(({ arguments: [file, how] }) => file.includes("finished/table/traces") && how === "--recorded");
  const { page, close } = await open(browser, server.address);
  await page.locator("#file").setInputFiles(join(witnesses, trace.arguments[0]));
  await page.locator(".made p", { hasText: /^Estimated as it was recorded/ }).waitFor();
  const { rows } = await shown(page.locator("body"));
  const was = trace.printed.trimEnd().split("\n").map((line) => JSON.parse(line));
  const first = was.filter(({ task }) => task === was[0].task).map(({ advantages }) => advantages);
  assert.deepEqual(rows, first, `${trace.arguments[0]}: ${RULE}`);
  await close();
});
