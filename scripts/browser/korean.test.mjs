// The built-in examples in Korean: their states and actions, in the program and before it, in exports and processes, and
// what becomes of an open example when the language is changed.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { join } from "node:path";
import { edit, launch, open, root, serve, step, withoutViolations } from "./page.mjs";

let server, browser;
before(async () => { server = await serve(); browser = await launch(); });
after(async () => { await browser.close(); server.close(); });

const dictionary = JSON.parse(readFileSync(join(root, "assets/presets/korean.json"), "utf8"));
const korean = (query, options = {}) => open(browser, `${server.address}?lang=ko&${query}`, { folded: true, ...options });

/** State, action and advantage of every step on the stage. */
const shown = (page) => page.locator("table[role=grid] .step").evaluateAll((all) => all.map((one) => ({
  state: one.querySelector(".chip").title || one.querySelector(".chip").textContent,
  action: one.querySelector(".action").firstChild?.textContent ?? "",
  advantage: one.querySelector("data").value, look: one.querySelector(".chip").className,
})));

test("an example has Korean words, the same numbers and the same looks", async () => {
  for (const preset of ["inconsistent", "errand", "team", "alone", "chores"]) {
    const [own, other] = [await korean(`preset=${preset}`), await open(browser, `${server.address}?preset=${preset}`, { folded: true })];
    const [steps, english] = [await shown(own.page), await shown(other.page)];
    assert.deepEqual(steps.map(({ advantage, look }) => [advantage, look]), english.map(({ advantage, look }) => [advantage, look]), preset);
    const said = (word) => dictionary[word] ?? word;
    assert.deepEqual(steps.map(({ state, action }) => [state, action]), english.map(({ state, action }) => [said(state), said(action)]), preset);
    assert.equal(steps.every(({ action }) => !/[가-힣]/.test(action)), preset === "chores", preset);
    await Promise.all([own.close(), other.close()]);
  }
});

test("what is exported has the words that are shown", async () => {
  const { page, close } = await korean("preset=inconsistent");
  await page.locator(".export summary").click();
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "롤아웃 (JSON Lines)" }).click()]);
  const text = readFileSync(await download.path(), "utf8");
  const attempts = text.trim().split("\n").map((line) => JSON.parse(line));
  assert.deepEqual([...new Set(attempts.flatMap(({ steps }) => steps.map(({ state }) => state)))], ["복도", "책상", "문", "벨"]);
  assert.ok(attempts.every(({ task }) => task === "locked door"), "tasks keep their names, which addresses have");
  await close();
});

test("another language opens the same example at the same step; what was edited stays as it is", async () => {
  const { page, close } = await open(browser, `${server.address}?preset=inconsistent`, { folded: true });
  await step(page, 2, 1).click();
  const change = async (name) => {
    await page.locator(".choices summary").click();
    await Promise.all([page.waitForEvent("load"), page.locator(".language select").selectOption(name)]);
    await step(page, 0, 0).waitFor();
  };
  await change("ko");
  assert.equal(await page.locator(".step.selected").getAttribute("id"), "step-2-1");
  assert.equal((await shown(page))[0].state, "복도");
  await edit(page, 0, 0);
  await page.locator("#edit-state").fill("마당");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
  await change("en");
  assert.deepEqual((await shown(page)).slice(0, 2).map(({ state }) => state), ["마당", "책상"]);
  // Back to the beginning is the example of this language.
  await page.getByRole("button", { name: "Reset" }).click();
  assert.deepEqual((await shown(page)).slice(0, 2).map(({ state }) => state), ["hall", "desk"]);
  await close();
});

test("the process has the words of the attempts", async () => {
  const { page, close } = await korean("preset=inconsistent&scale=mean&discount=0.9&select=t2/2");
  await page.getByRole("button", { name: "추정과 참값" }).click();
  await page.locator(".truth .because", { hasText: "−0.968" }).waitFor();
  await page.getByRole("button", { name: "시도를 새로 뽑기" }).click();
  await page.locator(".truth .because, .truth .problem").first().waitFor();
  const words = new Set(Object.values(dictionary));
  for (const { state, action } of await shown(page)) assert.ok(words.has(state) && words.has(action), `${state}: ${action}`);
  await close();
});

test("before the program is there, the example and the story have the same words", async () => {
  const context = await browser.newContext({ locale: "ko-KR", firstVisit: true, viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await page.route(/hgpo-web-.*\.wasm$/, () => {});
  await page.goto(server.address);
  const texts = (selector) => page.locator(selector).evaluateAll((all) => all.map((one) => one.innerText));
  assert.deepEqual((await texts(".first-view .step .action")).slice(0, 4), ["왼쪽", "오른쪽", "오른쪽", "들어가기"]);
  assert.deepEqual((await texts("#story .chip")).slice(0, 3), ["복도", "책상", "문"]);
  assert.deepEqual((await texts("#story .done")).slice(0, 3), ["책상으로", "열쇠 집기", "열기"]);
  await context.close();
});

test("a lesson speaks of the states that it shows", async () => {
  const { page, close } = await korean("lesson=context&step=1");
  assert.match(await page.locator(".lesson-text, .lesson").first().innerText(), /상태의 텍스트는 ‘문’뿐이라/);
  assert.equal(await page.locator(".step .chip", { hasText: /^문$/ }).count(), 6);
  await withoutViolations(page);
  await close();
});
