// The page as it opens: what it shows, how the keyboard moves through it, what the controls do.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { advantage, launch, open, serve, step } from "./page.mjs";

let server, browser;
before(async () => { server = await serve(); browser = await launch(); });
after(async () => { await browser.close(); server.close(); });

/** Population mean and deviation. */
function statistics(values) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return { mean, deviation: Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length) };
}

const standardised = (value, values) => {
  const { mean, deviation } = statistics(values);
  return (value - mean) / (deviation + 1e-6);
};

const close = (actual, expected) => assert.ok(Math.abs(actual - expected) < 1e-6, `${actual} is not ${expected}`);

test("opens without errors and asks only its own server", async () => {
  const { page, said, asked, close } = await open(browser, server.address);
  await step(page, 0, 2).waitFor();
  assert.deepEqual(said, []);
  assert.ok(asked.length >= 4, "page, style, script, module");
  assert.deepEqual(asked.filter((address) => !address.startsWith(server.address)), []);
  await close();
});

test("the overview shows groups of 4, 3 and 2 steps and their weighted sum", async () => {
  const { page, close: done } = await open(browser, server.address);
  const sizes = await page.locator(".group > h4 .size").allTextContents();
  assert.deepEqual(sizes.map((text) => parseInt(text, 10)), [4, 3, 2]);
  // Returns at s2 with discount 0.95: the goal is 1 step away in t1 and 2 steps in t3.
  const [t1, t2, t3, t4] = [10 * 0.95, 0, 10 * 0.95 ** 2, 0];
  const levels = [standardised(t1, [t1, t2, t3, t4]), standardised(t1, [t1, t2, t3]), standardised(t1, [t1, t2])];
  close(await advantage(page, 0, 2), levels[0] / 6 + levels[1] / 3 + levels[2] / 2);
  // t4 came another way: alone at levels 1 and 2, so level 0 has the whole weight.
  close(await advantage(page, 3, 2), standardised(t4, [t1, t2, t3, t4]));
  // t3 is in the groups of 4 and 3, with the weights 1/3 and 2/3.
  close(await advantage(page, 2, 3), standardised(t3, [t1, t2, t3, t4]) / 3 + standardised(t3, [t1, t2, t3]) * 2 / 3);
  assert.equal(await page.locator(".step.member").count(), 4);
  await done();
});

test("arrow keys move, Enter and Space choose", async () => {
  const { page, close } = await open(browser, server.address);
  const focused = () => page.evaluate(() => document.activeElement.id);
  await step(page, 0, 2).focus();
  for (const [key, id] of [["ArrowRight", "step-0-3"], ["ArrowRight", "step-0-3"], ["ArrowDown", "step-1-3"],
    ["End", "step-1-4"], ["ArrowUp", "step-0-3"], ["Home", "step-0-0"], ["ArrowLeft", "step-0-0"]]) {
    await page.keyboard.press(key);
    assert.equal(await focused(), id, key);
  }
  await page.keyboard.press("Enter");
  assert.equal(await page.locator(".panel h2").textContent(), "t1, step 0");
  await page.keyboard.press("ArrowDown");
  assert.equal(await page.locator(".panel h2").textContent(), "t1, step 0", "moving alone chooses nothing");
  await page.keyboard.press("Space");
  assert.equal(await page.locator(".panel h2").textContent(), "t2, step 0");
  assert.equal(await page.locator("[aria-selected=true]").count(), 1);
  assert.equal(await page.locator(".step[tabindex='0']").count(), 1, "one stop for the Tab key");
  await close();
});

test("a member of a group is chosen from the panel", async () => {
  const { page, close } = await open(browser, server.address);
  await page.getByRole("button", { name: /^t4, step 2 R/ }).click();
  assert.equal(await page.locator(".panel h2").textContent(), "t4, step 2");
  await close();
});

test("controls change the numbers; those without use are away", async () => {
  const { page, close: done } = await open(browser, server.address);
  const [t1, t2, t3, t4] = [9.5, 0, 9.025, 0];
  const mean = (values) => statistics(values).mean;
  await page.getByLabel("Scale").selectOption("mean only");
  const levels = [t1 - mean([t1, t2, t3, t4]), t1 - mean([t1, t2, t3]), t1 - mean([t1, t2])];
  close(await advantage(page, 0, 2), levels[0] / 6 + levels[1] / 3 + levels[2] / 2);
  await page.getByLabel("Exponent").fill("0");
  await page.getByLabel("Exponent").press("Enter");
  close(await advantage(page, 0, 2), (levels[0] + levels[1] + levels[2]) / 3);
  await page.getByLabel("Depth").fill("0");
  await page.getByLabel("Depth").press("Tab");
  close(await advantage(page, 0, 2), levels[0]);
  assert.equal(await page.locator(".group").count(), 1);
  await page.getByLabel("Method").selectOption("GRPO");
  // Scores over all 19 steps: 4 of t1 and 6 of t3 with 10, the others with 0.
  close(await advantage(page, 0, 2), 10 - 100 / 19);
  assert.equal(await page.getByLabel("Depth").count(), 0, "GRPO has none");
  await done();
});

test("a number out of range is refused in words and the setting stays", async () => {
  const { page, close } = await open(browser, server.address);
  const before = await advantage(page, 0, 2);
  await page.getByLabel("Depth").fill("99");
  await page.getByLabel("Depth").press("Enter");
  assert.match(await page.locator("#problem-option-context_length").textContent(), /0 to 16/);
  assert.equal(await page.getByLabel("Depth").inputValue(), "99", "what was typed stays to be mended");
  assert.equal(await advantage(page, 0, 2), before);
  await close();
});

test("the choice of dark survives a reload", async () => {
  const { page, close } = await open(browser, server.address);
  const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const light = await background();
  await page.locator(".choices summary").click();
  await page.getByRole("radio", { name: "Dark", exact: true }).check();
  const dark = await background();
  assert.notEqual(dark, light);
  await page.reload();
  await step(page, 0, 0).waitFor();
  assert.equal(await background(), dark);
  await close();
});
