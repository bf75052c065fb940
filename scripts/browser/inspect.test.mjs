// Looking into an iteration of a training: the program's own numbers, and what is true beside them.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { artifacts, edit, launch, open, serve, step, unfold, withoutViolations } from "./page.mjs";
import { iterate, reached, tabTo } from "./training-controls.mjs";
import { skipped } from "../skipped.mjs";

let server, browser, folder;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), "hgpo-inspect-"));
  server = await serve();
  browser = await launch();
});
after(async () => { await browser.close(); server.close(); rmSync(folder, { recursive: true }); });

const SMALL = "world.signpost_group.4_tasks.2_seeds.2_steps.12_slip.0.1";

const train = (setup = SMALL, { query = "", ...options } = {}) =>
  open(browser, `${server.address}?view=train${query}&train=${setup}`, options);

/** Looks into the iteration of a lane. */
async function inspect(page, lane = 2) {
  await page.locator("#training-lane").selectOption(`${lane}`);
  await page.locator("#training-inspect").click();
  await page.locator("table[role=grid]").waitFor();
  await unfold(page);
}

const because = (page) => page.locator(".truth .because");
const beside = (page, name = "Estimate and truth") => page.locator(".tabs").getByRole("button", { name });

/** Shows what is true of the chosen step. */
async function tellTruth(page) {
  await beside(page).click();
  await because(page).or(page.locator(".truth .problem")).first().waitFor();
}

/** What a press of an item of the menu saves, by keyboard alone. */
async function saved(page, name) {
  await tabTo(page, "details.export summary");
  await page.keyboard.press("Enter");
  const item = page.getByRole("button", { name });
  await item.waitFor();
  for (let press = 0; !await item.evaluate((own) => own === document.activeElement); press += 1) {
    assert.ok(press < 20, `${name} is not reached by Tab`);
    await page.keyboard.press("Tab");
  }
  const [download] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Enter")]);
  await page.keyboard.press("Escape");
  return readFileSync(await download.path(), "utf8");
}

const lines = (text) => text.trim().split("\n").map((line) => JSON.parse(line));

/** What the page shows of every step of the task on the stage: the advantage as text, row by row. */
const shown = (page) => page.locator("[role=grid] tbody tr").evaluateAll((rows) =>
  rows.map((row) => [...row.querySelectorAll(".step data")].map((data) => [data.textContent, Number(data.value)])));

const numberOf = (text) => Number(text.match(/[+\u2212-]?\d[\d.]*/)[0].replace("\u2212", "-"));

const skip = process.env.HGPO_BIN ? false : skipped("the page against the command line", "HGPO_BIN names the program hgpo");

for (const [lane, name] of ["grpo", "gigpo", "hgpo"].entries()) {
  test(`${name}: an iteration that training was paused at has the program's numbers, by keyboard alone`, { skip }, async (context) => {
    // Where play stops is chance. In this world cells cost, so that attempts differ: for 80 iterations GRPO has
    // something to learn from in every one, in a signpost's not in one of ten.
    const { page, said, close } = await train("world.shortcut_group.4_tasks.3_seeds.2_steps.16");
    await tabTo(page, "#training-play");
    await page.keyboard.press("Enter");
    await reached(page, 10);
    await page.keyboard.press("Enter");
    await page.locator("#training-play", { hasText: "Play" }).waitFor();
    await tabTo(page, "#training-lane");
    for (let up = 2; up > lane; up -= 1) await page.keyboard.press("ArrowUp");
    await tabTo(page, "#training-inspect");
    await page.keyboard.press("Enter");
    await page.locator("table[role=grid]").waitFor();
    const text = await saved(page, "Rollouts (JSON Lines)");
    const made = JSON.parse(text.split("\n")[0]);
    assert.equal(made.estimator.name, name);
    assert.ok(made.iteration >= 10 && made.environment === "gridworld");
    const file = join(folder, `${name}.rollouts.jsonl`);
    writeFileSync(file, text);
    const output = execFileSync(process.env.HGPO_BIN, ["advantages", file, "--recorded"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
    const rows = lines(output);
    assert.equal(rows.length, 12, "three tasks, four attempts at each");
    let steps = 0;
    for (const task of ["g00", "g01", "g02"]) {
      await page.locator("#task").selectOption({ label: task });
      const own = rows.filter((row) => row.task === task);
      const drawn = await shown(page);
      assert.deepEqual(drawn.map((row) => row.length), own.map((row) => row.advantages.length));
      own.forEach(({ advantages }, row) => advantages.forEach((advantage, at) => {
        const [digits, exact] = drawn[row][at];
        const places = (digits.match(/\.(\d+)/)?.[1] ?? "").length;
        assert.ok(Math.abs(numberOf(digits) - advantage) <= 0.5 * 10 ** -places + 1e-9, `${task} ${row}/${at}: ${digits} ${advantage}`);
        assert.ok(Math.abs(exact - advantage) <= 5e-7, `${task} ${row}/${at}: ${exact} ${advantage}`);
        steps += 1;
      }));
    }
    const exported = lines(await saved(page, "Advantages (JSON Lines)"));
    assert.deepEqual(exported.map(({ task, trajectory }) => [task, trajectory]), rows.map(({ task, trajectory }) => [task, trajectory]));
    exported.forEach(({ advantages }, row) => advantages.forEach((advantage, at) =>
      assert.ok(Math.abs(advantage - rows[row].advantages[at]) <= 1e-12, `${row}/${at}`)));
    assert.ok(exported.some(({ advantages }) => advantages.some((advantage) => advantage !== 0)), "something was learned from");
    context.diagnostic(`${steps} steps of iteration ${made.iteration}`);
    assert.deepEqual(said, []);
    await close();
  });
}

/** Has a page note what its lanes answer, by the kind of the answer. */
const listen = (page) => page.addInitScript(() => {
  globalThis.answers = [];
  const { postMessage } = Worker.prototype;
  const known = new WeakSet();
  Worker.prototype.postMessage = function post(message) {
    if (!known.has(this)) this.addEventListener("message", ({ data }) => globalThis.answers.push(JSON.parse(data)));
    known.add(this);
    return postMessage.call(this, message);
  };
});
const answers = (page, kind) => page.evaluate((kind) => globalThis.answers.filter((it) => kind in it).map((it) => it[kind]), kind);

/** The mean of some numbers, and their standard deviation as of a sample. */
function summary(numbers) {
  const mean = numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
  const squares = numbers.reduce((sum, one) => sum + (one - mean) ** 2, 0);
  return { mean, deviation: Math.sqrt(squares / (numbers.length - 1)) };
}

test("the true advantages beside the estimates are those of the cells in Train, task by task", async (context) => {
  const { page, said, close } = await train("world.signpost");
  await listen(page);
  await page.goto(`${server.address}?view=train&train=${SMALL}`);
  await iterate(page, 3);
  await page.locator(".map .place.start").first().click();
  await page.waitForFunction(() => [...document.querySelectorAll("table.said tbody tr")].some((row) => row.children[2].textContent !== "\u2013"));
  const told = await page.locator("table.said tbody tr").evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent)));
  const place = (await page.locator(".map .place.start").first().getAttribute("data-place")).replace("-", ",");
  await inspect(page);
  assert.equal((await answers(page, "process")).length, 0, "nothing is asked for before it is shown");
  await tellTruth(page);
  const known = new Map();
  for (const [number, task] of ["g00", "g01"].entries()) {
    await page.locator("#task").selectOption({ label: task });
    await step(page, 0, 0).click();
    await page.waitForFunction((count) => globalThis.answers.filter((it) => "process" in it).length === count, number + 1);
    const { process, situations } = (await answers(page, "process"))[number];
    const names = JSON.parse(process).situations.map(({ name }) => name);
    for (const [row, steps] of situations.entries()) {
      for (const [at, situation] of steps.entries()) {
        await step(page, row, at).click();
        await page.locator(".truth h2", { hasText: new RegExp(`^${task}t${row}, step ${at}$`) }).waitFor();
        const text = await because(page).textContent();
        assert.match(text, /^True advantage/, `${task} ${row}/${at}`);
        const isThere = names[situation].split(" ")[0] === place;
        known.set(`${task}t${row}/${at}`, [numberOf(text), isThere && await step(page, row, at).locator(".action").textContent()]);
      }
    }
  }
  context.diagnostic(`${known.size} steps`);
  assert.equal((await answers(page, "process")).length, 2, "a process a task, once");
  // As Train has it: in standard deviations of the batch, by action.
  const { mean, deviation } = summary([...known.values()].map(([truth]) => truth));
  for (const [action, count, truth] of told) {
    const own = [...known.values()].filter((it) => it[1] && action.includes(it[1]));
    assert.equal(own.length, Number(count), action);
    const expected = (summary(own.map(([one]) => one)).mean - mean) / deviation;
    assert.ok(Math.abs(numberOf(truth) - expected) < 0.01, `${action}: ${truth} ${expected}`);
  }
  assert.ok(told.length > 1);
  assert.deepEqual(said, []);
  await close();
});

test("many groups of the policy that played are drawn, and attempts anew", async () => {
  const { page, said, close } = await train();
  await iterate(page, 2);
  await inspect(page);
  await page.locator("#task").selectOption({ label: "g01" });
  await page.locator("[data-option=scale] select").selectOption("mean only");
  await tellTruth(page);
  await page.getByRole("button", { name: "Draw 200 groups" }).click();
  await page.locator(".truth svg").first().waitFor();
  assert.match(await page.locator(".truth .hint").first().textContent(), /^200 groups of 4 attempts were drawn/);
  await withoutViolations(page);
  const before = await page.locator("[role=grid] tbody").textContent();
  await page.getByRole("button", { name: "Draw the attempts anew" }).click();
  await page.waitForFunction((before) => document.querySelector("[role=grid] tbody").textContent !== before, before);
  assert.equal(await page.locator("#task").inputValue(), "1", "the other task is there");
  await page.getByRole("button", { name: "Undo" }).click();
  assert.equal(await page.locator("[role=grid] tbody").textContent(), before);
  await page.locator(".truth .because", { hasText: "True advantage" }).waitFor();
  assert.deepEqual(said, []);
  await close();
});

test("a button gives estimates and truth one unit, and undo takes it back", async () => {
  for (const [language, words] of [["en", "Set Scale to “mean only”"], ["ko", "척도를 ‘평균만’으로"]]) {
    const { page, said, close } = await train(SMALL, { query: `&lang=${language}` });
    await iterate(page, 2);
    await inspect(page);
    await beside(page, language === "en" ? undefined : "추정과 참값").click();
    const scale = page.locator("[data-option=scale] select");
    assert.equal(await scale.inputValue(), "mean-std");
    await page.locator(".truth").getByRole("button", { name: words }).focus();
    await page.keyboard.press("Enter");
    await page.locator(".truth .true").waitFor();
    assert.equal(await scale.inputValue(), "mean");
    assert.ok(await page.evaluate(() => document.activeElement.matches(".truth button")), "the focus stays");
    assert.equal(await page.locator(".truth .hint button").count(), 0);
    await page.getByRole("button", { name: language === "en" ? "Undo" : "되돌리기" }).click();
    await page.locator(".truth .hint button").waitFor();
    assert.equal(await scale.inputValue(), "mean-std");
    await withoutViolations(page, ".truth");
    assert.deepEqual(said, []);
    await close();
  }
});

test("the address and the list of examples say what is looked into, after a reload too", async () => {
  const { page, said, close } = await train();
  await iterate(page, 2);
  await inspect(page);
  const at = () => new URL(page.url()).searchParams;
  await page.waitForFunction(() => new URLSearchParams(location.search).get("train"));
  assert.deepEqual([at().get("view"), at().get("train").startsWith("world.signpost_")], [null, true]);
  const listed = () => page.getByLabel("Example").evaluate((list) => list.selectedOptions[0].textContent);
  assert.equal(await listed(), "training, iteration 2");
  await page.waitForTimeout(1_500); // it is kept
  await page.reload();
  await page.getByRole("button", { name: "Back to training" }).waitFor();
  assert.equal(await listed(), "training, iteration 2");
  assert.ok(at().get("train").startsWith("world.signpost_"));
  await page.getByRole("button", { name: "Back to training" }).click();
  await page.locator("#training-play").waitFor();
  assert.equal(await page.locator("#dial-group").inputValue(), "4", "as it was set");
  await page.getByRole("link", { name: "Explore" }).click();
  await page.getByLabel("Example").selectOption("chores");
  await page.waitForFunction(() => !new URLSearchParams(location.search).has("train"));
  assert.deepEqual(said, []);
  await close();
});

test("an edit that cannot be says so, and other work has no truth", async () => {
  const { page, close } = await train();
  await iterate(page, 2);
  await inspect(page);
  await tellTruth(page);
  await edit(page, 0, 1);
  await page.locator("#edit-reward").fill("7");
  await page.keyboard.press("Enter");
  await page.locator(".truth .because", { hasText: "cannot come from this process any more" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Undo" }).click();
  await page.locator(".truth .because", { hasText: "True advantage" }).waitFor();
  await edit(page, 0, 1);
  await page.locator("#edit-reward").fill("7");
  await page.keyboard.press("Enter");
  await page.locator(".truth .because", { hasText: "cannot come from" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Reset" }).click();
  await page.locator(".truth .because", { hasText: "True advantage" }).waitFor();
  // An example has its own, a recorded one has none, and whoever goes back to the training finds its again.
  await page.getByLabel("Example").selectOption("streets");
  await page.locator(".truth .because", { hasText: "True advantage" }).waitFor();
  await page.getByLabel("Example").selectOption("chores");
  assert.equal(await beside(page).count(), 0);
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByRole("button", { name: "Undo" }).click();
  await page.locator(".truth .because", { hasText: "True advantage" }).waitFor();
  // What the browser keeps is attempts, not the training.
  await page.waitForFunction(() => localStorage.getItem("hgpo-work"));
  await page.waitForTimeout(1_000);
  await page.goto(server.address);
  await page.locator("table[role=grid]").waitFor();
  assert.match(await page.locator(".holdings").textContent(), /training, iteration 2/);
  assert.equal(await beside(page).count(), 0);
  await close();
});

test("a training that has gone on says so, and knows what it was asked before", async () => {
  const { page, said, close } = await train();
  await iterate(page, 2);
  await inspect(page);
  await tellTruth(page);
  await page.getByRole("button", { name: "Back to training" }).click();
  await iterate(page, 1);
  await page.getByRole("link", { name: "Explore" }).click();
  await page.locator("table[role=grid]").waitFor();
  await tellTruth(page);
  assert.match(await because(page).textContent(), /^True advantage/, "of the first task it is known");
  await page.locator("#task").selectOption({ label: "g01" });
  await page.locator(".truth .problem", { hasText: "Go back to iteration 2 in Train" }).waitFor();
  await page.getByRole("button", { name: "Back to training" }).click();
  await page.locator("#training-way").fill("2");
  await page.waitForFunction(() => document.querySelector("#training-way").value === "2");
  await page.getByRole("link", { name: "Explore" }).click();
  await tellTruth(page);
  await page.locator(".truth .because", { hasText: "True advantage" }).waitFor();
  // Begun again, it is another training.
  await page.getByRole("button", { name: "Back to training" }).click();
  await page.locator("#training-again").click();
  await page.getByRole("link", { name: "Explore" }).click();
  await page.locator("#task").selectOption({ label: "g00" });
  await tellTruth(page);
  assert.match(await because(page).textContent(), /^True advantage/);
  assert.deepEqual(said, []);
  await close();
});

test("a world that is too large for true values says why, in both languages", async () => {
  const large = "world.hall_group.2_tasks.1_seeds.1_steps.60_memory.8_slip.0.3";
  for (const [language, tab, words] of [
    ["en", "Estimate and truth", /^This world is too large for true advantages: \d+ combinations of place and memory .*“Memory”, “Step limit” or “Slip”.*\.$/],
    ["ko", "추정과 참값", /^참 어드밴티지를 계산하기에는 너무 큰 세계입니다. 위치와 기억의 조합을 \d+개 찾았고 [^a-z]*‘기억’, ‘단계 한도’, ‘미끄러짐’[^a-z]*\.$/],
  ]) {
    const { page, said, close } = await train(large, { query: `&lang=${language}` });
    await iterate(page, 1);
    await inspect(page);
    await beside(page, tab).click();
    await page.locator(".truth .problem").waitFor();
    assert.match(await page.locator(".truth .problem").textContent(), words);
    await withoutViolations(page, ".truth");
    assert.deepEqual(said, []);
    await close();
  }
});

const windows = [["wide", {}], ["narrow", { viewport: { width: 360, height: 780 } }], ["dark", { colorScheme: "dark" }]];
for (const [name, options] of windows) {
  test(`the truth of an iteration fits and can be read: ${name}`, async () => {
    const { page, close } = await train("world.switchback_group.4_tasks.2_seeds.2", options);
    await iterate(page, 3);
    await inspect(page);
    await page.locator("[data-option=scale] select").selectOption("mean only");
    await tellTruth(page);
    await page.getByRole("button", { name: "Draw 200 groups" }).click();
    await page.locator(".truth svg").first().waitFor();
    await page.screenshot({ path: join(artifacts, `inspected-${name}.png`), fullPage: true });
    const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(over <= 0, `${over} pixels`);
    await withoutViolations(page);
    await close();
  });
}
