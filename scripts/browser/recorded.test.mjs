// A file that says how it was made: what the page says of it, opens it with, and writes again.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { advantage, artifacts, launch, open, root, serve, step, withoutViolations } from "./page.mjs";
import { skipped } from "../skipped.mjs";

const attempts = readFileSync(join(root, "assets/presets/errand.rollouts.jsonl"), "utf8");
const first = '{"environment":"chores","seed":3,"iteration":120,"note":"mine","discount":0.5,"invalid_penalty":0.2,"estimator":{"name":"gigpo","scale":"mean","step_weight":2.0}}';

let server, browser, folder, recorded;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), "hgpo-recorded-"));
  recorded = join(folder, "recorded.rollouts.jsonl");
  writeFileSync(recorded, `${first}\n${attempts}`);
  server = await serve();
  browser = await launch();
});
after(async () => { await browser.close(); server.close(); rmSync(folder, { recursive: true }); });

const notice = (page) => page.locator(".made p");
const asRecorded = (page) => page.locator(".made button");

async function openFile(page, path) {
  await page.locator("#file").setInputFiles(path);
  await page.locator(".holdings b").waitFor();
  await notice(page).waitFor({ state: "attached" });
}

/** What the page saves as rollouts. */
async function saved(page) {
  await page.locator("details.export summary").click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Rollouts (JSON Lines)" }).click(),
  ]);
  await page.keyboard.press("Escape");
  return readFileSync(await download.path(), "utf8");
}

/** The advantages of the page's steps, row by row. */
const shown = (page, rows) => Promise.all(rows.map(({ advantages }, row) =>
  Promise.all(advantages.map((_, at) => advantage(page, row, at)))));

/** The rows of the first task as the command line computes them. */
function computed(file, ...options) {
  const output = execFileSync(process.env.HGPO_BIN, ["advantages", file, ...options], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  const rows = output.trim().split("\n").map((line) => JSON.parse(line));
  return rows.filter((row) => row.task === rows[0].task);
}

const skip = process.env.HGPO_BIN ? false : skipped("the page against the command line", "HGPO_BIN names the program hgpo");

/** Whether all numbers of the page are those of the command line. */
function isEqual(numbers, rows) {
  return rows.every(({ advantages }, row) => advantages.every((one, at) => Math.abs(numbers[row][at] - one) < 5e-7));
}

for (const [kind, path] of [["a made-up file", () => recorded], ["a training's trace", () => process.env.HGPO_TRACES ?? recorded]]) {
  test(`${kind} opens as it was recorded, and the settings from before are a press away`, { skip }, async () => {
    const { page, said, close } = await open(browser, server.address);
    await page.getByLabel("Method").selectOption("RLOO");
    await openFile(page, path());
    assert.match(await notice(page).textContent(), /^Estimated as it was recorded: chores.* · seed \d+ · iteration \d+ · /);
    const rows = computed(path(), "--recorded");
    assert.ok(isEqual(await shown(page, rows), rows));
    await asRecorded(page).focus();
    await page.keyboard.press("Enter");
    assert.equal(await page.getByLabel("Method").inputValue(), "rloo");
    assert.ok(isEqual(await shown(page, rows), computed(path(), "--estimator", "rloo")));
    assert.match(await notice(page).textContent(), /^Recorded with: /);
    assert.equal(await asRecorded(page).textContent(), "Estimate as recorded");
    assert.ok(await asRecorded(page).evaluate((button) => button === document.activeElement), "the focus stays");
    await page.keyboard.press("Enter");
    assert.ok(isEqual(await shown(page, rows), rows));
    await page.getByRole("button", { name: "Undo" }).click();
    assert.equal(await page.getByLabel("Method").inputValue(), "rloo");
    assert.deepEqual(said, []);
    await close();
  });
}

test("the first line is found again in what is saved, until trajectories are edited", async () => {
  const { page, close } = await open(browser, server.address);
  await openFile(page, recorded);
  assert.equal(await notice(page).textContent(), "Estimated as it was recorded: chores · seed 3 · iteration 120 · GiGPO · "
    + "Scale mean only · Step weight w 2 · Discount γ 0.5 · Invalid penalty 0.2");
  assert.equal((await saved(page)).split("\n")[0], first);
  await step(page, 0, 0).focus();
  await page.keyboard.press("n");
  assert.ok((await saved(page)).startsWith('{"task":'));
  assert.match(await notice(page).textContent(), /Edited since/);
  await page.getByRole("button", { name: "Reset" }).click();
  assert.equal((await saved(page)).split("\n")[0], first);
  // What the browser keeps for the next visit holds it too.
  await page.waitForFunction(() => localStorage.getItem("hgpo-work"));
  await page.reload();
  await page.locator("table[role=grid]").waitFor();
  assert.match(await notice(page).textContent(), /seed 3/);
  await close();
});

test("a first line that is not understood is said, and the file is opened", async () => {
  const { page, close } = await open(browser, server.address);
  const strange = join(folder, "strange.rollouts.jsonl");
  writeFileSync(strange, `{"seed":"three","estimator":{"name":"hgpo"}}\n${attempts}`);
  await openFile(page, strange);
  assert.match(await notice(page).textContent(), /^Opened anyway: line 1: .*`seed`/);
  assert.equal(await asRecorded(page).count(), 0);
  assert.equal(await page.locator("#file-problem").textContent(), "");
  await page.getByLabel("Example").selectOption("overview");
  assert.equal(await notice(page).count(), 0);
  await close();
});

const windows = [
  ["wide", { viewport: { width: 1440, height: 900 } }, ""],
  ["narrow", { viewport: { width: 390, height: 844 } }, ""],
  ["dark", { colorScheme: "dark" }, ""],
  ["korean", {}, "?lang=ko"],
];
for (const [name, options, query] of windows) {
  test(`the notice fits and can be read: ${name}`, async () => {
    const { page, close } = await open(browser, server.address + query, options);
    await openFile(page, recorded);
    await page.screenshot({ path: join(artifacts, `recorded-${name}.png`) });
    const { scroll, client } = await page.evaluate(() => {
      const { scrollWidth: scroll, clientWidth: client } = document.documentElement;
      return { scroll, client };
    });
    assert.ok(scroll <= client, `${scroll} of ${client} pixels`);
    await withoutViolations(page, ".stage");
    await close();
  });
}

test("a lack of signal is said of the settings that the page shows", async () => {
  const { page, said, close } = await open(browser, server.address);
  // Every state is alone in its task: histories have no group, whole attempts have.
  const text = ["a", "b"].map((trajectory, row) => JSON.stringify({ task: "g", trajectory, steps: [{ state: `only ${trajectory}`, reward: row }] })).join("\n");
  const give = async (name, first) => {
    await page.locator("#file").setInputFiles({ name, mimeType: "application/jsonl", buffer: Buffer.from(first + text) });
    await page.locator(".holdings b", { hasText: name }).waitFor();
    await page.waitForTimeout(300);
  };
  const lacking = page.locator(".story [role=status]", { hasText: "have no advantage" });
  await give("grpo.jsonl", '{"discount":0.5,"estimator":{"name":"grpo"}}\n');
  assert.equal(await page.getByLabel("Method").inputValue(), "grpo");
  assert.equal(await lacking.count(), 0, "as it was recorded");
  await page.getByLabel("Method").selectOption("HGPO");
  await lacking.waitFor();
  assert.match(await lacking.textContent(), /^2 of 2 steps have no advantage under HGPO: their states occur once/);
  await page.getByLabel("Method").selectOption("GiGPO");
  await lacking.waitFor({ state: "detached" });
  await page.getByLabel("Method").selectOption("HGPO");
  await give("plain.jsonl", "");
  assert.match(await lacking.textContent(), /under HGPO/);
  assert.deepEqual(said, []);
  await close();
});
