// Several estimators side by side; what is taken away; what is brought in.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { advantage, artifacts, chosen, launch, open, root, serve, step, withoutViolations } from "./page.mjs";

const overview = readFileSync(join(root, "assets/presets/overview.rollouts.jsonl"), "utf8");

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

/** What a choice of the menu saves: name and content. */
async function saved(page, choice) {
  const menu = page.locator(".export");
  if (!await menu.locator(".menu").isVisible()) await menu.locator("summary").click();
  const [download] = await Promise.all([page.waitForEvent("download"), menu.getByRole("button", { name: choice }).click()]);
  return { name: download.suggestedFilename(), content: readFileSync(await download.path()) };
}

const parsed = (text) => text.trim().split("\n").map((line) => JSON.parse(line));
const stage = (page) => page.locator(".step data").evaluateAll((all) => all.map((one) => one.value));

/** Steps with the fields that may be left out in files. */
const complete = (trajectories) => trajectories.map((one) =>
  ({ ...one, steps: one.steps.map((own) => ({ valid: true, ...own })) }));

test("rollouts and advantages are saved as JSON Lines", async () => {
  const { page, said, close: done } = await open(browser, server.address);
  const rollouts = await saved(page, "Rollouts (JSON Lines)");
  assert.equal(rollouts.name, "overview.rollouts.jsonl");
  assert.deepEqual(complete(parsed(rollouts.content.toString())), complete(parsed(overview)));
  const advantages = await saved(page, "Advantages (JSON Lines)");
  assert.equal(advantages.name, "overview.advantages.jsonl");
  const lines = parsed(advantages.content.toString());
  assert.deepEqual(lines.flatMap((line) => line.advantages), (await stage(page)).map(Number));
  assert.equal(lines[0].returns[2], 9.5);
  assert.match(await page.locator(".fields > .said").textContent(), /overview\.advantages\.jsonl/);
  assert.deepEqual(said, []);
  await done();
});

test("a table is saved and opened again with the same advantages", async () => {
  const { page, close: done } = await open(browser, server.address);
  await page.getByLabel("Example").selectOption("errand");
  const before = await stage(page);
  const table = await saved(page, "Steps with advantages (CSV)");
  assert.equal(table.name, "errand.csv");
  assert.equal(table.content.toString().split("\n")[0], "task,trajectory,step,state,action,reward,valid,return,advantage");
  await page.locator("#file").setInputFiles({ name: "again.csv", mimeType: "text/csv", buffer: table.content });
  await page.getByText("again.csv").waitFor();
  assert.deepEqual(await stage(page), before);
  assert.ok(before.some((value) => Number(value) > 0.5));
  await done();
});

test("the figure is saved as SVG and as PNG", async () => {
  const { page, asked, close: done } = await open(browser, server.address);
  const svg = await saved(page, "Figure (SVG)");
  assert.equal(svg.name, "overview.svg");
  const drawn = await page.evaluate((text) => {
    const read = new DOMParser().parseFromString(text, "image/svg+xml");
    return {
      wrong: read.querySelectorAll("parsererror").length,
      texts: [...read.querySelectorAll("text")].map((one) => one.textContent),
      size: [read.documentElement.width.baseVal.value, read.documentElement.height.baseVal.value],
    };
  }, svg.content.toString());
  assert.equal(drawn.wrong, 0);
  for (const state of ["s0", "s1", "s2", "s3", "s4", "s5", "s6"]) assert.ok(drawn.texts.includes(state), state);
  for (const text of ["t1", "→ enter", "r 10", "G₂"]) assert.ok(drawn.texts.includes(text), text);
  const png = (await saved(page, "Figure (PNG)")).content;
  assert.equal(png.subarray(0, 8).toString("latin1"), "\x89PNG\r\n\x1a\n");
  // 600 pixels an inch, where the browser counts 96.
  [16, 20].forEach((at, side) => assert.ok(Math.abs(png.readUInt32BE(at) - drawn.size[side] * 600 / 96) < 8));
  const colours = await page.evaluate(async (bytes) => {
    const image = await createImageBitmap(new Blob([new Uint8Array(bytes)]));
    const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, image.width, image.height);
    return new Set(new Uint32Array(data.buffer)).size;
  }, [...png]);
  assert.ok(colours > 20, `${colours} colours`);
  assert.deepEqual(asked.filter((address) => !address.startsWith(server.address) && !address.startsWith("blob:")), []);
  await done();
});

test("the menu is left by Escape and by Tab", async () => {
  const { page, close: done } = await open(browser, server.address);
  const [button, list] = [page.locator(".export summary"), page.locator(".export .menu")];
  await button.focus();
  await page.keyboard.press("Enter");
  assert.ok(await list.isVisible());
  await list.getByRole("button").first().waitFor();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Escape");
  assert.ok(await list.isHidden());
  assert.ok(await button.evaluate((one) => one === document.activeElement));
  await page.keyboard.press("Enter");
  await page.getByLabel("Example").focus();
  assert.ok(await list.isHidden());
  await done();
});

test("rollouts are copied, and pasted anywhere but into fields", async () => {
  const permissions = ["clipboard-read", "clipboard-write"];
  const { page, said, close: done } = await open(browser, server.address, { permissions });
  await page.locator(".export summary").click();
  await page.getByRole("button", { name: "Copy the rollouts" }).click();
  await page.getByText("Copied").waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.deepEqual(complete(parsed(copied)), complete(parsed(overview)));
  await page.getByLabel("Example").selectOption("errand");
  await page.getByLabel("Depth K").focus();
  await page.keyboard.press("Control+V");
  await page.getByRole("heading", { level: 1 }).click();
  assert.equal(await page.locator(".holdings b").count(), 0, "a field keeps what is pasted");
  await page.keyboard.press("Control+V");
  await page.locator(".holdings b", { hasText: "pasted" }).waitFor();
  assert.equal(await page.locator(".step").count(), 19);
  await page.evaluate(() => navigator.clipboard.writeText("not rollouts"));
  await page.keyboard.press("Control+V");
  await page.getByText(/Could not open pasted text/).waitFor();
  assert.deepEqual(said, []);
  await done();
});

test("names of attempts stay text", async () => {
  const { page, said, close: done } = await open(browser, server.address);
  const name = "<img src=x onerror=alert(1)>&amp;";
  const text = [name, "x"].map((trajectory, index) => JSON.stringify(
    { task: "g", trajectory, steps: [{ state: "<b>", action: "]]>", reward: index }] })).join("\n");
  await page.locator("#file").setInputFiles({ name: "odd.jsonl", mimeType: "text/plain", buffer: Buffer.from(text) });
  await page.locator(".holdings b", { hasText: "odd.jsonl" }).waitFor();
  await compare(page);
  await page.locator(".differences").getByRole("button", { name: `${name}, step 0` }).waitFor();
  const texts = await page.evaluate((svg) => [...new DOMParser().parseFromString(svg, "image/svg+xml")
    .querySelectorAll("text")].map((one) => one.textContent), (await saved(page, "Figure (SVG)")).content.toString());
  for (const part of ["<b>", "→ ]]>", "<img src=x"]) assert.ok(texts.includes(part), `${part} in ${texts}`);
  assert.deepEqual(said, []);
  await done();
});

const formats = {
  "rows.jsonl": ["w", "x"].map((name, index) => JSON.stringify(
    { uid: "g", traj_uid: name, anchor_obs: "hall", rewards: 4 * index, is_action_valid: true })).join("\n"),
  "table.csv": "reward,state,trajectory,task\n0,hall,w,g\n4,\"hall\",x,g\n",
  "lines.jsonl": ["w", "x"].map((name, index) => JSON.stringify(
    { task: "g", trajectory: name, steps: [{ state: "hall", reward: 4 * index }] })).join("\n"),
};

for (const [name, text] of Object.entries(formats)) {
  test(`${name} opens`, async () => {
    const { page, close: done } = await open(browser, server.address);
    await page.getByLabel("Scale").selectOption("mean only");
    await page.locator("#file").setInputFiles({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
    await page.locator(".holdings b", { hasText: name }).waitFor();
    // Returns 0 and 4: the mean is 2.
    assert.deepEqual(await stage(page), ["-2", "2"]);
    await done();
  });
}

/** Tasks of 128 attempts of 50 steps. */
const large = (tasks) => Array.from({ length: 128 * tasks }, (_, attempt) => JSON.stringify({
  task: `g${attempt % tasks}`, trajectory: `t${attempt}`, success: attempt % 3 === 0,
  steps: Array.from({ length: 50 }, (_, time) => ({
    state: `You are in room ${(attempt * 7 + time * time) % 40}.`, action: "go on",
    reward: time === 49 && attempt % 3 === 0 ? 10 : 0,
  })),
})).join("\n");

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

test("a file of 102,400 steps opens", async (context) => {
  const { page, said, close: done } = await open(browser, server.address);
  const buffer = Buffer.from(large(16));
  const start = Date.now();
  await page.locator("#file").setInputFiles({ name: "huge.jsonl", mimeType: "text/plain", buffer });
  await page.locator(".holdings b", { hasText: "huge" }).waitFor();
  context.diagnostic(`${(buffer.length / 1e6).toFixed(1)} MB opened in ${Date.now() - start} ms`);
  assert.match(await page.locator(".holdings").textContent(), /16\u00a0tasks .* 102400\u00a0steps/);
  assert.equal(parsed((await saved(page, "Advantages (JSON Lines)")).content.toString()).length, 2048);
  assert.deepEqual(said, []);
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
