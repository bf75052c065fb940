// Open questions: before one is answered, nothing on the page tells the answer, nor do tabs, tips, labels or files.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { launch, open, root, serve, step } from "./page.mjs";

const lessons = JSON.parse(readFileSync(join(root, "assets/lessons/lessons.json"), "utf8"))
  .map(({ name }) => [name, JSON.parse(readFileSync(join(root, `assets/lessons/${name}.json`), "utf8"))]);

let server, browser;
before(async () => { server = await serve(); browser = await launch(); });
after(async () => { await browser.close(); server.close(); });

/** Every visible text, tip and label of the page, but what a lesson's own text says, the choices, and what names
 * steps, attempts, states, actions and settings. */
const told = (page) => page.evaluate(() => {
  const given = ".lesson-text, .told, .worksheet, .lesson-turns, .name, .chip, .state, .done, .mark-of-level, th, .chain, .settings, .controls, "
    + ".member-button > span:first-child, .panel h2, .panel .facts, .reason, script, style, option, dialog, nav, .above h2, .ordinal, .train";
  const all = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const around = node.parentElement;
    if (around.closest(given) || !around.checkVisibility({ visibilityProperty: true }) || around.closest(".step > .unseen")) continue;
    all.push(node.textContent);
  }
  for (const one of document.querySelectorAll("[title], [aria-label], [aria-description]")) {
    if (one.closest(given) || !one.checkVisibility()) continue;
    for (const name of ["title", "aria-label", "aria-description"]) all.push(one.getAttribute(name) ?? "");
  }
  return all;
});

/** Whether a text has a number, as people and the page write it. */
function names(text, number) {
  const plain = text.replaceAll("\u2212", "-").replaceAll(/(step|단계) \d+|\bt\d+/g, "");
  return (plain.match(/-?\d+(\.\d+)?/g) ?? []).some((word) => {
    const decimals = word.split(".")[1]?.length ?? 0;
    return Math.abs(Number(word) - number) <= Math.max(0.5 * 10 ** -decimals, 1e-9) && (decimals > 0 || Number.isInteger(number));
  });
}

const only = (name, at) => `${name}, ${at + 1}`;

/** Stops that show a number by right though it is the answer too: the return of the step that the text explains, and the
 * scores of attempts that fail. */
const shownByRight = new Set(["credit, 7", "anchors, 7"]);

test("no number, tip or label tells an answer before it is given", async () => {
  const { page, said, close } = await open(browser, `${server.address}?lesson=credit`);
  const found = [];
  for (const language of ["en", "ko"]) {
    for (const [name, { steps }] of lessons) {
      await page.goto(`${server.address}?lesson=${name}&lang=${language}`);
      for (const [at, stop] of steps.entries()) {
        await page.getByRole("heading", { name: stop.heading[language], exact: true }).waitFor();
        if (stop.question && !stop.train) {
          assert.equal(await page.locator(".step data, .panel .total, .truth, .comparison, .agents table").count(), 0, only(name, at));
          const answers = stop.question.choices === undefined ? [stop.question.answer].flat() : [];
          for (const text of await told(page)) {
            if (shownByRight.has(only(name, at))) continue;
            if (answers.some((answer) => names(text, answer))) found.push(`${language}, ${only(name, at)}: ${text}`);
            const explained = stop.question.explanation[language];
            if (text.length > 20 && explained.includes(text)) found.push(`${language}, ${only(name, at)}: ${text}`);
          }
        }
        if (at + 1 < steps.length) await page.locator(".onward").click();
      }
    }
  }
  assert.deepEqual(found, []);
  assert.deepEqual(said, []);
  await close();
});

test("neither another step, nor a key, nor the example tells an answer", async () => {
  const { page, close } = await open(browser, `${server.address}?lesson=anchors&step=3`);
  const panel = page.locator(".lesson-aside");
  assert.match(await panel.textContent(), /8\.1/, "the part that the stop speaks about");
  await step(page, 1, 1).click();
  assert.match(await panel.textContent(), /once you have answered/);
  assert.doesNotMatch(await panel.textContent(), /6\.561/);
  await step(page, 0, 1).click();
  for (const key of ["]", "]", "]"]) await page.keyboard.press(key);
  assert.deepEqual(await page.locator(".panel .part").evaluateAll((parts) => parts.map((part) => part.dataset.part)), ["part-0"]);
  assert.equal(await page.getByRole("button", { name: "Explore this example" }).count(), 0);
  await page.locator("#answer").fill("6.561");
  await page.getByRole("button", { name: "Check" }).click();
  await step(page, 1, 1).click();
  assert.match(await panel.textContent(), /6\.561/);
  assert.equal(await page.getByRole("button", { name: "Explore this example" }).count(), 1);
  await close();
});

test("a question of a link leaves the panel, the other tabs, the overview and the files alone until it is answered", async () => {
  const { page, close } = await open(browser, server.address);
  await page.getByRole("button", { name: "Share", exact: true }).click();
  const sharing = page.getByRole("dialog");
  await sharing.locator("summary").click();
  for (const [name, words] of [["Question", "What is A?"], ["Its answer", "4.1375"]]) await sharing.getByRole("textbox", { name }).fill(words);
  await sharing.getByRole("textbox", { name: "Its answer" }).blur();
  const link = await page.locator("#shared-link").inputValue();
  const fresh = await open(browser, link);
  const is = (selector) => fresh.page.locator(selector).count();
  for (const selector of [".step data", ".panel", ".tabs", ".menu.export, #export", ".overview-button", ".agents"]) assert.equal(await is(selector), 0, selector);
  assert.equal(await fresh.page.locator(".beside-stage").textContent(), "You see this once you have answered the question: it would tell the answer.");
  await fresh.page.getByRole("button", { name: "Share", exact: true }).click();
  assert.equal(await fresh.page.getByRole("textbox", { name: "Its answer" }).count(), 0, "nor the menu that shares it");
  await fresh.page.getByRole("button", { name: "Close" }).last().click();
  await fresh.page.locator("#answer").fill("4.1375");
  await fresh.page.getByRole("button", { name: "Check" }).click();
  assert.match(await fresh.page.locator("#verdict").textContent(), /Right/);
  assert.ok(await is(".panel") === 1 && await is(".tabs") === 1 && await is(".step data") > 0);
  await fresh.close();
  // In a frame, the example cannot be opened anew either, which has no question.
  const framed = await open(browser, link.replace("#", "?embed=1#"));
  assert.equal(await framed.page.getByLabel("Example").count(), 0);
  for (const answer of ["1", "2", "4.1375"]) {
    await framed.page.locator("#answer").fill(answer);
    await framed.page.getByRole("button", { name: "Check" }).click();
    assert.equal(await framed.page.getByRole("button", { name: "Show the answer" }).count(), 0);
  }
  await framed.page.getByLabel("Example").waitFor();
  await framed.close();
  await close();
});

test("every right answer is taken", async () => {
  const { page, close } = await open(browser, `${server.address}?lesson=limits&step=6`);
  for (const [choice, verdict] of [["GRPO", /Not quite/], ["GiGPO", /Right/]]) {
    await page.getByRole("radio", { name: choice, exact: true }).check();
    await page.getByRole("button", { name: "Check" }).click();
    assert.match(await page.locator("#verdict").textContent(), verdict);
  }
  await page.getByRole("radio", { name: "HGPO", exact: true }).check();
  await page.getByRole("button", { name: "Check" }).click();
  assert.match(await page.locator("#verdict").textContent(), /Right/);
  await close();
});
