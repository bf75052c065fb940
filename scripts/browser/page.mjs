// The built page in a real browser: a file server for dist/, Chromium, and an eye on what it says.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { chromium } from "playwright-core";

import { dist, root } from "../page/build.mjs";
import { serveFolder } from "../page/files.mjs";

export { dist, root };
export const artifacts = join(root, "scripts", "artifacts");

/** Serves dist/ on a free port of the loopback interface. */
export const serve = () => serveFolder(dist);

/** Starts the browser that HGPO_BROWSER names; its pictures have a folder. A context knows the story of a first visit,
 * unless it is one (`firstVisit`). */
export async function launch() {
  mkdirSync(artifacts, { recursive: true });
  const browser = await chromium.launch({
    executablePath: process.env.HGPO_BROWSER ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking",
      "--disable-component-update", "--disable-sync"],
  });
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async ({ firstVisit = false, ...options } = {}) => {
    const context = await newContext(options);
    if (!firstVisit) {
      await context.addInitScript(() => { try { localStorage.setItem("hgpo-story", "told"); } catch { /* a frame without storage */ } });
    }
    return context;
  };
  return browser;
}

/** Ends when the page has drawn: yew draws a large change in several tasks, and the page the last parts of
 * the panel a moment after its first draw. */
const drawn = async () => {
  const tasks = async () => { for (let task = 0; task < 4; task += 1) await new Promise((done) => setTimeout(done)); };
  do await tasks(); while (document.querySelector("[aria-busy=true]"));
};

/** Lets actions end only when the page has drawn what came of them, as a test on a busy machine would look
 * before. */
function awaitDrawing(owner, names, pageOf) {
  for (const name of names) {
    const act = owner[name];
    owner[name] = async function (...values) {
      const result = await act.apply(this, values);
      await pageOf(this).evaluate(drawn).catch(() => {}); // the action may have left the page
      return result;
    };
  }
}

let isPatient = false;

/** Makes the keyboard and the mouse of a page wait for drawing, and all locators. */
function makePatient(page) {
  awaitDrawing(page.keyboard, ["press", "type"], () => page);
  awaitDrawing(page.mouse, ["click", "down", "move", "up", "wheel"], () => page);
  if (isPatient) return;
  isPatient = true; // the prototype is that of every page
  awaitDrawing(Object.getPrototypeOf(page.locator("html")), ["blur", "check", "click", "dblclick", "dispatchEvent", "fill", "focus",
    "hover", "press", "selectOption", "setInputFiles", "tap", "uncheck"], (locator) => locator.page());
}

/** Unfolds the options of a page that is drawn, and the settings of training. */
export async function unfold(page) {
  await page.evaluate(drawn);
  await page.evaluate(() => {
    document.querySelector(".toggle[aria-expanded=false]")?.click();
    for (const fold of document.querySelectorAll(".dials > details, .lane > details, .training-study")) fold.open = true;
  });
}

/** Opens the page in a fresh profile; `said` collects errors of its console, `asked` the addresses it asks for.
 * The options are unfolded unless they are to stay `folded`. */
export async function open(browser, address, { folded = false, ...options } = {}) {
  // A file that the service worker has kept is out of a test's reach; its own tests are in offline.test.mjs.
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, serviceWorkers: "block", ...options });
  context.setDefaultTimeout(Number(process.env.HGPO_PATIENCE ?? 60_000)); // the machine may be busy
  const page = await context.newPage();
  makePatient(page);
  const said = [];
  const asked = [];
  page.on("console", (message) => {
    const isOfTest = message.text().includes("blocked by Playwright");
    if (["error", "warning"].includes(message.type()) && !isOfTest) said.push(message.text());
  });
  page.on("pageerror", (error) => said.push(String(error)));
  page.on("request", (request) => asked.push(request.url()));
  await page.goto(address);
  await page.locator(".lesson, table[role=grid], .lessons, #overview-status, .training").first().waitFor();
  await (folded ? page.evaluate(drawn) : unfold(page));
  return { page, said, asked, close: () => context.close() };
}

/** The button of a step: row and step count from 0. */
export const step = (page, row, at) => page.locator(`#step-${row}-${at}`);

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Asserts that a page, or the part of it that a selector names, breaks no accessibility rule. */
export async function withoutViolations(page, part, label = "") {
  await page.evaluate(axe);
  const { violations } = await page.evaluate((part) => globalThis.axe.run(part ?? document), part);
  assert.deepEqual(violations.flatMap(({ id, nodes }) => nodes.map((node) => `${label}${id}: ${node.html} ${node.failureSummary}`)), []);
}

/** The name of the step that is explained. */
export const chosen = async (page) =>
  (await page.locator(".step.selected > .unseen").first().textContent()).replace(/: $/, "");

/** Opens the editor at a step. */
export async function edit(page, row, at) {
  await step(page, row, at).focus();
  await page.keyboard.press("e");
  await page.locator("#edit-state:focus").waitFor();
}

/** The advantage that a step shows, with all its digits. */
export const advantage = async (page, row, at) =>
  Number(await step(page, row, at).locator("data").getAttribute("value"));

/** Presses Tab until an element has the focus, so many times at most. */
export async function tabTo(page, selector, most = 80) {
  for (let presses = 0; presses < most; presses += 1) {
    if (await page.evaluate((selector) => document.activeElement.matches(selector), selector)) return;
    await page.keyboard.press("Tab");
  }
  assert.fail(`${selector} is not reached by Tab`);
}
