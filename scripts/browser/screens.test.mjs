// Room for what is taught, in windows of all sizes: little height, narrow frames, large screens; and nothing jumps.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { launch, open, root, serve, step } from "./page.mjs";

const lessons = JSON.parse(readFileSync(join(root, "assets/lessons/lessons.json"), "utf8"))
  .map(({ name }) => [name, JSON.parse(readFileSync(join(root, `assets/lessons/${name}.json`), "utf8")).steps]);

let server, browser;
before(async () => { server = await serve(); browser = await launch(); });
after(async () => { await browser.close(); server.close(); });

const boxes = (page, selector) => page.locator(selector).evaluateAll((all) => all.map((one) => {
  const { left, top, width, height } = one.getBoundingClientRect();
  return [left, top, width, height].map((length) => Math.round(length * 10) / 10);
}));

/** How much of the window's height is taken by what is taught, where it stands and nothing lies over it. */
const taught = (page) => page.evaluate(() => {
  const rows = new Set();
  for (const part of document.querySelectorAll(".telling, .asked, .lesson-figure, .lesson-aside, #train .training-columns")) {
    const box = part.getBoundingClientRect();
    for (let y = Math.max(0, Math.ceil(box.top)); y < Math.min(innerHeight, box.bottom); y += 1) {
      const at = document.elementFromPoint(Math.min(innerWidth - 1, Math.max(0, box.left + box.width / 2)), y);
      if (at && (part.contains(at) || at.contains(part))) rows.add(y);
    }
  }
  return rows.size / innerHeight;
});

for (const [width, height, deviceScaleFactor, what] of [[720, 450, 2, "1440 × 900 at 200 %"], [640, 360, 2, "1280 × 720 at 200 %"], [844, 390, 3, "a phone held sideways"]]) {
  test(`${what}: at least half of the height is the lesson`, async (context) => {
    const { page, close } = await open(browser, server.address, { viewport: { width, height }, deviceScaleFactor, folded: true });
    const shares = [];
    for (const [name, at] of [["credit", 1], ["credit", 9], ["anchors", 4], ["context", 10], ["race", 1], ["agents", 3]]) {
      await page.goto(`${server.address}?lesson=${name}&step=${at}&lang=en`);
      await page.locator("#lesson-title").waitFor();
      if (name === "race") await page.locator("#train .training-columns").waitFor();
      shares.push([await taught(page), `${name}, ${at}, as it opens`]);
      // The reader scrolls on to what it speaks about.
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
      shares.push([await taught(page), `${name}, ${at}, at its end`]);
      await page.locator(".onward").click();
      assert.ok(await page.locator("#lesson-title").evaluate((title) => title.getBoundingClientRect().top >= 0), `${name}, ${at}: the next stop begins with its heading`);
    }
    shares.sort(([one], [other]) => one - other);
    context.diagnostic(`${Math.round(100 * shares[0][0])} % (${shares[0][1]}), median ${Math.round(100 * shares[shares.length >> 1][0])} %`);
    assert.ok(shares[0][0] >= 0.5, `${shares[0][1]}: ${Math.round(100 * shares[0][0])} % of the height`);
    await close();
  });
}

for (const [width, height, least] of [[1440, 900, 1.2], [1920, 1080, 1.5]]) {
  test(`${width} × ${height}: the steps of a lesson are large, and stay where they are while the example does`, async (context) => {
    const { page, close } = await open(browser, `${server.address}?lesson=anchors`, { viewport: { width, height }, folded: true });
    const all = [];
    for (const name of ["credit", "anchors", "context", "agents"]) {
      const [, steps] = lessons.find(([own]) => own === name);
      await page.goto(`${server.address}?lesson=${name}&lang=en`);
      let before = null;
      for (const [at, stop] of steps.entries()) {
        await page.getByRole("heading", { name: stop.heading.en, exact: true }).waitFor();
        const example = await page.locator("[role=grid] .chip").allTextContents();
        const now = { example: example.join(" "), places: await boxes(page, "[role=grid] td > .step, .lesson-turns .onward, .lesson-text") };
        if (before?.example === now.example) assert.deepEqual(now.places, before.places, `${name}, ${at + 1}`);
        before = now;
        if (await page.locator(".lesson-figure .brief").count() > 0) {
          const sizes = await page.locator(".lesson-figure").evaluate((figure) => {
            const table = figure.querySelector("table");
            const scroll = figure.querySelector(".scroll");
            return { type: parseFloat(getComputedStyle(table).fontSize) / 15, whole: scroll.scrollWidth <= scroll.clientWidth + 1 && scroll.scrollHeight <= scroll.clientHeight + 1, rows: table.querySelectorAll("tbody tr").length, columns: table.querySelectorAll("thead th").length - 1, height: table.offsetHeight };
          });
          assert.ok(sizes.whole, `${name}, ${at + 1}: all steps are in sight`);
          all.push([sizes.type, `${name}, ${at + 1}`, sizes.columns, sizes.height / height]);
        }
        if (at + 1 < steps.length) await page.locator(".onward").click();
      }
    }
    all.sort(([one], [other]) => one - other);
    context.diagnostic(`type of the steps ${all[0][0].toFixed(2)} (${all[0][1]}, ${all[0][2]} columns), median ${all[all.length >> 1][0].toFixed(2)}, most ${all.at(-1)[0].toFixed(2)}`);
    assert.ok(all[all.length >> 1][0] >= least, "the type grows with the window");
    await close();
  });
}

for (const [width, height] of [[1280, 720], [1440, 900], [1920, 1080]]) {
  test(`${width} × ${height}: tabs and columns of Explore stay where they are`, async () => {
    const { page, close } = await open(browser, `${server.address}?preset=loop&lang=en`, { viewport: { width, height }, folded: true });
    const places = async () => ({ tabs: await boxes(page, ".tabs .tab"), columns: (await boxes(page, "[role=grid] thead th")).map(([left, , wide]) => [left, wide]) });
    const before = await places();
    assert.equal(before.tabs.length, 4);
    const shown = { "Compare estimators": ".readout", "Estimate and truth": ".truth h2", Graph: ".state-graph h2", Explanation: ".sum-line" };
    for (const [name, part] of Object.entries(shown)) {
      await page.getByRole("button", { name, exact: true }).click();
      await page.locator(part).first().waitFor();
      assert.deepEqual(await places(), before, name);
    }
    await step(page, 0, 0).focus();
    for (const key of ["ArrowRight", "ArrowRight", "Enter", "ArrowDown", "Enter", "ArrowRight", "Enter", "End", "Enter"]) {
      await page.keyboard.press(key);
      assert.deepEqual(await places(), before, key);
    }
    await close();
  });
}

for (const width of [760, 820, 900]) {
  test(`a frame of ${width} pixels shows the attempts`, async () => {
    for (const address of ["?lesson=anchors&step=4", "?lesson=credit&step=2", "?lesson=context&step=6", "?preset=loop"]) {
      const { page, close } = await open(browser, `${server.address}${address}&embed=1`, { viewport: { width, height: 900 }, folded: true });
      const steps = page.locator("[role=grid] td > .step");
      assert.ok(await steps.first().isVisible() && await steps.last().isVisible(), `${address}: the steps are there`);
      assert.equal(await page.locator(".steps-too").filter({ visible: true }).count(), 0, `${address}: nothing has to be pressed for them`);
      if (address.startsWith("?lesson")) assert.ok(await page.locator(".lesson-aside").isVisible(), `${address}: what it speaks about`);
      const [[left, , wide]] = await boxes(page, ".stage");
      assert.ok(left >= 0 && wide > 0.9 * width, `${address}: the attempts have ${wide} of ${width}`);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
      await close();
    }
  });
}

/** Parts of steps and attempts that are not within theirs. */
const spills = (page) => page.evaluate(() => {
  const found = [];
  const look = (around, selector) => {
    const own = around.getBoundingClientRect();
    for (const part of around.querySelectorAll(selector)) {
      const box = part.getBoundingClientRect();
      if (box.width < 1) continue;
      if (box.left < own.left - 1 || box.right > own.right + 1 || box.top < own.top - 1 || box.bottom > own.bottom + 1) {
        found.push(`${around.id || around.textContent.trim().slice(0, 12)}: ${part.className} “${part.textContent.trim()}”`);
      }
    }
  };
  const figure = document.querySelector(".lesson-figure");
  if (!figure?.checkVisibility()) return found;
  for (const step of figure.querySelectorAll(".step")) {
    look(step, ".chip, .mark-of-level, .action, .reward, .agent, .advantage");
    const [chip, mark] = [".chip", ".mark-of-level"].map((part) => step.querySelector(part)?.getBoundingClientRect());
    if (chip && mark && mark.left < chip.right - 1 && mark.top < chip.bottom - 1) found.push(`${step.id}: the badge lies over the state`);
    const number = step.querySelector(".advantage");
    if (number && number.scrollWidth > number.clientWidth + 1) found.push(`${step.id}: ${number.textContent} is wider than its place`);
  }
  for (const head of figure.querySelectorAll("tbody th")) look(head, ".name, .outcome");
  for (const depth of figure.querySelectorAll(".depth")) look(depth, ".mark-of-level, b, .words");
  return found;
});

for (const language of ["en", "ko"]) {
  test(`badges, names and numbers stay in their boxes (${language})`, async () => {
    const found = [];
    for (const [width, height] of [[1024, 768], [1280, 720], [1440, 900], [1920, 1080], [390, 844], [844, 390], [720, 450]]) {
      const { page, close } = await open(browser, `${server.address}?lesson=credit&lang=${language}`, { viewport: { width, height }, folded: true });
      for (const [name, stops] of [["credit", [1, 5, 9]], ["anchors", [5, 12]], ["context", [4, 8, 15]], ["agents", [2, 5]]]) {
        for (const at of stops) {
          await page.goto(`${server.address}?lesson=${name}&step=${at}&lang=${language}`);
          await page.locator("#lesson-title").waitFor();
          // On a phone the steps take the place of what is spoken about when asked for.
          const turns = page.locator(".steps-too");
          if (await turns.isVisible()) await turns.locator("input").check();
          for (const spill of await spills(page)) found.push(`${width} × ${height}, ${name}, ${at}: ${spill}`);
        }
      }
      await close();
    }
    assert.deepEqual(found, []);
  });
}
