// Measures how long the built page takes to open, from an empty cache:  loading.mjs [REPETITIONS]
// Prints medians for two networks, with the processor slowed four times: until something can be read, until the
// program runs, and until a step that is clicked every 50 ms is chosen and drawn.
import { launch, serve } from "../browser/page.mjs";

const networks = [["1.6 Mbit/s, 150 ms", 1.6e6, 150], ["400 kbit/s, 400 ms", 0.4e6, 400]];
const repetitions = Number(process.argv[2] ?? 5);
const median = (values) => values.sort((one, other) => one - other)[Math.floor(values.length / 2)];

/** Clicks a step every 50 ms, and keeps the times of what is seen. */
function watch() {
  const times = globalThis.times = {};
  new PerformanceObserver((list) => { for (const { name, startTime } of list.getEntries()) times[name] ??= startTime; })
    .observe({ type: "paint", buffered: true });
  const timer = setInterval(() => {
    const step = document.getElementById("step-1-1");
    if (!step) return;
    times.program ??= performance.now();
    if (step.classList.contains("selected")) {
      clearInterval(timer);
      requestAnimationFrame(() => setTimeout(() => { times.chosen = performance.now(); }));
    } else step.click();
  }, 50);
}

async function measure(browser, address, [, bits, latency]) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, serviceWorkers: "block" });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions",
    { offline: false, latency, downloadThroughput: bits / 8, uploadThroughput: bits / 8 });
  await session.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  await page.addInitScript(watch);
  await page.goto(address, { timeout: 120_000 });
  await page.waitForFunction(() => globalThis.times.chosen, null, { timeout: 120_000 });
  const times = await page.evaluate(() => globalThis.times);
  await context.close();
  return times;
}

const server = await serve();
const browser = await launch();
try {
  for (const network of networks) {
    const times = [];
    for (let at = 0; at < repetitions; at += 1) times.push(await measure(browser, server.address, network));
    const of = (name) => `${name} ${(median(times.map((one) => one[name])) / 1000).toFixed(2)} s`;
    console.log(`${network[0]}: ${["first-contentful-paint", "program", "chosen"].map(of).join(", ")}`);
  }
} finally {
  await browser.close();
  server.close();
}
