// Answers that are kept, handed in, and asked for on paper.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { artifacts, launch, open, root, serve } from "./page.mjs";

let server, browser;
before(async () => { server = await serve(); browser = await launch(); });
after(async () => { await browser.close(); server.close(); });

const lesson = (name) => JSON.parse(readFileSync(join(root, `assets/lessons/${name}.json`), "utf8"));

/** A text with its indices set: without the signs that mark them. */
const set = (text) => text.replaceAll(/[_^](?=[\w\u03b1-\u03c9])/g, "");

async function answer(page, text) {
  await page.locator("#answer").fill(text);
  await page.getByRole("button", { name: "Check" }).click();
}

test("answers are there after a reload, shown in the list, handed in as a file and forgotten", async () => {
  const { page, said, close } = await open(browser, `${server.address}?lesson=credit&step=2`);
  await answer(page, "1");
  await answer(page, "2.5");
  await page.locator(".onward").click();
  await page.getByRole("radio").first().check();
  await page.getByRole("button", { name: "Check" }).click();
  await page.locator(".back").click();
  await page.reload();
  await page.locator(".lesson").waitFor();
  assert.match(await page.locator("#verdict").textContent(), /^Right\. /);
  await page.getByRole("button", { name: "All lessons" }).click();
  assert.equal(await page.locator(".answered").count(), 1);
  assert.equal(await page.locator(".lessons li:first-child .answered").textContent(), "1 of 12 questions answered, 1 right");
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save my answers" }).click()]);
  assert.equal(download.suggestedFilename(), "hgpo-lessons.json");
  const { lessons } = JSON.parse(readFileSync(await download.path(), "utf8"));
  assert.deepEqual(lessons.map(({ lesson, title, right, questions }) => [lesson, title, right, questions]), [["credit", "Which step earned it?", 1, 12]]);
  const [second, third] = lessons[0].answers;
  assert.match(second.date, /^\d{4}-\d\d-\d\d$/);
  assert.deepEqual([second.step, second.answer, second.result, second.wrong], [2, "2.5", "right", 1]);
  assert.deepEqual([third.step, third.answer, third.result, third.wrong], [3, "It rises", "wrong", 1]);
  await page.getByRole("button", { name: "Forget my answers" }).click();
  assert.equal(await page.locator(".answered, .results").count(), 0);
  await page.reload();
  await page.locator(".lessons").waitFor();
  assert.equal(await page.locator(".answered, .results").count(), 0);
  assert.deepEqual(said, []);
  await close();
});

test("in a lecture and inside another page nothing is kept", async () => {
  for (const query of ["present=1", "embed=1"]) {
    const { page, close } = await open(browser, `${server.address}?lesson=credit&step=2&${query}`);
    await answer(page, "2.5");
    await page.reload();
    await page.locator(".lesson").waitFor();
    assert.equal(await page.locator("#verdict").textContent(), "", query);
    assert.equal(await page.evaluate(() => localStorage.getItem("hgpo-progress")), null);
    await close();
  }
});

test("on paper a lesson is a worksheet: attempts, questions and room for answers", async (context) => {
  for (const [name, language] of [["context", "en"], ["credit", "ko"], ["race", "en"]]) {
    const { page, close } = await open(browser, `${server.address}?lesson=${name}&lang=${language}`);
    await page.locator(".worksheet").waitFor({ state: "attached" });
    const { steps } = lesson(name);
    await page.emulateMedia({ media: "print" });
    const text = await page.evaluate(() => document.body.innerText);
    for (const [at, { heading, question }] of steps.entries()) {
      assert.ok(text.includes(set(heading[language])), heading[language]);
      if (!question) continue;
      for (const choice of question.choices ?? []) assert.ok(text.includes(set(choice[language])), choice[language]);
      assert.ok(!text.includes(set(question.explanation[language])), `${name}, ${at + 1}: the answer is told`);
    }
    const asked = (await page.locator(".sheet-question").allTextContents()).join("\n");
    for (const { question } of steps) if (question?.hint) assert.ok(!asked.includes(set(question.hint[language])), question.hint[language]);
    const shown = (selector) => page.locator(selector).evaluateAll((all) => all.filter((one) => one.checkVisibility()).length);
    assert.equal(await shown("button, input, select, header, .lesson-text, .train"), 0, "no controls");
    assert.equal(await shown(".sheet-question"), steps.filter(({ question }) => question).length);
    assert.equal(await shown(".sheet-attempt") > 0, name !== "race");
    const path = join(artifacts, `worksheet-${name}.pdf`);
    const pdf = await page.pdf({ path, format: "A4", margin: { top: "14mm", bottom: "14mm", left: "14mm", right: "14mm" } });
    const pages = (pdf.toString("latin1").match(/\/Type\s*\/Page[^s]/g) ?? []).length;
    context.diagnostic(`${name}: ${pages} pages`);
    assert.ok(pages >= 1 && pages <= steps.length, `${pages} pages`);
    await close();
  }
});
