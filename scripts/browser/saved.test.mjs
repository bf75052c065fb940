// What is taken away, saved or copied, and what is brought in again.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { large } from "./long-attempts.mjs";
import { launch, open, root, serve } from "./page.mjs";

const overview = readFileSync(join(root, "assets/presets/overview.rollouts.jsonl"), "utf8");

let server, browser;
before(async () => { server = await serve(); browser = await launch(); });
after(async () => { await browser.close(); server.close(); });

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
  await page.getByRole("button", { name: "Compare estimators" }).click();
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
