// Several estimators side by side.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { large } from "./long-attempts.mjs";
import { advantage, artifacts, chosen, launch, open, serve, withoutViolations } from "./page.mjs";

let server, browser;
before(async () => { server = await serve(); browser = await launch(); });
after(async () => { await browser.close(); server.close(); });

const close = (actual, expected) => assert.ok(Math.abs(actual - expected) < 1e-9, `${actual} is not ${expected}`);
const compare = async (page) => {
  await page.getByRole("button", { name: "Compare estimators" }).click();
  await page.locator(".readout").waitFor(); // it was fetched
};
const map = (page, name) => page.locator(`figure[data-estimator=${name}]`);

/** Points at a step in a map of cells of 45 by 23 pixels and reads the numbers that are shown. */
async function point(page, row, at) {
  await map(page, "hgpo").locator("button").hover({ position: { x: at * 45 + 20, y: row * 23 + 10 } });
  const numbers = await page.locator(".readout [data-estimator]").evaluateAll((all) =>
    all.map((one) => [one.dataset.estimator, Number(one.querySelector("data").value)]));
  return Object.fromEntries(numbers);
}

test("the comparison stands in the explanation's place", async () => {
  const { page, said, close: done } = await open(browser, server.address);
  assert.equal(await page.locator(".maps").count(), 0);
  await compare(page);
  assert.deepEqual(await page.locator("figcaption").allTextContents(), ["GRPO", "GiGPO", "HGPO"]);
  assert.equal(await page.locator(".panel").count(), 0);
  await page.getByRole("button", { name: "Explanation" }).click();
  await page.locator(".maps").waitFor({ state: "detached" });
  assert.equal(await page.locator(".panel h2").textContent(), "t1, step 2");
  assert.deepEqual(said, []);
  await done();
});

test("a comparison that is on its way says so, and one that cannot be had can be tried again", async () => {
  const { page, close: done } = await open(browser, server.address);
  let isOut = true;
  let asked;
  const wanted = new Promise((next) => { asked = next; });
  let answer;
  const answered = new Promise((next) => { answer = next; });
  await page.route(/_late_bg/, async (route) => {
    asked();
    await answered;
    return isOut ? route.abort() : route.continue();
  });
  await page.getByRole("button", { name: "Compare estimators" }).click();
  await wanted;
  assert.equal(await page.locator("#comparison [role=status]").textContent(), "Loading…");
  answer();
  const problem = page.locator(".missing [role=alert]");
  assert.equal(await problem.textContent(), "This part could not be loaded. Check the connection, and try again.");
  await withoutViolations(page);
  await page.getByRole("button", { name: "Try again" }).click();
  await problem.waitFor();
  isOut = false;
  await page.getByRole("button", { name: "Try again" }).click();
  await map(page, "hgpo").waitFor();
  assert.equal(await page.locator(".missing").count(), 0);
  await done();
});

test("the maps hold the stage's numbers, and those of other estimators", async () => {
  const { page, close: done } = await open(browser, server.address);
  await page.getByLabel("Scale").selectOption("mean only");
  await compare(page);
  for (const [row, length] of [4, 5, 6, 4].entries()) {
    for (let at = 0; at < length; at++) {
      assert.equal((await point(page, row, at)).hgpo, await advantage(page, row, at));
    }
  }
  await page.getByRole("checkbox", { name: "RLOO" }).check();
  const { grpo, gigpo, rloo } = await point(page, 0, 2);
  // S = 10 at 4 + 6 of the 19 rows: the mean is 100/19; RLOO takes the row itself out of it.
  close(grpo, 10 - 100 / 19);
  close(rloo, (10 - 100 / 19) * 19 / 18);
  // Returns at s2: 9.5, 0, 9.025, 0.
  close(gigpo, grpo + 9.5 - (9.5 + 9.025) / 4);
  // The cells show the same numbers: t1 step 2 is 10 − 100/19 = 4.74.
  assert.equal(await map(page, "grpo").locator("text").nth(2).textContent(), "+4.74");
  await done();
});

test("the comparison says which estimators count an attempt once for each of its steps", async () => {
  const { page, close: done } = await open(browser, server.address);
  await compare(page);
  const said = () => page.locator(".counted").textContent();
  assert.equal(await said(), "GRPO, GiGPO: mean and σ count each attempt once for each of its steps; with “Episode mean over: attempts”, as in the first lesson, just once.");
  await page.getByLabel("Method").selectOption("GRPO");
  await page.locator(".controls .more").evaluate((more) => more.open = true);
  await page.getByLabel("Episode mean over").selectOption("attempts");
  assert.match(await said(), /^GiGPO: /, "GRPO does not any more");
  await page.locator(".ticks").getByLabel("GiGPO", { exact: true }).uncheck();
  assert.equal(await said(), "");
  await done();
});

test("a map points at and chooses steps, by pointer and by keyboard", async () => {
  const { page, close: done } = await open(browser, server.address);
  await compare(page);
  const title = () => chosen(page);
  await map(page, "grpo").locator("button").click({ position: { x: 3 * 45 + 5, y: 23 + 5 } });
  assert.equal(await title(), "t2, step 3");
  await page.locator("h1").hover();
  await map(page, "hgpo").locator("button").focus();
  for (const key of ["ArrowDown", "End", "ArrowLeft"]) await page.keyboard.press(key);
  assert.equal(await page.locator(".readout b").textContent(), "t3, step 4");
  assert.equal(await page.locator(".map-list .pointed").count(), 3, "in every map");
  assert.equal(await title(), "t2, step 3", "pointing chooses nothing");
  await page.keyboard.press("Enter");
  assert.equal(await title(), "t3, step 4");
  await page.getByLabel("Method").focus();
  assert.equal(await page.locator(".map-list .pointed").count(), 0, "nothing is pointed at any more");
  // Beyond the end of t1 there is nothing to choose.
  await map(page, "grpo").locator("button").click({ position: { x: 5 * 45 + 5, y: 5 } });
  assert.equal(await title(), "t3, step 4");
  await done();
});

test("the maps show the attempts and steps that are chosen, on the screen and in files", async () => {
  const { page, said, close: done } = await open(browser, server.address);
  await compare(page);
  const texts = () => map(page, "hgpo").locator("text").allTextContents();
  const before = await texts();
  await page.locator("details.extent summary").click();
  await page.getByLabel("Attempts", { exact: true }).fill("2-3");
  await page.getByLabel("Attempts", { exact: true }).press("Enter");
  await page.locator("#extent-steps").fill("1-3");
  await page.locator("#extent-steps").press("Enter");
  // Rows of 4, 5, 6 and 4 steps.
  assert.deepEqual(await texts(), [...before.slice(5, 8), ...before.slice(10, 13)]);
  assert.match(await map(page, "hgpo").locator("button").getAttribute("aria-label"), /of 2 attempts by 3 steps/);
  assert.match(await page.locator(".maps").textContent(), /2 of 4 attempts, steps 1 to 3; advantages are over all/);
  await map(page, "hgpo").locator("button").click({ position: { x: 2 * 45 + 5, y: 23 + 5 } });
  assert.equal(await chosen(page), "t3, step 3");
  await map(page, "hgpo").locator("button").focus();
  for (const key of ["Home", "ArrowUp", "ArrowUp", "ArrowLeft"]) await page.keyboard.press(key);
  assert.equal(await page.locator(".readout b").textContent(), "t2, step 1", "keys stay among what is shown");
  const outline = await map(page, "hgpo").locator(".pointed").evaluate((one) => [one.style.left, one.style.top]);
  assert.deepEqual(outline, ["0px", "0px"]);
  const menu = page.locator("#maps, .maps").locator("details", { has: page.getByText("CSV") }).first();
  await menu.locator("summary").click();
  const [download] = await Promise.all([page.waitForEvent("download"), menu.getByRole("button", { name: /CSV/ }).click()]);
  const lines = readFileSync(await download.path(), "utf8").trim().split("\n").slice(1);
  assert.deepEqual(lines.map((line) => line.split(",").slice(0, 2).join()), ["t2,1", "t2,2", "t2,3", "t3,1", "t3,2", "t3,3"]);
  assert.deepEqual(said, []);
  await done();
});

test("ticks, the scale and the chosen estimator", async () => {
  const { page, close: done } = await open(browser, server.address);
  await compare(page);
  const names = () => page.locator("figcaption").allTextContents();
  assert.ok(await page.locator(".ticks").getByLabel("HGPO (chosen)").isDisabled());
  await page.getByRole("checkbox", { name: "G2PO" }).check();
  await page.locator(".ticks").getByLabel("GRPO", { exact: true }).uncheck();
  assert.deepEqual(await names(), ["GiGPO", "HGPO", "G2PO"]);
  await page.getByLabel("Method").selectOption("RLOO");
  assert.deepEqual(await names(), ["GiGPO", "HGPO", "RLOO", "G2PO"]);
  // G2PO's largest advantage is above HGPO's: on one scale HGPO has no full shade.
  const full = () => map(page, "hgpo").locator(".shade5").count();
  assert.ok(await full() > 0);
  await page.getByLabel("One colour scale for all").check();
  assert.equal(await full(), 0);
  await done();
});

test("what is ticked and what is in sight stays when a setting changes", async () => {
  const { page, close: done } = await open(browser, server.address);
  await compare(page);
  await page.locator(".ticks").getByLabel("RLOO").check();
  await map(page, "rloo").locator("svg").evaluate((svg) => { svg.closest("figure").dataset.same = "yes"; });
  const first = () => map(page, "hgpo").locator("text").first().textContent();
  const before = await first();
  await page.locator(".controls").getByLabel("Scale").selectOption("mean only");
  assert.notEqual(await first(), before);
  assert.equal(await page.locator("figure[data-same=yes]").count(), 1, "the map itself is not another");
  assert.ok(await page.locator(".ticks").getByLabel("RLOO").isChecked());
  await page.getByRole("button", { name: "Show more steps" }).focus();
  await page.keyboard.press("Enter");
  assert.equal(await page.locator(".differences tbody tr").count(), 19);
  // Nor does it go while another part of the page is shown, except into lessons, which choose for themselves.
  await page.locator(".ticks").getByLabel("GiGPO").uncheck();
  await page.getByLabel("One colour scale for all").check();
  for (const there of ["Train", "Learn"]) {
    await page.locator("header nav").getByRole("link", { name: there }).click();
    await page.locator("header nav").getByRole("link", { name: "Explore" }).click();
    await compare(page);
    assert.deepEqual(await page.locator("figcaption").allTextContents(), ["GRPO", "HGPO", "RLOO"], there);
    assert.ok(await page.getByLabel("One colour scale for all").isChecked(), there);
  }
  await done();
});

test("the table lists the largest differences first", async () => {
  const { page, close: done } = await open(browser, server.address);
  await compare(page);
  const rows = page.locator(".differences tbody tr");
  assert.equal(await rows.count(), 10);
  await page.getByRole("button", { name: "Show more steps" }).click();
  assert.equal(await rows.count(), 19);
  assert.equal(await page.locator(".more-rows").count(), 0);
  const values = await rows.evaluateAll((all) =>
    all.map((row) => [...row.querySelectorAll("data")].map((one) => Number(one.value))));
  const far = values.map(([grpo, gigpo, hgpo]) => Math.max(Math.abs(grpo - hgpo), Math.abs(gigpo - hgpo)));
  assert.deepEqual(far, far.toSorted((one, other) => other - one));
  assert.ok(far[0] > far[18] + 0.2, "they differ");
  await rows.nth(0).getByRole("button").click();
  assert.equal(await chosen(page), await rows.nth(0).getByRole("button").textContent());
  await done();
});

test("sizes of groups, and why steps teach nothing", async () => {
  const { page, close: done } = await open(browser, server.address);
  await compare(page);
  const said = () => page.locator(".sizes p").first().textContent();
  // s5 and s6 end two attempts each, with equal returns: 4 of 19 steps.
  assert.match(await said(), /HGPO, 21\.1\u00a0% of the steps teach nothing, most because all .* equally well/);
  // G_0: s0 4 times, s1 and s2 3 and 4, s3 to s6 twice each.
  const bars = await page.locator(".histogram").first().locator("li").allTextContents();
  assert.deepEqual(bars, ["2  8\u00a0steps", "3  3\u00a0steps", "4  8\u00a0steps"]);
  const axes = await page.locator(".histogram").evaluateAll((all) => all.map((one) => [...one.querySelectorAll(".axes span:not(.ends)")].map((part) => part.textContent)));
  assert.deepEqual(axes[0], ["Size", "0", "19", "Steps"], "names, and numbers at both ends");
  assert.ok(axes.every((own) => own.length === 4));
  // Of the door and the desk at level 1, the door is entered from three states: 53 % of what its returns differ
  // lies between these, where chance gives two fifths.
  await page.getByLabel("Example").selectOption("inconsistent");
  const levels = page.locator(".sizes tbody[data-estimator=hgpo] tr");
  assert.match(await levels.nth(2).textContent(), /50\.0\u00a0%53\.0\u00a0% \(40\.0\u00a0%\)$/);
  await page.getByLabel("Example").selectOption("alone");
  assert.match(await said(), /HGPO, 100\.0\u00a0% of the steps teach nothing, most because no other step has the same state/);
  assert.match(await page.locator(".sizes tbody[data-estimator=grpo] th").first().textContent(), /GRPO: 0\.0\u00a0% without/);
  await page.getByLabel("Example").selectOption("alike");
  assert.match(await said(), /100\.0\u00a0% .* equally well/);
  await done();
});

test("128 attempts of 50 steps are compared quickly", async (context) => {
  const { page, close: done } = await open(browser, server.address);
  await page.locator("#file").setInputFiles({ name: "large.jsonl", mimeType: "text/plain", buffer: Buffer.from(large(1)) });
  await page.locator("[role=grid][aria-rowcount='129']").waitFor();
  const { shown, painted } = await page.evaluate(async () => {
    // What the stage has left to do is not the comparison's.
    await new Promise((next) => requestIdleCallback(next, { timeout: 5000 }));
    const start = performance.now();
    document.querySelectorAll(".tab")[1].click();
    while (!document.querySelector(".map-list svg")) await new Promise((next) => setTimeout(next));
    const shown = performance.now() - start;
    await new Promise((next) => requestAnimationFrame(() => setTimeout(next)));
    return { shown, painted: performance.now() - start };
  });
  context.diagnostic(`three estimators compared in ${Math.round(shown)} ms, painted in ${Math.round(painted)} ms`);
  await map(page, "hgpo").locator("button").hover({ position: { x: 3 * 6 + 2, y: 2 * 5 + 2 } });
  assert.equal(await page.locator(".readout b").textContent(), "t2, step 3");
  const shownNumber = await page.locator(".readout [data-estimator=hgpo] data").getAttribute("value");
  assert.equal(Number(shownNumber), await advantage(page, 2, 3));
  await page.locator(".comparison").screenshot({ path: join(artifacts, "compare-large.png") });
  await done();
});

const looks = [["wide", {}], ["dark", { colorScheme: "dark" }], ["narrow", { viewport: { width: 360, height: 780 } }],
  ["korean", { locale: "ko-KR", viewport: { width: 320, height: 780 }, colorScheme: "dark" }]];

for (const [name, options] of looks) {
  test(`${name}: the comparison and the menu break no accessibility rule and fit`, async () => {
    const { page, close: done } = await open(browser, server.address, { ...options, reducedMotion: "reduce" });
    await page.locator(".tab").nth(1).click();
    await page.locator(".readout").waitFor();
    for (const box of await page.locator(".ticks input:enabled").all()) await box.check();
    await page.locator(".export summary").click();
    await page.screenshot({ path: join(artifacts, `compare-${name}.png`), fullPage: true });
    await withoutViolations(page);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= page.viewportSize().width, `the page is ${width} pixels wide`);
    await done();
  });
}
