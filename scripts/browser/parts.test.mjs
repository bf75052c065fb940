// Estimators that are made of parts: chosen, explained with the numbers of `hgpo advantages --explain`, refused where
// rollouts lack what they compare, and trained.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { skipped } from "../skipped.mjs";
import { advantage, artifacts, launch, open, root, serve, step, withoutViolations } from "./page.mjs";
import { SMALL, iterate } from "./training-controls.mjs";

const CALLED = { crbc: "CRBC", pgpo: "PGPO", adastep: "AdaStep", ecpo: "ECPO", gagpo: "GAGPO", composed: "Composed" };
const names = Object.keys(CALLED);

let server, browser, folder;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), "hgpo-parts-"));
  server = await serve();
  browser = await launch();
});
after(async () => { await browser.close(); server.close(); rmSync(folder, { recursive: true }); });

const skip = process.env.HGPO_BIN ? false : skipped("explanations of the page against the command line", "HGPO_BIN names the program hgpo");

const preset = (name) => join(root, `assets/presets/${name}.rollouts.jsonl`);
const rollouts = (name) => readFileSync(preset(name), "utf8").trim().split("\n").map((line) => JSON.parse(line));

/** What the command line says of a step. */
function explained(example, [row, at], estimator, options = {}) {
  const { task, trajectory } = rollouts(example)[row];
  const flags = Object.entries(options).flatMap(([name, value]) => [`--${name.replaceAll("_", "-")}`, String(value)]);
  const given = ["advantages", preset(example), "--estimator", estimator, ...flags, "--explain", `${task}/${trajectory}/${at}`, "--format", "json"];
  return JSON.parse(execFileSync(process.env.HGPO_BIN, given, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }));
}

/** The numbers of the page's arithmetic, with all their digits: of the values, of every term, and the end. */
const shown = (page) => page.evaluate(() => {
  const last = (scope, line) => {
    const data = [...scope.querySelectorAll(`.${line} data`)].at(-1);
    return data ? Number(data.getAttribute("value")) : null;
  };
  const all = (selector, line) => [...document.querySelectorAll(selector)].map((one) => last(one, line));
  return {
    values: [...document.querySelectorAll("[data-part=part-0] .line")].map((line) => Number([...line.querySelectorAll("data")].at(-1).getAttribute("value"))),
    means: all(".contrast", "mean-line"),
    deviations: all(".contrast", "deviation-line"),
    terms: all(".contrast", "term-line"),
    weights: all(".weight", "weight-line"),
    sum: last(document, "sum-line"),
    lines: [...document.querySelectorAll(".arithmetic .line")].map((line) => line.textContent.replaceAll(/\s+/g, " ").trim()),
  };
});

const near = (actual, expected, what) =>
  assert.ok(Math.abs(actual - expected) <= 1e-9 * Math.max(1, Math.abs(expected)), `${what}: ${actual} is not ${expected}`);

/** Checks that the page tells of a step what the command line does. */
async function agree(page, cell, expected, label) {
  const { values, means, deviations, terms, weights, sum } = await shown(page);
  for (const { number } of expected.values) {
    assert.ok(values.some((value) => Math.abs(value - number) <= 1e-9 * Math.max(1, Math.abs(number))), `${label}: no line ends with ${number}: ${values}`);
  }
  assert.equal(terms.length, expected.terms.length, label);
  expected.terms.forEach((term, place) => {
    near(terms[place], term.advantage, `${label}, term ${place}`);
    if (term.rule.kind === "deviation" && !term.alone) {
      near(means[place], term.mean, `${label}, mean ${place}`);
      if (term.rule.scale === "mean-std") near(deviations[place], term.std, `${label}, deviation ${place}`);
    }
    if (weights[place] !== null) near(weights[place], term.weight, `${label}, weight ${place}`);
    else assert.ok(term.skipped, `${label}: a weight is struck out`);
  });
  near(sum, expected.advantage, `${label}, sum`);
  near(await advantage(page, ...cell), expected.advantage, `${label}, stage`);
}

const choose = (page, name) => page.getByLabel("Method").selectOption({ label: CALLED[name] });

/** Sets an option of the method to a value as files have it. */
async function set(page, option, value) {
  await page.locator(".controls .more").evaluate((more) => more.open = true);
  const control = page.locator(`[data-option=${option}]`);
  if (await control.locator("select").count()) return control.locator("select").selectOption(String(value));
  await control.locator("input").fill(String(value));
  return control.locator("input").press("Enter");
}

for (const name of names) {
  test(`${CALLED[name]}: every number is that of the command line`, { skip }, async () => {
    const { page, said, close } = await open(browser, server.address);
    await choose(page, name);
    for (const [example, cells] of [["overview", [[0, 2], [1, 0], [3, 2]]], ["errand", [[2, 1], [4, 1]]], ["loop", [[0, 2], [1, 1]]]]) {
      await page.getByLabel("Example").selectOption(example);
      for (const cell of cells) {
        await step(page, ...cell).click();
        await agree(page, cell, explained(example, cell, name), `${name} ${example} ${cell}`);
      }
    }
    assert.deepEqual(said, []);
    await close();
  });
}

/** Settings of their own, so that every kind of term is told. */
const others = [
  ["crbc", { depth: "2" }],
  ["crbc", { context_length: 2, alpha: 0.5 }],
  ["crbc", { floor: 0, scale: "mean", episode_weight: 0 }],
  ["pgpo", { context_length: 1, failure_exponent: 0.5, value_discount: 0.9 }],
  ["adastep", { context_length: 2, step_weight: 0.3 }],
  ["ecpo", { shrinkage: 0, saturation: 0, variance_epsilon: 0.25 }],
  ["gagpo", { lambda: 0.37, context_length: 2 }],
  ["gagpo", { lambda: 1, scale: "mean" }],
  ["composed", { state_value: "process", credit: "gae", among: "task", depth: "1" }],
  ["composed", { state_value: "potentials", credit: "difference", among: "nothing", trust: "failures" }],
  ["composed", { credit: "action", trust: "gated-variance", return_weight: 0.5 }],
  ["composed", { credit: "action", trust: "actions", context_length: 2, episode_weight: 0 }],
  ["composed", { credit: "difference", trust: "variance", step_weight: 2 }],
];

test("options of their own keep every number that of the command line", { skip }, async () => {
  const { page, said, close } = await open(browser, server.address);
  for (const [name, options] of others) {
    await choose(page, name);
    for (const [option, value] of Object.entries(options)) await set(page, option, value);
    const label = `${name} ${JSON.stringify(options)}`;
    for (const cell of [[0, 2], [2, 3]]) {
      await step(page, ...cell).click();
      const { scale } = explained("overview", cell, name, options).options.estimator;
      const given = { ...options, scale: options.scale ?? await page.locator("[data-option=scale] select").inputValue() };
      assert.ok(scale, label);
      await agree(page, cell, explained("overview", cell, name, given), label);
    }
    await page.getByRole("button", { name: "Defaults" }).click();
    await page.locator("[data-option=scale] select").selectOption("mean-std");
  }
  assert.deepEqual(said, []);
  await close();
});

test("CRBC and ECPO by hand", async () => {
  // Two attempts in one state: a, which is rewarded, and b.
  const file = join(folder, "two.rollouts.jsonl");
  const attempt = (trajectory, action, reward) => `${JSON.stringify({ task: "g", trajectory, steps: [{ state: "s", action, reward }] })}\n`;
  writeFileSync(file, attempt("1", "a", 1) + attempt("2", "b", 0));
  const { page, close } = await open(browser, server.address);
  await page.locator("#file").setInputFiles(file);
  await page.locator(".holdings b").waitFor();
  await page.getByLabel("Scale").selectOption("mean");
  await choose(page, "ecpo");
  await step(page, 0, 0).click();
  // μ̃ = (1 + 2/2)/3 and (0 + 2/2)/3; all variance is explained but for ε, in two visits of four.
  const share = Math.tanh(2 / 4) * 0.25 / (0.25 + 1e-6);
  const ecpo = await shown(page);
  near(ecpo.values.at(-1), 2 / 3, "Q");
  near(ecpo.terms[1], share / 6, "step");
  near(ecpo.sum, 0.5 + share / 6, "advantage");
  assert.ok(ecpo.lines.some((line) => line.startsWith("Q0 = (1 (1, step 0) + 2·0.5) / (1 + 2) ≈ 0.6667")), ecpo.lines.join("\n"));
  assert.ok(ecpo.lines.some((line) => line.includes("tanh((2) / (4))·(0.25) / (0.25)·(")), ecpo.lines.join("\n"));
  await choose(page, "crbc");
  // a leads to the goal: Q = 0.98; b to a dead end; V = 0.49; two actions were seen. w_S = 5.
  const crbc = await shown(page);
  near(crbc.values.at(-1), 0.98, "Q");
  near(crbc.sum, 0.5 + 5 * 0.49, "advantage");
  assert.ok(crbc.lines.some((line) => line.includes("1 (gate: 2/2)·(")), crbc.lines.join("\n"));
  assert.equal(await page.locator(".because").textContent(),
    "Its score 1 beats the mean of its group (0.5), and its value 0.98 beats the mean of its group (0.49), so training makes this action more likely.");
  await close();
});

test("what rollouts lack is said, and the method stays", async () => {
  const file = join(folder, "silent.rollouts.jsonl");
  const silent = rollouts("overview").map(({ steps, ...attempt }) => ({ ...attempt, steps: steps.map(({ action, ...own }) => own) }));
  writeFileSync(file, silent.map((attempt) => `${JSON.stringify(attempt)}\n`).join(""));
  const { page, said, close } = await open(browser, server.address);
  const problem = page.locator("#control-problem");
  const method = page.getByLabel("Method");
  await choose(page, "composed");
  await set(page, "state_value", "recorded");
  assert.match(await problem.textContent(), /^Value of a state: .*`recorded` is for differences/);
  assert.equal(await page.locator("[data-option=state_value] select").inputValue(), "returns");
  await set(page, "credit", "gae");
  assert.equal(await problem.textContent(), "");
  await set(page, "state_value", "recorded");
  assert.match(await problem.textContent(), /trajectory "t1", step 0: `state_value` is missing/);
  await choose(page, "crbc");
  await page.locator("#file").setInputFiles(file);
  await page.locator(".holdings b").waitFor();
  assert.equal(await method.inputValue(), "hgpo", "a file that CRBC does not take is opened as HGPO does");
  for (const name of ["crbc", "adastep", "ecpo"]) {
    await choose(page, name);
    assert.match(await problem.textContent(), /^Method: .*step 0: `action` is missing: /);
    assert.equal(await method.inputValue(), "hgpo", "what is not admitted is not left standing");
  }
  for (const name of ["pgpo", "gagpo"]) {
    await choose(page, name);
    assert.equal(await method.inputValue(), name);
  }
  // The example has actions; taking one away is refused while they are compared.
  await page.getByLabel("Example").selectOption("overview");
  await choose(page, "crbc");
  await step(page, 0, 0).focus();
  await page.keyboard.press("n");
  assert.match(await page.locator(".stage .problem").first().textContent(), /such as its action/);
  assert.deepEqual(said, []);
  await close();
});

test("they are told in Korean, fit narrow windows, and break no accessibility rule", async () => {
  const looks = [["en", 1440, "light", names], ["ko", 1280, "dark", names], ["ko", 360, "light", ["composed"]], ["en", 360, "dark", ["crbc", "ecpo"]]];
  for (const [language, width, colorScheme, drawn] of looks) {
    for (const name of drawn) {
      const { page, said, close } = await open(browser, `${server.address}?lang=${language}&method=${name}`,
        { viewport: { width, height: 800 }, colorScheme });
      await page.locator(".controls .more").evaluate((more) => more.open = true);
      const label = `${name} ${language} ${width}`;
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= width, `${label}: ${wide}`);
      const told = await page.locator(".controls :is(.field > span, .number label > span), .because, .compared").allTextContents();
      if (language === "ko") assert.match(await page.locator(".because").textContent(), /[가-힣]/, label);
      assert.ok(told.every((words) => words.trim()), label);
      await withoutViolations(page, ".controls, .panel", `${label}: `);
      await page.screenshot({ path: join(artifacts, `parts-${name}-${language}-${width}-${colorScheme}.png`), fullPage: true });
      assert.deepEqual(said, []);
      await close();
    }
  }
});

test("each is trained in a lane, and an iteration of it is explained", async () => {
  const { page, said, close } = await open(browser, `${server.address}?view=train&train=${SMALL}`);
  for (const [place, name] of names.entries()) {
    await page.locator(`#lane${place % 3}-estimator`).selectOption({ label: CALLED[name] });
    if (place % 3 < 2) continue;
    await iterate(page, 3);
    for (const lane of [0, 1, 2]) {
      assert.equal(await page.locator(`.lane${lane} .problem`).textContent(), "");
      assert.match(await page.locator(`.lane${lane} .compares`).textContent(), /\.$/);
    }
  }
  await page.locator("#lane0-estimator").selectOption("crbc");
  await iterate(page, 3);
  await page.locator("#training-lane").selectOption("0");
  await page.getByRole("button", { name: "Look into this iteration" }).click();
  await page.locator("table[role=grid]").waitFor();
  assert.equal(await page.getByLabel("Method").inputValue(), "crbc");
  const { sum } = await shown(page);
  const [row, at] = (await page.locator(".step.selected").getAttribute("id")).split("-").slice(1).map(Number);
  near(sum, await advantage(page, row, at), "the step of the lane");
  assert.deepEqual(said, []);
  await close();
});
