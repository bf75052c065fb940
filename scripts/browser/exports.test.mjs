// What every picture of the page is saved as: a picture for one or two columns of a paper, and the numbers it is drawn of.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { artifacts, launch, open, root, serve, step, withoutViolations } from "./page.mjs";
import { SMALL, iterate } from "./training-controls.mjs";

let server, browser;
before(async () => { server = await serve(); browser = await launch(); });
after(async () => { await browser.close(); server.close(); });

const folder = join(artifacts, "exports");

/** What a choice of a menu saves: name and content, which is kept to be looked at. */
async function saved(page, menu, choice) {
  const holder = page.locator(menu);
  if (!await holder.locator(".menu").isVisible()) await holder.locator("summary").click();
  const [download] = await Promise.all([page.waitForEvent("download"), holder.getByRole("button", { name: choice, exact: true }).click()]);
  const content = readFileSync(await download.path());
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, download.suggestedFilename()), content);
  return { name: download.suggestedFilename(), content };
}

const widths = { one: /\b85 mm$/, two: /178 mm$/ };
const millimetres = { one: 85, two: 178 };

async function choose(page, menu, column) {
  const holder = page.locator(menu);
  if (!await holder.locator(".menu").isVisible()) await holder.locator("summary").click();
  await holder.getByLabel(widths[column]).check();
}

/** A picture as a browser reads it on its own, without the page: its texts, and those of them that lie outside. */
async function read(svg) {
  const context = await browser.newContext({ colorScheme: "dark" });
  const page = await context.newPage();
  await page.setContent(`<body style="margin:0">${svg}`);
  const found = await page.evaluate(() => {
    const svg = document.querySelector("svg");
    const around = svg.getBoundingClientRect();
    const texts = [...svg.querySelectorAll("text")];
    const lies = (one) => {
      const box = one.getBoundingClientRect();
      return box.left >= around.left - 0.5 && box.right <= around.right + 0.5 && box.bottom <= around.bottom + 0.5;
    };
    return {
      width: svg.getAttribute("width"), height: svg.getAttribute("height"),
      classes: svg.querySelectorAll("[class], style").length,
      texts: texts.map((one) => one.textContent),
      outside: texts.filter((one) => !lies(one)).map((one) => one.textContent),
      small: texts.filter((one) => Number(one.getAttribute("font-size")) < 7).length,
    };
  });
  await context.close();
  return found;
}

/** The fields of a CSV file, line by line. */
function fields(text) {
  const lines = [[""]];
  let isQuoted = false;
  for (const letter of String(text).trimEnd()) {
    const line = lines.at(-1);
    if (letter === '"') { isQuoted = !isQuoted; if (isQuoted && line.at(-1) !== "") line[line.length - 1] += '"'; }
    else if (letter === "," && !isQuoted) line.push("");
    else if (letter === "\n" && !isQuoted) lines.push([""]);
    else line[line.length - 1] += letter;
  }
  return lines;
}

const explain = async () => {};
const press = (name) => (page) => page.getByRole("button", { name, exact: true }).click();

/** Every picture: how it is reached, its menu, what its choices are called, words of its labels, and the columns of its
 * file with at least so many lines. */
const pictures = {
  grid: { enter: explain, menu: ".export", names: ["Figure (SVG)", "Figure (PNG)", null], words: ["t = 0", "s2", "→ enter", "r 10", "G₂", "t1"] },
  explanation: {
    enter: explain, menu: ".export", names: ["Explanation (SVG)", "Explanation (PNG)", "Explanation (CSV)"],
    words: ["Compared with", "Weight × A", "Sum"], columns: /^comparison,level,members,value,mean,std,advantage,weight,contribution,skipped$/, lines: 5,
  },
  maps: { enter: press("Compare estimators"), menu: "[data-exhibit=maps]", words: ["GRPO", "GiGPO", "HGPO", "t = 0", "t1", "+1.00"], columns: /^trajectory,step,state,action,grpo,gigpo,hgpo$/, lines: 18 },
  states: { enter: press("Graph"), menu: "[data-exhibit=states]", words: ["s0", "s2", "\u2713", "\u2717", "+0.93", "\u22121.00"], columns: /^from,to,steps,mean_advantage,actions$/, lines: 12 },
  differences: { enter: press("Compare estimators"), menu: "[data-exhibit=differences]", words: ["Step", "GRPO", "HGPO"], columns: /^trajectory,step,state,action,grpo,gigpo,hgpo$/, lines: 18 },
  sizes: { enter: press("Compare estimators"), menu: "[data-exhibit=sizes]", words: ["Size of the group", "Steps", "HGPO: G0"], columns: /^estimator,group,size,steps$/, lines: 5 },
  distributions: {
    enter: async (page) => { await page.goto(`${server.address}?view=overview`); await page.locator("#overview-spreads figure").first().waitFor(); },
    menu: "[data-exhibit=distributions]", words: ["HGPO", "GRPO", "Advantage", "Steps"], columns: /^estimator,from,to,steps$/, lines: 75,
  },
  curves: {
    enter: async (page) => {
      const metrics = (name, value) => ({ name, mimeType: "application/jsonl", buffer: Buffer.from([1, 2, 3].map((at) => JSON.stringify({ iteration: at, success_rate: value * at, "reward/mean": at })).join("\n")) });
      await page.locator("#file").setInputFiles([metrics("first.jsonl", 0.3), metrics("second.jsonl", 0.1)]);
      await page.locator("#overview-curves svg").first().waitFor();
    },
    menu: "[data-exhibit=curves]", words: ["success_rate", "reward/mean", "Iteration", "first.jsonl", "second.jsonl"], columns: /^run,metric,iteration,value$/, lines: 12,
  },
  truth: {
    enter: async (page) => {
      await page.getByRole("button", { name: "Estimate and truth" }).click();
      await page.getByLabel("Scale").selectOption("mean only");
      await page.getByRole("button", { name: "Draw 200 groups" }).click();
      await page.locator(".truth .picture svg").first().waitFor();
    },
    menu: "[data-exhibit=truth]", words: ["here", "bias", "A_0", "Estimates"], columns: /^comparison,estimate,mean,bias,spread,count,from,to,drawn$/, lines: 10,
  },
  training: {
    enter: async (page) => { await page.goto(`${server.address}?view=train&train=${SMALL}`); await page.locator("#training-once").waitFor(); await iterate(page, 3); },
    menu: "[data-exhibit=success]", words: ["Iteration", "success", "100 %"], columns: /^iteration,lane,mean,low,high$/, lines: 3,
  },
};

for (const [name, { enter, menu, names = ["Picture (SVG)", "Picture (PNG)", "Numbers (CSV)"], words, columns, lines }] of Object.entries(pictures)) {
  test(`${name}: the picture is whole at both widths, on its own, and comes with its numbers`, async () => {
    const { page, said, close } = await open(browser, server.address, { colorScheme: "dark" });
    await enter(page);
    for (const column of ["one", "two"]) {
      await choose(page, menu, column);
      const svg = await saved(page, menu, names[0]);
      writeFileSync(join(folder, `${name}-${column}.svg`), svg.content);
      const drawn = await read(svg.content.toString());
      assert.equal(drawn.width, `${millimetres[column]}mm`);
      assert.deepEqual([drawn.outside, drawn.classes, drawn.small], [[], 0, 0], "all of it is inside, large enough and has its own looks");
      for (const word of words) assert.ok(drawn.texts.includes(word), `${word} in ${drawn.texts.join(" | ")}`);
      assert.ok(!drawn.texts.some((text) => text.includes("…")), "nothing is cut");
      const png = (await saved(page, menu, names[1])).content;
      writeFileSync(join(folder, `${name}-${column}.png`), png);
      assert.equal(png.subarray(1, 4).toString("latin1"), "PNG");
      const high = Number.parseFloat(drawn.height) / 25.4 * 600;
      const wide = millimetres[column] / 25.4 * 600;
      const shrunk = Math.min(1, Math.sqrt(16e6 / (wide * high)));
      assert.ok(Math.abs(png.readUInt32BE(16) - wide * shrunk) < 12, `${png.readUInt32BE(16)} pixels, not ${wide * shrunk}`);
    }
    if (names[2]) {
      const table = fields((await saved(page, menu, names[2])).content);
      assert.match(table[0].join(","), columns);
      assert.ok(table.length > lines, `${table.length} lines`);
      for (const line of table) assert.equal(line.length, table[0].length, line.join(","));
    }
    assert.deepEqual(said, []);
    await close();
  });
}

test("numbers of the maps are those of the stage", async () => {
  const { page, close } = await open(browser, server.address);
  await press("Compare estimators")(page);
  const table = fields((await saved(page, "[data-exhibit=maps]", "Numbers (CSV)")).content);
  const own = table[0].indexOf("hgpo");
  const stage = await page.locator(".step data").evaluateAll((all) => all.map((one) => Number(one.value)));
  assert.deepEqual(table.slice(1).map((line) => Number(line[own])), stage);
  await close();
});

test("the attempts and steps that are chosen are shown, walked through and exported", async () => {
  const { page, said, close } = await open(browser, server.address);
  await page.locator(".extent summary").click();
  const [attempts, steps] = [page.locator("#extent-attempts"), page.locator("#extent-steps")];
  await attempts.fill("9");
  await attempts.press("Enter");
  await page.locator("#problem-extent-attempts", { hasText: "from 1 to 4" }).waitFor();
  await attempts.fill("1, 3-4");
  await attempts.press("Enter");
  await steps.fill("1-2");
  await steps.press("Enter");
  await page.locator(".extent summary", { hasText: "3 of 4, t = 1\u20132" }).waitFor();
  const shown = () => page.locator("[role=grid] .step").evaluateAll((all) => all.map((one) => one.id));
  assert.deepEqual(await shown(), ["step-0-1", "step-0-2", "step-2-1", "step-2-2", "step-3-1", "step-3-2"]);
  assert.deepEqual(await page.locator("[role=grid] thead th:not(:first-child)").allTextContents(), ["t = 1", "t = 2"]);
  await step(page, 0, 2).focus();
  for (const [key, id] of [["ArrowDown", "step-2-2"], ["ArrowRight", "step-2-2"], ["Control+Home", "step-0-1"], ["End", "step-0-2"]]) {
    await page.keyboard.press(key);
    assert.equal(await page.evaluate(() => document.activeElement.id), id, key);
  }
  await withoutViolations(page, ".stage");
  await page.screenshot({ path: join(artifacts, "extent.png") });
  const { texts } = await read((await saved(page, ".export", "Figure (SVG)")).content.toString());
  const names = ["t1", "t2", "t3", "t4"].filter((name) => texts.includes(name));
  assert.deepEqual(names, ["t1", "t3", "t4"]);
  assert.deepEqual(texts.filter((text) => text.startsWith("t = ")), ["t = 1", "t = 2"]);
  assert.ok(texts.join(" ").includes("3 of 4 attempts, steps 1 to 2"), texts.join(" "));
  // Whoever goes to what is not shown sees it.
  await page.getByRole("button", { name: "Compare estimators" }).click();
  await page.locator(".differences").getByRole("button", { name: "t2, step 1" }).click();
  await step(page, 1, 1).waitFor();
  assert.equal((await shown()).length, 19);
  assert.deepEqual(said, []);
  await close();
});

test("long states and names of other scripts are whole", async () => {
  const { page, close } = await open(browser, `${server.address}?lang=ko`);
  const state = "복도 끝에 문이 두 개 있고 왼쪽 문은 잠겨 있으며 오른쪽 문 뒤에서는 물소리가 들립니다. ".repeat(4).trim();
  const line = (trajectory, reward) => JSON.stringify({ task: "긴 과제", trajectory, steps: [{ state, action: "오른쪽 문을 열고 천천히 들어갑니다", reward }, { state: "끝", reward: 0 }] });
  await page.locator("#file").setInputFiles({ name: "긴-상태.jsonl", mimeType: "text/plain", buffer: Buffer.from([line("시도 하나", 1), line("시도 둘", 0)].join("\n")) });
  await page.locator(".holdings b", { hasText: "긴-상태" }).waitFor();
  const drawn = await read((await saved(page, ".export", "그림 (SVG)")).content.toString());
  assert.deepEqual(drawn.outside, []);
  const whole = drawn.texts.join("").replaceAll(" ", "");
  assert.ok(whole.includes(state.replaceAll(" ", "")), whole);
  await close();
});

const looks = [["wide", {}, "en"], ["narrow", { viewport: { width: 360, height: 780 } }, "en"], ["dark-ko", { colorScheme: "dark" }, "ko"]];
for (const [name, options, language] of looks) {
  test(`${name}: the menus break no rule and fit`, async () => {
    const { page, close } = await open(browser, `${server.address}?lang=${language}`, options);
    await step(page, 0, 2).waitFor();
    await page.locator(".export summary").click();
    await page.locator(".export .segmented").waitFor();
    await page.screenshot({ path: join(artifacts, `exports-${name}.png`) });
    await withoutViolations(page, ".settings");
    await page.keyboard.press("Escape");
    await page.locator(".tab").nth(1).click();
    await page.locator("[data-exhibit=maps] summary").click();
    await page.screenshot({ path: join(artifacts, `exports-maps-${name}.png`) });
    await withoutViolations(page, ".comparison");
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    await close();
  });
}
