// Training in the page: its address, its links, and what leads there and back. What it shows is mostly a stand-in's here.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { chosen, launch, open, root, serve, unfold, withoutViolations } from "./page.mjs";

let server, browser;
before(async () => { server = await serve(); browser = await launch(); });
after(async () => { await browser.close(); server.close(); });

/** What stands in for the view: it keeps what it is given, and tells what a test wants told. */
const standIn = `
  export default async () => {};
  let shown = 0;
  export function show(id, given, answer) {
    globalThis.training = { shown: shown += 1, given: JSON.parse(given), answer };
    document.getElementById(id).innerHTML = '<h2>The world</h2><button type="button" id="learn">Play</button><input id="kept" aria-label="Kept">';
  }
  export function hide() {}
`;

const trace = `{"environment":"gridworld","seed":3,"iteration":40,"discount":0.5,"estimator":{"name":"gigpo","scale":"mean"}}
{"task":"g00","trajectory":"x","steps":[{"state":"open: up","action":"up","reward":4}]}
{"task":"g00","trajectory":"y","steps":[{"state":"open: up","action":"left","reward":0}]}
`;

const javascript = { contentType: "text/javascript", body: standIn };

/** Opens the page at an address with the stand-in. */
async function session(query = "?view=train", options = {}) {
  const session = await open(browser, server.address, options);
  await session.page.route(/hgpo-training(-\w+)?\.js(\?|$)/, (route) => route.fulfill(javascript));
  if (query !== "") await session.page.goto(server.address + query);
  if (query.includes("view=train")) await session.page.locator("#learn").waitFor();
  session.asked.length = 0;
  return session;
}

const tell = (page, kind, text) => page.evaluate(([kind, text]) => globalThis.training.answer(kind, text), [kind, text]);
const given = (page) => page.evaluate(() => globalThis.training.given);
const query = (page) => new URL(page.url()).search;
const tab = (page, name) => page.locator("header nav").getByRole("link", { name, exact: true });

test("training is fetched when it is opened, and then stays as it is", async () => {
  const { page, said, asked, close } = await session("");
  assert.deepEqual(asked.filter((address) => address.includes("training")), []);
  assert.equal(await page.title(), "HGPO: groups within groups");
  await tab(page, "Train").click();
  await page.locator("#learn").waitFor();
  assert.ok(asked.some((address) => /hgpo-training.*\.js$/.test(address)));
  assert.equal(query(page), "?view=train");
  assert.equal(await page.title(), "HGPO: Train");
  assert.equal(await tab(page, "Train").getAttribute("aria-current"), "page");
  assert.equal(await page.locator("[role=grid]").count(), 0);
  assert.deepEqual(await given(page), { language: "en", setup: null, parts: null, taught: false });
  await page.locator("#kept").fill("as it was");
  await page.goBack();
  await page.locator("[role=grid]").waitFor();
  assert.ok(await page.locator("#train").isHidden());
  assert.equal(await page.title(), "HGPO: groups within groups");
  await page.goForward();
  await page.locator("#learn").waitFor();
  await tab(page, "Learn").click();
  await page.locator(".lessons").waitFor();
  assert.ok(await page.locator("#train").isHidden());
  await tab(page, "Train").click();
  assert.equal(await page.locator("#kept").inputValue(), "as it was");
  assert.equal(await page.evaluate(() => globalThis.training.shown), 1);
  assert.deepEqual(said, []);
  await withoutViolations(page);
  await close();
});

test("what is set stands in the address, and is shared", async () => {
  const { page, close } = await session();
  const steps = await page.evaluate(() => history.length);
  for (const slip of ["0.1", "0.2"]) await tell(page, "setup", `slip.${slip}_lane.hgpo*alpha.2`);
  await page.waitForFunction(() => location.search.includes("0.2"));
  assert.equal(query(page), "?view=train&train=slip.0.2_lane.hgpo*alpha.2");
  assert.equal(await page.evaluate(() => history.length), steps, "no step of the history each");
  await page.getByRole("button", { name: "Share" }).click();
  const link = () => page.locator("#shared-link").inputValue();
  assert.equal(await link(), `${server.address}?view=train&train=slip.0.2_lane.hgpo*alpha.2`);
  assert.equal(await page.locator(".sharing .field input[type=text]").count(), 0, "nothing is told or asked");
  await page.getByRole("checkbox", { name: "Chart" }).check();
  assert.equal(await link(), `${server.address}?view=train&train=slip.0.2_lane.hgpo*alpha.2&hide=chart`);
  await withoutViolations(page, ".sharing");
  await page.getByRole("button", { name: "Close" }).click();
  await tab(page, "Explore").click();
  await page.locator("[role=grid]").waitFor();
  assert.equal(query(page), "");
  await page.getByRole("button", { name: "Share" }).click();
  assert.doesNotMatch(await link(), /train|chart/);
  await page.getByRole("button", { name: "Close" }).click();
  await tab(page, "Train").click();
  await page.locator("#learn").waitFor();
  assert.equal(query(page), "?view=train&train=slip.0.2_lane.hgpo*alpha.2");
  await page.reload();
  await page.locator("#learn").waitFor();
  assert.equal((await given(page)).setup, "slip.0.2_lane.hgpo*alpha.2");
  await close();
});

test("an iteration is looked into under the settings of its lane, and two ways lead back", async () => {
  const { page, said, close } = await session();
  await page.locator("#kept").fill("as it was");
  for (const back of [() => page.getByRole("button", { name: "Back to training" }).click(), () => page.goBack()]) {
    await tell(page, "inspect", trace);
    await page.locator("[role=grid]").waitFor();
    await unfold(page);
    assert.equal(query(page), "");
    assert.match(await page.locator(".holdings").textContent(), /^training, iteration 40 · 1.task · 2.attempts/);
    assert.match(await page.locator(".made").textContent(), /gridworld · seed 3 · iteration 40 · GiGPO/);
    assert.equal(await page.locator("[data-option=estimator] select").inputValue(), "gigpo");
    assert.equal(await chosen(page), "x, step 0");
    // Centred over the attempts, 4 and 0 give 2; the state's group adds the same.
    assert.deepEqual(await page.locator(".step data").evaluateAll((all) => all.map((one) => one.value)), ["4", "-4"]);
    await withoutViolations(page);
    await back();
    await page.locator("#learn").waitFor();
    assert.equal(query(page), "?view=train");
    assert.equal(await page.locator("#kept").inputValue(), "as it was");
  }
  await tab(page, "Explore").click();
  await page.getByRole("button", { name: "Back to training" }).waitFor();
  await page.getByLabel("Example").selectOption("loop");
  assert.equal(await page.getByRole("button", { name: "Back to training" }).count(), 0);
  assert.deepEqual(said, []);
  await close();
});

test("leaving the page asks first while lanes learn", async () => {
  const { page, close } = await session();
  const asked = [];
  page.on("dialog", (dialog) => { asked.push(dialog.type()); dialog.accept(); });
  await page.locator("#learn").click(); // browsers ask only on pages that were used
  await tell(page, "busy", "1");
  await page.reload();
  await page.locator("#learn").waitFor();
  assert.deepEqual(asked, ["beforeunload"]);
  await page.locator("#learn").click();
  await tell(page, "busy", "1");
  await tell(page, "busy", "");
  await page.reload();
  await page.locator("#learn").waitFor();
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
    await page.route(/hgpo-training(-\w+)?\.js(\?|$)/, async (route) => {
      await answered;
      return isOut ? route.abort() : route.fulfill(javascript);
    });
    await page.locator("header nav a").nth(2).click();
    await page.locator("#train [role=status]", { hasText: onItsWay }).waitFor();
    answer();
    await page.getByRole("alert").filter({ hasText: problem }).waitFor();
    assert.ok(await page.locator("#train").isHidden());
    await withoutViolations(page);
    await tab(page, locale === "en" ? "Explore" : "탐구").click();
    await page.locator("[role=grid]").waitFor();
    assert.equal(await page.getByRole("alert").filter({ hasText: problem }).count(), 0);
    isOut = false;
    await page.goBack();
    await page.getByRole("button", { name: again }).click();
    await page.locator("#learn").waitFor();
    assert.equal((await given(page)).language, locale);
    await close();
  });
}

test("training stands in other pages alone, without the parts that are left out", async () => {
  const { page, close } = await session("?view=train&embed=1&hide=dials,bar&train=slip.0.2");
  assert.ok(await page.locator("header").evaluate((head) => head.getBoundingClientRect().width <= 1), "no head");
  const parts = ["world", "lanes", "chart", "place", "study"];
  assert.deepEqual(await given(page), { language: "en", setup: "slip.0.2", parts, taught: false });
  const heights = page.evaluate(() => new Promise((told) => addEventListener("message", ({ data }) => {
    if (data.height > 3000) told(data.height);
  })));
  await page.evaluate(() => { document.getElementById("learn").style.height = "3000px"; });
  assert.ok(await heights > 3000, "the page around it is told its height");
  const extent = await page.evaluate(() => document.body.getBoundingClientRect().height);
  assert.ok(extent < 3200, `${extent} pixels for 3,000 of the view`);
  await tell(page, "setup", "slip.0.3");
  await page.waitForFunction(() => location.search.includes("slip.0.3"));
  assert.match(query(page), /embed=1/);
  await close();
});

test("the element shows training", async () => {
  const { page, close } = await session("");
  await page.context().route(/hgpo-training(-\w+)?\.js(\?|$)/, (route) => route.fulfill(javascript));
  await page.route("**/course.html", (route) => route.fulfill({
    contentType: "text/html",
    body: '<!doctype html><script src="hgpo-lab.js"></script><hgpo-lab view="train" train="slip.0.2" hide="bar"></hgpo-lab>',
  }));
  await page.goto(`${server.address}course.html`);
  const frame = page.frameLocator("iframe");
  await frame.locator("#learn").waitFor();
  await frame.locator("#learn").evaluate((button) => { button.style.height = "1500px"; });
  await page.waitForFunction(() => document.querySelector("hgpo-lab").getBoundingClientRect().height > 1500);
  const inside = await frame.locator("body").evaluate(() => [location.search, globalThis.training.given.setup]);
  assert.deepEqual(inside, ["?embed=1&view=train&train=slip.0.2&hide=bar", "slip.0.2"]);
  await close();
});

test("the view itself is as it was after another part was shown, and its presses reach nothing else", async () => {
  const { page, said, close } = await open(browser, `${server.address}?view=train&train=world.signpost_group.4_tasks.2_seeds.2`);
  const iteration = () => page.locator("#training-way").inputValue();
  await page.locator("#training-once").click();
  await page.waitForFunction(() => document.querySelector("#training-way").value === "1");
  const heading = await page.locator("#training-world").textContent();
  await tab(page, "Explore").click();
  await page.locator("#page [role=grid]").waitFor();
  const stage = await page.locator("#page [role=grid]").innerHTML();
  await tab(page, "Train").click();
  assert.equal(await page.locator("#training-world").textContent(), heading);
  assert.equal(await iteration(), "1");
  // Whatever is pressed in the view, nothing of the page hears it.
  await page.evaluate(() => document.querySelectorAll("#train button:enabled:not(#training-inspect)").forEach((button) => button.click()));
  for (const key of ["Delete", "n", "Control+z"]) await page.locator("#training-play").press(key);
  await tab(page, "Explore").click();
  assert.equal(await page.locator("#page [role=grid]").innerHTML(), stage);
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
  await page.dispatchEvent("#learn", "dragover", { dataTransfer });
  await page.dispatchEvent("#learn", "drop", { dataTransfer });
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
