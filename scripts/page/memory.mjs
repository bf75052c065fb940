// Measures the memory of a page that trains:  memory.mjs [MINUTES] [ADDRESS]
// Opens Train in its default world, with three lanes, plays, and prints every ten seconds: the iteration, the script
// heap of the page, the wasm memory of the page and of all workers, and what the renderer holds of its own
// (RssAnon). All are in MB, after a
// collection of garbage.
import { readFileSync } from "node:fs";
import { launch, open, serve } from "../browser/page.mjs";

const [minutes, query] = [Number(process.argv[2] ?? 5), process.argv[3] ?? "?view=train"];
const EVERY = 10_000;
const megabytes = (bytes) => (bytes / 1e6).toFixed(1).padStart(9);

/** The bytes of the wasm memory of the page's or a worker's module, whose script is given by what its name begins with. */
async function linear(name) {
  const script = performance.getEntriesByType("resource").find((entry) => new RegExp(`/${name}[^/]*\\.js`).test(entry.name));
  if (!script) return 0;
  const module = await import(script.name);
  return (await module.default()).memory.buffer.byteLength;
}

/** The anonymous memory of the process in which most is held, of those that render. */
async function resident(session) {
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  const of = (id) => Number(/RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, "utf8"))[1]) * 1024;
  return Math.max(...processInfo.filter(({ type }) => type === "renderer").map(({ id }) => of(id)));
}

const server = await serve();
const browser = await launch();
try {
  const { page, said } = await open(browser, server.address + query);
  const [own, all] = [await page.context().newCDPSession(page), await browser.newBrowserCDPSession()];
  await own.send("Performance.enable");
  const sample = async (from) => {
    await own.send("HeapProfiler.collectGarbage");
    const { metrics } = await own.send("Performance.getMetrics");
    const of = (name) => metrics.find((metric) => metric.name === name).value;
    const workers = await Promise.all(page.workers().map((worker) => worker.evaluate(linear, "hgpo-(lane|worker)")));
    const sum = workers.reduce((total, one) => total + one, 0);
    const numbers = [of("JSHeapUsedSize"), await page.evaluate(linear, "hgpo-web"), sum, await resident(all)].map(megabytes);
    const iteration = await page.locator("#training-way").inputValue();
    const seconds = ((Date.now() - from) / 1000).toFixed(0);
    console.log([seconds.padStart(8), iteration.padStart(9), ...numbers, String(of("Nodes")).padStart(8), String(of("JSEventListeners")).padStart(10)].join(" "));
  };
  console.log(" seconds iteration  page js page wasm   workers   process    nodes  listeners");
  await page.locator("#training-play").click();
  const from = Date.now();
  for (let at = 0; at <= minutes * 60_000; at += EVERY) {
    await page.waitForTimeout(Math.max(0, from + at - Date.now()));
    await sample(from);
  }
  if (said.length > 0) console.log(said.join("\n"));
} finally {
  await browser.close();
  server.close();
}
