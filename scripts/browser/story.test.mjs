// The story of a first visit.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { readStory, verdicts } from "../page/story.mjs";
import { artifacts, launch, open, root, serve, step, withoutViolations } from "./page.mjs";

let server, browser;
before(async () => { server = await serve(); browser = await launch(); });
after(async () => { await browser.close(); server.close(); });

const visit = (query = "", options = {}) => open(browser, server.address + query, { firstVisit: true, ...options });
const isTold = (page) => page.locator("#story").isVisible();
const opacity = (page, selector) => page.locator(selector).first().evaluate((it) => Number(getComputedStyle(it).opacity));
/** Jumps to a time of all animations, in seconds. */
const seek = (page, seconds) => page.evaluate((time) => document.getAnimations().forEach((it) => { it.currentTime = time; }), 1000 * seconds);

test("its numbers are the program's", () => {
  const { attempts, discount, name, step: hero } = readStory(root);
  const file = join(root, "assets", "presets", `${name}.rollouts.jsonl`);
  const explained = (place) => execFileSync(process.env.HGPO_BIN,
    ["advantages", file, "--scale", "mean", "--discount", String(discount), "--explain", place], { encoding: "utf8" });
  const all = verdicts(attempts, discount);
  for (const { trajectory, at, states, histories } of all.filter(({ state }) => state === "door")) {
    const text = explained(`${trajectory}/${at}`);
    const level = (number) => Number(text.match(new RegExp(`level ${number}  size .* advantage (\\S+)`))?.[1]);
    assert.ok(Math.abs(level(0) - states) < 1e-6 && Math.abs(level(1) - histories) < 1e-6, `${trajectory}/${at}: ${text}`);
  }
  const grpo = execFileSync(process.env.HGPO_BIN, ["advantages", file, "--estimator", "grpo", "--scale", "mean",
    "--episode-statistics", "trajectories"], { encoding: "utf8" });
  const advantages = grpo.trim().split("\n").flatMap((line) => JSON.parse(line).advantages);
  all.forEach(({ episodes }, at) => assert.ok(Math.abs(episodes - advantages[at]) < 1e-9));
  const flipped = all.find(({ trajectory, at }) => `${trajectory}/${at}` === hero);
  assert.ok(flipped.states < 0 && flipped.histories > 0 && flipped.episodes > 0);
});

for (const [name, options] of [["wide", {}], ["narrow", { viewport: { width: 390, height: 844 } }], ["dark", { colorScheme: "dark" }],
  ["korean", { locale: "ko-KR" }], ["laptop", { viewport: { width: 1024, height: 700 } }]]) {
  test(`a first visit begins with a story that moves by itself: ${name}`, async () => {
    const { page, said, close } = await visit("", options);
    assert.ok(await isTold(page));
    await page.evaluate(() => document.getAnimations().forEach((it) => it.pause()));
    for (const [seconds, shown] of [[4, "attempts"], [8, "episodes"], [14, "states"], [19, "histories"]]) {
      await seek(page, seconds);
      for (const act of ["attempts", "episodes", "states", "histories"]) {
        assert.equal(await opacity(page, `#story li.${act}`), Number(act === shown), `${act} at ${seconds} s`);
      }
      await page.screenshot({ path: join(artifacts, `story-${name}-${shown}.png`) });
    }
    assert.equal(await page.locator("#story .hero .histories").innerText(), "+2.1");
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    const spilt = await page.evaluate(() => [...document.querySelectorAll("#story td > div")]
      .filter((it) => it.scrollWidth > it.clientWidth + 1 || it.scrollHeight > it.clientHeight + 1).map((it) => it.textContent));
    assert.deepEqual(spilt, []);
    await withoutViolations(page, "#story");
    assert.deepEqual(said, []);
    await close();
  });
}

test("who wants no motion reads it", async () => {
  const { page, close } = await visit("", { reducedMotion: "reduce" });
  assert.equal(await page.evaluate(() => document.querySelector("#story").getAnimations({ subtree: true }).length), 0);
  for (const act of ["attempts", "episodes", "states", "histories"]) assert.ok(await page.locator(`#story li.${act}`).isVisible());
  await withoutViolations(page, "#story");
  await close();
});

test("it can be stopped, left, and is not told again", async () => {
  const { page, close } = await visit();
  await page.getByLabel("Pause").check();
  const states = await page.evaluate(() => document.querySelector("#story").getAnimations({ subtree: true })
    .filter(({ animationName }) => animationName?.startsWith("story")).map((it) => it.playState));
  assert.ok(states.length > 10 && states.every((it) => it === "paused" || it === "finished"), states.join());
  await page.getByRole("button", { name: "To the workbench" }).click();
  assert.ok(!await isTold(page));
  await page.reload();
  await step(page, 0, 0).waitFor();
  assert.ok(!await isTold(page));
  await close();
});

test("told to the end, it is not told again", async () => {
  const { page, close } = await visit();
  await seek(page, 60);
  await page.waitForFunction(() => localStorage.getItem("hgpo-story") === "told");
  assert.ok(await isTold(page), "what was seen last stays");
  await close();
});

test("from it one goes to a lesson, a file, training, or the example itself", async () => {
  for (const [name, there] of [["Start lesson 1", ".lesson"], ["See it learn", ".training"], ["Look closer", "#step-1-1.selected"]]) {
    const { page, close } = await visit();
    await page.getByRole("link", { name }).click();
    await page.locator(there).first().waitFor();
    assert.ok(!await isTold(page), name);
    if (name === "Look closer") assert.match(await page.locator(".panel").first().innerText(), /\+0\.794/);
    await close();
  }
  for (const name of ["Train", "Learn"]) {
    const { page, close } = await visit();
    await page.locator("header nav").getByRole("link", { name }).click();
    await page.locator(name === "Train" ? ".training" : ".lessons").first().waitFor();
    assert.ok(!await isTold(page), name);
    await close();
  }
  const { page, close } = await visit();
  const chooser = page.waitForEvent("filechooser");
  await page.locator("#story").getByRole("button", { name: "Open a file" }).click();
  const path = join(artifacts, "story.jsonl");
  writeFileSync(path, '{"task":"g","trajectory":"mine","steps":[{"state":"a","action":"go","reward":1}]}\n');
  await (await chooser).setFiles(path);
  await page.locator(".stage .name", { hasText: "mine" }).waitFor();
  assert.ok(!await isTold(page));
  await close();
});

test("links and pages that embed go where they went", async () => {
  for (const query of ["?preset=anchors", "?embed=1", "?lesson=credit", "?view=learn", "?view=train"]) {
    const { page, close } = await visit(query);
    assert.ok(!await isTold(page), query);
    await close();
  }
});
