// What is seen before the program is there, and when it cannot be had.
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { serveFolder } from "../page/files.mjs";
import { kinds, serveWithFaults } from "./faults.mjs";
import { artifacts, dist, launch, serve, step, withoutViolations } from "./page.mjs";

let server, browser;
before(async () => { server = await serve(); browser = await launch(); });
after(async () => { await browser.close(); server.close(); });

/** Opens the page, whose module waits until `arrive` is called. */
async function opening(query = "", options = {}) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, serviceWorkers: "block", ...options });
  const page = await context.newPage();
  let arrive;
  const arrived = new Promise((done) => { arrive = done; });
  await page.route(/hgpo-web-.*\.wasm$/, (route) => arrived.then(() => route.continue()));
  await page.goto(server.address + query);
  return { page, arrive, close: () => context.close() };
}

/** Where names stand, and the steps beside them. */
const places = (page) => page.evaluate(() => [...document.querySelectorAll("header h1, header nav a, .settings, .stage h2, .note, .stage thead th, .name, .step")]
  .map((it) => { const { x, y } = it.getBoundingClientRect(); return { what: `${it.className} ${it.textContent.slice(0, 20)}`, x, y }; }));

for (const [name, options, said] of [
  ["wide", {}, /groups within groups/],
  ["laptop", { viewport: { width: 1280, height: 720 } }, /groups within groups/],
  ["narrow", { viewport: { width: 390, height: 844 } }, /steps, each compared/],
  ["dark", { colorScheme: "dark" }, /HGPO trains agents/],
  ["korean", { locale: "ko-KR" }, /HGPO는 같은 과제에/],
  ...[540, 600, 1100].map((width) => [`korean-${width}`, { locale: "ko-KR", viewport: { width, height: 900 } }, /HGPO는 같은 과제에/]),
]) {
  test(`the worked example is there before the module, and stays where it is: ${name}`, async () => {
    const { page, arrive, close } = await opening("", options);
    const first = page.locator(".first-view");
    assert.match(await first.innerText(), said);
    assert.equal(/Loading/.test(await first.innerText()), !name.startsWith("korean"), "one language");
    assert.equal(await first.locator(".step").count(), 19);
    assert.deepEqual(await first.locator(".step.member .mark-of-level").allTextContents(), ["G2", "G2", "G1", "G0"]);
    await withoutViolations(page);
    const dark = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    assert.equal(dark === "rgb(17, 20, 26)", name === "dark");
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    await page.screenshot({ path: join(artifacts, `first-view-${name}.png`) });
    const early = await places(page);
    arrive();
    await step(page, 0, 2).waitFor();
    assert.equal(await first.count(), 0);
    const late = await places(page);
    assert.equal(late.length, early.length);
    early.forEach(({ what, x, y }, at) => assert.ok(Math.abs(x - late[at].x) < 4 && Math.abs(y - late[at].y) < 4,
      `${what} goes from ${x}, ${y} to ${late[at].x}, ${late[at].y}`));
    await page.screenshot({ path: join(artifacts, `first-view-${name}-after.png`) });
    await close();
  });
}

test("what opens something else shows no example, a page in a frame nothing but what it waits for", async () => {
  for (const [query, header, example] of [["?theme=dark&lang=en", true, true], ["?view=learn", true, false], ["?embed=1", false, false]]) {
    const { page, close } = await opening(query);
    assert.ok(await page.locator("#loading").isVisible());
    assert.equal(await page.locator(".first-view header").isVisible(), header, query);
    assert.equal(await page.locator(".first-view table").isVisible(), example, query);
    await close();
  }
});

test("without scripts the page says in both languages what it needs", async () => {
  const { page, close } = await opening("", { javaScriptEnabled: false });
  const said = await page.locator(".first-view").innerText();
  assert.match(said, /This page needs JavaScript and WebAssembly\. 이 페이지에는/);
  assert.doesNotMatch(said, /Loading/);
  await close();
});

for (const file of [/\/style-\w+\.css/, /\/hgpo-web-en-\w+\.js/, /\/hgpo-web-en_bg/]) {
  test(`${file.source} fails in every way, which is said beside the example, and is loaded at last`, async () => {
    const own = await serveWithFaults();
    const context = await browser.newContext({ serviceWorkers: "block" });
    const page = await context.newPage();
    for (const [time, kind] of kinds.entries()) {
      own.fail(file, kind);
      const before = own.failed;
      await (time ? page.keyboard.press("Enter") : page.goto(own.address));
      await page.locator("#loading [role=alert]").waitFor();
      while (own.failed === before) await page.waitForTimeout(20);
      if (time === 0) await page.getByRole("button", { name: "Try again" }).focus();
      await page.waitForFunction(() => document.activeElement.textContent === "Try again");
      assert.ok(await page.getByText("Four attempts start in s0").isVisible());
      if (time === 0 && !file.source.includes("css")) await withoutViolations(page);
    }
    own.heal();
    await page.keyboard.press("Enter");
    await step(page, 0, 2).waitFor();
    assert.equal(await page.evaluate(() => getComputedStyle(document.body).margin), "0px", "with styles");
    await context.close();
    own.close();
  });
}

test("a language that is not there without a network: the one that is there is offered", async () => {
  const folder = mkdtempSync(join(tmpdir(), "hgpo-"));
  cpSync(dist, folder, { recursive: true });
  const own = await serveFolder(folder);
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${own.address}?lang=en`);
  await step(page, 0, 2).waitFor();
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  own.close();
  await page.goto(`${own.address}?lang=ko&preset=loop`);
  await page.getByRole("alert").filter({ hasText: "페이지를 불러오지 못했습니다." }).waitFor();
  await page.getByRole("button", { name: "다시 시도" }).click();
  await page.getByRole("alert").filter({ hasText: "페이지를 불러오지 못했습니다." }).waitFor();
  await page.getByRole("link", { name: "English" }).click();
  await step(page, 0, 2).waitFor();
  assert.equal(new URL(page.url()).searchParams.get("preset"), "loop");
  await context.close();
  rmSync(folder, { recursive: true });
});
