// Estimators that train side by side: by keyboard and by pointer, back and forth, and from links of all kinds.
import assert from "node:assert/strict";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { dist, launch, open, serve, withoutViolations } from "./page.mjs";
import { SMALL, address, isPaused, iterate, iteration, reached, tabTo } from "./training-controls.mjs";

let server, browser;
before(async () => { server = await serve(); browser = await launch(); });
after(async () => { await browser.close(); server.close(); });

const train = (setup = SMALL, options) => open(browser, `${server.address}?view=train&train=${setup}`, options);

/** The numbers of the chart, as a table says them. */
const curves = (page) => page.locator(".training-chart tbody tr").evaluateAll((rows) =>
  rows.map((row) => [...row.children].map((cell) => cell.textContent)));

test("nothing is fetched, and nothing runs, before it is asked for", async () => {
  const { page, asked, said, close } = await train();
  await page.waitForTimeout(300);
  assert.deepEqual(asked.filter((one) => /\blane\b|hgpo-lane/.test(one)), []);
  assert.equal(await iteration(page), 0);
  assert.equal(page.workers().length, 0);
  await iterate(page, 1);
  assert.equal(page.workers().length, 3, "a worker a lane");
  assert.deepEqual(said, []);
  await close();
});

test("lanes train, stop and go back by keyboard alone", async (context) => {
  const { page, said, close } = await train();
  await page.keyboard.press("p");
  await reached(page, 3);
  await page.keyboard.press("p");
  await isPaused(page);
  await tabTo(page, "#training-play");
  await page.keyboard.press("Enter");
  await reached(page, 12);
  const from = Date.now();
  await page.keyboard.press("Enter");
  await isPaused(page);
  context.diagnostic(`paused after ${Date.now() - from} ms`);
  assert.ok(Date.now() - from < 2_000);
  await page.locator(".training [role=status]", { hasText: "Paused at iteration" }).first().waitFor({ state: "attached" });
  const stopped = await iteration(page);
  await page.waitForTimeout(300);
  assert.equal(await iteration(page), stopped, "a pause is a pause");
  await tabTo(page, "#training-way");
  for (let press = 0; press < 3; press += 1) await page.keyboard.press("ArrowLeft");
  await page.waitForFunction((wanted) => Number(document.querySelector("#training-way").value) === wanted, stopped - 3);
  await page.locator("#training-way").press("Home");
  await page.waitForFunction(() => Number(document.querySelector("#training-way").value) === 0);
  await page.locator("#training-way").press("End");
  await reached(page, stopped);
  assert.deepEqual(said, []);
  await close();
});

test("a cell is chosen with the arrow keys, and says what was learned there", async () => {
  const { page, close } = await train();
  await iterate(page, 3);
  await tabTo(page, ".map [tabindex='0']");
  const first = await page.evaluate(() => document.activeElement.id);
  await page.keyboard.press("ArrowUp");
  const next = await page.evaluate(() => document.activeElement.id);
  assert.notEqual(next, first);
  assert.equal(await page.locator(`#${next}`).getAttribute("aria-selected"), "true");
  await page.locator(".training-place h2", { hasText: "The cell in row" }).waitFor();
  await page.locator(".map .place:has(.visits)").first().click();
  await page.locator(".policy .memory").first().waitFor();
  await page.locator("table.said tbody tr").first().waitFor();
  assert.equal(await page.locator("table.said thead th").count(), 6, "action, steps, the truth and three lanes");
  assert.equal(await page.locator(".map.verdicts .choice").count(), 3, "the same cell is marked in every map");
  await page.keyboard.press("Escape");
  await page.locator(".training-place h2", { hasText: "A cell of the map" }).waitFor();
  await close();
});

test("before the first result there is little to choose from", async () => {
  const { page, close } = await train("", { folded: true });
  const controls = () => page.locator(".training :is(button, input, select, summary)").evaluateAll((all) => {
    const seen = all.filter((own) => own.checkVisibility({ visibilityProperty: true }) && !own.closest("details:not([open]) > :not(summary)"));
    return [...new Set(seen.map((own) => own.name || own.id || own.textContent))];
  });
  const before = await controls();
  assert.ok(before.length <= 12, before.join(", "));
  await iterate(page, 1);
  assert.ok((await controls()).length > before.length);
  await close();
});

test("every estimator's word on the same steps is drawn, and the truth beside it", async (context) => {
  const { page, said, close } = await train("", { folded: true });
  const quarters = () => page.locator(".map.verdicts").evaluateAll((all) => all.map((map) =>
    [...map.querySelectorAll("path")].map((own) => `${own.parentElement.dataset.place} ${own.getAttribute("d")} ${own.getAttribute("class")} ${own.style.opacity}`)));
  await page.locator("#training-play").click();
  await reached(page, 30);
  await page.locator("#training-play").click();
  await isPaused(page);
  await page.locator(".lane2 .agreement > b", { hasText: /\d/ }).waitFor();
  const told = await page.locator(".agreement > b").allTextContents();
  context.diagnostic(`agreement with the truth at iteration ${await iteration(page)}: ${told.join(", ")}`);
  assert.equal(told.length, 3);
  const maps = await quarters();
  assert.ok(maps.every((map) => map.some((one) => one.includes("positive")) && map.some((one) => one.includes("negative"))));
  assert.equal(new Set(maps.map(String)).size, 3, "they differ");
  await page.locator("#training-truth").check();
  const [all] = [await quarters()];
  assert.deepEqual(all.slice(0, 3), maps);
  assert.equal(all.length, 4);
  // A cell that is chosen in one map is marked in all, and its numbers are those that are drawn.
  await page.locator(".lane1 .map.verdicts .place:has(.positive)").first().click();
  assert.equal(await page.locator(".map .choice").count(), 5);
  await page.locator("table.said tbody tr").first().waitFor();
  const place = await page.locator(".map:not(.verdicts) .place.chosen").getAttribute("data-place");
  const rows = await page.locator("table.said tbody tr").evaluateAll((rows) => rows.map((row) => [...row.children].slice(2).map((cell) => cell.textContent)));
  const drawn = all.map((map) => map.filter((one) => one.startsWith(`${place} `)).length);
  const isSeen = (text) => /[1-9]/.test(text);
  assert.deepEqual(drawn, [1, 2, 3, 0].map((column) => rows.filter((row) => isSeen(row[column])).length));
  assert.deepEqual(said, []);
  await close();
});

test("on a phone the chart stays in sight while lanes learn", async () => {
  const { page, close } = await train("", { viewport: { width: 390, height: 844 }, folded: true });
  await page.locator("#training-play").click();
  await reached(page, 5);
  await page.evaluate(() => scrollTo(0, 700));
  await page.waitForTimeout(200);
  const { top, bottom } = await page.locator(".chart").evaluate((own) => { const { top, bottom } = own.getBoundingClientRect(); return { top, bottom }; });
  assert.ok(top >= 0 && bottom <= 400, `${top} to ${bottom}`);
  await close();
});

test("the way back and forth keeps the curves", async () => {
  const { page, close } = await train();
  await iterate(page, 6);
  const before = await curves(page);
  assert.equal(before.length, 6);
  await page.locator("#training-way").fill("2");
  await page.waitForFunction(() => Number(document.querySelector("#training-way").value) === 2);
  assert.deepEqual(await curves(page), before);
  await iterate(page, 4);
  assert.deepEqual(await curves(page), before);
  await page.locator("#training-again").click();
  await iterate(page, 6);
  assert.deepEqual(await curves(page), before, "the same seeds, the same curves");
  await page.locator("#training-seeds").click();
  await iterate(page, 6);
  assert.notDeepEqual(await curves(page), before, "other seeds, other curves");
  await close();
});

test("a link has the same curves, with what was changed on the way", async () => {
  const { page, close } = await train();
  await iterate(page, 3);
  await page.locator("#dial-slip").fill("0.3");
  await page.locator("#lane2-context_length").fill("3");
  await iterate(page, 3);
  const setup = address(page).searchParams.get("train");
  assert.match(setup, /_at\.3_slip\.0\.3_.*lane\.hgpo\*context-length\.3$/);
  const before = await curves(page);
  const other = await train(encodeURIComponent(setup));
  assert.equal(await other.page.locator("#dial-slip").inputValue(), "0");
  await iterate(other.page, 6);
  assert.deepEqual(await curves(other.page), before);
  assert.equal(await other.page.locator("#dial-slip").inputValue(), "0.3");
  assert.equal(await other.page.locator(".chart .changed").count(), 1);
  await other.close();
  await close();
});

test("what the policy sees begins again, and what is rewarded goes on", async () => {
  const { page, close } = await train();
  await iterate(page, 2);
  await page.locator("#dial-reward").fill("5");
  assert.equal(await iteration(page), 2);
  await page.locator("#training-sight").selectOption("place");
  assert.equal(await iteration(page), 0);
  await page.locator("#dial-memory").fill("0");
  await page.locator("#lane0-estimator").selectOption("rloo");
  await iterate(page, 1);
  assert.deepEqual(await page.locator(".lane .problem:not(:empty)").allTextContents(), []);
  await close();
});

test("the map is edited where it stands, and given back", async () => {
  const { page, close } = await train();
  await page.locator(".edit summary").click();
  await page.locator(".tiles label", { hasText: "\u25a0" }).click();
  await page.locator("#place-1-1").click();
  await page.locator("#place-1-1.wall").waitFor();
  assert.match(address(page).searchParams.get("train"), /_map\./);
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await page.locator("#place-1-1.floor").waitFor();
  assert.doesNotMatch(address(page).searchParams.get("train"), /_map\./);
  await page.getByRole("button", { name: "Redo", exact: true }).click();
  await page.locator("#place-1-1.wall").waitFor();
  await page.locator("#place-1-1").press("ArrowRight");
  await page.keyboard.press("Enter");
  await page.locator("#place-1-2.wall").waitFor();
  await page.getByRole("button", { name: "New maze" }).click();
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await page.locator("#place-1-2.wall").waitFor();
  for (const goal of await page.locator(".map .goal").all()) {
    await goal.click();
  }
  await page.locator(".training > .problem", { hasText: "The map stays as it was" }).waitFor();
  assert.ok(await page.locator(".map .goal").count() >= 1);
  await iterate(page, 1);
  await close();
});

test("out of sight it rests", async () => {
  const { page, close } = await train("world.hall");
  await page.locator("#training-play").click();
  await reached(page, 2);
  await page.getByRole("link", { name: "Explore" }).click();
  await page.locator("table[role=grid]").waitFor();
  await page.waitForTimeout(1_000); // what was under way ends
  const before = await iteration(page);
  await page.waitForTimeout(1_000);
  assert.equal(await iteration(page), before);
  await page.getByRole("link", { name: "Train" }).click();
  await reached(page, before + 1);
  await page.locator("#training-play").click();
  await isPaused(page);
  await close();
});

test("after a lesson the reader's training goes on, and rests meanwhile", async () => {
  const { page, said, close } = await train(`${SMALL}_lane.gigpo_lane.hgpo`);
  await page.locator(".training-bar label", { hasText: "slow" }).click();
  await page.locator("#training-play").click();
  await reached(page, 3);
  await page.locator(".map .place.start").first().click();
  const place = page.locator(".training-place h2", { hasText: "The cell in row" });
  const chosen = await place.textContent();
  await page.getByRole("link", { name: "Learn" }).click();
  await page.locator(".lessons").waitFor();
  await page.evaluate(() => { globalThis.isSame = true; });
  await page.locator(".lessons li:nth-child(5) button").click();
  await page.locator(".lesson[data-part=train]").waitFor();
  assert.equal(await page.locator("#training-play").count(), 1, "one training is in the page");
  assert.equal(await iteration(page), 0, "of the lesson");
  const workers = page.workers().length;
  await iterate(page, 2);
  assert.equal(page.workers().length, workers + 3, "the reader's are there");
  const asked = [];
  page.on("dialog", (dialog) => { asked.push(dialog.type()); dialog.accept(); });
  await page.getByRole("link", { name: "Train" }).click();
  await page.locator("#training-map").waitFor();
  await page.locator(".training [role=status]", { hasText: "Paused at iteration" }).waitFor({ state: "attached" });
  assert.equal(page.workers().length, workers, "those of the lesson are gone");
  const at = await iteration(page);
  assert.ok(at >= 3 && at <= 9, `${at}`);
  assert.equal(await page.locator(".lane").count(), 2);
  assert.equal((await curves(page)).length, Number(await page.locator("#training-way").getAttribute("max")));
  assert.equal(await place.textContent(), chosen);
  await page.waitForTimeout(300);
  assert.equal(await iteration(page), at, "it rests");
  const before = await curves(page);
  await iterate(page, 3);
  assert.deepEqual((await curves(page)).slice(0, at), before.slice(0, at));
  assert.equal(await page.evaluate(() => globalThis.isSame), true, "it is the same page");
  // What was trained is what is trained without a lesson in between.
  const after = await curves(page);
  const setup = address(page).searchParams.get("train");
  const other = await train(encodeURIComponent(setup));
  await iterate(other.page, at + 3);
  assert.deepEqual(await curves(other.page), after);
  await other.close();
  assert.deepEqual([said, asked], [[], []]);
  await close();
});

test("an iteration is opened in Explore with the lane's own method", async () => {
  const { page, close } = await train();
  await iterate(page, 3);
  await page.locator("#training-lane").selectOption("1");
  await page.locator("#training-inspect").click();
  await page.locator("table[role=grid]").waitFor();
  assert.equal(await page.getByLabel("Method").inputValue(), "gigpo");
  await close();
});

const HOSTILE = [
  "world.mars", "world.", "world.%3Cimg%20src=x%20onerror=hacked()%3E", "map.", "map.W", "map.S", "map.G", "map.SG*S",
  "map.SWG", "map.99999999999W", `map.${"SG*".repeat(900)}`, `map.${"24.*".repeat(100)}SG`, "map.S%3Cscript%3EG", "map.S23.G",
  "map.S%23G", "map.SG%0ASG", "map.%F0%9F%92%A3", "map.SDG", "map.0S0G0*0W", "map.SxG*S", "sight.all", "sight.", "slip.2", "slip.-1",
  "slip.NaN", "slip.1e400", "slip.0.123456", "group.0", "group.1", "group.1000000", "tasks.0", "tasks.99999999999999999999",
  "seeds.0", "seeds.1e9", "steps.100000", "memory.-1", "memory.1000", "rate.0", "rate.Infinity", "discount.2", "cost.-5",
  "reward.0", "lane.ppo", "lane.", "lane.hgpo*alpha.-1", "lane.hgpo*context-length.99999", "lane.hgpo*speed.1", "lane.grpo*alpha.1",
  "lane.grpo_lane.grpo_lane.grpo_lane.grpo", "lane.dr-mas*inside.dr-mas", "lane.hgpo*base-group.true", "at.x", "at.0_slip.0.1", "at.5_at.5",
  "at.5_memory.0", "at.99999999999", "%3Cb%3E.1", "javascript:hacked()", "x".repeat(3_900), "__proto__.1", "constructor",
];

test("links that are no setup are told in a sentence, and nothing of them is carried out", async (context) => {
  const { page, said, close } = await train();
  await page.addInitScript(() => { globalThis.hacked = () => { globalThis.isHacked = true; }; });
  page.on("dialog", () => assert.fail("a dialog was opened"));
  for (const setup of HOSTILE) {
    await page.goto(`${server.address}?view=train&train=${setup}`);
    await page.locator("#training-play").waitFor();
    const told = await page.locator(".training > .problem").textContent();
    assert.match(told, /^This link could not be opened, so you see the first world: .+\.$/, setup);
    assert.ok(told.length < 400, setup);
    assert.equal(await page.locator(".training img, .training script, .training b b").count(), 0, setup);
    assert.equal(await page.evaluate(() => globalThis.isHacked), undefined, setup);
  }
  context.diagnostic(`${HOSTILE.length} links`);
  await iterate(page, 1);
  assert.deepEqual(said, []);
  await close();
});

test("a setup that is too large for a lane is told, and goes on once it is smaller", async () => {
  const { page, close } = await train("world.shortcut_group.32_tasks.16_seeds.16_steps.60_memory.8_lane.hgpo*context-length.16");
  await page.locator("#training-play").click();
  const told = await page.locator(".lane .problem:not(:empty)").first().textContent();
  assert.match(told, /^Cannot go on: .*at most.* Change the setting, or press Again\.$/);
  await page.locator("#dial-seeds").fill("1");
  await page.locator("#dial-group").fill("2");
  await page.locator("#training-play", { hasText: "Play" }).waitFor();
  await iterate(page, 1);
  assert.deepEqual(await page.locator(".lane .problem:not(:empty)").allTextContents(), []);
  await close();
});

test("a browser without module workers, and a worker that is gone, are told", async () => {
  const { page, close } = await train();
  await page.addInitScript(() => { globalThis.Worker = class { constructor() { throw new Error("no"); } }; });
  await page.reload();
  await page.locator("#training-play").click();
  await page.locator(".training > .problem", { hasText: "module workers" }).waitFor();
  await close();
  const other = await train();
  await other.page.route(/lane-[0-9a-f]+\.js/, (route) => route.abort());
  await other.page.locator("#training-play").click();
  await other.page.locator(".lane .problem", { hasText: "The worker of this lane could not be loaded, or it stopped" }).first().waitFor();
  await other.close();
});

/** The milliseconds between frames for a second, in ascending order. */
const frames = (page) => page.evaluate(() => new Promise((done) => {
  const times = [];
  const next = (time) => {
    times.push(time);
    if (time - times[0] < 1_000) requestAnimationFrame(next);
    else done(times.slice(1).map((time, place) => time - times[place]).sort((a, b) => a - b));
  };
  requestAnimationFrame(next);
}));

test("the page stays fluid while three lanes train", async (context) => {
  const { page, close } = await train("world.switchback");
  await page.locator("#training-play").click();
  await reached(page, 3);
  const before = await iteration(page);
  const times = await frames(page);
  const at = (share) => times[Math.floor(share * (times.length - 1))].toFixed(1);
  context.diagnostic(`frames: median ${at(0.5)} ms, 95th ${at(0.95)} ms; ${await iteration(page) - before} iterations of 24 runs in a second`);
  assert.ok(at(0.5) < 100, "five times what is aimed at: the machine may be busy");
  await page.locator("#training-play").click();
  await isPaused(page);
  await close();
});

test("it breaks no accessibility rule, and nothing scrolls sideways", async () => {
  for (const [width, height, colorScheme] of [[1440, 900, "light"], [1280, 720, "dark"], [360, 780, "light"], [320, 640, "dark"]]) {
    const { page, close } = await train(SMALL, { viewport: { width, height }, colorScheme });
    const check = async (label) => {
      await withoutViolations(page, undefined, `${width} ${colorScheme} ${label}: `);
      const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(over <= 0, `${width} ${label}: ${over} px`);
    };
    await check("fresh");
    await iterate(page, 2);
    await page.locator(".map .place:has(.visits)").first().click();
    await page.locator("table.said tbody tr").first().waitFor();
    await page.evaluate(() => { for (const one of document.querySelectorAll(".training details")) one.open = true; });
    await check("trained, all unfolded");
    await page.locator("#lane1-estimator").selectOption("dr-mas");
    await page.locator("#lane0-estimator").selectOption("graph-gpo");
    await check("other methods");
    await close();
  }
});

test("it is drawn in Korean", async () => {
  const { page, said, close } = await open(browser, `${server.address}?view=train&lang=ko&train=${SMALL}`);
  await page.getByRole("button", { name: "한 번 반복" }).click();
  await reached(page, 1);
  await page.getByText("이정표").first().waitFor({ state: "attached" });
  assert.deepEqual(said, []);
  await close();
});

test("the worker is at most 378 kB compressed", (context) => {
  const worker = readdirSync(dist).filter((name) => /^(hgpo-)?lane[-_.]/.test(name) && name.endsWith(".br"))
    .reduce((sum, name) => sum + statSync(join(dist, name)).size, 0);
  context.diagnostic(`${worker} bytes`);
  assert.ok(worker <= 378_000, `${worker} bytes`);
});
