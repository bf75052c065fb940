// Lessons: taken by the keyboard, asked and answered, linked to.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { advantage, launch, open, root, serve, tabTo, withoutViolations } from "./page.mjs";

const lesson = (name) => JSON.parse(readFileSync(join(root, `assets/lessons/${name}.json`), "utf8"));

const lessons = JSON.parse(readFileSync(join(root, "assets/lessons/lessons.json"), "utf8")).map(({ name }) => name);

let server, browser;
before(async () => { server = await serve(); browser = await launch(); });
after(async () => { await browser.close(); server.close(); });

/** A text with its indices set: without the signs that mark them. */
const set = (text) => text.replaceAll(/[_^](?=[\w\u03b1-\u03c9])/g, "");
const heading = (page) => page.locator("#lesson-title").textContent();
const focused = (page, selector) => page.evaluate((selector) => document.activeElement.matches(selector), selector);

test("what was unfolded beside the steps stays so while a lesson is taken", async () => {
  const { page, close } = await open(browser, server.address);
  const folds = [".settings details.more", ".explore details.symbols"];
  const unfolded = () => Promise.all(folds.map((fold) => page.locator(fold).evaluate((fold) => fold.open)));
  const turn = (name) => page.locator("header nav").getByRole("link", { name }).click();
  for (const fold of folds) await page.locator(`${fold} > summary`).click();
  assert.deepEqual(await unfolded(), [true, true]);
  await turn("Learn");
  await page.locator(".lessons li button").first().click();
  await page.locator(".lesson").waitFor();
  await turn("Explore");
  await page.locator(".explore").waitFor();
  assert.deepEqual(await unfolded(), [true, true]);
  await page.locator(`${folds[1]} > summary`).click();
  await turn("Learn");
  await page.locator(".lesson").waitFor({ state: "detached" });
  await turn("Explore");
  await page.locator(".explore").waitFor();
  assert.deepEqual(await unfolded(), [true, false], "what was folded again stays folded");
  await close();
});

test("a lesson is walked through by the keyboard, with a wrong and a right answer", async () => {
  const { steps } = lesson("context");
  const { page, said, asked, close } = await open(browser, server.address);
  await tabTo(page, "header nav a");
  await page.keyboard.press("Enter");
  await tabTo(page, ".lessons li:nth-child(3) button");
  assert.deepEqual(asked.filter((address) => address.includes("lessons/")), [], "no lesson is fetched before it is opened");
  await page.keyboard.press("Enter");
  await page.locator(".lesson").waitFor();
  assert.equal(asked.filter((address) => address.includes("lessons/")).length, 1);
  assert.equal(await heading(page), steps[0].heading.en);
  assert.ok(await focused(page, "#lesson-title"), "the focus goes along");
  assert.equal(await page.locator(".progress").textContent(), `1 of ${steps.length}`);
  await tabTo(page, ".onward");
  await page.keyboard.press("Enter");
  assert.equal(await heading(page), steps[1].heading.en);
  assert.ok(await focused(page, ".onward"), "the button stays where it was");
  assert.equal(await page.locator(".panel h2").textContent(), "t3, step 1");
  assert.equal(await page.locator(".step data").count(), 0, "no number before the answer");
  assert.equal(await page.locator(".lesson-aside > .panel").evaluate((part) => getComputedStyle(part).outlineStyle), "dashed");
  // −0.425 is asked for.
  await page.locator("#lesson-title").focus();
  await tabTo(page, "#answer");
  const answer = async (text) => {
    await page.keyboard.press("Control+A");
    await page.keyboard.type(text);
    await page.keyboard.press("Enter");
    return page.locator("#verdict").textContent();
  };
  assert.match(await answer("many"), /Type a number/);
  assert.equal(await answer("0,425"), `Not quite. ${set(steps[1].question.hint.en)}`);
  assert.equal(await page.getByRole("button", { name: "Show the answer" }).count(), 0, "not at once");
  assert.equal(await answer("7"), `Not quite. ${set(steps[1].question.hint.en)}`);
  assert.equal(await page.getByRole("button", { name: "Show the answer" }).count(), 1);
  assert.equal(await page.locator("#answer").getAttribute("aria-invalid"), "true");
  assert.equal(await answer("-0,425"), `Right. ${set(steps[1].question.explanation.en)}`);
  assert.ok(Math.abs(await advantage(page, 2, 1) + 0.425) < 1e-9);
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
  assert.equal(await page.locator(".onward").textContent(), "Next lesson");
  await page.locator("#lesson-title").focus();
  await page.keyboard.press("Shift+Tab");
  assert.ok(await focused(page, ".leave"));
  await page.keyboard.press("Enter");
  assert.ok(await page.locator(".lessons").isVisible());
  await page.getByRole("link", { name: "Explore" }).click();
  assert.equal(await page.locator(".panel h2").textContent(), "t1, step 2", "the own work is as it was");
  assert.equal(await page.getByLabel("Exponent").inputValue(), "1");
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
  assert.equal(await page.locator(".progress").textContent(), `${steps.length}단계 중 4`);
  assert.equal(await page.locator(".asked label").textContent(), set(steps[3].question.text.ko));
  assert.ok(await page.locator(".lesson-aside [data-part='part-1']").isVisible());
  await withoutViolations(page);
  await close();
});

test("the address of a lesson's step can be shared", async () => {
  const { page, close } = await open(browser, `${server.address}?lesson=credit&step=3`);
  await page.getByRole("button", { name: "Share", exact: true }).click();
  assert.equal(await page.locator("#shared-link").inputValue(), `${server.address}?lesson=credit&step=3`);
  await page.getByLabel("Share this step of the lesson").uncheck();
  assert.equal(await page.locator("#shared-link").inputValue(),
    `${server.address}?preset=overview&method=grpo&scale=mean&episode_statistics=trajectories&discount=0.9&select=t2/1`);
  await close();
});

test("every step of every lesson fits a narrow window", async () => {
  const { page, said, close } = await open(browser, `${server.address}?lesson=credit`, { viewport: { width: 320, height: 780 } });
  const count = lessons.reduce((sum, name) => sum + lesson(name).steps.length, 0);
  for (let at = 1; at < count; at += 1) {
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= 320, `step ${at} is ${width} pixels wide`);
    const before = page.url();
    await page.locator(".onward").click();
    await page.waitForFunction((before) => location.href !== before, before);
  }
  await withoutViolations(page);
  assert.equal(await page.locator(".onward").textContent(), "Finish");
  assert.deepEqual(said, []);
  await close();
});

test("a lesson that cannot be fetched is said, and can be tried again", async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.route("**/lessons/*", (route) => route.abort());
  await page.goto(`${server.address}?lesson=context`);
  await page.getByText(/Could not load the lesson context/).waitFor();
  assert.ok(await page.locator(".lessons").isVisible());
  await page.unroute("**/lessons/*");
  await page.locator(".lessons li:nth-child(3) button").click();
  await page.locator(".lesson").waitFor();
  assert.equal(await page.locator(".broken-link").textContent(), "");
  await page.goto(`${server.address}?lesson=nonsense`);
  await page.getByText(/no lesson is called nonsense\. There are credit, anchors, context, memory, race, limits, agents\./).waitFor();
  await context.close();
});

test("the stop is in the address: reload, Back and Forward keep it", async () => {
  const { page, close } = await open(browser, server.address);
  await page.getByRole("link", { name: "Learn" }).click();
  await page.locator(".lessons li:nth-child(1) button").click();
  await page.locator(".onward").click();
  await page.locator(".onward").click();
  const third = lesson("credit").steps[2].heading.en;
  assert.equal(page.url(), `${server.address}?lesson=credit&step=3`);
  await page.reload();
  await page.locator(".lesson").waitFor();
  assert.equal(await heading(page), third);
  await page.goBack();
  await page.getByRole("heading", { name: lesson("credit").steps[1].heading.en }).waitFor();
  await page.goForward();
  await page.getByRole("heading", { name: third }).waitFor();
  for (let back = 0; back < 3; back += 1) await page.goBack();
  await page.locator(".lessons").waitFor();
  assert.equal(page.url(), `${server.address}?view=learn`);
  await page.goBack();
  await page.locator(".explore").waitFor();
  await close();
});

test("own work waits while a lesson is taken, and a lesson's example can be taken along", async () => {
  const { page, close } = await open(browser, server.address);
  await page.getByLabel("Example").selectOption("errand");
  await page.getByLabel("Exponent").fill("3");
  await page.getByLabel("Exponent").press("Enter");
  await page.getByRole("link", { name: "Learn" }).click();
  await page.locator(".lessons li:nth-child(3) button").click();
  await page.locator(".lesson").waitFor();
  await page.keyboard.press("Control+z");
  assert.equal(await heading(page), lesson("context").steps[0].heading.en, "undo does not lead out");
  await page.getByRole("link", { name: "Explore" }).click();
  assert.deepEqual([await page.getByLabel("Example").inputValue(), await page.locator("#option-alpha").inputValue()], ["errand", "3"]);
  await page.getByRole("link", { name: "Learn" }).click();
  await page.locator(".lessons li:nth-child(3) button").click();
  await page.locator("#answer").fill("2");
  await page.getByRole("button", { name: "Check" }).click();
  await page.getByRole("button", { name: "Explore this example" }).click();
  assert.equal(await page.getByLabel("Example").inputValue(), "inconsistent");
  await page.getByRole("button", { name: "Undo" }).click();
  assert.equal(await page.getByLabel("Example").inputValue(), "errand");
  await close();
});

test("an answer that is asked for is told, and does not count as right", async () => {
  const { page, close } = await open(browser, `${server.address}?lesson=credit&step=2`);
  for (const text of ["1", "2"]) {
    await page.locator("#answer").fill(text);
    await page.getByRole("button", { name: "Check" }).click();
  }
  await page.getByRole("button", { name: "Show the answer" }).click();
  const verdict = page.locator("#verdict");
  assert.match(await verdict.textContent(), /^The answer is 2\.5\. /);
  assert.doesNotMatch(await verdict.textContent(), /Right/);
  assert.ok(await focused(page, "#verdict"), "the focus is kept");
  await close();
});

test("a prediction is chosen by the keyboard, and numbers are hidden until it is made", async () => {
  const { steps: [{ question }] } = lesson("credit");
  const { page, said, close } = await open(browser, `${server.address}?lesson=credit`);
  assert.ok(await focused(page, "#lesson-title"));
  assert.equal(await page.locator("#lesson-title").evaluate((title) => getComputedStyle(title).outlineStyle), "none", "a heading is nothing to press");
  assert.deepEqual([...new Set(await page.locator(".step .advantage").allTextContents())], ["?"]);
  await withoutViolations(page);
  const group = page.getByRole("group", { name: question.text.en });
  assert.deepEqual(await group.getByRole("radio").evaluateAll((all) => all.map((one) => one.labels[0].textContent)), question.choices.map(({ en }) => en));
  const check = page.getByRole("button", { name: "Check" });
  await check.click();
  assert.equal(await page.locator("#verdict").textContent(), "", "nothing is chosen");
  await page.locator("#lesson-title").focus();
  await tabTo(page, "[name=answer]");
  assert.notEqual(await page.locator("[name=answer]:focus").evaluate((mark) => getComputedStyle(mark).outlineStyle), "none", "controls show the focus");
  await page.keyboard.press("ArrowDown");
  assert.ok(await group.getByRole("radio", { name: question.choices[1].en }).isChecked());
  await page.keyboard.press("Enter");
  assert.equal(await page.locator("#verdict").textContent(), `Not quite. ${question.hint.en}`);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Show the answer" }).click();
  assert.equal(await page.locator("#verdict").textContent(), `The answer is \u201c${question.choices[0].en}\u201d. ${question.explanation.en}`);
  assert.equal(await page.locator(".step .advantage").first().textContent(), "+5.00");
  await page.locator(".onward").click();
  await page.locator(".back").click();
  assert.equal(await group.getByRole("radio", { checked: true }).count(), 0);
  await group.getByRole("radio").first().check();
  await check.click();
  assert.equal(await page.locator("#verdict").textContent(), `The answer is \u201c${question.choices[0].en}\u201d. ${question.explanation.en}`, "who has seen it has not found it");
  assert.deepEqual(said, []);
  await close();
});

test("the truth is predicted before it is seen, and drawn", async () => {
  const { page, said, close } = await open(browser, `${server.address}?lesson=anchors&step=10`);
  assert.match(await page.locator(".lesson-aside").textContent(), /once you have answered/);
  assert.equal(await page.locator(".truth").count(), 0);
  await page.getByRole("radio", { name: "Below 0" }).check();
  await page.getByRole("button", { name: "Check" }).click();
  assert.match(await page.locator("#verdict").textContent(), /^Right\. The truth is \u22122\.441/);
  assert.match(await page.locator(".truth .because").textContent(), /^True advantage \u22122\.441/);
  assert.ok(await page.locator(".truth table").isVisible());
  await page.getByRole("button", { name: "Draw 200 groups" }).click();
  await page.locator(".truth svg").first().waitFor();
  const row = await page.locator(".truth tr", { has: page.locator("th", { hasText: /^AE$/ }) }).first().locator("td").allTextContents();
  assert.equal(row[0], "5");
  assert.match(row[1], /^\u2212[123]/, "the mean of A_E is below 0");
  assert.deepEqual(said, []);
  await close();
});

test("a talk: large, turned by the keys of a clicker, and answered by a key", async () => {
  const { page, close } = await open(browser, `${server.address}?lesson=credit&present=1`);
  const size = (part) => page.locator(part).evaluate((part) => parseFloat(getComputedStyle(part).getPropertyValue("--zoom")));
  await page.waitForFunction(() => document.querySelector(".lesson-text").style.getPropertyValue("--zoom") !== "");
  assert.ok(await size(".lesson-text") > 1.7 && await size(".lesson-figure") > 1.1);
  assert.equal(await page.locator("header, .changes, .keep").evaluateAll((parts) => parts.filter((part) => part.checkVisibility()).length), 0, "nothing edits or leads elsewhere");
  assert.match(await page.locator("p.of-room").textContent(), /A.*shows or hides the answer/);
  await page.keyboard.press("a");
  assert.match(await page.locator("#verdict").textContent(), /^The answer is/);
  assert.equal(await page.locator(".step .advantage").first().textContent(), "+5.00");
  await page.keyboard.press("a");
  assert.equal(await page.locator("#verdict").textContent(), "");
  assert.equal(await page.locator(".step .advantage").first().textContent(), "?");
  const { steps } = lesson("credit");
  for (const [key, at] of [["PageDown", 1], ["ArrowRight", 2], ["PageUp", 1], ["ArrowLeft", 0], ["ArrowLeft", 0]]) {
    await page.keyboard.press(key);
    assert.equal(await heading(page), steps[at].heading.en, key);
  }
  assert.match(page.url(), /present=1/);
  await page.getByRole("radio").first().focus();
  await page.keyboard.press("ArrowRight");
  assert.ok(await page.getByRole("radio").nth(1).isChecked(), "among the answers, arrows move");
  assert.equal(await heading(page), steps[0].heading.en);
  await close();
});

/** What of a part is in sight, from 0 to 1, cut by the window and by everything that scrolls around it. */
const inSight = (page, selector) => page.locator(selector).first().evaluate((part) => {
  const own = part.getBoundingClientRect();
  let [top, bottom, left, right] = [Math.max(own.top, 0), Math.min(own.bottom, innerHeight), Math.max(own.left, 0), Math.min(own.right, innerWidth)];
  for (let around = part.parentElement; around; around = around.parentElement) {
    if (getComputedStyle(around).overflowY === "visible") continue;
    const box = around.getBoundingClientRect();
    [top, bottom, left, right] = [Math.max(top, box.top), Math.min(bottom, box.bottom), Math.max(left, box.left), Math.min(right, box.right)];
  }
  return Math.max(0, bottom - top) * Math.max(0, right - left) / (own.width * own.height);
});

for (const [width, height] of [[1280, 720], [1440, 900], [1920, 1080], [360, 780]]) {
  test(`${width} x ${height}: text, question and what a stop speaks about are on one screen`, async (context) => {
    const { page, close } = await open(browser, `${server.address}?lesson=credit`, { viewport: { width, height } });
    for (const language of ["en", "ko"]) {
      for (const name of lessons) {
        const { steps } = lesson(name);
        await page.goto(`${server.address}?lesson=${name}&lang=${language}`);
        for (const [at, stop] of steps.entries()) {
          const label = `${language}, ${name}, ${at + 1}`;
          await page.getByRole("heading", { name: stop.heading[language], exact: true }).waitFor();
          if (stop.train) await page.locator("#train .training-columns").waitFor();
          for (let tries = 0; tries < 20 && stop.highlight === "stage" && await inSight(page, ".step.selected") < 0.9; tries += 1) await page.waitForTimeout(50);
          assert.ok(await inSight(page, ".telling") > 0.99, `${label}: text`);
          if (stop.question) assert.ok(await inSight(page, ".asked") > 0.99, `${label}: question`);
          assert.ok(await inSight(page, ".onward") > 0.99, `${label}: Next`);
          const about = await inSight(page, "[data-outlined]");
          if (about < 0.6) context.diagnostic(`${label}: ${Math.round(about * 100)} % of what it speaks about`);
          assert.ok(about > 0.3, `${label}: ${about} of what it speaks about`);
          // The chosen step, where the stop speaks of the steps.
          if (stop.highlight === "stage") assert.ok(await inSight(page, ".step.selected") > 0.9, `${label}: the chosen step`);
          if (at + 1 < steps.length) await page.locator(".onward").click();
        }
      }
    }
    await close();
  });
}
