// A team that trains: chosen like a world, its words and agents, an iteration of it on the stage, and its links.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { artifacts, launch, open, serve, withoutViolations } from "./page.mjs";
import { address, isPaused, iterate, iteration, reached } from "./training-controls.mjs";

let server, browser;
before(async () => { server = await serve(); browser = await launch(); });
after(async () => { await browser.close(); server.close(); });

/** Few attempts, so that iterations are short. */
const TEAM = "world.guide-and-walker_group.8_tasks.4_seeds.2";

const train = (setup = TEAM, { query = "", ...options } = {}) =>
  open(browser, `${server.address}?view=train${query}&train=${setup}`, options);

/** The rows of a table as text. */
const rows = (page, table) => page.locator(`${table} tbody tr`).evaluateAll((all) =>
  all.map((row) => [...row.children].map((cell) => cell.textContent)));

const percent = (text) => Number(text.match(/(\d+)(?: ± \d+)? %/)[1]);

test("a team is chosen like a world, learns, and makes up a language", async (context) => {
  const { page, said, close } = await train("world.signpost");
  await page.locator(".map .place.start").first().click();
  await page.locator("#training-map").selectOption("guide-and-walker");
  assert.match(address(page).searchParams.get("train"), /^world\.guide-and-walker_/);
  assert.equal(await page.locator(".map, .training-place, .training-study, .edit, #training-sight, #dial-slip, #dial-cost").count(), 0,
    "nothing is there that means nothing without a map");
  const names = await page.locator(".lane .compares").allTextContents();
  assert.deepEqual(names.map((text) => text.match(/(All agents together|Each agent by itself)\.$/)?.[1]),
    ["All agents together", "Each agent by itself", "Each agent by itself"]);
  await page.locator(".training-world", { hasText: "what words are said for" }).waitFor();
  const from = Date.now();
  await page.locator("#training-play").click();
  await reached(page, 100);
  context.diagnostic(`100 iterations of three lanes with four seeds in ${((Date.now() - from) / 1000).toFixed(1)} s`);
  await page.locator("#training-play").click();
  await isPaused(page);
  await page.locator(".training [role=status]", { hasText: "Paused at iteration" }).first().waitFor({ state: "attached" });
  const curves = await rows(page, ".training-chart");
  for (const lane of [1, 2, 3]) {
    const [first, last] = [curves[0], curves.at(-1)].map((row) => percent(row[lane]));
    assert.ok(last > first + 40, `lane ${lane}: ${first} % to ${last} %`);
  }
  await page.locator("#training-lane").selectOption("2");
  await page.locator(".vocabulary").waitFor();
  const words = await rows(page, ".vocabulary");
  assert.equal(words.length, 9, "three rooms, three things, three verbs");
  for (const [word, needed, done] of words) {
    assert.match(word, /^\w+ \d+×$/);
    if (!word.endsWith(" 0×")) assert.match(needed + done, /(go to|open|take|put) \w+ \d+ %/);
  }
  const right = await page.locator(".training-world > p", { hasText: "the walker did what was needed" }).textContent();
  assert.ok(percent(right) > 45, right);
  await page.screenshot({ path: join(artifacts, "team.png"), fullPage: true });
  const own = await page.locator(".lane2 .readings table tr").evaluateAll((all) => all.map((row) => row.children.length));
  assert.deepEqual(own, [3, 3, 3, 3, 3], "a column each");
  // Back in a world is all that belongs there.
  await page.locator("#training-map").selectOption("signpost");
  await page.locator("#dial-slip").waitFor();
  assert.deepEqual([await page.locator(".vocabulary").count(), await page.locator("#dial-memory").inputValue(), await iteration(page)], [0, "2", 0]);
  await iterate(page, 1);
  assert.deepEqual(said, []);
  await close();
});

test("words are of a lane, a seed and an iteration, and a link has the same ones", async () => {
  const { page, said, close } = await train();
  await iterate(page, 4);
  const words = async (own = page) => {
    await own.locator(".vocabulary").waitFor();
    return rows(own, ".vocabulary");
  };
  const other = async (act, before) => {
    await act();
    await page.waitForFunction((before) => document.querySelector(".vocabulary tbody")?.textContent !== before, before.flat().join(""));
    return words();
  };
  const last = await words();
  const first = await other(() => page.locator("#training-lane").selectOption("0"), last);
  const seed = await other(() => page.locator("#training-seed").selectOption("1"), first);
  await other(() => page.locator("#training-way").fill("2"), seed);
  const again = await train(encodeURIComponent(address(page).searchParams.get("train")));
  await iterate(again.page, 4);
  assert.deepEqual(await words(again.page), last);
  await again.close();
  assert.deepEqual(said, []);
  await close();
});

test("an iteration of a team is opened on the stage, agent by agent", async () => {
  const { page, said, close } = await train();
  await iterate(page, 3);
  await page.locator("#training-lane").selectOption("2");
  await page.locator("#training-inspect").click();
  await page.locator("table[role=grid]").waitFor();
  const agents = page.getByRole("group", { name: "Agent" });
  const names = await agents.locator("label").allTextContents();
  assert.deepEqual(names.map((name) => name.replace(/\d+$/, "")), ["all", "guide", "walker"]);
  await agents.getByRole("radio", { name: "guide" }).check();
  assert.ok(await page.locator(".step.aside").count() > 0);
  assert.equal(await page.getByLabel("Method").inputValue(), "dr-mas");
  await page.locator(".tabs").getByRole("button", { name: "Estimate and truth" }).click();
  await page.locator(".truth", { hasText: "and not of a team" }).waitFor();
  assert.deepEqual(said, []);
  await close();
});

test("a link of a team that names what is of maps is told in a sentence", async () => {
  for (const more of ["map.SG", "sight.place", "slip.0.1", "cost.1"]) {
    const { page, close } = await train(`world.guide-and-walker_${more}`);
    const told = await page.locator(".training > .problem").textContent();
    assert.match(told, /^This link could not be opened, so you see the first world: nothing is called .+\.$/);
    await close();
  }
});

test("it breaks no accessibility rule, and nothing scrolls sideways", async () => {
  for (const [width, height, colorScheme, language] of [[1440, 900, "light", "en"], [1280, 720, "dark", "ko"], [390, 844, "light", "ko"], [320, 640, "dark", "en"]]) {
    const { page, said, close } = await train(TEAM, { query: `&lang=${language}`, viewport: { width, height }, colorScheme });
    const check = async (label) => {
      await withoutViolations(page, undefined, `${width} ${colorScheme} ${label}: `);
      const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(over <= 0, `${width} ${label}: ${over} px`);
      const cut = await page.locator(".vocabulary").evaluateAll(([table]) => table && table.scrollWidth - table.parentElement.clientWidth);
      assert.ok(!(cut > 0), `${width} ${label}: ${cut} px`);
    };
    await check("fresh");
    for (let done = 1; done <= 3; done += 1) {
      await page.locator("#training-once").click();
      await reached(page, done);
    }
    await page.locator(".vocabulary").waitFor();
    await page.evaluate(() => { for (const one of document.querySelectorAll(".training details")) one.open = true; });
    await check("trained, all unfolded");
    await page.locator(".training-world", { hasText: language === "ko" ? "실행자" : "The guide knows" }).waitFor();
    assert.deepEqual(said, []);
    await close();
  }
});
