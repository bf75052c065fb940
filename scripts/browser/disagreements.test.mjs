// The steps on which estimators disagree: in order, for any two of them, led to and saved.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { button, openOverview } from "./overview-files.mjs";
import { artifacts, launch, serve, withoutViolations } from "./page.mjs";

let server, browser;
before(async () => { server = await serve(); browser = await launch(); });
after(async () => { await browser.close(); server.close(); });

const opened = (options, query = "") => openOverview(browser, server.address + query, options);

test("a task and a disagreement lead to the stage", async () => {
  const { page, said, close } = await opened();
  const first = page.locator(".disagreements tbody tr").first();
  assert.equal(await first.locator(".leads").textContent(), "q, step 0");
  assert.equal(await first.locator(".turned").count(), 1, "GRPO has the opposite sign, GiGPO has not");
  await first.locator(".leads").click();
  await page.locator("table[role=grid]").waitFor();
  assert.equal(await page.locator(".panel h2").textContent(), "q, step 0");
  assert.equal(await page.locator(".tasks").count(), 0, "nothing of the overview stays");
  assert.equal(await page.evaluate(() => document.activeElement.id), "step-1-0");
  assert.equal(await button(page).getAttribute("aria-pressed"), "false");
  await button(page).click();
  await page.locator("#task-2").click();
  await page.locator("table[role=grid]").waitFor();
  assert.equal(await page.locator("#task").inputValue(), "2");
  await button(page).click();
  await page.locator("#task").selectOption("1");
  await page.locator("table[role=grid]").waitFor();
  assert.equal(await page.locator("tbody tr th .name").first().textContent(), "x");
  assert.deepEqual(said, []);
  await close();
});

test("any two estimators are held against each other, and every column of the steps sorts", async () => {
  const { page, said, close } = await opened();
  const heads = () => page.locator(".disagreements thead button").allTextContents();
  const column = async (name) => {
    const place = (await heads()).findIndex((head) => head.startsWith(name));
    return page.locator(`.disagreements tbody td:nth-child(${place + 1}), .disagreements tbody th:nth-child(${place + 1})`).allTextContents();
  };
  assert.ok(!(await heads()).includes("RLOO"));
  await page.locator("#pair-other").selectOption("rloo");
  await page.locator(".disagreements thead", { hasText: "RLOO" }).waitFor();
  await page.locator("#pair-one").selectOption("grpo");
  await page.waitForFunction(() => document.querySelector("#pair-one").value === "grpo");
  const turned = await page.locator(".disagreements tbody tr").evaluateAll((rows) => rows.flatMap((row) =>
    [...row.children].flatMap((cell, place) => (cell.querySelector(".turned") ? [place] : []))));
  const rloo = (await heads()).indexOf("RLOO");
  assert.ok(turned.every((place) => place === rloo), "signs are those of the pair");
  const number = (text) => Number.parseFloat(text.replace("\u2212", "-"));
  for (const [name, falls] of [["RLOO", true], ["GRPO", true], ["Ranks apart", true]]) {
    const head = page.locator(".disagreements thead button").filter({ hasText: name });
    await head.focus();
    await page.keyboard.press("Enter");
    const first = (await column(name)).map(number);
    assert.deepEqual(first, [...first].sort((a, b) => (falls ? b - a : a - b)), name);
    await page.keyboard.press("Enter");
    const second = (await column(name)).map(number);
    assert.deepEqual(second, [...second].sort((a, b) => a - b), `${name} turned`);
    assert.equal(await page.locator(".disagreements th[aria-sort]").count(), 1);
  }
  await page.locator(".disagreements thead button").filter({ hasText: "Step" }).first().click();
  const steps = await column("Step");
  assert.deepEqual(steps, [...steps].sort((a, b) => a.localeCompare(b, "en", { numeric: true })));
  await page.waitForFunction(() => localStorage.getItem("hgpo-work"));
  await page.reload();
  await page.locator("table.disagreements").waitFor();
  assert.deepEqual([await page.locator("#pair-one").inputValue(), await page.locator("#pair-other").inputValue()], ["grpo", "rloo"]);
  assert.deepEqual(await column("Step"), steps, "and over a reload");
  await withoutViolations(page, ".of-disagreements");
  await page.screenshot({ path: join(artifacts, "overview-pair.png"), fullPage: true });
  assert.deepEqual(said, []);
  await close();
});

test("the comparison is saved with names, levels and settings", async () => {
  const { page, close } = await opened();
  await page.getByLabel("opposite signs").check();
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save the comparison" }).click()]);
  const [head, row, end] = readFileSync(await download.path(), "utf8").split("\n");
  assert.match(head, /^task,trajectory,step,state,action,agent,valid,level_0_size,level_1_size,level_2_size,"HGPO \{.*""context_length"":2.*,"GRPO \{.*,"GiGPO \{/);
  assert.match(row, /^h,q,0,s,,,true,2,0,0,0\.99/);
  assert.equal(end, "");
  await close();
});
