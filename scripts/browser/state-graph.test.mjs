// The graph of states beside the steps: what it draws, how it leads to cells and back, and what of it is left alone.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { advantage, artifacts, chosen, edit, launch, open, serve, step, tabTo, withoutViolations } from "./page.mjs";

let server, browser;
before(async () => { server = await serve(); browser = await launch(); });
after(async () => { await browser.close(); server.close(); });

/** Opens the graph of an address. */
async function graph(query, options = {}, name = "Graph") {
  const opened = await open(browser, `${server.address}?${query}`, { folded: true, ...options });
  await opened.page.getByRole("button", { name, exact: true }).click();
  await opened.page.locator(".picture-of-states svg").waitFor();
  return opened;
}

const names = (page) => page.locator(".picture-of-states [data-node] text").allTextContents();
/** The arrows as the list has them, each as what it leads from, what it says, and its place. */
const arrows = (page) => page.locator(".state-graph ul ul [data-edge]").evaluateAll((all) => all.map((one) => ({
  from: one.closest("ul").parentElement.querySelector("[data-node]").textContent.trim(),
  text: one.textContent.replace(/\s+/g, " ").trim(), at: Number(one.dataset.edge), mean: Number(one.querySelector("b").textContent.replace("−", "-")),
})));
const marked = (page) => page.locator(".step.marked").evaluateAll((all) => all.map((one) => one.id.replace("step-", "")));
const unfold = (page) => page.locator(".state-graph details:not(.menu-holder) summary").click();

test("states are nodes, steps are arrows with what was done and their mean advantage", async () => {
  const { page, said, close } = await graph("preset=inconsistent&scale=mean&discount=0.9");
  assert.deepEqual((await names(page)).sort(), ["bell", "desk", "door", "hall", "✓", "✗"].sort());
  await unfold(page);
  const all = await arrows(page);
  const from = (state, to) => all.find((one) => one.from === state && one.text.startsWith(`→ ${to}`));
  assert.match(from("desk", "door").text, /3 steps: take key ×3, /);
  assert.match(from("door", "door").text, /1 step: knock, /);
  assert.match(from("door", "success").text, /3 steps: unlock ×3, /);
  // The mean of what the cells show.
  const cells = [[0, 1], [1, 1], [2, 3]];
  let mean = 0;
  for (const [row, at] of cells) mean += (await advantage(page, row, at)) / cells.length;
  assert.ok(Math.abs(from("desk", "door").mean - mean) < 0.005, `${from("desk", "door").mean} is not ${mean}`);
  // Signs are told by dashes and numbers too.
  const look = (at) => page.locator(`.picture-of-states [data-edge="${at}"] path`).nth(1).evaluate((line) => [line.getAttribute("stroke"), line.getAttribute("stroke-dasharray")]);
  for (const { at, mean: own } of all.filter((one) => one.mean)) {
    assert.deepEqual(await look(at), own > 0 ? ["var(--blue)", ""] : ["var(--orange)", "6 3.5"]);
  }
  // Another estimator has other numbers.
  await page.getByLabel("Method").selectOption("grpo");
  assert.notDeepEqual((await arrows(page)).map((one) => one.mean), all.map((one) => one.mean));
  assert.deepEqual(said, []);
  await close();
});

test("a node marks the cells in its state, an arrow chooses its steps one after the other", async () => {
  const { page, close } = await graph("preset=inconsistent");
  const place = () => page.locator(".stage").boundingBox();
  const before = await place();
  const node = (name) => page.locator(".picture-of-states [data-node]", { hasText: new RegExp(`^\\s*${name}\\s*$`) });
  await node("door").hover();
  assert.deepEqual(await marked(page), ["0-2", "1-2", "1-3", "2-1", "2-4", "3-1"]);
  await page.locator("#stage-title").hover();
  assert.deepEqual(await marked(page), []);
  assert.deepEqual(await place(), before, "nothing moves");
  // And back: the state of a cell.
  await step(page, 3, 2).hover();
  const [outline, bell] = [await page.locator(".picture-of-states .pointed").boundingBox(), await node("bell").boundingBox()];
  assert.ok(Math.abs(outline.x - bell.x) < 4 && Math.abs(outline.y - bell.y) < 4);
  await unfold(page);
  const arrow = page.locator(".state-graph ul ul [data-edge]", { hasText: "take key" });
  for (const expected of ["t1, step 1", "t2, step 1", "t3, step 3", "t1, step 1"]) {
    await arrow.click();
    assert.equal(await chosen(page), expected);
  }
  assert.match((await page.locator(".state-graph .readout").innerText()).replace(/\s+/g, " "), /desk → door 3 steps: take key ×3, mean advantage/);
  // In the picture too.
  await page.locator(".picture-of-states [data-edge]").first().locator("path").first().dispatchEvent("click");
  assert.equal(await chosen(page), "t1, step 0");
  await close();
});

test("the chosen step's context is outlined, and an edit draws another graph", async () => {
  const { page, close } = await graph("preset=inconsistent&select=t3/4");
  const outlined = () => page.locator(".picture-of-states [data-node]").evaluateAll((all) => all
    .filter((one) => one.querySelector("rect").getAttribute("stroke") === "var(--accent)").map((one) => one.textContent.trim()));
  assert.deepEqual((await outlined()).sort(), ["desk", "door", "hall"], "K = 2");
  await step(page, 3, 1).click();
  assert.deepEqual((await outlined()).sort(), ["door", "hall"], "the attempt began there");
  await edit(page, 3, 2);
  await page.locator("#edit-state").fill("alarm");
  await page.keyboard.press("Enter");
  assert.ok((await names(page)).includes("alarm") && !(await names(page)).includes("bell"));
  await close();
});

test("the keyboard gets at all of it", async () => {
  const { page, close } = await graph("preset=streets");
  await page.getByRole("button", { name: "Graph", exact: true }).focus();
  await tabTo(page, ".state-graph details:not(.menu-holder) summary");
  await page.keyboard.press("Enter");
  await tabTo(page, ".state-graph [data-node='0']");
  assert.equal((await marked(page)).length, 8, "all begin at home");
  await tabTo(page, ".state-graph ul ul [data-edge]");
  const text = await page.evaluate(() => document.activeElement.textContent.replace(/\s+/g, " "));
  assert.match(text, /→ mill 4 steps: north ×4/);
  await page.keyboard.press("Enter");
  assert.equal(await chosen(page), "t1, step 0");
  await close();
});

test("nothing of it tells an answer: not in a lesson, nor with an open question; hide=graph leaves it out", async () => {
  const tab = (page) => page.getByRole("button", { name: "Graph", exact: true }).count();
  const lesson = await open(browser, `${server.address}?lesson=context&step=2`, { folded: true });
  assert.equal(await tab(lesson.page), 0);
  await lesson.close();
  const hidden = await open(browser, `${server.address}?preset=loop&hide=graph`, { folded: true });
  assert.deepEqual([await tab(hidden.page), await hidden.page.locator(".ignored").count()], [0, 0]);
  await hidden.close();
});

test("of many states the most visited are drawn, and those left out are counted, in a moment", async (context) => {
  const { page, said, close } = await graph("preset=loop");
  const rows = Array.from({ length: 128 }, (_, row) => JSON.stringify({ task: "many", trajectory: `t${row}`, success: row % 3 === 0,
    steps: Array.from({ length: 50 }, (_, at) => ({ state: `p${(row * at * 7 + at * at) % 60}`, action: `a${at % 3}`, reward: at === 49 ? row % 5 : 0 })) }));
  await page.locator("#file, input[type=file]").first().setInputFiles({ name: "many.rollouts.jsonl", mimeType: "text/plain", buffer: Buffer.from(rows.join("\n")) });
  await page.locator(".state-graph .hint", { hasText: "left out" }).waitFor();
  assert.match(await page.locator(".state-graph .hint").nth(1).textContent(), /^20 more states/);
  assert.equal((await names(page)).filter((name) => name.startsWith("p")).length, 40);
  // What choosing another step takes: the picture is drawn anew.
  const took = await page.evaluate(async () => {
    const begin = performance.now();
    document.querySelector(".picture-of-states [data-edge] path").dispatchEvent(new MouseEvent("click", { bubbles: true }));
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    return performance.now() - begin;
  });
  context.diagnostic(`another step is drawn after ${Math.round(took)} ms`);
  assert.ok(took < 1000, "many times what it takes: the machine may be busy");
  assert.deepEqual(said, []);
  await close();
});

const looks = [["wide", {}, ""], ["dark", { colorScheme: "dark" }, ""], ["phone", { viewport: { width: 390, height: 844 } }, ""],
  ["korean", { viewport: { width: 360, height: 780 }, colorScheme: "dark" }, "&lang=ko"]];
for (const [look, options, rest] of looks) {
  test(`it fits and breaks no rule: ${look}`, async () => {
    for (const preset of ["overview", "key", "streets", "team", "chores"]) {
      const { page, said, close } = await graph(`preset=${preset}${rest}`, options, rest ? "그래프" : "Graph");
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), preset);
      await page.locator(".state-graph").screenshot({ path: join(artifacts, `graph-${preset}-${look}.png`) });
      await withoutViolations(page, ".state-graph", `${preset}: `);
      assert.deepEqual(said, []);
      await close();
    }
  });
}
