// What the service worker keeps for when there is no network, and what it leaves to others.
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { serveFolder } from "../page/files.mjs";
import { dist, launch, serve, step } from "./page.mjs";

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

/** Waits until the service worker of a page keeps these caches and no others, looking for a newer one. */
const keeps = (page, ...names) => page.evaluate(async (names) => {
  const registration = await navigator.serviceWorker.ready;
  while ((await caches.keys()).sort().join() !== names || registration.active.state !== "activated") {
    await registration.update();
    await new Promise((done) => setTimeout(done, 50));
  }
}, names.sort().join());

/** The release that a built page is. */
const release = (folder) => /"(hgpo-[0-9a-f]{16})"/.exec(readFileSync(join(folder, "offline.js"), "utf8"))[1];
const change = (path, from, to) => writeFileSync(path, readFileSync(path, "utf8").replace(from, to));
const makeNew = (folder) => change(join(folder, "offline.js"), /"hgpo-[0-9a-f]{16}"/, '"hgpo-0123456789abcdef"');

test("without a network the page opens again, and with one the newest is shown", async () => {
  const folder = mkdtempSync(join(tmpdir(), "hgpo-"));
  cpSync(dist, folder, { recursive: true });
  let own = await serveFolder(folder);
  const port = Number(new URL(own.address).port);
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${own.address}?preset=loop`);
  await step(page, 0, 0).waitFor();
  await keeps(page, `${release(folder)} /`);
  own.close();
  for (const query of ["?preset=alone&theme=dark", "?lesson=anchors&step=2", ""]) {
    await page.goto(own.address + query);
    await step(page, 0, 0).waitFor();
  }
  assert.equal(await page.evaluate(() => fetch("./nothing.txt").catch(() => "cut")), "cut", "there is no network");
  // What is fetched on the way: the truth of a lesson, the readers of files, the overview.
  await page.goto(`${own.address}?lesson=anchors&step=10`);
  await page.locator("#lesson-title", { hasText: "Wrong, or lucky?" }).waitFor();
  await page.getByRole("radio", { name: "Below 0" }).check();
  await page.getByRole("button", { name: "Check" }).click();
  await page.locator(".truth .because", { hasText: "True advantage \u22122.441" }).waitFor();
  const table = "task,trajectory,state,reward\ng,a,hall,1\ng,b,hall,0\nh,c,cellar,1\n";
  await page.goto(own.address);
  await step(page, 0, 0).waitFor();
  await page.locator("#file").setInputFiles({ name: "own.csv", mimeType: "text/csv", buffer: Buffer.from(table) });
  await step(page, 1, 0).filter({ hasText: "hall" }).waitFor();
  await page.locator(".overview-button").click();
  await page.locator(".tasks tbody tr:nth-child(2)").waitFor();
  // Another release: its page is shown, and nothing of the former one is kept.
  change(join(folder, "index.html"), "<title>", '<meta name="release" content="new"><title>');
  makeNew(folder);
  own = await serveFolder(folder, port);
  await page.reload();
  assert.equal(await page.locator("meta[name=release]").count(), 1);
  await keeps(page, "hgpo-0123456789abcdef /");
  own.close();
  await page.reload();
  assert.equal(await page.locator("meta[name=release]").count(), 1);
  await page.goto(own.address);
  await step(page, 0, 0).waitFor();
  await context.close();
  rmSync(folder, { recursive: true });
});

test("what is kept is the page's own: others on its host keep theirs, and answers stay answers", async () => {
  const folder = mkdtempSync(join(tmpdir(), "hgpo-"));
  for (const copy of ["one", "two"]) cpSync(dist, join(folder, copy), { recursive: true });
  writeFileSync(join(folder, "one", "course.html"), "<!doctype html><title>course</title><h1>Course</h1>");
  for (const name of ["of-page.json", "of-course.json"]) writeFileSync(join(folder, "one", name), "{}");
  const own = await serveFolder(folder, 0, (path, response) =>
    response.writeHead(path.endsWith("varies.json") ? 200 : 404, { vary: "*" }).end("{}"));
  const context = await browser.newContext();
  const page = await context.newPage();
  const names = ["one", "two"].map((copy) => `${release(join(folder, copy))} /${copy}/`);
  for (const copy of ["one", "two"]) {
    await page.goto(`${own.address}${copy}/`);
    await step(page, 0, 0).waitFor();
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  }
  await keeps(page, ...names);
  makeNew(join(folder, "two"));
  names[1] = "hgpo-0123456789abcdef /two/";
  await keeps(page, ...names);
  const had = (address) => page.evaluate((address) => fetch(address).then((answer) => answer.ok, () => false), address);
  const isKept = (address) => page.evaluate((address) => caches.match(address).then(Boolean), address);
  await page.goto(`${own.address}one/course.html`);
  assert.ok(await page.evaluate(() => navigator.serviceWorker.controller !== null), "it is below the page's address");
  assert.ok(await had("of-course.json"));
  await page.goto(`${own.address}one/`);
  assert.ok(await had("varies.json"), "what cannot be stored is answered");
  assert.ok(await had("of-page.json?release=1"));
  await page.waitForFunction(() => caches.match("of-page.json?release=1").then(Boolean));
  assert.deepEqual(await Promise.all(["of-course.json", "varies.json"].map(isKept)), [false, false]);
  own.close();
  await page.goto(`${own.address}one/index.html?preset=loop`);
  await step(page, 0, 0).waitFor();
  const asked = ["of-page.json?release=1", "of-page.json", "of-course.json"].map(had);
  assert.deepEqual(await Promise.all(asked), [true, false, false]);
  await assert.rejects(page.goto(`${own.address}one/course.html`), /ERR_CONNECTION_REFUSED/);
  await context.close();
  rmSync(folder, { recursive: true });
});

test("what could not be loaded without a network is kept once it was tried again with one", async () => {
  let own = await serve();
  const port = Number(new URL(own.address).port);
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(own.address);
  await step(page, 0, 0).waitFor();
  await keeps(page, `${release(dist)} /`);
  await page.reload();
  own.close();
  await page.getByRole("link", { name: "Train" }).click();
  const once = page.locator("#training-once");
  await once.click();
  await page.locator(".lane > .problem").first().waitFor();
  own = await serveFolder(dist, port);
  await page.getByRole("button", { name: "Try again" }).first().click();
  await page.locator("output", { hasText: "1 of 1" }).waitFor();
  own.close();
  await page.reload();
  await once.click();
  await page.locator("output", { hasText: "1 of 1" }).waitFor();
  await context.close();
});

test("training is kept from its first opening on, with the worker that trains, and by the next release too", async () => {
  const folder = mkdtempSync(join(tmpdir(), "hgpo-"));
  cpSync(dist, folder, { recursive: true });
  let own = await serveFolder(folder);
  const port = Number(new URL(own.address).port);
  const context = await browser.newContext();
  const page = await context.newPage();
  const isKept = (name) => page.evaluate(async (name) => {
    for (const cache of await caches.keys()) {
      const kept = await (await caches.open(cache)).keys();
      if (kept.some(({ url }) => url.includes(name))) return true;
    }
    return false;
  }, name);
  await page.goto(own.address);
  await step(page, 0, 0).waitFor();
  await keeps(page, `${release(folder)} /`);
  const later = ["hgpo-lane-", "hgpo-lane_bg-", "/lane-"];
  assert.deepEqual(await Promise.all(later.map(isKept)), [false, false, false]);
  // This page was opened before there was a service worker.
  await page.getByRole("link", { name: "Train" }).click();
  await page.locator(".training").waitFor();
  const all = () => Promise.all(later.map(isKept)).then((kept) => kept.every(Boolean));
  const until = Date.now() + 30_000;
  while (!await all() && Date.now() < until) await new Promise((next) => setTimeout(next, 100));
  assert.ok(await all());
  own.close();
  await page.goto(`${own.address}?view=train&train=world.signpost_group.4_tasks.2_seeds.1`);
  await page.locator("#training-once").click();
  await page.waitForFunction(() => document.querySelector("#training-way").value === "1");
  makeNew(folder);
  own = await serveFolder(folder, port);
  await page.reload();
  await page.locator(".training").waitFor();
  await keeps(page, "hgpo-0123456789abcdef /");
  assert.ok(await all(), "whoever trains has it in the next release as well");
  own.close();
  await context.close();
  rmSync(folder, { recursive: true });
});
