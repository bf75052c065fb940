// A team on the stage: who takes a step, the steps of one agent alone, and its advantages with one normalisation for all
// and with one for each agent.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { advantage, artifacts, launch, open, serve, step, tabTo, withoutViolations } from "./page.mjs";

let server, browser;
before(async () => { server = await serve(); browser = await launch(); });
after(async () => { await browser.close(); server.close(); });

const address = (query) => `${server.address}?preset=countdown&${query}`;

/** The numbers of a row of the table, with all their digits. */
const told = (page, name) => page.locator(".agents tr", { has: page.locator("th", { hasText: new RegExp(`^${name}$`) }) }).locator("td")
  .evaluateAll((cells) => cells.map((cell) => Number(cell.querySelector("data")?.value ?? cell.textContent)));

/** The steps that step back, as row and time. */
const aside = (page) => page.locator(".step.aside").evaluateAll((all) => all.map((one) => one.id.replace("step-", "")));

const CHECKER = ["2-1", "3-1"];

test("the steps of one agent are looked at alone, by mouse and keyboard, and columns stay", async () => {
  const { page, said, close } = await open(browser, address("method=grpo"));
  const agents = page.getByRole("group", { name: "Agent" });
  assert.deepEqual(await agents.locator("label").allTextContents(), ["all", "solver8", "checker2"]);
  const left = () => page.locator(".step").evaluateAll((all) => all.map((one) => one.getBoundingClientRect().left));
  const before = await left();
  assert.deepEqual(await aside(page), []);
  await agents.getByRole("radio", { name: "checker" }).check();
  const others = await aside(page);
  assert.deepEqual([others.length, others.filter((cell) => CHECKER.includes(cell))], [8, []]);
  assert.deepEqual(await left(), before, "columns stay aligned");
  await withoutViolations(page);
  await page.locator("#stage-title").evaluate((title) => { title.tabIndex = -1; title.focus(); });
  await tabTo(page, "[name=agent]");
  await page.keyboard.press("ArrowUp");
  assert.deepEqual(await aside(page), CHECKER);
  await page.keyboard.press("ArrowUp");
  assert.deepEqual(await aside(page), []);
  // An example without agents has no such choice, and the next team begins with all.
  await agents.getByRole("radio", { name: "checker" }).check();
  await page.getByLabel("Example").selectOption("overview");
  assert.equal(await agents.count() + await page.locator(".agents, .step .agent").count(), 0);
  await page.getByLabel("Example").selectOption("team");
  assert.deepEqual([await agents.locator("label").allTextContents(), await aside(page)], [["all", "planner10", "worker10"], []]);
  assert.deepEqual(said, []);
  await close();
});

test("a step says whose it is: in its cell, where it is pointed at, and in the panel", async () => {
  const { page, close } = await open(browser, address("lang=ko"));
  assert.equal(await step(page, 3, 1).locator(".agent").textContent(), "checker");
  assert.equal(await step(page, 3, 1).getAttribute("title"), "checker");
  await step(page, 3, 1).click();
  assert.deepEqual((await page.locator(".panel .facts > *").allTextContents()).slice(0, 2), ["에이전트", "checker"]);
  await step(page, 0, 0).hover();
  assert.match(await page.locator(".peek").textContent(), /solver/);
  // Small cells are offered where attempts are long.
  await step(page, 0, 0).focus();
  for (let more = 0; more < 6; more += 1) await page.keyboard.press("n");
  await page.getByRole("button", { name: "작게" }).click();
  assert.ok(!await step(page, 3, 1).locator(".agent").isVisible(), "a small cell has no room");
  await close();
});

test("the table tells the mean of A² of the steps on the stage", async () => {
  const { page, said, close } = await open(browser, address("method=grpo"));
  await page.locator(".agents table").waitFor();
  /** The mean of A² of some cells, by what the stage shows. */
  const moment = async (cells) => {
    let sum = 0;
    for (const cell of cells) sum += (await advantage(page, ...cell.split("-"))) ** 2;
    return sum / cells.length;
  };
  const near = (actual, expected, what) => assert.ok(Math.abs(actual - expected) < 1e-5, `${what}: ${actual} is not ${expected}`);
  const [turns, mean, deviation, together] = await told(page, "checker");
  assert.deepEqual([turns, mean], [2, 5]);
  near(deviation, Math.sqrt(50), "the deviation of a sample");
  near(together, await moment(CHECKER), "GRPO");
  const [all, , , one] = await told(page, "all");
  assert.equal(all, 10);
  near(one, 0.9, "1 − 1/n over all");
  await page.getByLabel("Method").selectOption("dr-mas");
  near((await told(page, "checker"))[4], await moment(CHECKER), "Dr. MAS");
  near((await told(page, "checker"))[3], together, "the other column stays");
  // What is edited is what is told.
  await step(page, 3, 1).focus();
  await page.keyboard.press("Delete");
  assert.equal((await told(page, "checker"))[0], 1);
  await page.locator(".agents .hint", { hasText: "nothing to compare with" }).waitFor();
  await close();
  assert.deepEqual(said, []);
});

test("many agents, and steps without one, are a list", async () => {
  const { page, said, close } = await open(browser, server.address);
  const steps = Array.from({ length: 30 }, (_, at) => ({ state: `s${at}`, reward: at % 2, ...(at < 29 && { agent: `a${at}` }) }));
  const text = ["x", "y"].map((trajectory) => JSON.stringify({ task: "g", trajectory, steps })).join("\n");
  await page.locator("#file").setInputFiles({ name: "many.jsonl", mimeType: "text/plain", buffer: Buffer.from(text) });
  const list = page.locator("#stage-agent");
  await list.selectOption("(no name)");
  assert.ok(!(await aside(page)).includes("0-29") && (await aside(page)).includes("0-0"));
  await list.selectOption("all");
  assert.deepEqual(await aside(page), []);
  await page.locator(".agents .hint", { hasText: "and 10 more" }).waitFor();
  assert.equal(await page.locator(".agents tbody tr").count(), 20);
  assert.deepEqual(said, []);
  await close();
});

test("a part that cannot be loaded is said below the steps, and tried again", async () => {
  const { page, close } = await open(browser, server.address);
  await page.route("**/*_late_bg-*", (route) => route.abort());
  await page.getByLabel("Example").selectOption("countdown");
  await page.locator("#again-agents").waitFor();
  await page.unroute("**/*_late_bg-*");
  await page.locator("#again-agents").click();
  await page.locator(".agents table").waitFor();
  await close();
});

test("a team fits narrow windows, light and dark, in both languages", async () => {
  for (const [language, width, colorScheme] of [["en", 1440, "light"], ["ko", 1440, "dark"], ["en", 360, "dark"], ["ko", 360, "light"], ["en", 320, "light"]]) {
    const { page, close } = await open(browser, address(`lang=${language}`), { folded: true, viewport: { width, height: 800 }, colorScheme });
    const label = `${language} ${width} ${colorScheme}`;
    await page.locator(".agents table").waitFor();
    await page.getByRole("radio", { name: "checker" }).check();
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= width, label);
    const cut = await page.locator(".depth > span").evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent));
    assert.deepEqual(cut, [], label);
    await withoutViolations(page, undefined, `${label}: `);
    await page.screenshot({ path: join(artifacts, `agents-${language}-${width}-${colorScheme}.png`), fullPage: true });
    await close();
  }
});

test("the lesson hides the table until it is predicted", async () => {
  const { page, said, close } = await open(browser, `${server.address}?lesson=agents&step=3`);
  assert.equal(await page.locator(".lesson-aside").textContent(), "You see this once you have answered the question: it would tell the answer.");
  const cell = page.locator(".agents tbody td").last();
  assert.equal(await cell.count(), 0);
  await page.locator("#answer").fill("2,125");
  await page.getByRole("button", { name: "Check", exact: true }).click();
  assert.match(await page.locator("#verdict").textContent(), /^Right\. \(0\.25 \+ 4\) \/ 2 = 2\.125/);
  await cell.waitFor();
  const [, , , together, apart] = await told(page, "checker");
  assert.ok(Math.abs(together - 2.125) < 1e-5 && Math.abs(apart - 1) < 1e-5, `${together}, ${apart}`);
  await withoutViolations(page);
  assert.deepEqual(said, []);
  await close();
});
