// The estimates beside the truth: told, drawn anew, drawn many times, and honest where nothing is known.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { advantage, chosen, edit, launch, open, serve, step, withoutViolations } from "./page.mjs";


let server, browser;
before(async () => { server = await serve(); browser = await launch(); });
after(async () => { await browser.close(); server.close(); });

/** The page with the truth beside the steps, in its unit. */
async function truth(address, options) {
  const opened = await open(browser, address, options);
  const { page } = opened;
  await page.getByLabel("Scale").selectOption("mean only");
  await page.getByRole("button", { name: "Estimate and truth" }).click();
  await page.locator(".truth .because").waitFor();
  return opened;
}

const table = (page) => page.locator(".truth table").first();
const cells = async (page, name) => (await table(page).locator("tr", { has: page.locator("th", { hasText: name }) }).locator("td")
  .allTextContents()).map((text) => Number(text.replace("\u2212", "-")));

test("the true advantage stands beside the estimates, and nothing is asked for before", async () => {
  const { page, said, asked, close } = await truth(`${server.address}?preset=streets`);
  const files = asked.map((address) => new URL(address).pathname).filter((path) => /worker|process/.test(path));
  assert.equal(files.filter((path) => path.endsWith("processes/streets.json")).length, 1);
  // The bridge always wins 10, the ferry half the time: A* = ±2.5, before the discount of nothing.
  const [row, at] = (await page.locator(".step.selected").getAttribute("id")).split("-").slice(1).map(Number);
  const action = await step(page, row, at).locator(".action").textContent();
  const expected = action === "bridge" ? 2.5 : -2.5;
  assert.deepEqual(await cells(page, "truth"), [expected]);
  assert.match(await page.locator(".truth .because").textContent(), /^True advantage/);
  const sum = (await cells(page, /^A$/))[0];
  assert.ok(Math.abs(sum - await advantage(page, row, at)) < 5e-4, "the estimate is the stage's");
  assert.deepEqual(said, []);
  await close();
});

test("200 groups show bias and spread, as numbers and as a picture", async () => {
  const { page, said, close } = await truth(`${server.address}?preset=streets`);
  await page.getByRole("button", { name: "Draw 200 groups" }).click();
  await page.locator(".truth svg").first().waitFor();
  const pictures = await page.locator(".truth svg").count();
  assert.ok(pictures >= 2, `${pictures} pictures`);
  const [, mean, bias, spread] = await cells(page, "A0");
  const [exact] = await cells(page, "truth");
  assert.ok(Math.abs(mean - exact - bias) < 2e-3, `${mean} less ${exact} is not ${bias}`);
  assert.ok(spread > 0.3);
  assert.match(await page.locator(".truth .hint").first().textContent(), /^200 groups of \d+ attempts were drawn/);
  assert.ok(await page.locator(".truth svg .line").count() > 0, "the truth is a line");
  const drawn = Number(/came up (\d+) times/.exec(await page.locator(".truth .hint").first().textContent())[1]);
  for (const picture of await page.locator(".truth svg").all()) {
    const [first, most, zero, ...across] = await picture.locator("text").allTextContents();
    assert.deepEqual([first, zero, across.pop()], ["Estimates", "0", "Advantage"]);
    assert.ok(Number(most) > 0 && Number(most) <= drawn, `${most} of ${drawn} estimates in the highest bar`);
    assert.ok(across.includes("0") && across.length > 1 && across.every((tick) => /^\u2212?[\d.]+$/.test(tick)), `numbers ${across}`);
    const apart = await picture.locator("text").evaluateAll((all) => all.slice(3).map((one) => one.getBoundingClientRect()).sort((one, other) => one.left - other.left)
      .every((box, at, boxes) => at === 0 || boxes[at - 1].right <= box.left));
    assert.ok(apart, "no two texts below the axis overlap");
  }
  // Another press draws others.
  const before = await table(page).textContent();
  await page.getByRole("button", { name: "Draw 200 groups" }).click();
  await page.waitForFunction((before) => document.querySelector(".truth table").textContent !== before, before);
  await withoutViolations(page);
  assert.deepEqual(said, []);
  await close();
});

test("attempts drawn anew come on the stage, and undo brings the others back", async () => {
  const { page, close } = await truth(server.address);
  const steps = () => page.locator("[role=grid] tbody").textContent();
  const before = await steps();
  await page.getByRole("button", { name: "Draw the attempts anew" }).click();
  await page.waitForFunction((before) => document.querySelector("[role=grid] tbody").textContent !== before, before);
  assert.equal(await page.locator("[role=grid] tbody tr").count(), 4, "as many as there were");
  await page.locator(".truth .because").waitFor();
  assert.match(await page.locator(".truth .because").textContent(), /^True advantage/, "drawn attempts are located");
  await page.getByRole("button", { name: "Undo" }).click();
  assert.equal(await steps(), before);
  await close();
});

test("what is not known is not told: an edit that cannot be, a unit that is another", async () => {
  const { page, close } = await truth(server.address);
  await edit(page, 0, 2);
  await page.locator("#edit-reward").fill("7");
  await page.keyboard.press("Enter");
  await page.locator(".truth .because", { hasText: "cannot come from" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Undo" }).click();
  await page.locator(".truth .because", { hasText: "True advantage" }).waitFor();
  await page.getByLabel("Scale").selectOption("mean and σ");
  await page.getByRole("button", { name: "Draw 200 groups" }).click();
  await page.getByText(/another unit than the truth/).waitFor();
  assert.equal(await page.locator(".truth svg .line").count(), 0);
  // Another step has another truth.
  await step(page, 1, 2).click();
  assert.equal(await chosen(page), "t2, step 2");
  await page.locator(".truth h2", { hasText: "t2, step 2" }).waitFor();
  // Files and recorded examples have none.
  await page.getByLabel("Example").selectOption("chores");
  assert.equal(await page.getByRole("button", { name: "Estimate and truth" }).count(), 0);
  assert.equal(await page.locator(".panel").count(), 1);
  await close();
});

test("without module workers, a sentence says so", async () => {
  const withoutWorkers = () => { globalThis.Worker = class { constructor() { throw new Error("no"); } }; };
  const withoutModules = () => { globalThis.Worker = class {}; }; // it does not look at the type
  for (const script of [withoutWorkers, withoutModules]) {
    const { page, close } = await open(browser, server.address);
    await page.addInitScript(script);
    await page.reload();
    await page.getByRole("button", { name: "Estimate and truth" }).click();
    await page.locator(".truth .problem", { hasText: /needs a browser with module workers/ }).waitFor();
    await close();
  }
});

/** Draws many groups, and asserts that neither numbers nor pictures need scrolling, nor states are cut. */
async function fits(page, label) {
  await page.locator(".truth .because").waitFor();
  await page.getByRole("button", { name: "Draw 200 groups" }).click();
  await page.locator(".truth svg").first().waitFor();
  const wide = await page.locator(".truth .wide").evaluateAll((all) => all.map((one) => one.scrollWidth - one.clientWidth));
  assert.ok(wide.length > 0 && wide.every((beyond) => beyond <= 0), `${label}: tables are ${wide} pixels too wide`);
  const [narrow, wider] = await page.locator(".truth").evaluate((place) => [place.querySelector("svg").clientWidth, place.clientWidth]);
  assert.ok(narrow > wider / 2, `${label}: a picture is ${narrow} of ${wider} pixels wide`);
  const cut = await page.locator("[role=grid] .chip").evaluateAll((chips) =>
    chips.filter((chip) => chip.scrollWidth > chip.clientWidth).map((chip) => chip.textContent));
  assert.deepEqual(cut, [], `${label}: states are cut`);
}

for (const [width, height] of [[1280, 720], [1440, 900], [360, 780], [320, 780]]) {
  test(`${width} x ${height}: numbers and pictures need no scrolling, in a lesson neither`, async () => {
    const { page, said, close } = await truth(`${server.address}?preset=streets`, { viewport: { width, height } });
    await fits(page, "streets");
    await withoutViolations(page, ".truth");
    let stop = 1;
    do {
      await page.goto(`${server.address}?lesson=context&step=${stop}`);
      await page.locator(".lesson").waitFor();
      stop += 1;
    } while (await page.locator(".lesson[data-part=truth]").count() === 0 && stop < 30);
    // Hidden until it is predicted.
    for (const choice of await page.locator(".asked input").all()) {
      if (await page.locator(".withheld-note").count() === 0) break;
      await choice.check();
      await page.getByRole("button", { name: "Check" }).click();
    }
    await fits(page, `stop ${stop - 1}`);
    assert.deepEqual(said, []);
    await close();
  });
}

test("the symbols are explained where they are pointed at, and in a list that keys reach", async () => {
  const { page, close } = await truth(server.address);
  assert.deepEqual(await page.locator(".truth .levels th[scope=row]").evaluateAll((all) =>
    all.filter((one) => one.querySelector("i") && !one.title).map((one) => one.textContent)), []);
  await page.locator(".truth .symbols summary").focus();
  await page.keyboard.press("Enter");
  const listed = await page.locator(".truth .symbols dt").allTextContents();
  assert.deepEqual(listed, ["A", "Ak", "Q", "V", "Q \u2212 V"], "HGPO compares no attempts, and nothing was drawn");
  await page.getByRole("button", { name: "Draw 200 groups" }).click();
  await page.locator(".truth svg").first().waitFor();
  assert.deepEqual((await page.locator(".truth .symbols dt").allTextContents()).slice(5), ["bias", "spread", "bias\u00b2 + variance"]);
  await page.getByLabel("Method").selectOption("GRPO");
  await page.locator(".truth .symbols dt", { hasText: "AE" }).waitFor();
  assert.ok(!(await page.locator(".truth .symbols dt").allTextContents()).includes("Ak"));
  await close();
});
