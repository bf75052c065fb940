// What is short on the screen says what it means: symbols, marks, labels, the strip of settings.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, open, serve, step, unfold } from "./page.mjs";

let server, browser;
before(async () => { server = await serve(); browser = await launch(); });
after(async () => { await browser.close(); server.close(); });

const attempts = ["a", "b"].map((trajectory, row) => JSON.stringify({ task: "own", trajectory, steps: [{ state: "s", reward: row }] })).join("\n");

test("the folded strip names the settings that differ from the method's own", async () => {
  const { page, close } = await open(browser, server.address, { folded: true, viewport: { width: 1280, height: 720 } });
  const told = page.locator(".toggle .told");
  assert.match(await told.textContent(), /^Exponent α 1 · Scale mean and σ · Weights paper: \(k\+1\)\^α · /);
  await unfold(page);
  await page.getByLabel("Scale").selectOption("mean only");
  await page.getByLabel("Exponent").fill("2");
  await page.keyboard.press("Enter");
  await page.locator(".toggle").click();
  assert.equal(await told.textContent(), "Exponent α 2 · Scale mean only");
  // They stay when another file is opened, and so does what is said of them.
  await page.locator("#file").setInputFiles({ name: "own.jsonl", mimeType: "text/plain", buffer: Buffer.from(attempts) });
  await page.locator("[role=grid][aria-rowcount='3']").waitFor();
  for (const width of [1280, 900, 700, 360, 320]) {
    await page.setViewportSize({ width, height: 720 });
    assert.equal(await told.textContent(), "Exponent α 2 · Scale mean only");
    const [left, right] = await told.evaluate((part) => [part.getBoundingClientRect().left, part.getBoundingClientRect().right]);
    assert.ok(right - left >= 4 && right < width, `${width}: the mark is from ${left} to ${right}`);
    assert.ok(await page.locator(".settings").evaluate((strip) => strip.offsetHeight) <= 56, `${width}: the strip is one line`);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= width);
  }
  await close();
});

test("labels are not cut, at any width, in both languages and for a room", async () => {
  for (const query of ["lang=en", "lang=ko", "present=1"]) {
    const { page, close } = await open(browser, `${server.address}?${query}`, { folded: true });
    for (const width of [320, 360, 560, 768, 1081, 1280, 1920]) {
      await page.setViewportSize({ width, height: 800 });
      // The part that is shown is bold.
      for (let part = 0; part < 6; part += 1) {
        const cut = await page.locator(".button, .tab, .station, .depth > span, .settings .field, .stage th").evaluateAll((all) =>
          all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => `${one.textContent} ${one.scrollWidth} > ${one.clientWidth}`));
        assert.deepEqual(cut, [], `${query}, ${width}`);
        const [end, edge] = await page.locator(".stations").evaluate((list) =>
          [list.lastElementChild.getBoundingClientRect().right, list.closest(".panel").getBoundingClientRect().right]);
        assert.ok(end <= edge, `${query}, ${width}: the parts end at ${end} of ${edge}`);
        await page.keyboard.press("]");
      }
    }
    await close();
  }
});

test("every symbol says what it means where it is pointed at, and in the list", async () => {
  const { page, close } = await open(browser, server.address);
  const methods = await page.getByLabel("Method").locator("option").allTextContents();
  for (const method of methods) {
    await page.getByLabel("Method").selectOption(method);
    const [listed, mute, unlisted] = await page.evaluate(() => {
      const listed = [...document.querySelectorAll(".panel .symbols dt")].flatMap((term) => term.textContent.split(", "));
      const symbols = [...document.querySelectorAll(".panel .arithmetic > :not(details) i, [role=grid] i")];
      return [listed, symbols.filter((one) => !one.closest("[title]:not([title=''])")).map((one) => one.parentElement.textContent),
        symbols.map((one) => one.textContent).filter((letter) => !listed.includes(letter) && letter !== "G")];
    });
    assert.deepEqual(mute, [], `${method}: symbols without a meaning`);
    assert.deepEqual(unlisted, [], `${method}: symbols that are not listed`);
  }
  await page.getByLabel("Method").selectOption("GiGPO");
  assert.match(await page.locator(".levels .mark-of-level").first().getAttribute("title"), /whole attempts/);
  await page.getByLabel("Method").selectOption("HGPO");
  assert.equal(await page.getByText("10⁻⁶", { exact: true }).first().getAttribute("title"), "keeps the divisor from being 0");
  await page.getByRole("button", { name: "Compare estimators" }).click();
  assert.equal(await page.locator(".sizes .mark-of-level").first().getAttribute("title"), "the same state");
  await close();
});

/** The symbols that the panel lists, and those that it and the steps show: letters, indices that are no numbers, signs of
 * groups, and what keeps a divisor from being 0. */
const symbols = (page) => page.evaluate(() => {
  const panel = document.querySelector(".panel .arithmetic");
  const all = (selector) => [...panel.querySelectorAll(`:scope > :not(details) ${selector}`)];
  const texts = (parts) => parts.flatMap((part) => part.textContent.split(/[ ,>\d]+/));
  const letters = [...texts(all("i")), ...texts([...document.querySelectorAll("[role=grid] i")]), ...texts(all("sub.index")), "r"];
  const signs = texts(all(".mark-of-level"));
  const small = all("span[title^='keeps the divisor']").map(() => "10\u207b\u2076");
  const listed = [...panel.querySelectorAll(".symbols dt")].flatMap((term) => term.textContent.split(", "));
  // A sum is no symbol of its own.
  const shown = [...letters, ...signs, ...small].filter((one) => one && one !== "\u2211" && !/^[-\d.\u2212+)(]+$/.test(one));
  return [listed.sort(), [...new Set(shown)].sort()];
});

test("the list of symbols has those in sight, for every estimator, option with a choice and part", async () => {
  const { page, close } = await open(browser, server.address);
  const seen = new Set();
  const check = async (label) => {
    const [listed, shown] = await symbols(page);
    assert.deepEqual(listed, shown, label);
    listed.forEach((one) => seen.add(one));
  };
  const method = page.getByLabel("Method");
  for (const name of await method.locator("option").allTextContents()) {
    await method.selectOption(name);
    await check(name);
    await page.locator(".controls details").evaluateAll((all) => all.forEach((one) => { one.open = true; }));
    const choices = page.locator(".controls select:not(:disabled)");
    for (let at = 0; at < await choices.count(); at += 1) {
      const choice = choices.nth(at);
      if (await choice.evaluate((one) => one.labels[0].textContent.startsWith("Method"))) continue;
      const before = await choice.inputValue();
      for (const value of await choice.locator("option:not(:disabled)").evaluateAll((all) => all.map((one) => one.value))) {
        await choice.selectOption(value);
        await check(`${name}, ${await choice.evaluate((one) => one.labels[0].textContent)}: ${value}`);
      }
      await choice.selectOption(before);
    }
  }
  await method.selectOption("HGPO");
  await page.keyboard.press("]");
  for (let part = 0; part < 5; part += 1) {
    await check(`part ${part}`);
    await page.keyboard.press("]");
  }
  // No entry lacks its symbol.
  const known = ["10\u207b\u2076", "A", "B", "E", "G", "K", "Q", "R", "S", "V", "d", "g", "k", "l", "r", "t", "w", "x", "y", "z",
    "\u03b1", "\u03b3", "\u03b4", "\u03bc", "\u03c3", "\u0394"];
  assert.deepEqual([...seen].sort(), known.filter((one) => one !== "K").sort());
  await close();
});

test("the mark of a level says what it means: pointed at, below the steps, and among the keys", async () => {
  const { page, close } = await open(browser, server.address);
  const words = "the deepest group that a step shares with the chosen one";
  assert.equal(await step(page, 1, 2).locator(".mark-of-level").getAttribute("title"), words);
  assert.match(await page.locator(".peek").textContent(), new RegExp(`G2 ${words}$`));
  await step(page, 3, 2).hover();
  assert.match(await page.locator(".peek").textContent(), new RegExp(`^t4, step 2.*G0 ${words}$`));
  await step(page, 3, 0).hover();
  assert.doesNotMatch(await page.locator(".peek").textContent(), /deepest/, "no mark, no words");
  await page.keyboard.press("?");
  // The keys are fetched late.
  const hint = page.locator(".keys .hint").filter({ hasText: words });
  assert.match(await hint.textContent(), new RegExp(`^Gk ${words}$`));
  await close();
});

test("what a question hides leaves a question mark, by no way a number", async () => {
  const { page, close } = await open(browser, `${server.address}?lesson=context&step=10`);
  const look = () => page.locator(".depth b, .leaving").allTextContents();
  assert.deepEqual([...new Set(await look())].sort(), ["?", "\u2287"]);
  assert.equal(await page.locator(".leaving[title], .leaving .unseen").count(), 0, "no tip, no words");
  for (const _ of [1, 2]) {
    await page.locator("#answer").fill("999");
    await page.keyboard.press("Enter");
  }
  await page.getByRole("button", { name: "Show the answer" }).click();
  assert.ok((await look()).every((text) => /\d/.test(text)), "sizes, and who leaves");
  await close();
});
