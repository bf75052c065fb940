// "Try again": every part that is loaded late fails in every way, and works as soon as its files come.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { kinds, serveWithFaults } from "./faults.mjs";
import { artifacts, launch, open, root, withoutViolations } from "./page.mjs";
import { SMALL } from "./training-controls.mjs";

const read = (path) => readFileSync(join(root, path), "utf8");

const rows = { name: "rows.csv", mimeType: "text/csv", buffer: Buffer.from("task,trajectory,state,reward\ng,a,hall,1\ng,b,hall,0\nh,c,cellar,1\n") };

let server, browser;
before(async () => {
  server = await serveWithFaults({ "/course/doors.json": read("docs/two-doors.lesson.json"), "/class/rows.csv": rows.buffer });
  browser = await launch();
});
after(async () => { await browser.close(); server.close(); });

/** The module that is fetched late. */
const late = [/\/hgpo-web-en_late_bg/];
const worker = (name) => [new RegExp(`/${name}-\\w+\\.js`), new RegExp(`/hgpo-${name}-\\w+\\.js`), new RegExp(`/hgpo-${name}_bg`)];

const metrics = (name) => ({ name, mimeType: "application/jsonl", buffer: Buffer.from('{"iteration":1,"success_rate":0.5}\n{"iteration":2,"success_rate":1}\n') });
const press = (name) => (page) => page.getByRole("button", { name, exact: true }).click();
const click = (selector) => (page) => page.locator(selector).click();
const visit = (query) => (page) => page.goto(server.address + query);
const give = (...files) => (page) => page.locator("#file").setInputFiles(files);

/** Of each part: its files, the page's query, how it is opened, what it shows when it works, and where it says that it
 * does not, if not in its own place, and in how many places. Where a button goes away for good, `focus` is not handed to
 * the next one. */
const parts = {
  comparison: { files: late, enter: press("Compare estimators"), works: "figure[data-estimator=hgpo]" },
  overview: { files: late, enter: visit("?view=overview"), works: "#overview-tasks tbody tr" },
  file: { files: late, enter: give(rows), works: ".holdings b", problem: ".broken-link" },
  runs: { files: late, enter: give(metrics("a.jsonl"), metrics("b.jsonl")), works: "#overview-curves svg", problem: ".broken-link" },
  export: {
    files: late, works: ".export li button", problem: ".export .problem", enter: click(".export summary"),
  },
  sharing: { files: late, enter: press("Share"), works: "#shared-link" },
  truth: { files: [...late, /\/processes\//, ...worker("worker")], enter: press("Estimate and truth"), works: ".truth .because" },
  training: { files: late, enter: click("header nav a:nth-child(3)"), works: ".training" },
  lanes: {
    files: worker("lane"), query: `?view=train&train=${SMALL}`, enter: click("#training-once"), problem: ".lane > .problem",
    works: "output >> text=1 of 1", focus: false, places: 3,
  },
  "map of settings": {
    files: worker("lane"), query: `?view=train&train=${SMALL}`, enter: click("#training-study-go"), problem: ".training-study .problem",
    works: ".training-study tbody td:not(.empty)",
  },
  lesson: { files: [/\/lessons\//], query: "?view=learn", enter: click(".lessons li:nth-child(3) button"), works: ".lesson", problem: ".broken-link" },
  "lesson of an address": { files: [/\/lessons\//], enter: visit("?lesson=context&step=3"), works: "text=/^3 of/", problem: ".broken-link" },
  "file of an address": { files: [/\/class\//, ...late], enter: visit("?file=class/rows.csv"), works: ".holdings b", problem: ".broken-link" },
  "lesson of one's own": { files: [/\/course\//], enter: visit("?lesson=course/doors.json&step=2"), works: "text=/^2 of/", problem: ".broken-link" },
};

/** Does something that makes a file fail, in a way, and waits until that has failed. */
async function failing(file, kind, act) {
  const before = server.failed;
  server.fail(file, kind);
  await act();
  const until = Date.now() + 60_000;
  while (server.failed === before && Date.now() < until) await new Promise((next) => setTimeout(next, 20));
  assert.ok(server.failed > before, `${file.source} is asked for again after a failure`);
}

/** What is said breaks no rule, and fits a phone. */
async function looks(page, name) {
  await withoutViolations(page);
  const picture = (width) => page.screenshot({ path: join(artifacts, `retry-${name.replaceAll(/\W/g, "-")}-${width}.png`) });
  await picture("wide");
  await page.setViewportSize({ width: 360, height: 780 });
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing is wider than a phone");
  await picture("narrow");
}

/** Waits until a button of a name has the focus. */
const hasFocus = (page, name) => page.waitForFunction((name) => document.activeElement.textContent === name, name);

for (const [name, part] of Object.entries(parts)) {
  const { files, query = "", enter, works, problem = ".missing .problem", focus = true, places = 1 } = part;
  for (const file of files) {
    test(`${name}: ${file.source} fails in every way, and is loaded at last`, async () => {
      server.heal();
      const { page, close } = await open(browser, server.address + query);
      const told = page.locator(problem).filter({ hasText: /onnection/ });
      const again = page.getByRole("button", { name: "Try again" }).first();
      for (const [time, kind] of kinds.entries()) {
        await failing(file, kind, () => (time === 0 ? enter(page) : page.keyboard.press("Enter")));
        // In all places: what fails a moment after "Try again" asks for another press.
        await told.nth(places - 1).waitFor();
        if (time === 0 || !focus) await again.focus();
        await hasFocus(page, "Try again");
      }
      if (file === files[0]) await looks(page, name);
      server.heal();
      await page.keyboard.press("Enter");
      await page.locator(works).first().waitFor();
      // What works may be there a frame before what was said goes.
      await again.waitFor({ state: "detached" });
      await told.first().waitFor({ state: "detached" });
      await close();
    });
  }
}

for (const file of [/\/hgpo-web-ko-\w+\.js/, /\/hgpo-web-ko_bg/]) {
  test(`another language: ${file.source} fails in every way, and is loaded at last`, async () => {
    server.heal();
    const { page, close } = await open(browser, server.address);
    await page.locator(".choices summary").click();
    await failing(file, kinds[0], () => page.getByLabel("Language").selectOption("ko"));
    await page.getByRole("alert").filter({ hasText: "페이지를 불러오지 못했습니다." }).waitFor();
    await withoutViolations(page);
    await page.screenshot({ path: join(artifacts, "retry-language.png") });
    await page.getByRole("button", { name: "다시 시도" }).focus();
    for (const kind of kinds) {
      await failing(file, kind, () => page.keyboard.press("Enter"));
      await hasFocus(page, "다시 시도");
    }
    server.heal();
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "학습시키기" }).waitFor();
    await close();
  });
}
