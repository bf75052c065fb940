// Lessons: taken by the keyboard, asked and answered, linked to.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { advantage, launch, open, root, serve } from "./page.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const lesson = (name) => JSON.parse(readFileSync(join(root, `assets/lessons/${name}.json`), "utf8"));

let server, browser;
before(async () => { server = await serve(); browser = await launch(); });
after(async () => { await browser.close(); server.close(); });

const heading = (page) => page.locator("#lesson-title").textContent();
const focused = (page, selector) => page.evaluate((selector) => document.activeElement.matches(selector), selector);

async function tabTo(page, selector) {
  for (let presses = 0; presses < 80 && !await focused(page, selector); presses += 1) await page.keyboard.press("Tab");
  assert.ok(await focused(page, selector), `Tab does not lead to ${selector}`);
}

async function withoutViolations(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run());
  assert.deepEqual(violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html} ${node.failureSummary}`)), []);
}

test("a lesson is walked through by the keyboard, with a wrong and a right answer", async () => {
  const { steps } = lesson("context");
  const { page, said, close } = await open(browser, server.address);
  await tabTo(page, ".lessons li:nth-child(3) button");
  await page.keyboard.press("Enter");
  assert.equal(await heading(page), steps[0].heading.en);
  assert.ok(await focused(page, "#lesson-title"), "the focus goes along");
  assert.match(await page.locator(".progress").textContent(), /1 of 12/);
  await tabTo(page, ".onward");
  await page.keyboard.press("Enter");
  assert.equal(await heading(page), steps[1].heading.en);
  assert.ok(await focused(page, ".onward"), "the button stays where it was");
  assert.equal(await page.locator(".panel h2").textContent(), "t3, step 1");
  assert.ok(Math.abs(await advantage(page, 2, 1) + 0.425) < 1e-9);
  assert.equal(await page.locator(".arithmetic").evaluate((part) => getComputedStyle(part).outlineStyle), "dashed");
  // −0.425 is asked for.
  for (let presses = 0; presses < 20 && !await focused(page, "#answer"); presses += 1) await page.keyboard.press("Shift+Tab");
  const answer = async (text) => {
    await page.keyboard.press("Control+A");
    await page.keyboard.type(text);
    await page.keyboard.press("Enter");
    return page.locator("#verdict").textContent();
  };
  assert.match(await answer("many"), /Type a number/);
  assert.equal(await answer("0,425"), `Not quite. ${steps[1].question.hint.en}`);
  assert.equal(await page.getByRole("button", { name: "Show the answer" }).count(), 0, "not at once");
  assert.equal(await answer("7"), `Not quite. ${steps[1].question.hint.en}`);
  assert.equal(await page.getByRole("button", { name: "Show the answer" }).count(), 1);
  assert.equal(await page.locator("#answer").getAttribute("aria-invalid"), "true");
  assert.equal(await answer("-0,425"), `Right. ${steps[1].question.explanation.en}`);
  assert.equal(await page.locator("#answer").getAttribute("aria-invalid"), null);
  await withoutViolations(page);
  await page.keyboard.press("Tab");
  await tabTo(page, ".back");
  await page.keyboard.press("Enter");
  assert.equal(await heading(page), steps[0].heading.en);
  await page.keyboard.press("Enter");
  assert.equal(await heading(page), steps[0].heading.en, "nothing is before the first");
  // Unanswered questions keep nobody.
  await tabTo(page, ".onward");
  for (const { heading: { en } } of steps.slice(1)) {
    await page.keyboard.press("Enter");
    assert.equal(await heading(page), en);
  }
  assert.equal(await page.locator(".onward").textContent(), "Finish");
  const left = await page.locator(".panel h2").textContent();
  await page.keyboard.press("Enter");
  assert.ok(await page.locator(".lessons").isVisible());
  assert.equal(await page.locator(".panel h2").textContent(), left, "what was shown stays");
  await page.getByRole("button", { name: "Undo" }).click();
  assert.deepEqual(said, []);
  await close();
});

test("answers are admitted as fractions and with the minus sign of print", async () => {
  const { page, close } = await open(browser, `${server.address}?lesson=context&step=5`);
  for (const text of ["-2/3", "\u22120.667", "-.6666"]) {
    await page.locator("#answer").fill("0");
    await page.getByRole("button", { name: "Check" }).click();
    assert.match(await page.locator("#verdict").textContent(), /Not quite/);
    await page.locator("#answer").fill(text);
    await page.getByRole("button", { name: "Check" }).click();
    assert.match(await page.locator("#verdict").textContent(), /Right/, text);
  }
  await close();
});

test("a link leads to a step of a lesson, in Korean too, and outlined parts are found", async () => {
  const { steps } = lesson("context");
  const { page, close } = await open(browser, `${server.address}?lesson=context&step=4&lang=ko`);
  assert.equal(await page.evaluate(() => document.documentElement.lang), "ko");
  assert.equal(await heading(page), steps[3].heading.ko);
  assert.match(await page.locator(".progress").textContent(), /12단계 중 4/);
  assert.equal(await page.locator(".asked label").textContent(), steps[3].question.text.ko);
  await page.getByRole("button", { name: "그룹 보기" }).click();
  assert.ok(await focused(page, "[data-part='part-1']"));
  await withoutViolations(page);
  await close();
});

test("the address of a lesson's step can be shared", async () => {
  const { page, close } = await open(browser, `${server.address}?lesson=credit&step=3`);
  await page.getByRole("button", { name: "Share", exact: true }).click();
  assert.equal(await page.locator("#shared-link").inputValue(), `${server.address}?lesson=credit&step=3`);
  await page.getByLabel("Share this step of the lesson").uncheck();
  assert.match(await page.locator("#shared-link").inputValue(), /#1\./);
  await close();
});

test("every step of every lesson fits a narrow window", async () => {
  const { page, said, close } = await open(browser, `${server.address}?lesson=credit`, { viewport: { width: 320, height: 780 } });
  const count = ["credit", "anchors", "context"].reduce((sum, name) => sum + lesson(name).steps.length, 0);
  for (let at = 1; at < count; at += 1) {
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= 320, `step ${at} is ${width} pixels wide`);
    await page.locator(".onward").click();
  }
  await withoutViolations(page);
  assert.equal(await page.locator(".onward").textContent(), "Finish");
  assert.deepEqual(said, []);
  await close();
});

test("the page works without the lessons", async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.route("**/lessons/*", (route) => route.abort());
  await page.goto(`${server.address}?lesson=context`);
  await page.locator("table[role=grid]").waitFor();
  assert.equal(await page.locator(".lesson, .lessons").count(), 0);
  await context.close();
});
