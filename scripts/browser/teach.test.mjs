// What teachers use: work that is kept, addresses that are written by hand, links that ask.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { launch, open, root, serve, step } from "./page.mjs";

const twoTasks = join(root, "scripts/browser/fixtures/two-tasks.rollouts.jsonl");

let server, browser;
before(async () => { server = await serve(); browser = await launch(); });
after(async () => { await browser.close(); server.close(); });

const kept = (page) => page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("hgpo-work")).sort());
const method = (page) => page.locator("[data-option=estimator] select");
const example = (page) => page.locator(".sources select").first();
const ownWork = (page) => page.locator(".sources optgroup option");

/** Changes the state of the chosen step, and waits until that is kept. */
async function edit(page, state) {
  const stored = () => page.evaluate(() => JSON.stringify({ ...localStorage }));
  const before = await stored();
  await step(page, 0, 0).focus();
  await page.keyboard.press("e");
  await page.keyboard.press("Control+A");
  await page.keyboard.type(state);
  await page.keyboard.press("Enter");
  await page.waitForFunction((before) => JSON.stringify({ ...localStorage }) !== before, before);
}

const firstState = (page) => step(page, 0, 0).textContent();

test("work on another example does not take the place of the work before", async () => {
  const { page, said, close } = await open(browser, server.address);
  await edit(page, "mine");
  await page.goto(`${server.address}?preset=loop`);
  await step(page, 0, 0).waitFor();
  assert.deepEqual(await kept(page), ["hgpo-work"]);
  await edit(page, "next");
  assert.deepEqual(await kept(page), ["hgpo-work", "hgpo-work-1"]);
  await page.goto(server.address);
  await step(page, 0, 0).waitFor();
  assert.match(await firstState(page), /next/, "the newest opens");
  assert.match(await ownWork(page).textContent(), /^Overview: four paths through s2 · .*\d/);
  await example(page).selectOption(await ownWork(page).getAttribute("value"));
  assert.match(await firstState(page), /mine/);
  assert.equal(await example(page).inputValue(), "overview");
  assert.match(await ownWork(page).textContent(), /^Loop/, "the other one is listed now");
  await page.getByRole("button", { name: "Undo" }).click();
  assert.match(await firstState(page), /next/);
  assert.deepEqual(said, []);
  await close();
});

test("two windows do not overwrite each other", async () => {
  const { page, close } = await open(browser, server.address);
  await edit(page, "both");
  const other = await page.context().newPage();
  await other.goto(server.address);
  await step(other, 0, 0).waitFor();
  assert.match(await firstState(other), /both/);
  await edit(page, "left");
  await edit(other, "right");
  await edit(page, "left2");
  await other.reload();
  await step(other, 0, 0).waitFor();
  assert.match(await firstState(other), /lef/);
  await example(other).selectOption(await ownWork(other).getAttribute("value"));
  assert.match(await firstState(other), /rig/);
  await close();
});

test("the work that an earlier version of the page kept is taken over once", async () => {
  const { page, close } = await open(browser, `${server.address}?preset=loop`);
  await page.evaluate(() => localStorage.setItem("hgpo-work", "1.FYpJCsAgDEXv8tdCi0tvE9pghTig0o3k7sblGxYaArh3Ki8cKsICj5kyzdoPFMpsR0yxVRvGQ3I4MxWomjCY_vLWBOF2-EwI_ywDugE"));
  await page.goto(server.address);
  await page.locator(".panel h2", { hasText: "t2, step 2" }).waitFor();
  assert.equal(await method(page).inputValue(), "gigpo");
  assert.deepEqual(await kept(page), ["hgpo-work"]);
  await close();
});

test("a storage that takes no more keeps what is in it", async () => {
  const { page, said, close } = await open(browser, server.address);
  await edit(page, "mine");
  await page.goto(`${server.address}?preset=loop`);
  await step(page, 0, 0).waitFor();
  await page.evaluate(() => {
    const put = Storage.prototype.setItem;
    Storage.prototype.setItem = function (key, text) {
      globalThis.tried = true;
      if (this.getItem(key) === null && Object.keys(this).length > 0) throw new DOMException("full", "QuotaExceededError");
      put.call(this, key, text);
    };
  });
  const before = await page.evaluate(() => JSON.stringify({ ...localStorage }));
  await step(page, 1, 1).click();
  await page.waitForFunction(() => globalThis.tried);
  assert.equal(await page.evaluate(() => JSON.stringify({ ...localStorage })), before);
  assert.deepEqual(said, []);
  await close();
});

test("what an address asks for in vain is said until that is noted", async () => {
  const { page, said, close } = await open(browser, `${server.address}?theme=pink&hide=panel,nothing&method=ppo&alpha=2&utm_source=mail`);
  const notice = page.locator(".ignored");
  const words = await notice.locator("p").textContent();
  assert.equal(words.split(";").length, 3, words);
  assert.match(words, /theme=pink \(auto, light, dark\); hide=panel,nothing \(masthead, .*\); method=ppo \(grpo, gigpo, hgpo, /);
  assert.ok(await page.locator(".panel").isHidden());
  await notice.getByRole("button").click();
  assert.equal(await notice.count(), 0);
  assert.deepEqual(said, []);
  await close();
});

test("an address that is written by hand sets everything", async () => {
  const query = "?preset=loop&method=hgpo&context_length=1&discount=0.9&alpha=2&select=t2/1&level=1&phase=groups";
  const { page, said, close } = await open(browser, server.address + query);
  assert.equal(await page.locator(".panel h2").textContent(), "t2, step 1");
  const value = (name) => page.locator(`[data-option=${name}] :is(input, select)`).inputValue();
  assert.deepEqual(await Promise.all(["estimator", "context_length", "discount", "alpha"].map(value)), ["hgpo", "1", "0.9", "2"]);
  await page.getByRole("button", { name: "Share", exact: true }).click();
  const link = await page.locator("#shared-link").inputValue();
  assert.ok(link.startsWith(`${server.address}?preset=loop&`) && !link.includes("#"), link);
  const fresh = await open(browser, link);
  assert.equal(await fresh.page.locator(".panel h2").textContent(), "t2, step 1");
  assert.equal(await fresh.page.locator("[data-option=alpha] input").inputValue(), "2");
  assert.deepEqual([...said, ...fresh.said], []);
  await fresh.close();
  await close();
});

const lessonFile = join(root, "docs/two-doors.lesson.json");
const heading = (page) => page.locator("#lesson-title").textContent();

test("a link tells and asks, and may leave the other tasks out", async () => {
  const { page, close } = await open(browser, server.address);
  await page.locator("#file").setInputFiles(twoTasks);
  await page.locator("#task").selectOption("lonely");
  await page.getByRole("button", { name: "Share", exact: true }).click();
  const sharing = page.getByRole("dialog");
  const link = () => page.locator("#shared-link").inputValue();
  const all = await link();
  await sharing.getByLabel("Share this task only").check();
  assert.ok((await link()).length < all.length);
  await sharing.locator("summary").click();
  for (const [name, words] of [["Title", "Quiz <b>"], ["Note", "Look at the first step."], ["Question", "How many?"], ["Its answer", "two"]]) {
    await sharing.getByRole("textbox", { name }).fill(words);
  }
  const answer = sharing.getByRole("textbox", { name: "Its answer" });
  await answer.blur();
  assert.equal(await answer.getAttribute("aria-invalid"), "true");
  await answer.fill("2,5");
  await answer.blur();
  assert.equal(await answer.getAttribute("aria-invalid"), null);
  const fresh = await open(browser, await link());
  const told = fresh.page.locator(".told");
  assert.equal(await told.locator("b").first().textContent(), "Quiz <b>");
  assert.ok(await told.getByText("Look at the first step.").isVisible());
  assert.equal(await fresh.page.locator("#task").count(), 0, "one task");
  await told.getByLabel("How many?").fill("2");
  await told.getByRole("button", { name: "Check" }).click();
  assert.match(await fresh.page.locator("#verdict").textContent(), /Not quite/);
  await told.getByLabel("How many?").fill("5/2");
  await told.getByRole("button", { name: "Check" }).click();
  assert.match(await fresh.page.locator("#verdict").textContent(), /Right/);
  assert.deepEqual(fresh.said, []);
  await fresh.close();
  await close();
});

test("a lesson of one's own is opened as a file, and its mistakes are said", async () => {
  const { page, said, close } = await open(browser, server.address);
  const text = readFileSync(lessonFile, "utf8");
  const choose = (name, buffer) => page.locator("#file").setInputFiles({ name, mimeType: "application/json", buffer: Buffer.from(buffer) });
  await choose("wrong.json", text.replace('"t1/0"', '"t7/0"'));
  await page.locator(".broken-link", { hasText: "wrong.json" }).waitFor();
  assert.match(await page.locator(".broken-link").textContent(), /Could not open wrong\.json: step 2, select: no such step; the first one is t1\/0/);
  await choose("doors.json", text);
  await page.locator("#lesson-title", { hasText: "Two attempts at one task" }).waitFor();
  assert.match(await step(page, 1, 1).textContent(), /cellar/);
  await page.locator(".onward").click();
  await page.locator("#answer").fill("0.5");
  await page.getByRole("button", { name: "Check" }).click();
  assert.match(await page.locator("#verdict").textContent(), /Right/);
  await page.locator(".onward").click();
  assert.equal(await heading(page), "An example of the page");
  assert.equal(await page.locator(".onward").textContent(), "Finish");
  await page.goBack();
  await page.locator("#lesson-title", { hasText: "What the first step is worth" }).waitFor();
  assert.match(await step(page, 0, 1).textContent(), /door/);
  assert.deepEqual(said, []);
  await close();
});

test("a lesson of one's own lies on the page's host, and on no other", async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.route("**/course/doors.json", (route) => route.fulfill({ body: readFileSync(lessonFile, "utf8"), contentType: "application/json" }));
  await page.goto(`${server.address}?lesson=course/doors.json&step=2`);
  await page.locator("#lesson-title").waitFor();
  assert.equal(await heading(page), "What the first step is worth");
  await page.getByRole("button", { name: "Share", exact: true }).click();
  assert.equal(await page.locator("#shared-link").inputValue(), `${server.address}?lesson=course/doors.json&step=2`);
  const message = async (address) => {
    await page.goto(`${server.address}?lesson=${address}`);
    return page.locator(".broken-link:not(:empty)").textContent();
  };
  assert.match(await message("https://elsewhere.example/x.json"), /this page's own host/);
  assert.match(await message("//elsewhere.example/x.json"), /this page's own host/);
  assert.match(await message("course/other.json"), /no such file/);
  assert.match(await message("course/page.html?x=.json"), /ends in \.json/);
  await context.close();
});

/** Opens the share dialog, writes words into its fields by their names, and gives the link. */
async function share(page, words = {}) {
  await page.getByRole("button", { name: "Share", exact: true }).click();
  const sharing = page.getByRole("dialog");
  await sharing.locator("details").evaluate((details) => { details.open = true; });
  for (const [name, text] of Object.entries(words)) {
    await sharing.getByRole("textbox", { name }).fill(text);
    await sharing.getByRole("textbox", { name }).blur();
  }
  const link = await page.locator("#shared-link").inputValue();
  await page.keyboard.press("Escape");
  return link;
}

test("the words of one work are not those of the next, and a question hides numbers only while it is there", async () => {
  const { page, said, close } = await open(browser, server.address);
  const first = await share(page, { Title: "Quiz", Question: "How many?", "Its answer": "5" });
  assert.match(await share(page), /#1\./, "the words are still there");
  await example(page).selectOption("loop");
  assert.equal(await share(page), `${server.address}?preset=loop`);
  const second = await share(page, { Title: "Quiz", Question: "How many?", "Its answer": "7" });
  await page.goto(first.replace("#", "?hide=note#"));
  await step(page, 0, 0).waitFor();
  const told = page.locator(".told");
  const total = page.locator(".headline .total");
  assert.ok(await told.getByLabel("How many?").isVisible(), "what a link asks is not left out");
  assert.equal(await total.count(), 0);
  for (const wrong of ["1", "2"]) {
    await told.getByLabel("How many?").fill(wrong);
    await told.getByRole("button", { name: "Check" }).click();
  }
  assert.equal(await told.getByRole("button", { name: "Show the answer" }).count(), 0, "whoever asks does not tell");
  await told.getByLabel("How many?").fill("5");
  await told.getByRole("button", { name: "Check" }).click();
  assert.ok(await total.isVisible());
  await page.evaluate((hash) => { location.hash = hash; }, new URL(second).hash);
  await page.locator("#stage-title").waitFor();
  await page.locator("#verdict:empty").waitFor({ state: "attached" });
  assert.equal(await total.count(), 0, "another question");
  await told.getByLabel("How many?").fill("7");
  await told.getByRole("button", { name: "Check" }).click();
  // Words that the reader takes out stay out.
  const none = { Title: "", Question: "", "Its answer": "" };
  assert.equal(await share(page, none), `${server.address}?preset=loop`);
  assert.equal(await share(page), `${server.address}?preset=loop`);
  assert.deepEqual(said, []);
  await close();
});

test("what is not kept yet is kept before another work comes", async () => {
  const { page, said, close } = await open(browser, server.address);
  const change = async (state) => {
    await step(page, 0, 0).focus();
    await page.keyboard.press("e");
    await page.keyboard.press("Control+A");
    await page.keyboard.type(state);
    await page.keyboard.press("Enter");
  };
  await change("mine");
  await example(page).selectOption("loop");
  // The list tells of it with the next change.
  await step(page, 1, 1).click();
  await ownWork(page).waitFor({ state: "attached" });
  assert.match(await ownWork(page).textContent(), /^Overview/);
  await change("next");
  await example(page).selectOption(await ownWork(page).getAttribute("value"));
  await page.locator(".sources optgroup option", { hasText: "Loop" }).waitFor({ state: "attached" });
  assert.match(await firstState(page), /mine/);
  assert.equal(await ownWork(page).count(), 1);
  assert.deepEqual(said, []);
  await close();
});

test("a lesson that was opened as a file has no address", async () => {
  const { page, close } = await open(browser, server.address);
  await page.locator("#file").setInputFiles({ name: "doors.json", mimeType: "application/json", buffer: readFileSync(lessonFile) });
  await page.locator("#lesson-title", { hasText: "Two attempts at one task" }).waitFor();
  const link = await share(page);
  assert.ok(link.startsWith(`${server.address}#1.`), link);
  assert.equal(await page.getByLabel("Share this step of the lesson").count(), 0);
  const fresh = await open(browser, link);
  assert.match(await step(fresh.page, 1, 1).textContent(), /cellar/);
  await fresh.close();
  await page.reload();
  assert.match(await page.locator(".broken-link:not(:empty)").textContent(), /Could not open doors\.json: .*Open a file of yours again/);
  await close();
});

/** The page in a frame of another page, whose height it asks for. */
async function embedded(attributes, width = 1000) {
  const context = await browser.newContext({ viewport: { width, height: 700 } });
  const page = await context.newPage();
  const asked = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await page.route("**/post.html", (route) => route.fulfill({ contentType: "text/html", body: `<!doctype html><html lang="en"><title>post</title>
    <script src="${server.address}hgpo-lab.js"></script><hgpo-lab ${attributes}></hgpo-lab></html>` }));
  await page.goto(`${server.address}post.html`);
  const frame = page.frameLocator("hgpo-lab iframe");
  await frame.locator("main").waitFor();
  const heights = () => page.evaluate(() => {
    const inside = document.querySelector("hgpo-lab").shadowRoot.querySelector("iframe");
    const shown = inside.contentDocument.querySelector(".page").getBoundingClientRect().height;
    return [inside.offsetHeight, shown, inside.contentDocument.documentElement.scrollHeight];
  });
  return { page, frame, asked, heights, close: () => context.close() };
}

test("an embedded lesson is as high as what it shows, at every stop and width, and asks for its own file alone", async () => {
  for (const width of [1200, 700, 360]) {
    const { page, frame, asked, heights, close } = await embedded('lesson="context" step="2"', width);
    for (let stop = 2; stop < 12; stop += 1) {
      await page.waitForTimeout(250);
      const before = await heights();
      await page.waitForTimeout(250);
      const [outside, shown, inside] = await heights();
      assert.deepEqual([outside, shown, inside], before, `stop ${stop} at ${width}: it comes to rest`);
      assert.ok(Math.abs(outside - shown) <= 2 && inside <= outside + 1, `stop ${stop} at ${width}: ${outside} around ${shown}, ${inside}`);
      assert.ok(outside < 2600, `stop ${stop} at ${width}: ${outside}`);
      await frame.locator(".onward").click();
    }
    assert.deepEqual(asked.filter((path) => path.startsWith("/lessons/")), ["/lessons/context.json"]);
    await close();
  }
});

test("an embedded lesson leaves focus and place of the page around it alone until it is used", async () => {
  const { page, frame, close } = await embedded('lesson="context" step="4"', 700);
  await page.waitForTimeout(500);
  const outside = () => page.evaluate(() => [document.activeElement.localName, scrollY]);
  assert.deepEqual(await outside(), ["body", 0]);
  await frame.getByRole("button", { name: "All lessons" }).click();
  await frame.locator("ol button").first().click();
  await frame.locator("#lesson-title:focus").waitFor();
  assert.equal((await outside())[0], "hgpo-lab");
  await close();
});

test("the element passes every parameter on", async () => {
  const { page, frame, close } = await embedded('preset="loop" method="gigpo" context_length="1" select="t2/1" lang="ko" class="wide" data-x="1" style="margin: 0"');
  const query = () => page.evaluate(() => new URL(document.querySelector("hgpo-lab").shadowRoot.querySelector("iframe").src).search);
  assert.equal(await query(), "?embed=1&preset=loop&method=gigpo&context_length=1&select=t2%2F1&lang=ko");
  assert.equal(await frame.locator(".panel h2").textContent(), "t2, 단계 1");
  await page.evaluate(() => document.querySelector("hgpo-lab").setAttribute("present", "1"));
  await frame.locator(":root[data-present]").waitFor();
  await close();
});

test("inside another page nothing is kept for later", async () => {
  const { page, close } = await embedded('preset="alone"');
  await page.waitForTimeout(500);
  assert.deepEqual(await page.evaluate(() => navigator.serviceWorker.getRegistrations().then((all) => all.length)), 0);
  await close();
});
