// Training in the page: its address, its links, and what leads there and back.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { launch, open, root, serve, unfold, withoutViolations } from "./page.mjs";
import { SMALL, iterate } from "./training-controls.mjs";

let server, browser;
before(async () => { server = await serve(); browser = await launch(); });
after(async () => { await browser.close(); server.close(); });

/** Opens the page at an address. */
async function session(query = "?view=train", options = {}) {
  const session = await open(browser, server.address + query, options);
  if (query.includes("view=train")) await session.page.locator(".training").waitFor();
  return session;
}

/** Sets how often a move slips. */
const slip = async (page, value) => {
  const dial = page.locator("#dial-slip");
  await dial.fill(value);
  await dial.dispatchEvent("change");
};
const query = (page) => new URL(page.url()).search;
const tab = (page, name) => page.locator("header nav").getByRole("link", { name, exact: true });

test("training is fetched when it is opened, and then stays as it is", async () => {
  const { page, said, asked, close } = await session("");
  const isLate = (address) => /_late_bg/.test(address);
  assert.deepEqual(asked.filter(isLate), []);
  assert.equal(await page.title(), "HGPO: groups within groups");
  await tab(page, "Train").click();
  await page.locator(".training").waitFor();
  assert.equal(asked.filter(isLate).length, 1);
  assert.equal(query(page), "?view=train");
  assert.equal(await page.title(), "HGPO: Train");
  assert.equal(await tab(page, "Train").getAttribute("aria-current"), "page");
  assert.equal(await page.locator("table[role=grid]").count(), 0);
  const more = page.locator(".training-world details.more").first();
  await more.locator(":scope > summary").click();
  await page.goBack();
  await page.locator("table[role=grid]").waitFor();
  assert.ok(await page.locator("#train").isHidden());
  assert.equal(await page.title(), "HGPO: groups within groups");
  await page.goForward();
  await page.locator(".training").waitFor();
  await tab(page, "Learn").click();
  await page.locator(".lessons").waitFor();
  assert.ok(await page.locator("#train").isHidden());
  await tab(page, "Train").click();
  assert.ok(await more.evaluate((details) => details.open), "what is unfolded stays so");
  assert.deepEqual(said, []);
  await withoutViolations(page);
  await close();
});

test("what is set stands in the address, and is shared", async () => {
  const { page, close } = await session();
  const steps = await page.evaluate(() => history.length);
  for (const value of ["0.1", "0.2"]) await slip(page, value);
  await page.waitForFunction(() => location.search.includes("slip.0.2"));
  const set = query(page);
  assert.match(set, /^\?view=train&train=.*slip\.0\.2/);
  assert.equal(await page.evaluate(() => history.length), steps, "no step of the history each");
  await page.getByRole("button", { name: "Share" }).click();
  const link = () => page.locator("#shared-link").inputValue();
  assert.equal(await link(), server.address + set);
  assert.equal(await page.locator(".sharing .field input[type=text]").count(), 0, "nothing is told or asked");
  await page.getByRole("checkbox", { name: "Chart" }).check();
  assert.equal(await link(), `${server.address}${set}&hide=chart`);
  await withoutViolations(page, ".sharing");
  await page.getByRole("button", { name: "Close" }).click();
  await tab(page, "Explore").click();
  await page.locator("table[role=grid]").waitFor();
  assert.equal(query(page), "");
  await page.getByRole("button", { name: "Share" }).click();
  assert.doesNotMatch(await link(), /train|chart/);
  await page.getByRole("button", { name: "Close" }).click();
  await tab(page, "Train").click();
  await page.locator(".training").waitFor();
  assert.equal(query(page), set);
  await page.reload();
  await page.locator(".training").waitFor();
  assert.equal(await page.locator("#dial-slip").inputValue(), "0.2");
  await close();
});

test("two ways lead back from an iteration that is looked into", async () => {
  const { page, said, close } = await session(`?view=train&train=${SMALL}`);
  await iterate(page, 1);
  for (const back of [() => page.getByRole("button", { name: "Back to training" }).click(), () => page.goBack()]) {
    await page.locator("#training-inspect").click();
    await page.locator("table[role=grid]").waitFor();
    await unfold(page);
    assert.match(await page.locator(".holdings").textContent(), /^training, iteration 1 · /);
    assert.match(await page.locator(".made").textContent(), /gridworld · seed \d+ · iteration 1 · /);
    await withoutViolations(page);
    await back();
    await page.locator(".training").waitFor();
    assert.match(query(page), /^\?view=train&train=world\.signpost_/);
    assert.equal(await page.locator("#training-way").inputValue(), "1");
  }
  await tab(page, "Explore").click();
  await page.getByRole("button", { name: "Back to training" }).waitFor();
  await page.getByLabel("Example").selectOption("loop");
  assert.equal(await page.getByRole("button", { name: "Back to training" }).count(), 0);
  assert.deepEqual(said, []);
  await close();
});

test("leaving the page asks first while lanes learn", async () => {
  const { page, close } = await session(`?view=train&train=${SMALL}`);
  const asked = [];
  page.on("dialog", (dialog) => { asked.push(dialog.type()); dialog.accept(); });
  const play = page.locator("#training-play");
  await play.click();
  await page.waitForFunction(() => Number(document.querySelector("#training-way").value) >= 1);
  await page.reload();
  await page.locator(".training").waitFor();
  assert.deepEqual(asked, ["beforeunload"]);
  await play.click();
  await page.waitForFunction(() => Number(document.querySelector("#training-way").value) >= 1);
  await play.click();
  await page.locator(".training [role=status]", { hasText: "Paused at iteration" }).first().waitFor({ state: "attached" });
  await page.reload();
  await page.locator(".training").waitFor();
  assert.deepEqual(asked, ["beforeunload"]);
  await close();
});

for (const [locale, onItsWay, problem, again] of [
  ["en", "Loading…", "This part could not be loaded. Check the connection, and try again.", "Try again"],
  ["ko", "불러오는 중…", "이 부분을 불러오지 못했습니다. 연결을 확인하고 다시 시도하세요.", "다시 시도"],
]) {
  test(`${locale}: training that is on its way or cannot be had says so`, async () => {
    const { page, close } = await open(browser, server.address, { locale });
    let isOut = true;
    let answer;
    const answered = new Promise((next) => { answer = next; });
    await page.route(/_late_bg/, async (route) => {
      await answered;
      return isOut ? route.abort() : route.continue();
    });
    await page.locator("header nav a").nth(2).click();
    await page.locator("#train [role=status]", { hasText: onItsWay }).waitFor();
    answer();
    await page.getByRole("alert").filter({ hasText: problem }).waitFor();
    assert.equal(await page.locator("#train").count(), 0);
    await withoutViolations(page);
    await tab(page, locale === "en" ? "Explore" : "탐구").click();
    await page.locator("table[role=grid]").waitFor();
    assert.equal(await page.getByRole("alert").filter({ hasText: problem }).count(), 0);
    isOut = false;
    await page.goBack();
    await page.getByRole("button", { name: again }).click();
    await page.locator(".training").waitFor();
    await close();
  });
}

test("training stands in other pages alone, without the parts that are left out", async () => {
  const { page, close } = await session("?view=train&embed=1&hide=dials,bar&train=slip.0.2");
  assert.ok(await page.locator("header").evaluate((head) => head.getBoundingClientRect().width <= 1), "no head");
  const count = (selector) => page.locator(selector).count();
  assert.deepEqual(await Promise.all([".training-world", ".training-lanes", ".training-chart", ".training-place", ".training-study",
    ".dials", ".training-bar"].map(count)), [1, 1, 1, 1, 1, 0, 0]);
  const heights = page.evaluate(() => new Promise((told) => addEventListener("message", ({ data }) => {
    if (data.height > 3000) told(data.height);
  })));
  await page.evaluate(() => { document.querySelector(".training").style.height = "3000px"; });
  assert.ok(await heights > 3000, "the page around it is told its height");
  const extent = await page.evaluate(() => document.body.getBoundingClientRect().height);
  assert.ok(extent < 3200, `${extent} pixels for 3,000 of the view`);
  await close();
});

test("the element shows training", async () => {
  const { page, close } = await session("");
  await page.route("**/course.html", (route) => route.fulfill({
    contentType: "text/html",
    body: '<!doctype html><script src="hgpo-lab.js"></script><hgpo-lab view="train" train="slip.0.2" hide="bar"></hgpo-lab>',
  }));
  await page.goto(`${server.address}course.html`);
  const training = page.frameLocator("iframe").locator(".training");
  await training.waitFor();
  await training.evaluate((view) => { view.style.height = "1500px"; });
  await page.waitForFunction(() => document.querySelector("hgpo-lab").getBoundingClientRect().height > 1500);
  const inside = await training.evaluate(() => [location.search, document.querySelector("#dial-slip").value]);
  assert.deepEqual(inside, ["?embed=1&view=train&train=slip.0.2&hide=bar", "0.2"]);
  await close();
});

test("the view itself is as it was after another part was shown, and its presses reach nothing else", async () => {
  const { page, said, close } = await open(browser, `${server.address}?view=train&train=world.signpost_group.4_tasks.2_seeds.2`);
  const iteration = () => page.locator("#training-way").inputValue();
  await page.locator("#training-once").click();
  await page.waitForFunction(() => document.querySelector("#training-way").value === "1");
  const heading = await page.locator("#training-world").textContent();
  await tab(page, "Explore").click();
  await page.locator("table[role=grid]").waitFor();
  const stage = await page.locator("table[role=grid]").innerHTML();
  await tab(page, "Train").click();
  assert.equal(await page.locator("#training-world").textContent(), heading);
  assert.equal(await iteration(), "1");
  // Whatever is pressed in the view, nothing of the page hears it.
  await page.evaluate(() => document.querySelectorAll("#train button:enabled:not(#training-inspect)").forEach((button) => button.click()));
  for (const key of ["Delete", "n", "Control+z"]) await page.locator("#training-play").press(key);
  await tab(page, "Explore").click();
  assert.equal(await page.locator("table[role=grid]").innerHTML(), stage);
  assert.deepEqual(said, []);
  await close();
});

test("a file that is dropped on training opens, and a link to work opens that", async () => {
  const { page, said, close } = await session();
  const text = readFileSync(join(root, "scripts/browser/fixtures/two-tasks.rollouts.jsonl"), "utf8");
  const dataTransfer = await page.evaluateHandle((text) => {
    const data = new DataTransfer();
    data.items.add(new File([text], "two.jsonl"));
    return data;
  }, text);
  await page.dispatchEvent(".training", "dragover", { dataTransfer });
  await page.dispatchEvent(".training", "drop", { dataTransfer });
  await page.locator(".holdings b", { hasText: "two.jsonl" }).waitFor();
  assert.ok(await page.locator("#train").isHidden());
  assert.deepEqual(said, []);
  await close();
});

test("wrong words in an address of training are said", async () => {
  const { page, close } = await session("?view=train&method=gigpo&hide=wheels");
  const told = await page.locator(".ignored [role=status]").textContent();
  assert.match(told, /hide=wheels \(.*world, dials.*\); method=gigpo/);
  await page.goto(`${server.address}?view=training`);
  await page.locator(".ignored", { hasText: "view=training (learn, overview, train)" }).waitFor();
  await close();
});
