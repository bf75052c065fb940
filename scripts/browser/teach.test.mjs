// What teachers use: work that is kept, addresses that are written by hand, links that ask.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { launch, open, root, serve, step } from "./page.mjs";

const twoTasks = join(root, "scripts/browser/fixtures/two-tasks.rollouts.jsonl");

let server, browser;
before(async () => { server = await serve(); browser = await launch(); });
after(async () => { await browser.close(); server.close(); });

const kept = (page) => page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("hgpo-work")).sort());
const method = (page) => page.locator("[data-option=estimator] select");
const example = (page) => page.locator(".sources select").first();
const ownWork = (page) => page.locator(".sources optgroup option");

/** Changes the state of the chosen step, and waits until that is kept. */
async function edit(page, state) {
  const stored = () => page.evaluate(() => JSON.stringify({ ...localStorage }));
  const before = await stored();
  await step(page, 0, 0).focus();
  await page.keyboard.press("e");
  await page.keyboard.press("Control+A");
  await page.keyboard.type(state);
  await page.keyboard.press("Enter");
  await page.waitForFunction((before) => JSON.stringify({ ...localStorage }) !== before, before);
}

const firstState = (page) => step(page, 0, 0).textContent();

test("work on another example does not take the place of the work before", async () => {
  const { page, said, close } = await open(browser, server.address);
  await edit(page, "mine");
  await page.goto(`${server.address}?preset=loop`);
  await step(page, 0, 0).waitFor();
  assert.deepEqual(await kept(page), ["hgpo-work"]);
  await edit(page, "next");
  assert.deepEqual(await kept(page), ["hgpo-work", "hgpo-work-1"]);
  await page.goto(server.address);
  await step(page, 0, 0).waitFor();
  assert.match(await firstState(page), /next/, "the newest opens");
  assert.match(await ownWork(page).textContent(), /^Overview: four paths through s2 · .*\d/);
  await example(page).selectOption(await ownWork(page).getAttribute("value"));
  assert.match(await firstState(page), /mine/);
  assert.equal(await example(page).inputValue(), "overview");
  assert.match(await ownWork(page).textContent(), /^Loop/, "the other one is listed now");
  await page.getByRole("button", { name: "Undo" }).click();
  assert.match(await firstState(page), /next/);
  assert.deepEqual(said, []);
  await close();
});

test("two windows do not overwrite each other", async () => {
  const { page, close } = await open(browser, server.address);
  await edit(page, "both");
  const other = await page.context().newPage();
  await other.goto(server.address);
  await step(other, 0, 0).waitFor();
  assert.match(await firstState(other), /both/);
  await edit(page, "left");
  await edit(other, "right");
  await edit(page, "left2");
  await other.reload();
  await step(other, 0, 0).waitFor();
  assert.match(await firstState(other), /lef/);
  await example(other).selectOption(await ownWork(other).getAttribute("value"));
  assert.match(await firstState(other), /rig/);
  await close();
});

test("the work that an earlier version of the page kept is taken over once", async () => {
  const { page, close } = await open(browser, `${server.address}?preset=loop`);
  await page.evaluate(() => localStorage.setItem("hgpo-work", "1.FYpJCsAgDEXv8tdCi0tvE9pghTig0o3k7sblGxYaArh3Ki8cKsICj5kyzdoPFMpsR0yxVRvGQ3I4MxWomjCY_vLWBOF2-EwI_ywDugE"));
  await page.goto(server.address);
  await page.locator(".panel h2", { hasText: "t2, step 2" }).waitFor();
  assert.equal(await method(page).inputValue(), "gigpo");
  assert.deepEqual(await kept(page), ["hgpo-work"]);
  await close();
});

test("a storage that takes no more keeps what is in it", async () => {
  const { page, said, close } = await open(browser, server.address);
  await edit(page, "mine");
  await page.goto(`${server.address}?preset=loop`);
  await step(page, 0, 0).waitFor();
  await page.evaluate(() => {
    const put = Storage.prototype.setItem;
    Storage.prototype.setItem = function (key, text) {
      globalThis.tried = true;
      if (this.getItem(key) === null && Object.keys(this).length > 0) throw new DOMException("full", "QuotaExceededError");
      put.call(this, key, text);
    };
  });
  const before = await page.evaluate(() => JSON.stringify({ ...localStorage }));
  await step(page, 1, 1).click();
  await page.waitForFunction(() => globalThis.tried);
  assert.equal(await page.evaluate(() => JSON.stringify({ ...localStorage })), before);
  assert.deepEqual(said, []);
  await close();
});

test("what an address asks for in vain is said until that is noted", async () => {
  const { page, said, close } = await open(browser, `${server.address}?theme=pink&hide=panel,nothing&method=ppo&alpha=2&utm_source=mail`);
  const notice = page.locator(".ignored");
  const words = await notice.locator("p").textContent();
  assert.equal(words.split(";").length, 3, words);
  assert.match(words, /theme=pink \(auto, light, dark\); hide=panel,nothing \(masthead, .*\); method=ppo \(grpo, gigpo, hgpo, /);
  assert.ok(await page.locator(".panel").isHidden());
  await notice.getByRole("button").click();
  assert.equal(await notice.count(), 0);
  assert.deepEqual(said, []);
  await close();
});

test("an address that is written by hand sets everything", async () => {
  const query = "?preset=loop&method=hgpo&context_length=1&discount=0.9&alpha=2&select=t2/1&level=1&phase=groups";
  const { page, said, close } = await open(browser, server.address + query);
  assert.equal(await page.locator(".panel h2").textContent(), "t2, step 1");
  const value = (name) => page.locator(`[data-option=${name}] :is(input, select)`).inputValue();
  assert.deepEqual(await Promise.all(["estimator", "context_length", "discount", "alpha"].map(value)), ["hgpo", "1", "0.9", "2"]);
  await page.getByRole("button", { name: "Share", exact: true }).click();
  const link = await page.locator("#shared-link").inputValue();
  assert.ok(link.startsWith(`${server.address}?preset=loop&`) && !link.includes("#"), link);
  const fresh = await open(browser, link);
  assert.equal(await fresh.page.locator(".panel h2").textContent(), "t2, step 1");
  assert.equal(await fresh.page.locator("[data-option=alpha] input").inputValue(), "2");
  assert.deepEqual([...said, ...fresh.said], []);
  await fresh.close();
  await close();
});
