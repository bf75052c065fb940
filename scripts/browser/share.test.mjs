// Links, autosave, and the page inside another page.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { launch, open, root, serve, step, tabTo, unfold, withoutViolations } from "./page.mjs";

const twoTasks = join(root, "scripts/browser/fixtures/two-tasks.rollouts.jsonl");

let server, browser;
before(async () => { server = await serve(); browser = await launch(); });
after(async () => { await browser.close(); server.close(); });

const allowed = { permissions: ["clipboard-read", "clipboard-write"] };
const clipboard = (page) => page.evaluate(() => navigator.clipboard.readText());
const sharing = (page) => page.getByRole("dialog", { name: "Share this view" });

/** What a reader sees of the steps: text and number of each, and which is chosen. */
const picture = (page) => page.evaluate(() => ({
  steps: [...document.querySelectorAll(".step")].map((one) =>
    [one.id, one.className, one.textContent, one.querySelector("data").value]),
  panel: document.querySelector(".panel").textContent,
  settings: [...document.querySelectorAll("[data-option]")].map((one) =>
    [one.dataset.option, one.querySelector("input, select")?.value]),
}));

/** The page with work that is kept, or kept no more. */
const settled = (page) => page.waitForFunction(() => localStorage.getItem("hgpo-work") !== null);

test("by the keyboard alone, from the page as it opens to a link that shows the same elsewhere", async () => {
  const { page, close, said } = await open(browser, server.address, allowed);
  await tabTo(page, "[data-option=estimator] select");
  await page.keyboard.type("GiGPO");
  await tabTo(page, "[data-option=step_weight] input");
  await page.keyboard.press("Control+A");
  await page.keyboard.type("0.5");
  await tabTo(page, ".step");
  for (const key of ["ArrowDown", "ArrowDown", "End", "ArrowLeft", "Enter"]) await page.keyboard.press(key);
  assert.equal(await page.locator(".panel h2").textContent(), "t3, step 4");
  await page.keyboard.press("n");
  await page.locator("#step-2-5:focus").waitFor();
  await page.keyboard.press("e");
  await page.keyboard.type("cellar");
  await page.keyboard.press("Tab");
  await page.keyboard.type("wait");
  await page.keyboard.press("Tab");
  await page.keyboard.type("-2.5");
  await page.keyboard.press("Enter");
  await page.locator("#step-2-5 .reward").waitFor();
  assert.match(await page.locator("#step-2-5").textContent(), /cellar.*wait.*\u22122\.5/s);
  for (let presses = 0; presses < 60 && !await page.evaluate(() => document.activeElement.matches(".share")); presses += 1) {
    await page.keyboard.press("Shift+Tab");
  }
  await page.keyboard.press("Enter");
  await sharing(page).waitFor();
  await tabTo(page, ".ways button");
  await page.keyboard.press("Enter");
  await page.getByText("Copied.").waitFor();
  await page.keyboard.press("Escape");
  assert.ok(await sharing(page).isHidden());
  assert.ok(await page.evaluate(() => document.activeElement.matches(".share")), "the focus is back");
  const link = await clipboard(page);
  assert.ok(link.startsWith(`${server.address}#1.`) && link.length < server.address.length + 1000, link);
  const shown = await picture(page);
  await close();
  const fresh = await open(browser, link);
  assert.deepEqual(await picture(fresh.page), shown);
  assert.equal(await fresh.page.locator(".panel h2").textContent(), "t3, step 5");
  assert.match(await fresh.page.locator("#step-2-5").textContent(), /cellar/);
  assert.deepEqual([...said, ...fresh.said], []);
  await fresh.close();
});

test("a reader's own rollouts travel in the link, with the task and the step", async () => {
  const { page, close } = await open(browser, server.address, allowed);
  await page.locator("#file").setInputFiles(twoTasks);
  await page.locator("#task").selectOption("lonely");
  await page.getByRole("button", { name: "Share", exact: true }).click();
  await withoutViolations(page);
  await page.getByRole("button", { name: "Copy as Markdown" }).click();
  await page.getByText("Copied.").waitFor();
  const [, title, link] = /^\[(.*)\]\((.*)\)$/.exec(await clipboard(page));
  assert.equal(title, "HGPO: two-tasks.rollouts.jsonl");
  await page.keyboard.press("Escape");
  const shown = await picture(page);
  await close();
  const fresh = await open(browser, link);
  assert.deepEqual(await picture(fresh.page), shown);
  assert.ok(await fresh.page.getByText("two-tasks.rollouts.jsonl").isVisible());
  await fresh.close();
});

test("work that no link can carry is offered as a file", async () => {
  const { page, close } = await open(browser, server.address);
  const text = Array.from({ length: 60 }, (_, row) => JSON.stringify({
    task: "big", trajectory: `t${row}`,
    steps: Array.from({ length: 20 }, (_, at) => ({ state: `${Math.sin(row * 99 + at)}`, reward: Math.cos(row * 7 + at + 0.1), valid: true })),
  })).join("\n") + "\n";
  await page.locator("#file").setInputFiles({ name: "big.rollouts.jsonl", mimeType: "text/plain", buffer: Buffer.from(text) });
  await page.getByText("big.rollouts.jsonl").waitFor();
  await page.getByRole("button", { name: "Share", exact: true }).click();
  assert.match(await page.locator("#share-length").textContent(), /beyond 8000/);
  assert.ok(await page.getByRole("button", { name: "Copy link" }).isDisabled());
  const saving = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save the rollouts alone as a file" }).click();
  const saved = await saving;
  assert.equal(saved.suggestedFilename(), "big.rollouts.jsonl");
  assert.equal(readFileSync(await saved.path(), "utf8"), text);
  await close();
});

test("a broken link says so, and the page opens as usual", async () => {
  for (const [hash, words] of [["#1.garbage", /incomplete or damaged/], ["#9.abc", /version, 9, is newer/], ["#hello", /incomplete/]]) {
    const { page, said, close } = await open(browser, server.address + hash);
    assert.match(await page.getByRole("alert").filter({ hasText: "link" }).textContent(), words);
    assert.equal(await page.locator(".panel h2").textContent(), "t1, step 2");
    await step(page, 0, 0).click();
    assert.equal(await page.locator(".broken-link").textContent(), "", "said until the next action");
    assert.deepEqual(said, []);
    await close();
  }
});

test("another link in the same page is followed", async () => {
  const { page, close } = await open(browser, server.address);
  await page.evaluate(() => { location.hash = "#1.FYpJCsAgDEXv8tdCi0tvE9pghTig0o3k7sblGxYaArh3Ki8cKsICj5kyzdoPFMpsR0yxVRvGQ3I4MxWomjCY_vLWBOF2-EwI_ywDugE"; });
  await page.locator(".panel h2", { hasText: "t2, step 2" }).waitFor();
  assert.equal(await page.getByLabel("Method").inputValue(), "gigpo");
  await page.getByRole("button", { name: "Undo" }).click();
  assert.equal(await page.getByLabel("Method").inputValue(), "hgpo");
  await close();
});

test("the last work comes back after a reload, unless the address says otherwise", async () => {
  const { page, close } = await open(browser, server.address);
  const kept = () => page.evaluate(() => localStorage.getItem("hgpo-work"));
  const all = () => page.evaluate(() => Object.entries(localStorage).filter(([key]) => key.startsWith("hgpo-work")).sort().join());
  assert.equal(await kept(), null, "nothing was done");
  await page.locator("#file").setInputFiles(twoTasks);
  await page.locator(".holdings b").waitFor();
  await page.getByLabel("Exponent").fill("2.5");
  await page.getByLabel("Exponent").press("Enter");
  await settled(page);
  const shown = await picture(page);
  await page.reload();
  await page.getByText("two-tasks.rollouts.jsonl").waitFor();
  await unfold(page);
  assert.deepEqual(await picture(page), shown);
  // An edit right before the page goes is kept as well.
  await page.getByLabel("Exponent").fill("3");
  await page.getByLabel("Exponent").press("Enter");
  await page.reload();
  await page.getByText("two-tasks.rollouts.jsonl").waitFor();
  assert.equal(await page.getByLabel("Exponent").inputValue(), "3");
  await page.goto(`${server.address}?preset=alone`);
  await step(page, 0, 0).waitFor();
  await unfold(page);
  assert.notEqual(await page.getByLabel("Exponent").inputValue(), "3");
  // What was named is changed: from now on the last work is that.
  const before = await all();
  await page.getByLabel("Depth").fill("1");
  await page.getByLabel("Depth").press("Enter");
  while (await all() === before) await page.waitForTimeout(50);
  assert.equal(page.url(), server.address);
  await page.reload();
  await step(page, 0, 0).waitFor();
  await unfold(page);
  assert.equal(await page.getByLabel("Depth").inputValue(), "1");
  await close();
});

test("inside another page nothing is kept and nothing comes back", async () => {
  const { page, close } = await open(browser, server.address);
  await page.getByLabel("Depth").fill("1");
  await page.getByLabel("Depth").press("Enter");
  await settled(page);
  const kept = () => page.evaluate(() => localStorage.getItem("hgpo-work"));
  const before = await kept();
  await page.goto(`${server.address}?embed=1`);
  await step(page, 0, 0).waitFor();
  assert.equal(await page.getByLabel("Depth").inputValue(), "2");
  await page.getByLabel("Depth").fill("0");
  await page.getByLabel("Depth").press("Enter");
  await page.waitForTimeout(1500);
  assert.equal(await kept(), before);
  await close();
});

test("a full storage is survived", async () => {
  const { page, said, close } = await open(browser, server.address);
  await page.evaluate(() => {
    Storage.prototype.setItem = () => { globalThis.tried = true; throw new DOMException("full", "QuotaExceededError"); };
  });
  await page.getByLabel("Depth").fill("1");
  await page.getByLabel("Depth").press("Enter");
  await page.waitForFunction(() => globalThis.tried);
  await page.getByLabel("Depth").fill("0");
  await page.getByLabel("Depth").press("Enter");
  assert.equal(await page.locator(".group").count(), 1);
  assert.deepEqual(said, []);
  await close();
});

test("parts are left out, and readable parameters set the rest", async () => {
  const { page, close } = await open(browser, `${server.address}?preset=alone&hide=controls,sources,panel,note,masthead&lang=ko&theme=dark`);
  for (const part of [".controls", ".sources", ".settings", ".panel", ".note", "header nav", ".share"]) {
    assert.ok(await page.locator(part).isHidden(), part);
  }
  assert.ok(await page.locator(".stage").isVisible());
  assert.equal(await page.evaluate(() => document.documentElement.lang), "ko");
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
  assert.equal(await page.locator("#stage-title").textContent(), "모든 시도의 단계");
  assert.deepEqual(await page.evaluate(() => [localStorage.getItem("hgpo-language"), localStorage.getItem("hgpo-theme")]), [null, null], "not the reader's choice");
  await withoutViolations(page);
  await close();
});

test("single controls are left out by their names", async () => {
  const { page, close, said } = await open(browser, `${server.address}?hide=alpha,scale`);
  for (const name of ["Exponent", "Scale"]) assert.equal(await page.getByLabel(name).count(), 0, name);
  for (const name of ["Method", "Depth", "Weights"]) assert.ok(await page.getByLabel(name).first().isVisible(), name);
  await withoutViolations(page);
  assert.deepEqual(said, []);
  await close();
});

test("what is ticked is left out of the shared page", async () => {
  const { page, close } = await open(browser, server.address, allowed);
  await page.getByRole("button", { name: "Share", exact: true }).click();
  await sharing(page).getByLabel("Controls").check();
  await sharing(page).getByLabel("Open in English").check();
  await page.getByRole("button", { name: "Copy iframe" }).click();
  await page.getByText("Copied.").waitFor();
  const snippet = await clipboard(page);
  assert.match(snippet, /^<iframe src="[^"]*\?preset=overview&amp;embed=1&amp;hide=controls&amp;lang=en" title="HGPO: [^"]+"/);
  await close();
});

/** A page of somebody else: another origin, another path. */
async function elsewhere(html) {
  const other = createServer((request, response) => response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(html));
  await new Promise((listening) => other.listen(0, "127.0.0.1", listening));
  return { address: `http://localhost:${other.address().port}/deep/path/post.html`, close: () => other.close() };
}

test("the page inside another has no chrome and no ground, and is as high as what it shows", async () => {
  const host = await elsewhere(`<!doctype html><html lang="en"><title>post</title><body style="background:rgb(200, 255, 200)">
    <script src="${server.address}hgpo-lab.js" async></script>
    <hgpo-lab preset="alone" hide="sources" theme="light" title="Nobody meets"></hgpo-lab></body></html>`);
  const context = await browser.newContext({ viewport: { width: 1000, height: 800 } });
  const page = await context.newPage();
  await page.goto(host.address);
  const frame = page.frameLocator("hgpo-lab iframe");
  await frame.locator(".step").first().waitFor();
  assert.ok(await frame.locator(".changes, .share").first().isHidden());
  assert.ok(await frame.locator(".sources").isHidden());
  const element = page.locator("hgpo-lab iframe");
  assert.equal(await element.getAttribute("title"), "Nobody meets");
  assert.equal(await element.getAttribute("loading"), "lazy");
  const fits = async () => {
    await page.waitForFunction(() => {
      const inside = document.querySelector("hgpo-lab").shadowRoot.querySelector("iframe");
      return inside.offsetHeight !== 640 && inside.offsetHeight > 300;
    });
    const inside = await frame.locator("body").evaluate((body) => body.getBoundingClientRect().height);
    await page.waitForFunction((height) => Math.abs(document.querySelector("hgpo-lab").offsetHeight - height) < 2, inside);
    return inside;
  };
  const before = await fits();
  assert.equal(await frame.locator("body").evaluate((body) => getComputedStyle(body).backgroundColor), "rgba(0, 0, 0, 0)");
  await frame.locator(".toggle").click();
  await page.waitForFunction((before) => document.querySelector("hgpo-lab").offsetHeight > before + 20, before);
  await fits();
  // Other windows are not listened to.
  const height = await page.evaluate(() => document.querySelector("hgpo-lab").offsetHeight);
  await page.evaluate(() => postMessage({ type: "hgpo-lab:height", height: 9999 }, "*"));
  await page.waitForTimeout(100);
  assert.equal(await page.evaluate(() => document.querySelector("hgpo-lab").offsetHeight), height);
  // Other attributes show something else.
  await page.evaluate(() => {
    const lab = document.querySelector("hgpo-lab");
    lab.removeAttribute("preset");
    lab.setAttribute("lang", "ko");
    lab.setAttribute("hide", "");
    lab.setAttribute("lesson", "context");
  });
  await frame.locator(".lesson").waitFor();
  assert.equal(await frame.locator("html").getAttribute("lang"), "ko");
  await page.evaluate(() => document.querySelector("hgpo-lab").setAttribute("state", "1.garbage"));
  await frame.locator(".broken-link:not(:empty)").waitFor();
  await context.close();
  host.close();
});
