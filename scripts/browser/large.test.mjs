// A large file is read in slices: the page stays alive, says how far it is, and can be told to stop.
import assert from "node:assert/strict";
import { createWriteStream, mkdtempSync, rmSync, statSync } from "node:fs";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { launch, open, serve, step, withoutViolations } from "./page.mjs";

const MEGABYTES = Number(process.env.HGPO_LARGE ?? 60);

let server, browser, folder;
before(async () => { server = await serve(); browser = await launch(); folder = mkdtempSync(join(tmpdir(), "hgpo-large-")); });
after(async () => { await browser.close(); server.close(); rmSync(folder, { recursive: true }); });

/** Rollouts of tasks of eight attempts of 25 steps, with states of some kilobytes, as JSON Lines or as CSV. */
async function made(kind) {
  const path = join(folder, `large.${kind}`);
  const stream = createWriteStream(path);
  const rest = " A corridor leads on; the lamp, the table and the two doors are where they were.".repeat(30);
  if (kind === "csv") stream.write("task,trajectory,state,action,reward\n");
  for (let task = 0, size = 0; size < MEGABYTES * 1e6; task += 1) {
    for (let attempt = 0; attempt < 8; attempt += 1) {
      const steps = Array.from({ length: 25 }, (_, at) => ({ state: `Room ${(task * 7 + attempt * at) % 11} at ${at}.${rest}`, action: `go ${at % 3}`, reward: at === 24 ? attempt % 2 : 0 }));
      const text = kind === "csv" ? steps.map(({ state, action, reward }) => `g${task},t${attempt},"${state}",${action},${reward}\n`).join("")
        : `${JSON.stringify({ task: `g${task}`, trajectory: `t${attempt}`, steps })}\n`;
      size += text.length;
      if (!stream.write(text)) await once(stream, "drain");
    }
  }
  stream.end();
  await once(stream, "finish");
  return path;
}

/** Watches for how long nothing else gets its turn. */
const watch = () => {
  globalThis.longest = 0;
  let last = performance.now();
  const turn = () => { const now = performance.now(); globalThis.longest = Math.max(globalThis.longest, now - last); last = now; setTimeout(turn, 5); };
  setTimeout(turn, 5);
};

const notice = (page) => page.locator(".notice");

for (const kind of ["jsonl", "csv"]) {
  test(`a large file (${kind}) is read while the page stays alive, and cancelled at a press`, { timeout: 600_000 }, async (context) => {
    const path = await made(kind);
    const { page, said, close } = await open(browser, server.address);
    page.setDefaultTimeout(300_000);
    await page.getByRole("button", { name: "Compare estimators" }).click(); // the module that reads is there
    await page.locator(".readout").waitFor();
    await page.evaluate(watch);
    // While the file is read, a step is chosen, and then the reading is cancelled.
    const answered = page.evaluate(async () => {
      const until = async (holds) => { while (!holds()) await new Promise((done) => setTimeout(done, 2)); };
      const find = (selector) => document.querySelector(selector);
      await until(() => find(".notice progress"));
      const told = find(".notice").textContent;
      const from = performance.now();
      find("#step-1-1").click();
      await until(() => find(".readout").textContent.includes("t2, step 1"));
      const after = performance.now() - from;
      find("#cancel-reading").click();
      await until(() => !find(".notice"));
      return { told, after };
    });
    await page.locator("#file").setInputFiles(path);
    const { told, after } = await answered;
    assert.match(told, new RegExp(`Reading large.${kind}…`));
    await page.waitForTimeout(500);
    assert.equal(await page.locator(".holdings b").count(), 0, "what was cancelled is not shown");
    await page.evaluate(() => { globalThis.longest = 0; });
    const begun = Date.now();
    await page.locator("#file").setInputFiles(path);
    await page.locator(".holdings b", { hasText: `large.${kind}` }).waitFor();
    const shown = Date.now() - begun;
    const longest = await page.evaluate(() => globalThis.longest);
    context.diagnostic(`${(statSync(path).size / 1e6).toFixed(0)} MB shown after ${shown} ms; nothing else had its turn for ${longest.toFixed(0)} ms; a press while it was read was answered after ${after.toFixed(0)} ms`);
    assert.ok(longest < 2_000, "the machine may be busy");
    await notice(page).filter({ hasText: "too large for the browser to keep" }).waitFor();
    assert.ok(await notice(page).getByRole("button", { name: "Save the rollouts" }).isVisible());
    assert.deepEqual(said, []);
    await close();
  });
}
