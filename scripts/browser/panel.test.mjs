// The arithmetic of the chosen step: its numbers, its links to the stage, its parts one after the
// other; the options; and the dialog of the keys.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { advantage, launch, open, serve, step, withoutViolations } from "./page.mjs";


let server, browser;
before(async () => { server = await serve(); browser = await launch(); });
after(async () => { await browser.close(); server.close(); });

const near = (actual, expected, what = "") =>
  assert.ok(Math.abs(actual - expected) <= 1e-9 * Math.max(1, Math.abs(expected)), `${what} ${actual} is not ${expected}`);
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
const deviation = (values, less = 0) =>
  Math.sqrt(values.reduce((sum, value) => sum + (value - mean(values)) ** 2, 0) / (values.length - less));
const standardised = (value, values, less = 0) => (value - mean(values)) / (deviation(values, less) + 1e-6);

/** The value at the end of a line of the arithmetic, with all its digits. */
const value = async (scope, kind) => Number(await scope.locator(`.${kind} data`).last().getAttribute("value"));
const words = async (locator) => (await locator.textContent()).replaceAll(/\s+/g, " ").trim();

/** Checks that what a line shows last is its exact value, rounded, and that "=" stands only where it is so. */
async function truthful(page) {
  const lines = await page.locator(".arithmetic .line:has(data)").evaluateAll((all) => all.map((line) => {
    const last = line.querySelector(".then:last-of-type");
    const outcome = [...line.querySelectorAll("data")].at(-1);
    const then = outcome.closest(".then") ?? last;
    return { text: line.textContent, relation: then.querySelector(".relation").textContent.trim(),
      shown: outcome.textContent.replaceAll("\u2212", "-").replace("+", ""), exact: Number(outcome.getAttribute("value")) };
  }));
  assert.ok(lines.length > 0);
  for (const { text, relation, shown, exact } of lines) {
    if (shown.includes("\u00b7")) continue;
    const digits = (shown.split(".")[1] ?? "").length;
    assert.ok(Math.abs(Number(shown) - exact) <= 0.5 * 10 ** -Math.max(digits, 4) + 1e-12, text);
    if (relation === "=") assert.ok(Math.abs(Number(shown) - exact) <= 1e-12 * Math.abs(exact), `"=" in ${text}`);
  }
}

test("HGPO: every line is right to its last digit", async () => {
  const { page, said, close } = await open(browser, server.address);
  const returns = [9.5, 0, 9.025, 0];
  assert.equal(await words(page.locator(".return-line")), "R2 = 0 (t1, step 2) + 0.95·10 (t1, step 3) = 9.5");
  for (const [level, size] of [4, 3, 2].entries()) {
    const block = page.locator(`.contrast[data-level="${level}"]`);
    const group = returns.slice(0, size);
    near(await value(block, "mean-line"), mean(group));
    near(await value(block, "variance-line"), deviation(group) ** 2);
    near(await value(block, "deviation-line"), deviation(group));
    near(await value(block, "term-line"), standardised(9.5, group));
    near(await value(page.locator(`.weight[data-level="${level}"]`), "weight-line"), (level + 1) / 6);
  }
  assert.match(await words(page.locator(".contrast[data-level='0'] .term-line")),
    /^A0 = \(R2 − μ0\) \/ \(σ0 \+ 10⁻⁶\) ≈ \(9\.5 − 4\.6313\) \/ \(4\.6343 \+ 10⁻⁶\) ≈ \+1\.0506$/);
  assert.match(await words(page.locator(".weight[data-level='1'] .weight-line")), /^w1 = \(21\) \/ \(11 \+ 21 \+ 31\) = \(2\) \/ \(6\) ≈ 0\.3333$/);
  near(await value(page, "sum-line"), await advantage(page, 0, 2));
  await truthful(page);
  assert.deepEqual(said, []);
  await close();
});

test("HGPO: levels that say nothing are struck out with the reason", async () => {
  const { page, close } = await open(browser, server.address);
  await step(page, 3, 2).click(); // t4 came another way: alone at levels 1 and 2
  assert.equal(await page.locator(".weight.skipped s").count(), 2);
  assert.match(await words(page.locator(".weight[data-level='2']")), /alone: left out/);
  near(await value(page.locator(".weight[data-level='0']"), "weight-line"), 1);
  near(await value(page, "sum-line"), standardised(0, [9.5, 0, 9.025, 0]));
  await step(page, 0, 1).click();
  assert.match(await words(page.locator(".line.why")), /step 1 has too short a past/);
  await truthful(page);
  await close();
});

test("HGPO: its options keep the arithmetic true", async () => {
  const { page, said, close } = await open(browser, server.address);
  await page.locator(".controls .more").evaluate((more) => more.open = true);
  const [r1, r2, r3, r4] = [9.5, 0, 9.025, 0];
  const set = (option, value) => page.locator(`[data-option=${option}] select`).selectOption(value);
  const ends = async () => {
    near(await value(page, "sum-line"), await advantage(page, 0, 2));
    await truthful(page);
  };
  await set("weights", "code: (k+2)^α");
  near(await value(page.locator(".weight[data-level='1']"), "weight-line"), 3 / (9 + 1e-6));
  await page.getByLabel("Base group").check();
  assert.equal(await page.locator(".contrast").count(), 4);
  near(await value(page.locator(".weight[data-level='1']"), "weight-line"), 3 / (10 + 1e-6));
  await ends();
  await page.getByLabel("Base group").uncheck();
  await set("weights", "from the data");
  await ends();
  await set("weights", "paper: (k+1)^α");
  await set("baseline", "other attempts");
  near(await value(page.locator(".contrast[data-level='0']"), "mean-line"), mean([r2, r3, r4]));
  near(await value(page.locator(".contrast[data-level='0']"), "term-line"), (r1 - mean([r2, r3, r4])) / (deviation([r1, r2, r3, r4]) + 1e-6));
  assert.match(await words(page.locator(".contrast[data-level='0'] .mean-line")), /without its own attempt/);
  await ends();
  assert.deepEqual(said, []);
  await close();
});

test("GiGPO: the attempt's term and the step's, with sample deviations", async () => {
  const { page, close } = await open(browser, server.address);
  await page.getByLabel("Method").selectOption("GiGPO");
  const scores = [...Array(4).fill(10), ...Array(5).fill(0), ...Array(6).fill(10), ...Array(4).fill(0)];
  const [whole, alike] = [page.locator(".contrast").nth(0), page.locator(".contrast").nth(1)];
  assert.match(await words(whole.locator(".mean-line")), /^μE = \(4·10 \(t1, step 0, 4\s?steps\) \+ 5·0/);
  near(await value(whole, "mean-line"), mean(scores));
  near(await value(whole, "term-line"), standardised(10, scores, 1));
  near(await value(alike, "term-line"), standardised(9.5, [9.5, 0, 9.025, 0], 1));
  near(await value(page, "sum-line"), await advantage(page, 0, 2));
  near(await value(page, "sum-line"), standardised(10, scores, 1) + standardised(9.5, [9.5, 0, 9.025, 0], 1));
  await truthful(page);
  await close();
});

test("GRPO: the score of the attempt, and nothing of the step's state", async () => {
  const { page, close } = await open(browser, server.address);
  await page.getByLabel("Method").selectOption("GRPO");
  await page.getByLabel("Scale").selectOption("mean and σ");
  assert.equal(await page.locator(".contrast").count(), 1);
  assert.match(await words(page.locator(".score-line")), /^S2 = 0 .* \+ 10 \(t1, step 3\) = 10$/);
  const scores = [...Array(4).fill(10), ...Array(5).fill(0), ...Array(6).fill(10), ...Array(4).fill(0)];
  near(await value(page, "sum-line"), standardised(10, scores, 1));
  near(await value(page, "sum-line"), await advantage(page, 0, 2));
  await truthful(page);
  await close();
});

test("every other method ends with the number of the stage", async () => {
  const { page, said, close } = await open(browser, server.address);
  for (const method of ["RLOO", "REINFORCE++", "GraphGPO", "G2PO", "Dr. MAS"]) {
    for (const example of ["overview", "errand"]) {
      await page.getByLabel("Example").selectOption(example);
      await page.getByLabel("Method").selectOption(method);
      for (const [row, at] of [[0, 2], [1, 0], [3, 3]]) {
        await step(page, row, at).click();
        near(await value(page, "sum-line"), await advantage(page, row, at), method);
        await truthful(page);
      }
    }
  }
  // RLOO on the overview: t1 scored 10, and 6 + 3 of the other 18 steps did too.
  await page.getByLabel("Example").selectOption("overview");
  await page.getByLabel("Method").selectOption("RLOO");
  near(await value(page, "sum-line"), 10 - 90 / 18);
  // G2PO: V(s5) = 9.5 over two visits; V(s2) = (0.95²·10 + 0 + 0.95³·10 + 0)/4.
  await page.getByLabel("Method").selectOption("G2PO");
  near(await value(page, "worth-line"), 9.5);
  near(await value(page, "gain-line"), 9.5 - (9.025 + 8.57375) / 4);
  // GraphGPO: from s5 it is one step to the goal.
  await page.getByLabel("Method").selectOption("GraphGPO");
  near(await value(page, "worth-line"), 1);
  assert.deepEqual(said, []);
  await close();
});

test("an invalid step pays its penalty in sight", async () => {
  const { page, close } = await open(browser, server.address);
  await page.getByLabel("Example").selectOption("errand");
  await step(page, 4, 1).click(); // t5 took two things at once, and never succeeded
  assert.match(await words(page.locator(".return-line")), /− 0\.1 penalty: invalid answer = −0\.1$/);
  near(await value(page, "return-line"), -0.1);
  await page.getByLabel("Invalid penalty").evaluate((field) => field.closest("details").open = true);
  await page.getByLabel("Invalid penalty").fill("0.25");
  await page.getByLabel("Invalid penalty").press("Enter");
  near(await value(page, "return-line"), -0.25);
  await close();
});

test("values lead to their steps, and steps to their values", async () => {
  const { page, close } = await open(browser, server.address);
  const marked = () => page.locator(".arithmetic .mean-line .term.pointed").evaluateAll((all) => all.map((one) => one.dataset.cell));
  assert.deepEqual(await marked(), []);
  await step(page, 2, 3).hover();
  assert.deepEqual(await marked(), ["2-3", "2-3"], "t3's return is in the means of levels 0 and 1");
  assert.equal(await page.locator(".member-button.pointed").textContent(), "t3, step 3R 9.025");
  await page.locator("h1").hover();
  assert.deepEqual(await marked(), []);
  // The other way: the line below the stage names the step pointed at.
  await page.locator(".mean-line .term[data-cell='3-2']").first().hover();
  assert.match(await page.locator(".peek").textContent(), /^t4, step 2/);
  await page.locator("h1").hover();
  assert.match(await page.locator(".peek").textContent(), /^t1, step 2/);
  // With the keyboard: into the sum, on to the third value, and away again.
  await page.locator(".contrast[data-level='0'] .mean-line .term").first().focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  assert.match(await page.locator(".peek").textContent(), /^t3, step 3/);
  await page.keyboard.press("Enter");
  assert.equal(await page.locator(".panel h2").textContent(), "t3, step 3");
  // A reward of the sum of the return leads to the step that it was paid for.
  await page.locator(".return-line .term").last().hover();
  assert.match(await page.locator(".peek").textContent(), /^t3, step 5/);
  await close();
});

test("the sign of a group pins its level", async () => {
  const { page, close } = await open(browser, server.address);
  const sign = page.locator(".contrast[data-level='1'] .look");
  await sign.click();
  assert.equal(await sign.getAttribute("aria-pressed"), "true");
  assert.equal(await page.locator(".weight[data-level='1'] .look").getAttribute("aria-pressed"), "true");
  await sign.press("Enter");
  assert.equal(await sign.getAttribute("aria-pressed"), "false");
  await close();
});

test("groups say who stays outside, and why", async () => {
  const { page, close } = await open(browser, server.address);
  assert.deepEqual(await page.locator(".reason").allTextContents(), ["Left out of G₁: came from s3", "Left out of G₂: 2 steps earlier in s3"]);
  await close();
});

/** The parts that are shown, by number. */
const shown = (page) => page.locator(".part:not(.waits) h3").count();

test("the parts come one after the other, by mouse and by key", async () => {
  const { page, close } = await open(browser, server.address);
  assert.equal(await shown(page), 5);
  assert.equal(await page.locator(".sentence").textContent(), "");
  for (const part of [1, 2, 3, 4, 5]) {
    await page.getByRole("button", { name: "Forward" }).click();
    assert.equal(await shown(page), part);
    assert.equal(await page.locator(".part.now .ordinal").textContent(), String(part));
    assert.ok((await page.locator(".sentence[aria-live=polite]").textContent()).length > 20);
  }
  await page.keyboard.press("]");
  assert.equal(await page.locator(".part.now").count(), 0, "after the last part comes the whole");
  await page.keyboard.press("]");
  assert.equal(await shown(page), 1);
  await page.keyboard.press("]");
  await page.keyboard.press("[");
  assert.equal(await shown(page), 1);
  await page.getByRole("button", { name: "Weights", exact: true }).click();
  assert.equal(await shown(page), 4);
  assert.equal(await page.locator(".station[aria-current=step]").textContent(), "Weights");
  await page.getByRole("button", { name: "All", exact: true }).click();
  assert.equal(await shown(page), 5);
  // Keys that are typed are no commands.
  await page.getByLabel("Exponent").focus();
  await page.keyboard.press("]");
  assert.equal(await shown(page), 5);
  await close();
});

test("it plays by itself, and no timer runs unless it does", async () => {
  const { page, close } = await open(browser, server.address, { reducedMotion: "reduce" });
  // Counts the timers that wait for as long as a part stays; playing fast by a tenth of the time.
  await page.evaluate(() => {
    globalThis.waiting = new Set();
    globalThis.started = 0;
    const [set, clear] = [globalThis.setTimeout, globalThis.clearTimeout];
    globalThis.setTimeout = (act, time = 0, ...rest) => {
      if (time < 1000) return set(act, time, ...rest);
      const id = set(() => { globalThis.waiting.delete(id); act(); }, time / 10, ...rest);
      globalThis.waiting.add(id);
      globalThis.started += 1;
      return id;
    };
    globalThis.clearTimeout = (id) => { globalThis.waiting.delete(id); clear(id); };
    globalThis.setInterval = () => { throw new Error("no intervals"); };
  });
  const timers = () => page.evaluate(() => [globalThis.waiting.size, globalThis.started]);
  assert.deepEqual(await timers(), [0, 0]);
  await page.keyboard.press("p");
  await page.locator(".part.now .ordinal", { hasText: "2" }).waitFor();
  assert.equal((await timers())[0], 1);
  await page.keyboard.press("p");
  const [waiting, started] = await timers();
  const at = await shown(page);
  assert.equal(waiting, 0, "paused: nothing waits");
  await page.waitForTimeout(600);
  assert.deepEqual([await shown(page), ...await timers()], [at, 0, started]);
  await page.getByRole("button", { name: "Play" }).click();
  await page.locator(".part.now .ordinal", { hasText: "5" }).waitFor();
  await page.getByRole("button", { name: "Play" }).waitFor();
  assert.equal((await timers())[0], 0, "at the end it stops");
  await close();
});

test("the dialog lists the keys and gives the focus back", async () => {
  const { page, close } = await open(browser, server.address);
  await step(page, 1, 1).focus();
  await page.keyboard.press("?");
  const dialog = page.getByRole("dialog", { name: "Keys of this page" });
  await dialog.locator("tr").first().waitFor();
  assert.ok(await dialog.locator("tr").count() >= 16);
  await page.keyboard.press("]");
  assert.equal(await shown(page), 5, "the page below rests");
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  assert.equal(await page.evaluate(() => document.activeElement.id), "step-1-1");
  const button = page.getByRole("button", { name: /^Keys/ });
  await page.locator(".choices summary").click();
  await button.click();
  await dialog.getByRole("button", { name: "Close" }).click();
  assert.ok(await button.evaluate((one) => one === document.activeElement));
  await button.click();
  await dialog.getByLabel("Keys without Ctrl or Alt").uncheck();
  await dialog.getByRole("button", { name: "Close" }).click();
  const rests = async () => {
    await step(page, 1, 1).focus();
    await page.keyboard.press("?");
    assert.ok(!await dialog.isVisible());
    const before = await shown(page);
    await page.keyboard.press("[");
    assert.equal(await shown(page), before);
    await page.keyboard.press("ArrowRight");
    assert.equal(await page.evaluate(() => document.activeElement.id), "step-1-2", "arrows move among steps");
  };
  await rests();
  await page.reload();
  await step(page, 1, 1).waitFor();
  await rests();
  await close();
});

test("a number field keeps what is typed until it is right or given up", async () => {
  const { page, close } = await open(browser, server.address);
  const slope = page.getByLabel("Exponent");
  const problem = page.locator("#problem-option-alpha");
  const before = await advantage(page, 0, 2);
  await slope.focus();
  for (const text of ["", "-", "-0", "0.", "0.5"]) {
    await slope.fill(text);
    await page.locator("h1").hover(); // the page is drawn anew while typing
    assert.equal(await slope.inputValue(), text);
    assert.equal(await problem.textContent(), "");
    assert.ok(await slope.evaluate((field) => field === document.activeElement));
  }
  assert.equal(await advantage(page, 0, 2), before, "nothing is taken over while typing");
  await slope.press("Enter");
  assert.notEqual(await advantage(page, 0, 2), before);
  await slope.fill("-");
  await slope.press("Tab");
  assert.equal(await slope.inputValue(), "-", "refused, and still there");
  assert.match(await problem.textContent(), /0 to 10/);
  assert.equal(await slope.getAttribute("aria-invalid"), "true");
  await page.getByLabel("Scale").selectOption("mean only");
  assert.equal(await slope.inputValue(), "-", "other options do not wipe it away");
  await slope.press("Escape");
  assert.equal(await slope.inputValue(), "0.5");
  assert.equal(await problem.textContent(), "");
  await slope.fill("2");
  await slope.blur();
  assert.equal(await page.locator(".controls .changed").count(), 2, "slope and scale are not the defaults");
  await page.getByRole("button", { name: "Defaults" }).click();
  assert.equal(await slope.inputValue(), "1");
  assert.equal(await advantage(page, 0, 2), before);
  assert.equal(await page.locator(".controls .changed").count(), 0);
  await page.getByRole("button", { name: "Undo" }).click();
  assert.equal(await slope.inputValue(), "2", "setting back can be undone");
  await close();
});

test("options say what they do and where they come from", async () => {
  const { page, close } = await open(browser, server.address);
  const hint = page.locator(".option-hint");
  await page.getByLabel("Depth").focus();
  assert.match(await hint.textContent(), /Depth K — .*Source: HGPO, ICLR 2026\. default: 2$/);
  const described = await page.getByLabel("Weights").evaluate((list) => list.getAttribute("aria-describedby")
    .split(" ").map((id) => document.getElementById(id).textContent).join(" "));
  assert.match(described, /Source: HGPO, ICLR 2026.*paper/);
  await close();
});

for (const width of [360, 320]) {
  test(`nothing is wider than a window of ${width} pixels`, async () => {
    const { page, close } = await open(browser, server.address, { viewport: { width, height: 780 } });
    for (const method of ["HGPO", "GiGPO", "G2PO", "REINFORCE++", "RLOO"]) {
      await page.getByLabel("Method").selectOption(method);
      await page.locator(".controls .more").evaluate((more) => more.open = true);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= width, method);
    }
    await close();
  });
}

for (const colorScheme of ["light", "dark"]) {
  test(`${colorScheme}: parts, marks and dialog break no accessibility rule`, async () => {
    const { page, close } = await open(browser, server.address, { colorScheme, reducedMotion: "reduce" });
    const check = (what) => withoutViolations(page, undefined, `${what}: `);
    await step(page, 3, 2).click();
    await page.getByRole("button", { name: "Weights", exact: true }).click();
    await page.locator(".contrast[data-level='0'] .look").click();
    await step(page, 2, 3).hover();
    await check("part 4");
    await page.getByLabel("Exponent").fill("-");
    await page.getByLabel("Exponent").press("Enter");
    await check("refused");
    await page.locator(".choices summary").click();
    await check("menu");
    await page.getByRole("button", { name: /^Keys/ }).click();
    await check("dialog");
    await close();
  });
}
