// Files of rollouts that the address names (`?file=PATH`): opened as a reader's own, refused from elsewhere, tried again.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { kinds, serveWithFaults } from "./faults.mjs";
import { chosen, launch, open, root, step, withoutViolations } from "./page.mjs";

const trace = "runs/a/traces/iteration_000010.rollouts.jsonl";
const table = "task,trajectory,state,reward\ng,a,hall,1\ng,b,hall,0\nh,c,cellar,1\n";
const others = {
  [`/${trace}`]: readFileSync(join(root, "scripts/browser/fixtures/two-tasks.rollouts.jsonl"), "utf8"),
  "/class/attempts.csv": table,
  [encodeURI("/class/한 과제.csv")]: table,
  "/class/attempts.json": '{"task":"g","trajectory":"a","steps":[{"state":"hall","reward":1}]}\n',
  "/class/cp949.csv": Buffer.concat([Buffer.from("task,trajectory,state,reward\ng,x,"), Buffer.from([0xb9, 0xe6]), Buffer.from(",1\n")]),
  "/class/page.html": "<!doctype html><title>No rollouts</title>",
  "/class/doors.json": readFileSync(join(root, "docs/two-doors.lesson.json"), "utf8"),
};

let server, browser;
before(async () => { server = await serveWithFaults(others); browser = await launch(); });
after(async () => { await browser.close(); server.close(); });

const holdings = (page) => page.locator(".holdings b");
const query = (page) => decodeURIComponent(new URL(page.url()).search);
const stored = (page) => page.evaluate(() => Object.keys(localStorage).sort());

test("a file opens with what the address asks of it, which names it until something is changed", async () => {
  const named = `?file=../${trace}&method=gigpo&select=z/1`;
  const { page, said, asked, close } = await open(browser, server.address + named);
  const shows = async () => {
    await holdings(page).filter({ hasText: /^iteration_000010\.rollouts\.jsonl$/ }).waitFor();
    assert.equal(await page.getByLabel("Method").inputValue(), "gigpo");
    assert.equal(await chosen(page), "z, step 1");
    await page.waitForTimeout(1_500); // twice what passes before work is kept
    assert.equal(query(page), named);
  };
  await shows();
  assert.equal(asked.filter((address) => address.endsWith(trace)).length, 1);
  assert.deepEqual((await stored(page)).filter((name) => name.startsWith("hgpo-work")), [], "what an address names is not kept");
  await page.reload();
  await shows();
  await step(page, 1, 1).click();
  await page.waitForFunction(() => location.search === "");
  await page.goto(server.address);
  await holdings(page).waitFor();
  assert.equal(await chosen(page), "y, step 1", "that work was kept");
  await page.goto(`${server.address}?file=class/attempts.csv`);
  await holdings(page).filter({ hasText: "attempts.csv" }).waitFor();
  assert.equal(await step(page, 0, 0).locator(".chip").textContent(), "hall", "and is not what an address opens");
  assert.deepEqual(said, []);
  await close();
});

test("nothing else is drawn while the file is on its way, and no story is told before it", async () => {
  const { page, said, close } = await open(browser, server.address, { firstVisit: true });
  await page.evaluate(() => localStorage.clear());
  let answer;
  const answered = new Promise((next) => { answer = next; });
  await page.route("**/class/attempts.csv", async (route) => { await answered; await route.continue(); });
  await page.goto(`${server.address}?file=class/attempts.csv&task=h&select=d/0`);
  await page.locator("main > .hint[role=status]", { hasText: "Loading…" }).waitFor();
  assert.equal(await page.locator("table[role=grid], #story").count(), 0);
  await withoutViolations(page);
  answer();
  await step(page, 0, 0).filter({ hasText: "cellar" }).waitFor();
  assert.match(await page.locator(".ignored [role=status]").textContent(), /select=d\/0 \(c\/0/);
  assert.deepEqual(said, []);
  await close();
});

test("in Korean, the overview of a file whose name has letters of Korean", async () => {
  const { page, said, close } = await open(browser, `${server.address}?file=class/한 과제.csv&view=overview&lang=ko`);
  await page.locator("#overview-tasks tbody tr").nth(1).waitFor();
  assert.equal(await page.locator("#overview-tasks tbody tr").count(), 2);
  await page.locator(".overview-button").click();
  await holdings(page).filter({ hasText: /^한 과제\.csv$/ }).waitFor();
  assert.equal(query(page), "?file=class/한 과제.csv&lang=ko");
  assert.deepEqual(said, []);
  await close();
});

test("a frame shows a file, stores nothing, and says what is wrong with one although the sources are left out", async () => {
  const { page, said, close } = await open(browser, server.address);
  const element = (file) => `<hgpo-lab file="${file}" method="grpo" select="b/0" hide="sources,controls"></hgpo-lab>`;
  await page.route("**/course.html", (route) => route.fulfill({ contentType: "text/html",
    body: `<!doctype html><script src="hgpo-lab.js"></script>${element("class/attempts.csv")}${element("class/page.html")}` }));
  await page.evaluate(() => localStorage.clear());
  await page.goto(`${server.address}course.html`);
  const [good, bad] = [0, 1].map((at) => page.frameLocator("iframe").nth(at));
  await good.locator("#step-1-0").filter({ hasText: "hall" }).waitFor();
  assert.equal(await good.locator(".panel h2").textContent(), "b, step 0");
  assert.equal(await good.locator(".sources").isVisible(), false);
  await good.locator("#step-0-0").click();
  await bad.locator("#file-problem", { hasText: "Could not open page.html: line 1" }).waitFor();
  assert.equal(await bad.getByLabel("Example").isVisible(), false);
  await page.waitForTimeout(1_500);
  assert.deepEqual(await stored(page), ["hgpo-story"]);
  assert.match(await good.locator("html").evaluate(() => location.search), /file=class%2Fattempts\.csv/);
  assert.deepEqual(said, []);
  await close();
});

test("what is not on the page's own host is refused, and not asked for", async () => {
  const { page, said, asked, close } = await open(browser, server.address);
  const elsewhere = ["https://example.org/a.jsonl", "//example.org/a.jsonl", "/\\example.org/a.jsonl", "data:text/csv,task", "javascript:alert(1)",
    `blob:${server.address}a`, "http://"];
  for (const address of elsewhere) {
    await page.goto(`${server.address}?file=${encodeURIComponent(address)}`);
    const problem = page.locator(".broken-link", { hasText: "own host only" });
    await problem.waitFor();
    assert.ok((await problem.textContent()).includes(address), address);
    assert.equal(await page.getByRole("button", { name: "Try again" }).count(), 0);
    assert.equal(await page.locator("table[role=grid]").count(), 1, "the page goes on with its example");
  }
  await withoutViolations(page);
  assert.deepEqual(asked.filter((address) => !address.startsWith(server.address)), []);
  assert.deepEqual(said, []);
  await close();
});

test("a missing file is named, and opens as it was asked for once it is there", async () => {
  const { page, close } = await open(browser, `${server.address}?file=class/later.csv&task=h`);
  const problem = page.locator(".broken-link");
  await problem.filter({ hasText: /^Could not open .*class\/later\.csv.*: there is no such file, or no connection\./ }).waitFor();
  others["/class/later.csv"] = table;
  const again = page.getByRole("button", { name: "Try again" });
  for (const kind of kinds) {
    server.fail(/later/, kind);
    const before = server.failed;
    await again.click();
    await page.waitForFunction(() => document.querySelector(".broken-link").textContent);
    assert.ok(server.failed > before, kind);
  }
  server.heal();
  await again.click();
  await step(page, 0, 0).filter({ hasText: "cellar" }).waitFor();
  assert.equal(await problem.textContent(), "");
  await close();
});

test("a file is read by its bytes, and refused as a reader's own", async () => {
  const { page, said, close } = await open(browser, `${server.address}?file=class/cp949.csv`);
  const problem = page.locator("#file-problem");
  await problem.filter({ hasText: "Could not open" }).waitFor();
  assert.equal(await problem.textContent(), "Could not open cp949.csv: line 2: byte 5 of the line is not UTF-8: write it as UTF-8");
  assert.deepEqual(said, []);
  await close();
});

test("a large file says how far it is, and a press ends the waiting", async () => {
  const attempt = (at) => `${JSON.stringify({ task: `g${at >> 3}`, trajectory: `t${at}`,
    steps: Array.from({ length: 25 }, (_, step) => ({ state: `${at} ${step} ${"A corridor leads on. ".repeat(40)}`, reward: step % 2 })) })}\n`;
  others["/class/large.jsonl"] = Array.from({ length: 800 }, (_, at) => attempt(at)).join("");
  const { page, said, close } = await open(browser, server.address);
  const protocol = await page.context().newCDPSession(page);
  await protocol.send("Emulation.setCPUThrottlingRate", { rate: 12 });
  await page.goto(`${server.address}?file=class/large.jsonl`);
  await page.locator(".notice progress").waitFor();
  assert.match(await page.locator(".notice").textContent(), /large\.jsonl/);
  assert.equal(await page.locator("table[role=grid]").count(), 0);
  await page.locator("#cancel-reading").click();
  await protocol.send("Emulation.setCPUThrottlingRate", { rate: 1 });
  await page.locator("table[role=grid]").waitFor();
  assert.equal(await page.locator(".notice").count() + await holdings(page).count(), 0);
  assert.deepEqual(said, []);
  await close();
});

test("the service worker keeps lessons beside the page, and no rollouts", async () => {
  const { page, close } = await open(browser, server.address, { serviceWorkers: "allow" });
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  const isKept = (path) => page.evaluate((path) => caches.match(new URL(path, location.origin)).then(Boolean), path);
  await page.goto(`${server.address}?file=class/attempts.json`);
  await holdings(page).filter({ hasText: "attempts.json" }).waitFor();
  assert.ok(await page.evaluate(() => navigator.serviceWorker.controller !== null));
  await page.goto(`${server.address}?lesson=class/doors.json`);
  await page.locator(".lesson").waitFor();
  await page.waitForFunction(() => caches.match("class/doors.json").then(Boolean));
  assert.deepEqual(await Promise.all(["class/attempts.json", "class/doors.json"].map(isKept)), [false, true]);
  await close();
});
