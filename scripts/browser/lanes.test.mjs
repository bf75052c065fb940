// What lanes say of themselves, where play stops, and the map of settings.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, open, serve, unfold } from "./page.mjs";
import { SMALL, address, isPaused, iterate, iteration, reached, tabTo } from "./training-controls.mjs";

let server, browser;
before(async () => { server = await serve(); browser = await launch(); });
after(async () => { await browser.close(); server.close(); });

const train = (setup = SMALL, options) => open(browser, `${server.address}?view=train&train=${setup}`, options);

test("every lane says what it compares, and every number what it means, without a pointer", async () => {
  for (const [language, words] of [["en", [/whole attempts/, /single steps/, /same way/, /nothing from them/]],
    ["ko", [/시도 전체/, /단계끼리/, /온 길/, /아무것도 배우지/]]]) {
    const { page, close } = await open(browser, `${server.address}?view=train&lang=${language}&train=${SMALL}`);
    for (const lane of [0, 1, 2]) assert.match(await page.locator(`.lane${lane} .compares`).textContent(), words[lane]);
    await page.locator("#lane0-estimator").selectOption("g2po");
    assert.doesNotMatch(await page.locator(".lane0 .compares").textContent(), words[2]);
    await page.locator("#lane0-estimator").selectOption("grpo");
    // One level for GiGPO, three for HGPO, before and after the first iteration.
    const levels = () => page.locator(".lane table").evaluateAll((all) => all.map((one) => one.querySelectorAll("thead th").length - 1));
    assert.deepEqual(await levels(), [1, 3]);
    await iterate(page, 1);
    assert.deepEqual(await levels(), [1, 3]);
    const names = await page.locator(".lane2 .readings :is(dt, th[scope=row])").allTextContents();
    await tabTo(page, ".meanings summary");
    await page.keyboard.press("Enter");
    const told = await page.locator(".meanings dt").filter({ visible: true }).allTextContents();
    assert.deepEqual(told, names, "each is told of");
    assert.match(await page.locator(".meanings").textContent(), words[3]);
    await close();
  }
});

for (const [width, height] of [[1280, 720], [1440, 900]]) {
  test(`${width} x ${height}: three lanes are in sight at once, and no choice is cut`, async () => {
    const { page, close } = await train("", { viewport: { width, height }, folded: true });
    await iterate(page, 2);
    const bar = await page.locator(".training-bar").evaluate((own) => own.getBoundingClientRect().top);
    const ends = await page.locator(".lane").evaluateAll((all) => all.map((own) => Math.round(own.getBoundingClientRect().bottom)));
    assert.ok(ends.length === 3 && ends.every((end) => end <= bar), `${ends} of ${bar}`);
    await unfold(page);
    const cut = await page.locator(".dials select").evaluateAll((all) => all.flatMap((list) => [...list.options].map((option) => {
      const style = getComputedStyle(list);
      const pen = document.createElement("canvas").getContext("2d");
      pen.font = style.font;
      // A browser's arrow takes some 22 pixels.
      const room = list.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - 22;
      return [option.textContent, Math.ceil(pen.measureText(option.textContent).width) - Math.floor(room)];
    })));
    assert.deepEqual(cut.filter(([, beyond]) => beyond > 0), []);
    await close();
  });
}

test("play stops where the link says, and goes on from there", async () => {
  const { page, close } = await train(`${SMALL}_until.7`);
  await page.locator("#training-play", { hasText: "Play to 7" }).click();
  await reached(page, 7);
  await isPaused(page);
  await page.waitForTimeout(300);
  assert.equal(await iteration(page), 7);
  assert.equal(await page.locator("#training-play").textContent(), "\u25b6Play");
  await page.locator("#training-play").click();
  await reached(page, 9);
  await page.locator("#training-play").click();
  await close();
});

test("in a lesson the bar is one line, and play stops at the iteration that is asked about", async () => {
  const { page, said, close } = await open(browser, `${server.address}?lesson=memory&step=3`, { viewport: { width: 1280, height: 720 } });
  await page.locator("#training-play", { hasText: "Play to 60" }).click();
  const tops = await page.locator(".training-bar :is(.button, input[type=range])").evaluateAll((all) => all.map((own) => Math.round(own.getBoundingClientRect().top / 20)));
  assert.equal(new Set(tops).size, 1, `${tops}`);
  await reached(page, 60);
  await isPaused(page);
  await page.waitForTimeout(300);
  assert.equal(await iteration(page), 60);
  // What all three are asked about stands together: the chart is beside the world, above the lanes.
  await page.goto(`${server.address}?lesson=limits&step=7`);
  await page.locator(".lane.lane2").waitFor();
  const [bar, chart] = await page.evaluate(() => [".training-bar", ".chart"].map((one) => document.querySelector(one).getBoundingClientRect()))
    .then(([bar, chart]) => [bar.top, chart.bottom]);
  assert.ok(chart <= bar, `${chart} of ${bar}`);
  assert.deepEqual(said, []);
  await close();
});

test("the map of settings counts the iterations that are chosen, says so, and is in sight", async () => {
  const { page, said, close } = await train("world.comb_group.4_tasks.1_seeds.2_steps.12", { viewport: { width: 1280, height: 720 } });
  await page.locator("#training-crossed").selectOption("SightGroup");
  await page.locator("#training-study-go").click();
  const status = page.locator(".training-study [role=status]");
  await page.locator(".study-of", { hasText: "over the first 40 iterations" }).waitFor();
  const [bottom, bar] = await page.evaluate(() => [".training-study .scrolled", ".training-bar"].map((one) => document.querySelector(one).getBoundingClientRect()))
    .then(([table, bar]) => [table.bottom, bar.top]);
  assert.ok(bottom <= bar, `the table ends at ${bottom}, the bar begins at ${bar}`);
  await status.filter({ hasText: "18 of 18" }).waitFor();
  assert.deepEqual(await page.locator(".training-study tbody th").allTextContents(), ["walls only", "exact place"], "there are no labels");
  const before = await page.locator(".training-study td button").allTextContents();
  await page.locator("#training-counted").selectOption("100");
  assert.equal(await page.locator(".training-study table").count(), 0);
  await page.locator("#training-study-go").click();
  await page.locator(".study-of", { hasText: "over the first 100 iterations" }).waitFor();
  await status.filter({ hasText: "18 of 18" }).waitFor();
  assert.notDeepEqual(await page.locator(".training-study td button").allTextContents(), before);
  assert.deepEqual(said, []);
  await close();
});

test("the map of settings says where a lane gains, and sets a cell", async () => {
  const { page, said, close } = await train("world.signpost_group.4_tasks.1_seeds.2_steps.12");
  await page.locator("#training-crossed").selectOption("SightGroup");
  await page.locator("#training-study-go").click();
  await page.locator(".training-study [role=status]", { hasText: "27 of 27" }).waitFor();
  assert.equal(await page.locator(".training-study td button").count(), 9);
  await page.locator("#training-pair").selectOption("1-0");
  await page.locator(".training-study tbody tr:nth-child(3) td:nth-child(4) button").click();
  assert.equal(await page.locator("#training-sight").inputValue(), "place");
  assert.equal(await page.locator("#dial-group").inputValue(), "16");
  assert.deepEqual(said, []);
  await close();
});

test("depth and slip are crossed with intervals, and a cell is set", async () => {
  const { page, said, close } = await train("world.signpost_group.4_tasks.1_seeds.2_steps.12");
  await page.locator("#training-crossed").selectOption("DepthSlip");
  await page.locator("#training-study-go").click();
  const status = page.locator(".training-study [role=status]");
  await page.waitForFunction(() => {
    const [done, all] = document.querySelector(".training-study [role=status]").textContent.match(/\d+/g).map(Number);
    return done === all;
  });
  // For each of four chances to slip: HGPO with four depths, and the two others, which have none.
  assert.match(await status.textContent(), /^24 of 24 /);
  const cells = page.locator(".training-study td button");
  assert.equal(await cells.count(), 16);
  for (const text of await cells.allTextContents()) assert.match(text, /^[+\u2212]?\d+\.\d\s*\u00b1\s*\d+\.\d/, text);
  const column = page.locator(".training-study thead th", { hasText: "0.2" });
  const at = await column.evaluate((own) => [...own.parentElement.children].indexOf(own));
  await page.locator(".training-study tbody tr", { hasText: "K = 4" }).locator(":scope > *").nth(at).locator("button").click();
  assert.equal(await page.locator("#dial-slip").inputValue(), "0.2");
  assert.equal(await page.locator("#lane2-context_length").inputValue(), "4");
  const setup = address(page).searchParams.get("train");
  assert.match(setup, /_slip\.0\.2_.*_lane\.grpo_lane\.gigpo_lane\.hgpo\*context-length\.4$/);
  assert.equal(await iteration(page), 0, "it begins with that");
  await iterate(page, 1);
  assert.deepEqual(said, []);
  await close();
});
