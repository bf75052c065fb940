// The stage: long tables, levels that stand out, editing in place.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { edit, launch, open, serve, step, withoutViolations } from "./page.mjs";

let server, browser;
before(async () => { server = await serve(); browser = await launch(); });
after(async () => { await browser.close(); server.close(); });

const focused = (page) => page.evaluate(() => document.activeElement.id);
const state = (page, row, at) => step(page, row, at).locator(".chip").textContent();
const shows = (page, row, at, name) => step(page, row, at).locator(".chip", { hasText: name }).waitFor();
const names = (page) => page.locator("tbody .name").allTextContents();
const drawn = (page) => page.locator(".step").count();

/** Opens attempts of so many steps, each step in one of forty rooms. */
async function load(page, attempts, length) {
  await page.evaluate(([attempts, length]) => {
    const text = Array.from({ length: attempts }, (_, attempt) => JSON.stringify({
      task: "large", trajectory: `t${attempt}`, success: attempt % 3 === 0,
      steps: Array.from({ length }, (_, time) => ({
        state: `r${(attempt * 7 + time * time) % 40}`, action: "go", reward: time === length - 1 && attempt % 3 === 0 ? 10 : 0,
      })),
    })).join("\n");
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([text], "large.rollouts.jsonl"));
    document.querySelector(".page").dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
  }, [attempts, length]);
  await page.locator(`[role=grid][aria-rowcount='${attempts + 1}']`).waitFor();
}

/** Milliseconds until each of some actions is drawn, in order of size, and how many tables there were to see. */
async function times(page, count, body) {
  const measured = await page.evaluate(`(async () => {
    const times = [];
    const seen = new Set();
    for (let turn = 0; turn < ${count}; turn += 1) {
      await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
      const start = performance.now();
      {${body}}
      // yew draws in a task of its own, which was queued before this one; reading a size lays out.
      await new Promise((done) => setTimeout(done));
      document.body.getBoundingClientRect();
      times.push(performance.now() - start);
      seen.add(document.querySelector("[role=grid]").textContent);
    }
    return { times, seen: seen.size };
  })()`);
  return { ...measured, times: measured.times.sort((a, b) => a - b) };
}

const typeReward = `
  const field = document.getElementById("edit-reward");
  field.focus();
  field.value = String(turn % 7 - 3.5);
  field.dispatchEvent(new InputEvent("input", { bubbles: true }));
  field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }));`;

test("of 100,000 steps only those near the view are drawn, both ways", async (context) => {
  for (const [attempts, length, last] of [[2000, 50, "step-1999-49"], [20, 5000, "step-19-4999"]]) {
    const { page, said, close } = await open(browser, server.address);
    await load(page, attempts, length);
    assert.ok(await drawn(page) < 600, "steps drawn");
    await step(page, 0, 0).focus();
    await page.keyboard.press("Control+End");
    assert.equal(await focused(page), last);
    // The table may be drawn once more where it has been scrolled to.
    await page.waitForFunction((id) => {
      const button = document.getElementById(id);
      const [inner, outer] = [button, button.closest(".scroll")].map((one) => one.getBoundingClientRect());
      return inner.left >= outer.left && inner.right <= outer.right && inner.top >= outer.top && inner.bottom <= outer.bottom;
    }, last);
    const place = page.locator("td", { has: page.locator(`#${last}`) });
    assert.equal(await place.getAttribute("aria-colindex"), String(length + 1));
    assert.equal(await place.locator("..").getAttribute("aria-rowindex"), String(attempts + 1));
    await page.keyboard.press("PageUp");
    assert.match(await focused(page), new RegExp(`-${length - 1}$`));
    assert.notEqual(await focused(page), last);
    await page.keyboard.press("Control+Home");
    assert.equal(await focused(page), "step-0-0");
    const { times: frames } = await times(page, 60, `
      const scroll = document.querySelector(".scroll");
      scroll.scrollBy(${length > 50 ? "173, 0" : "0, 171"});
      scroll.dispatchEvent(new Event("scroll"));`);
    context.diagnostic(`${attempts} x ${length}: a scroll takes ${frames[30].toFixed(1)} ms, at most ${frames[59].toFixed(1)} ms`);
    // Scrolled away, the focused step is still there for the keyboard.
    assert.equal(await focused(page), "step-0-0");
    await page.keyboard.press("ArrowRight");
    assert.equal(await focused(page), "step-0-1");
    await page.locator(".scroll").evaluate((scroll) => scroll.scrollTo(9999, 9999));
    await page.waitForTimeout(100);
    await page.keyboard.press("ArrowDown");
    assert.equal(await focused(page), "step-1-1");
    assert.deepEqual(said, []);
    await close();
  }
});

test("every step keeps its place while the table is scrolled", async () => {
  const { page, close } = await open(browser, server.address);
  await load(page, 200, 80);
  const misplaced = () => page.evaluate(() => {
    const scroll = document.querySelector(".scroll");
    const origin = scroll.getBoundingClientRect();
    const head = scroll.querySelector("thead th").getBoundingClientRect();
    return [...scroll.querySelectorAll(".step")].filter((button) => {
      const [, row, at] = button.id.split("-").map(Number);
      const box = button.closest("td").getBoundingClientRect();
      return Math.abs(box.left - origin.left + scroll.scrollLeft - head.width - at * box.width) > 1
        || Math.abs(box.top - origin.top + scroll.scrollTop - head.height - row * box.height) > 1;
    }).map((button) => button.id);
  });
  for (const [left, top] of [[0, 0], [3000, 5000], [9999, 19000], [40, 700]]) {
    await page.locator(".scroll").evaluate((scroll, [left, top]) => scroll.scrollTo(left, top), [left, top]);
    const inSight = () => page.evaluate(() => {
      const box = document.querySelector(".scroll").getBoundingClientRect();
      return document.elementFromPoint(box.right - 90, Math.min(box.bottom, innerHeight) - 60)?.closest("td")?.className;
    });
    await page.waitForTimeout(100);
    let seen = await inSight();
    // A busy machine draws some frames later.
    for (let tries = 0; tries < 50 && ((seen?.includes("gap") ?? true) || (await misplaced()).length > 0); tries += 1) {
      await page.waitForTimeout(100);
      seen = await inSight();
    }
    assert.deepEqual(await misplaced(), []);
    assert.equal(seen?.includes("gap") ?? true, false, "what is in sight is drawn");
  }
  await close();
});

const choose = `document.getElementById("step-" + (turn * 3 + 1) % 6 + "-" + (turn * 2) % 5).click();`;

test("a change of the page styles nothing but itself", async (context) => {
  const { page, close } = await open(browser, server.address);
  await load(page, 8, 50);
  const { times: choices } = await times(page, 60, choose);
  context.diagnostic(`8 x 50: a step is chosen in ${choices[30].toFixed(1)} ms in the median`);
  await browser.startTracing(page, { categories: ["devtools.timeline"] });
  await page.evaluate(() => {
    const name = document.querySelector(".panel h2");
    name.replaceChildren(name.textContent);
    name.getBoundingClientRect();
  });
  const { traceEvents } = JSON.parse(await browser.stopTracing());
  const styled = traceEvents.filter(({ name }) => name === "UpdateLayoutTree").map(({ args }) => args.elementCount ?? 0);
  // Some hundred steps are drawn, with several elements each.
  assert.ok(styled.length > 0 && Math.max(...styled) < 100, `${styled} elements are styled`);
  await close();
});

test("an edit is drawn at once", async (context) => {
  for (const [attempts, length, aim] of [[8, 50, 16], [128, 50, 100]]) {
    const { page, said, close } = await open(browser, server.address);
    await page.getByLabel("Depth").fill("4");
    await page.getByLabel("Depth").press("Enter");
    await load(page, attempts, length);
    await edit(page, 3, 4);
    const { times: edits, seen } = await times(page, 100, typeReward);
    assert.equal(seen, 7, "seven rewards in turn");
    context.diagnostic(`${attempts} x ${length}: an edit takes ${edits[50].toFixed(1)} ms in the median, ${edits[94].toFixed(1)} ms in 95 of 100`);
    // A busy machine takes longer than what is aimed at.
    assert.ok(edits[50] < aim * 5, `${edits[50]} ms`);
    assert.deepEqual(said, []);
    await close();
  }
});

test("a step is edited in its fields; Escape restores, undo takes back", async () => {
  const { page, close } = await open(browser, server.address);
  const field = page.locator("#edit-state");
  await step(page, 1, 1).dblclick();
  assert.equal(await focused(page), "edit-state");
  await page.keyboard.type("s9");
  assert.equal(await state(page, 1, 1), "s1", "typing changes nothing yet");
  await page.keyboard.press("Escape");
  assert.equal(await field.inputValue(), "s1");
  await field.fill("s9");
  await page.keyboard.press("Enter");
  await shows(page, 1, 1, "s9");
  assert.match(await page.locator(".stage [role=status]").textContent(), /t2, step 1: changed/);
  await page.keyboard.press("Control+z");
  await shows(page, 1, 1, "s1");
  await page.keyboard.press("Control+Shift+z");
  await shows(page, 1, 1, "s9");
  await page.keyboard.press("Escape");
  assert.equal(await focused(page), "step-1-1");
  assert.ok(await field.isHidden());
  await page.keyboard.press("Control+z");
  await shows(page, 1, 1, "s1");
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await page.locator("#edit-action").fill("jump");
  await page.locator("#edit-action").blur();
  assert.equal(await step(page, 1, 1).locator(".action").textContent(), "jump");
  await page.getByRole("checkbox", { name: "valid" }).uncheck();
  assert.match(await step(page, 1, 1).textContent(), /invalid/);
  await close();
});

test("undo leaves alone what is being typed", async () => {
  const { page, close } = await open(browser, server.address);
  await edit(page, 0, 2);
  await page.locator("#edit-action").fill("jump");
  await page.keyboard.press("Enter");
  await page.locator("#edit-state").focus();
  await page.keyboard.type("xy");
  await page.keyboard.press("Control+z");
  assert.equal(await step(page, 0, 2).locator(".action").textContent(), "jump");
  await close();
});

test("a reward may be typed through what is no number yet", async () => {
  const { page, close } = await open(browser, server.address);
  const field = page.locator("#edit-reward");
  await edit(page, 0, 2);
  await field.fill("");
  for (const [key, shown] of [["-", "-"], ["2", "-2"], [".", "-2."], ["5", "-2.5"]]) {
    await field.press(key);
    assert.equal(await field.inputValue(), shown);
  }
  assert.equal(await focused(page), "edit-reward");
  await field.press("Enter");
  assert.match(await step(page, 0, 2).locator(".reward").textContent(), /−2\.5/);
  await field.fill("ten");
  await field.press("Enter");
  assert.match(await page.locator("#edit-problem").textContent(), /t1, step 2: A reward is a number/);
  assert.equal(await field.getAttribute("aria-invalid"), "true");
  await field.press("Escape");
  assert.equal(await field.inputValue(), "−2.5");
  await close();
});

test("steps and attempts are changed by keys, and the focus follows", async () => {
  const { page, close } = await open(browser, server.address);
  await step(page, 0, 1).focus();
  const lengths = () => page.evaluate(() => [...document.querySelectorAll("[role=grid] tbody tr")].map((row) => row.querySelectorAll(".step").length));
  for (const [key, id, expected] of [
    ["n", "step-0-2", [5, 5, 6, 4]], ["Delete", "step-0-2", [4, 5, 6, 4]], ["End", "step-0-3", [4, 5, 6, 4]],
    ["Delete", "step-0-2", [3, 5, 6, 4]], ["Alt+ArrowLeft", "step-0-1", [3, 5, 6, 4]], ["Alt+ArrowDown", "step-1-0", [5, 3, 6, 4]],
    ["d", "step-2-0", [5, 3, 3, 6, 4]], ["ArrowRight", "step-2-1", [5, 3, 3, 6, 4]], ["s", "step-3-0", [5, 3, 1, 2, 6, 4]],
    ["ArrowUp", "step-2-0", [5, 3, 1, 2, 6, 4]], ["m", "step-2-1", [5, 3, 3, 6, 4]],
  ]) {
    await page.keyboard.press(key);
    await page.locator(`#${id}:focus`).waitFor();
    assert.deepEqual(await lengths(), expected, key);
  }
  for (let turn = 0; turn < 8; turn += 1) await page.keyboard.press("Control+z");
  await page.locator(".undo[aria-disabled]").waitFor();
  assert.deepEqual(await lengths(), [4, 5, 6, 4]);
  assert.match(await focused(page), /^step-/, "the focus is kept");
  await page.keyboard.press("Alt+ArrowUp");
  await page.locator("#edit-problem", { hasText: "nothing on that side" }).waitFor();
  await page.keyboard.press("e");
  assert.equal(await focused(page), "edit-state");
  await close();
});

test("an attempt is renamed, judged, copied and removed", async () => {
  const { page, close } = await open(browser, server.address);
  await page.locator("#row-2").click();
  assert.equal(await focused(page), "edit-name");
  await page.keyboard.type("t1");
  await page.keyboard.press("Enter");
  assert.match(await page.locator("#edit-problem").textContent(), /its own name/);
  await page.locator("#edit-name").fill("third");
  await page.keyboard.press("Enter");
  assert.deepEqual(await names(page), ["t1", "t2", "third", "t4"]);
  await page.locator("#edit-outcome").selectOption("failure");
  assert.match(await page.locator("[role=grid] tbody tr").nth(2).locator("th").textContent(), /failure/);
  const editor = page.locator(".editor");
  await editor.getByRole("button", { name: "Copy" }).click();
  await editor.getByRole("button", { name: "New" }).click();
  assert.deepEqual(await names(page), ["t1", "t2", "third", "third1", "t4", "t3"]);
  await editor.getByRole("button", { name: "Remove" }).click();
  await editor.getByRole("button", { name: "Up" }).click();
  assert.deepEqual(await names(page), ["t1", "t2", "third", "t4", "third1"]);
  await close();
});

test("a level stands out with the past that its members share", async () => {
  const { page, close } = await open(browser, server.address);
  const inLevel = () => page.locator(".step.in").evaluateAll((steps) => steps.map((step) => step.id));
  const past = () => page.locator("td.to .step").evaluateAll((steps) => steps.map((step) => step.id));
  assert.deepEqual(await past(), ["step-0-0", "step-0-1", "step-1-0", "step-1-1", "step-2-2"], "each as deep as it goes");
  const level = page.getByRole("radio", { name: /^G1/ });
  assert.match(await level.locator("..").textContent(), /3\s*steps/);
  await level.check();
  assert.deepEqual(await inLevel(), ["step-0-2", "step-1-2", "step-2-3"]);
  assert.deepEqual(await past(), ["step-0-1", "step-1-1", "step-2-2"]);
  await page.keyboard.press("ArrowRight");
  assert.deepEqual(await inLevel(), ["step-0-2", "step-1-2"]);
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  assert.equal((await inLevel()).length, 4);
  assert.deepEqual(await past(), []);
  const leaving = await page.locator(".leaving > .unseen").allTextContents();
  assert.deepEqual(leaving, ["1 leaves, with a different state before: s3 ×1", "1 leaves, with a different state 2 steps before: s3 ×1"]);
  await close();
});

for (const options of [{}, { colorScheme: "dark" }, { viewport: { width: 360, height: 780 } }]) {
  test(`no accessibility rule is broken ${JSON.stringify(options)}`, async () => {
    const { page, close } = await open(browser, server.address, { ...options, reducedMotion: "reduce" });
    await load(page, 30, 40);
    await step(page, 2, 3).click();
    await page.locator(".depth input").nth(1).check();
    await step(page, 0, 0).focus();
    await page.keyboard.press("Alt+ArrowUp");
    await page.locator("#edit-problem", { hasText: "nothing" }).waitFor({ state: "attached" });
    await page.locator(".scroll").evaluate((scroll) => scroll.scrollTo(1500, 1500));
    await page.waitForTimeout(100);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "fits the window");
    await withoutViolations(page, ".stage");
    await close();
  });
}

test("the editor closes where another example takes the stage", async () => {
  const { page, close } = await open(browser, server.address);
  await edit(page, 0, 1);
  await page.locator(".editor").waitFor();
  await page.getByLabel("Example").selectOption("loop");
  await page.locator(".editor").waitFor({ state: "hidden" });
  await close();
});
