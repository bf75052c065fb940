// What is on the first screen of Explore, and how far the keyboard has to go.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, open, serve, step, withoutViolations } from "./page.mjs";

let server, browser;
before(async () => { server = await serve(); browser = await launch(); });
after(async () => { await browser.close(); server.close(); });

const box = (locator) => locator.evaluate((part) => part.getBoundingClientRect().toJSON());

for (const [width, height] of [[1280, 720], [1440, 900], [1920, 1080], [360, 780]]) {
  const viewport = { width, height };

  test(`${width} x ${height}: the first row of steps is on the first screen, below a strip that folds`, async (context) => {
    for (const example of ["overview", "errand", "chores"]) {
      for (const language of ["en", "ko"]) {
        const { page, close } = await open(browser, `${server.address}?preset=${example}&lang=${language}`, { folded: true, viewport });
        const strip = await box(page.locator(".settings"));
        assert.ok(strip.height <= 56, `${example}, ${language}: the strip is ${strip.height} pixels high`);
        const first = await box(page.locator("[role=grid] tbody tr:not(.gap)").first().locator("th"));
        context.diagnostic(`${example}, ${language}: the first row of steps from ${Math.round(first.top)} to ${Math.round(first.bottom)} of ${height}`);
        assert.ok(first.bottom <= height, `${example}, ${language}: the first row ends at ${first.bottom}`);
        await close();
      }
    }
  });

  test(`${width} x ${height}: Play ends with the sum in sight`, async () => {
    const { page, close } = await open(browser, server.address, { folded: true, viewport, reducedMotion: "reduce" });
    for (let part = 0; part < 5; part += 1) await page.keyboard.press("]");
    const sum = await box(page.locator(".sum-line"));
    const panel = await box(page.locator(".panel"));
    assert.ok(sum.top >= 0 && sum.bottom <= Math.min(height, panel.bottom), `the sum is from ${sum.top} to ${sum.bottom}`);
    await close();
  });
}

test("what is said of an option moves nothing", async () => {
  for (const [width, height] of [[1440, 900], [1280, 720], [360, 780]]) {
    const { page, close } = await open(browser, server.address, { viewport: { width, height } });
    const place = () => page.evaluate(() => document.querySelector(".explore").getBoundingClientRect().top + scrollY);
    const before = await place();
    for (const option of await page.locator(".unfolded [data-option]").filter({ visible: true }).all()) {
      await option.hover();
      assert.equal(await place(), before, `${width}: ${await option.getAttribute("data-option")}`);
    }
    await close();
  }
});

test("the panel says in one sentence why, and keeps its heading in sight", async () => {
  const { page, close } = await open(browser, server.address, { folded: true, viewport: { width: 1280, height: 720 } });
  assert.equal(await page.locator(".because").textContent(),
    "Its return 9.5 beats the means of its groups (4.6313, 6.175, 4.75), so training makes this action more likely.");
  await page.locator(".panel").evaluate((panel) => panel.scrollTo(0, 99_999));
  assert.ok((await box(page.locator(".panel h2"))).top >= (await box(page.locator(".panel"))).top, "the heading stays");
  await step(page, 3, 2).click();
  assert.equal(await page.locator(".because").textContent(),
    "Its return 0 is below the mean of its group (4.6313), so training makes this action less likely.");
  await step(page, 0, 3).click();
  assert.match(await page.locator(".because").textContent(), /the step teaches nothing\.$/);
  await close();
});

test("few stops of the Tab key lead to the steps", async () => {
  const { page, close } = await open(browser, server.address, { folded: true });
  let presses = 0;
  for (; presses < 60 && !await page.evaluate(() => document.activeElement.matches(".step")); presses += 1) await page.keyboard.press("Tab");
  assert.ok(presses <= 18, `${presses} stops`);
  await close();
});

test("dense rewards, large ones and long names stay in their cells", async () => {
  const { page, close } = await open(browser, server.address, { folded: true, viewport: { width: 1280, height: 720 } });
  const text = Array.from({ length: 4 }, (_, row) => JSON.stringify({
    task: "dense", trajectory: `an-experiment-with-a-long-name-${row}`,
    steps: Array.from({ length: 7 }, (_, at) => ({ state: ["door", "kitchen", "corridor"][(row + at) % 3], action: "go north", reward: at % 2 ? -0.37 : 123456.5 })),
  })).join("\n");
  await page.locator("#file").setInputFiles({ name: "dense.jsonl", mimeType: "text/plain", buffer: Buffer.from(text) });
  await page.locator(".holdings b", { hasText: "dense.jsonl" }).waitFor();
  const outside = await page.locator(".step").evaluateAll((steps) => steps.flatMap((step) => {
    const own = step.getBoundingClientRect();
    const parts = [...step.querySelectorAll(".chip, .action, .reward, data, .mark-of-level")].map((part) => part.getBoundingClientRect());
    return parts.filter((part) => part.right > own.right + 1 || part.bottom > own.bottom + 1).map(() => step.id);
  }));
  assert.deepEqual(outside, []);
  assert.equal(await step(page, 0, 1).locator(".chip").textContent(), "kitchen", "a word of eight letters is its own name");
  const ends = await page.locator("tbody .name span:last-child").evaluateAll((ends) =>
    ends.map((end) => end.getBoundingClientRect().right <= end.closest("th").getBoundingClientRect().right));
  assert.deepEqual(ends, [true, true, true, true], "the ends of names, which tell them apart, are in sight");
  await close();
});

test("a story that is no longer true is not told", async () => {
  const { page, close } = await open(browser, server.address);
  assert.match(await page.locator(".note").textContent(), /^Four attempts/);
  await step(page, 0, 0).focus();
  await page.keyboard.press("n");
  await page.locator("#step-0-4").waitFor();
  assert.match(await page.locator(".note").textContent(), /^Edited: Overview/);
  await page.getByRole("button", { name: "Reset" }).click();
  await page.getByText(/^Four attempts/).waitFor();
  await close();
});

test("in Returns, steps show their returns", async () => {
  const { page, close } = await open(browser, server.address);
  await page.getByRole("button", { name: "Returns", exact: true }).click();
  assert.equal(await step(page, 0, 2).locator("data").textContent(), "R 9.5");
  await page.getByRole("button", { name: "Groups", exact: true }).click();
  assert.equal(await step(page, 0, 2).locator("data").textContent(), "+0.93");
  await close();
});

test("attempts are counted as attempts, and said how often each counts", async () => {
  const { page, close } = await open(browser, server.address);
  await page.getByLabel("Method").selectOption("GRPO");
  assert.match(await page.locator(".group.whole h4").textContent(), /4\u00a0attempts.*each counts once for each of its steps, 19 in all/);
  await page.goto(`${server.address}?lesson=credit&step=2`);
  assert.match(await page.locator(".group.whole h4").textContent(), /4\u00a0attempts.*each counts once$/);
  await close();
});

test("on a phone, the steps take the place of the arithmetic when asked for", async () => {
  const { page, close } = await open(browser, `${server.address}?lesson=anchors&step=3`, { viewport: { width: 360, height: 780 }, folded: true });
  const [figure, aside] = [page.locator(".lesson-figure"), page.locator(".lesson-aside")];
  assert.deepEqual([await figure.isVisible(), await aside.isVisible()], [false, true]);
  await page.getByRole("checkbox", { name: "Steps" }).check();
  assert.deepEqual([await figure.isVisible(), await aside.isVisible()], [true, false]);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
  await withoutViolations(page);
  await page.getByRole("checkbox", { name: "Steps" }).uncheck();
  assert.ok(await aside.isVisible());
  await close();
});
