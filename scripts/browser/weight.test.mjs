// What the page costs: bytes, the time to the first picture, nothing while idle, no more memory with use.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { brotliCompressSync } from "node:zlib";
import { dist, launch, open, serve, step } from "./page.mjs";

let server, browser;
before(async () => { server = await serve(); browser = await launch(); });
after(async () => { await browser.close(); server.close(); });

const compressed = (path) => brotliCompressSync(readFileSync(path)).length;

test("all that is asked for is at most 350 kB compressed, and what is fetched late, with its styles, another 316 kB", async (context) => {
  const { page, asked, close } = await open(browser, server.address);
  await step(page, 0, 2).waitFor();
  const files = new Set(asked.map((address) => new URL(address).pathname.slice(1) || "index.html"));
  const sizes = [...files].map((name) => [name, compressed(join(dist, name))]);
  const total = sizes.reduce((sum, [, size]) => sum + size, 0);
  const [, module] = sizes.find(([name]) => name.endsWith(".wasm"));
  context.diagnostic(`module ${module}, all ${total} bytes compressed (${files.size} files)`);
  assert.ok(total <= 350_000, `${total} bytes`);
  const loaded = asked.length;
  await page.getByRole("button", { name: "Compare estimators" }).click();
  await page.locator(".readout").waitFor();
  const late = asked.slice(loaded).map((address) => compressed(join(dist, new URL(address).pathname.slice(1))));
  context.diagnostic(`fetched late ${late.join(", ")} bytes compressed`);
  assert.ok(late.length === 2 && late[0] + late[1] <= 316_000, `${late} bytes`);
  await close();
});

test("nothing is asked for after the page has loaded", async () => {
  const { page, asked, close } = await open(browser, server.address);
  await page.waitForLoadState("networkidle");
  const loaded = asked.length;
  await step(page, 1, 1).click();
  await page.getByLabel("Method").selectOption("GiGPO");
  await page.getByLabel("Example").selectOption("chores");
  await page.waitForTimeout(300);
  assert.deepEqual(asked.slice(loaded), []);
  await close();
});

test("the first picture comes within a second", async (context) => {
  const times = [];
  for (let run = 0; run < 5; run += 1) {
    const { page, close } = await open(browser, server.address);
    const paint = await page.waitForFunction(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime);
    times.push(await paint.jsonValue());
    await close();
  }
  times.sort((a, b) => a - b);
  context.diagnostic(`first contentful paint, median of 5: ${Math.round(times[2])} ms`);
  assert.ok(times[2] < 5_000, "five times what is aimed at: the machine may be busy");
});

/** Counts what a page asks the browser to do later. */
function countLater() {
  globalThis.later = 0;
  for (const name of ["setTimeout", "setInterval", "requestAnimationFrame", "requestIdleCallback"]) {
    const original = globalThis[name].bind(globalThis);
    globalThis[name] = (...given) => { globalThis.later += 1; return original(...given); };
  }
}

test("nothing runs while nobody does anything", async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.addInitScript(countLater);
  await page.goto(server.address);
  await step(page, 0, 2).waitFor();
  await step(page, 1, 1).click();
  await page.waitForTimeout(1_000);
  const before = await page.evaluate(() => globalThis.later);
  await page.waitForTimeout(2_000);
  assert.equal(await page.evaluate(() => globalThis.later), before);
  await context.close();
});

/** Keeps the module's memory in sight. */
function watchMemory() {
  const original = WebAssembly.instantiateStreaming;
  WebAssembly.instantiateStreaming = async (...given) => {
    const result = await original.apply(WebAssembly, given);
    globalThis.moduleMemory = result.instance.exports.memory;
    return result;
  };
}

test("a thousand edits take no more memory than a few hundred", async (context) => {
  const browserContext = await browser.newContext();
  const page = await browserContext.newPage();
  await page.addInitScript(watchMemory);
  await page.goto(server.address);
  await step(page, 0, 2).waitFor();
  const protocol = await browserContext.newCDPSession(page);
  await protocol.send("Performance.enable");
  const edits = (number) => page.evaluate(async (number) => {
    const grid = document.querySelector("[role=grid]");
    const press = async (id, key, columns) => {
      const step = document.getElementById(id);
      step.focus();
      step.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
      while (grid.ariaColCount !== columns) await new Promise((done) => setTimeout(done));
    };
    // The longest attempt, so that the table says when the edit is drawn.
    for (let edit = 0; edit < number; edit += 2) {
      await press("step-2-1", "n", "8");
      await press("step-2-2", "Delete", "7");
    }
  }, number);
  const measure = async () => {
    await protocol.send("HeapProfiler.collectGarbage");
    const { metrics } = await protocol.send("Performance.getMetrics");
    const value = (name) => metrics.find((metric) => metric.name === name).value;
    const module = await page.evaluate(() => globalThis.moduleMemory.buffer.byteLength);
    return { module, heap: value("JSHeapUsedSize"), nodes: value("Nodes"), listeners: value("JSEventListeners") };
  };
  await edits(600);
  const early = await measure();
  await edits(800);
  const between = await measure();
  await edits(800);
  const late = await measure();
  context.diagnostic([early, between, late].map((one, at) => `after ${600 + 800 * at} edits ${JSON.stringify(one)}`).join(", "));
  assert.ok(await page.getByRole("button", { name: "Undo" }).isEnabled(), "the keys did edit");
  // When it has what it needs is chance; then a page of 64 KiB more is, too. A leak of 200 bytes an edit would be two.
  assert.ok(late.module <= between.module + 65_536, "the module does not grow");
  assert.ok(late.heap < early.heap * 1.2 + 500_000, "the heap does not grow");
  assert.ok(late.nodes < early.nodes * 1.2 + 100, "elements do not pile up");
  await browserContext.close();
});
