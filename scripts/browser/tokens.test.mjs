// The tokens of a step: shown where a file has them, with their numbers, loss and picture; the recorded example, in which
// one prompt is followed through training; and the lesson's update of a policy.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { artifacts, launch, open, serve, step, withoutViolations } from "./page.mjs";

const log = Math.log;
/** Ratios 1.5, 0.5 and, not counted, 1; at A = 2 the clip holds the first at 1.28. */
const tokens = {
  prompt: "<task> fetch the key", prompt_ids: [1, 2, 3], response_ids: [7, 8, 9], response_tokens: ["go", " on\n", ""],
  response_mask: [1, 1, 0], rollout_log_probs: [-1, -2, -0.5], new_log_probs: [log(1.5) - 1, log(0.5) - 2, -0.5],
  ref_log_probs: [log(1.5) - 1, -2, -0.5], token_advantages: [2, 2, 2],
};
const attempt = (task, trajectory, steps) => JSON.stringify({ task, trajectory, steps });
const file = [
  '{"environment":"chores","objective":{"clip_high":0.28,"kl_coefficient":0.5}}',
  attempt("first", "a", [{ state: "s", action: "x", reward: 1, ...tokens }, { state: "t", action: "z", reward: 0 }]),
  attempt("first", "b", [{ state: "s", action: "y", reward: 0 }]),
  attempt("second", "a", [{ state: "s", action: "x", reward: 0, ...tokens, token_advantages: [-1, -1, -1] }]),
].join("\n");

let server, browser;
before(async () => { server = await serve(); browser = await launch(); });
after(async () => { await browser.close(); server.close(); });

const tab = (page, name = "Tokens") => page.getByRole("button", { name, exact: true });
const chips = (page) => page.locator(".tokens .chips button");
const facts = async (page) => Object.fromEntries(await page.locator(".tokens .facts").evaluate((list) =>
  [...list.querySelectorAll("dt")].map((name) => [name.textContent, name.nextElementSibling.textContent])));

/** The page with the file open, or with the same of another text, and the tokens of its first step. */
async function inspect(options, query = "", text = file) {
  const opened = await open(browser, server.address + query, options);
  const { page } = opened;
  await page.locator("#file").setInputFiles({ name: "tokens.rollouts.jsonl", mimeType: "application/jsonl", buffer: Buffer.from(text) });
  await page.locator(".holdings b").waitFor();
  await step(page, 0, 0).click();
  await tab(page, query ? "토큰" : "Tokens").click();
  await chips(page).first().waitFor();
  return opened;
}

test("only a step with tokens offers them", async () => {
  const { page, said, close } = await inspect();
  assert.match(await page.locator(".tokens h2").textContent(), /a, step 0/);
  await step(page, 0, 1).click();
  assert.equal(await tab(page).count(), 0);
  assert.equal(await page.locator(".panel").count(), 1, "the explanation stands in its place");
  await step(page, 0, 0).click();
  assert.equal(await chips(page).count(), 3, "and the tokens come back");
  assert.deepEqual(said, []);
  await close();
});

test("a token has its probabilities, ratio, clip, weight and loss", async () => {
  const { page, said, close } = await inspect();
  assert.deepEqual(await chips(page).allTextContents(), ["go", "on\u23ce", "#9"].map((text, at) => (at === 1 ? "\u00b7on\u23ce" : text)));
  const first = await facts(page);
  assert.equal(first["Ratio r"], "1.5");
  assert.equal(first["log \u03c0"], "\u22121.0000 \u2192 \u22120.5945");
  assert.match(first.Clip, /^\[0\.8, 1\.28\]: active: r is above it/);
  assert.match(first["Weight of \u2207 log \u03c0"], /0 at the ratio after it: clipped$/);
  assert.equal(first["KL from the reference (k3)"], "0, pulls with 0");
  // max(-2 * 1.5, -2 * 1.28) = -2.56.
  assert.equal(await page.locator(".tokens .line .outcome").getAttribute("value"), "-2.56");
  await chips(page).nth(1).click();
  const second = await facts(page);
  assert.equal(second["Ratio r"], "0.5");
  assert.match(second.Clip, /not active: r is outside/);
  assert.match(second["Weight of \u2207 log \u03c0"], /A r = \+1\.000 at/);
  // -2 * 0.5 + 0.5 (2 - log 2 - 1).
  const loss = Number(await page.locator(".tokens .line .outcome").getAttribute("value"));
  assert.ok(Math.abs(loss - (-1 + 0.5 * (1 - log(2)))) < 1e-9, `${loss}`);
  await chips(page).nth(2).click();
  assert.match((await facts(page))["Weight of \u2207 log \u03c0"], /does not count/);
  assert.match(await page.locator(".tokens svg").getAttribute("aria-label"), /A = \+2.*beyond 0\.8 or 1\.28/);
  await page.getByText("Prompt (3 tokens)").click();
  assert.equal((await page.locator(".tokens pre").textContent()).trim(), "<task> fetch the key");
  assert.deepEqual(said, []);
  await close();
});

test("the entropy bonus is part of the loss and the gradient, and what the file lacks of it is said", async () => {
  const lacking = (page) => page.locator(".tokens [data-lacking]").allTextContents();
  const outcome = async (page) => Number(await page.locator(".tokens .line .outcome").getAttribute("value"));
  const first = '"objective":{"clip_high":0.28,"kl_coefficient":0.5}';
  const said = file.replace(first, `${first},"entropy_coefficient":0.25`);
  const whole = await inspect({}, "", said.replaceAll('"ref_log_probs"', '"new_entropies":[0.75,1.5,0.2],"ref_log_probs"'));
  await chips(whole.page).nth(1).click();
  // Without the bonus as before, less 0.25 · 1.5.
  const loss = await outcome(whole.page);
  assert.ok(Math.abs(loss - (-1 + 0.5 * (1 - log(2)) - 0.25 * 1.5)) < 1e-9, `${loss}`);
  assert.match(await whole.page.locator(".tokens .line").textContent(), /\+ β KL − η H.*0\.25·1\.5/);
  // π = e^−2 / 2: −0.25 π (log π + 1.5) for the bonus, A r (1 − π) for the policy.
  const probability = Math.exp(-2) / 2;
  const found = (await facts(whole.page))["Entropy H"].match(/^1\.5 nats; .* = (\S+) to the gradient .* adds (\S+)$/).slice(1).map(Number);
  const expected = [-0.25 * probability * (log(probability) + 1.5), 1 - probability];
  found.forEach((one, at) => assert.ok(Math.abs(one - expected[at]) < 5e-4, `${found} are not ${expected}`));
  assert.deepEqual(await lacking(whole.page), []);
  await chips(whole.page).nth(2).click();
  assert.equal((await facts(whole.page))["Entropy H"], "0.2 nats", "what the loss does not count is not pulled");
  await whole.close();
  const without = await inspect({}, "", said);
  assert.match((await lacking(without.page)).join(), /η = 0\.25.*does not have the entropy H of its tokens \(new_entropies\)/);
  assert.equal(await outcome(without.page), -2.56);
  await without.close();
  const old = await inspect();
  assert.match((await lacking(old.page)).join(), /does not say whether the loss has an entropy bonus/);
  await old.close();
  const none = await inspect({}, "", file.replace(first, `${first},"entropy_coefficient":0`));
  assert.deepEqual(await lacking(none.page), []);
  assert.equal((await facts(none.page))["Entropy H"], undefined);
  await none.close();
});

test("the arrow keys go from token to token, and nothing violates accessibility", async () => {
  const { page, close } = await inspect({ viewport: { width: 400, height: 900 } });
  await chips(page).first().focus();
  await page.keyboard.press("ArrowRight");
  assert.equal(await chips(page).nth(1).getAttribute("aria-pressed"), "true");
  assert.match(await page.locator(".tokens h3").first().textContent(), /^Token 2 of 3/);
  assert.equal(await page.locator(".tokens .chips [tabindex='0']").count(), 1, "one stop of the tab key");
  assert.match(await chips(page).nth(0).getAttribute("aria-label"), /^token 1: go, weight 0/);
  await page.keyboard.press("ArrowLeft");
  assert.equal(await chips(page).first().getAttribute("aria-pressed"), "true");
  await withoutViolations(page);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
  assert.ok(!wide, "the page is not wider than the window");
  await page.screenshot({ path: join(artifacts, "tokens-narrow.png"), fullPage: true });
  await close();
});

test("the same prompt is found in other tasks, in Korean and in the dark too", async () => {
  const { page, said, close } = await inspect({ colorScheme: "dark" }, "?lang=ko");
  const rows = page.locator(".tokens tbody tr");
  assert.equal(await rows.count(), 2);
  assert.match(await rows.nth(1).textContent(), /second.*\u22121\.00/);
  await rows.nth(1).getByRole("button").click();
  assert.match(await page.locator(".tokens .facts").textContent(), /\u22121\.000/);
  assert.equal(await rows.nth(1).getAttribute("aria-current"), "true");
  assert.ok(await page.locator(".tokens").evaluate((part) => /비율 r/.test(part.textContent)));
  await withoutViolations(page);
  await page.screenshot({ path: join(artifacts, "tokens-dark.png") });
  assert.deepEqual(said, []);
  await close();
});

test("the recorded example is fetched when it is chosen, and follows one prompt", async () => {
  const { page, said, asked, close } = await open(browser, server.address);
  await step(page, 0, 2).waitFor();
  assert.ok(!asked.some((address) => address.includes("rollouts/")));
  await page.getByLabel("Example").selectOption("Tokens: SmolLM2, three updates");
  await page.locator(".holdings b").waitFor();
  assert.equal(asked.filter((address) => address.endsWith("rollouts/updates.rollouts.jsonl")).length, 1);
  assert.equal(await page.getByLabel("Example").inputValue(), "updates.rollouts.jsonl");
  assert.deepEqual(await page.locator("#task option").allTextContents(), ["iteration 1", "iteration 2", "iteration 3"]);
  await tab(page).click();
  await chips(page).first().waitFor();
  const rows = page.locator(".tokens tbody tr");
  assert.ok(await rows.count() >= 15, "every attempt of the three iterations begins with this prompt");
  assert.match(await page.locator(".tokens h2 ~ .hint, .tokens .hint").allTextContents().then((all) => all.join(" ")), /PPO, GRPO/);
  await page.screenshot({ path: join(artifacts, "tokens.png") });
  assert.deepEqual(said, []);
  await close();
});

test("an address opens the recorded example with its note, at a task and a step, and a reload too", async () => {
  const { page, said, close } = await open(browser, `${server.address}?preset=updates&task=iteration%202&select=g00t1/1&lang=en`);
  await page.locator(".holdings b", { hasText: "updates.rollouts.jsonl" }).waitFor();
  assert.equal(await page.getByLabel("Example").inputValue(), "updates.rollouts.jsonl");
  assert.match(await page.locator(".story .note").textContent(), /^SmolLM2-135M learns chores: .*Tokens/);
  assert.equal(await page.locator("#task").inputValue(), "1");
  assert.match(await page.locator(".panel h2").textContent(), /^g00t1, step 1$/);
  assert.equal(await page.locator(".ignored").count(), 0);
  assert.equal(await page.getByLabel("Discount").inputValue(), "0.85", "as it was recorded");
  await page.reload();
  assert.match(page.url(), /preset=updates/);
  await page.locator(".holdings b", { hasText: "updates.rollouts.jsonl" }).waitFor();
  assert.equal(await page.locator("#task").inputValue(), "1");
  await page.goto(`${server.address}?preset=nothing`);
  await page.locator(".broken-link, .problem", { hasText: "updates" }).first().waitFor();
  assert.deepEqual(said, []);
  await close();
});

test("the lesson moves \u03c0 by \u03b7 A (1 \u2212 \u03c0), and the clip ends it", async () => {
  const { page, said, close } = await open(browser, `${server.address}?lesson=credit&step=11`);
  assert.equal(await page.locator(".tokens").count(), 0, "it would tell the answer");
  await page.locator("#answer").fill("0.25");
  await page.keyboard.press("Enter");
  await page.locator(".tokens input").first().waitFor();
  const told = () => page.locator(".tokens").textContent();
  assert.match(await told(), /0\.1 \u00b7 5 \u00b7 0\.5 = \+0\.250/);
  assert.match(await told(), /r = 1\.245/);
  assert.match(await told(), /50\.0\u00a0%62\.2\u00a0%/);
  await page.locator("#updates").fill("3");
  assert.match(await told(), /From update 2 on, the clip holds it/);
  await page.locator("#rate").fill("0.02");
  assert.match(await told(), /0\.02 \u00b7 5 \u00b7 0\.5 = \+0\.050/);
  // At t2 the same choice is blamed.
  await step(page, 1, 1).click();
  assert.match(await told(), /\u22125 \u00b7 0\.5 = \u22120\.050/);
  await withoutViolations(page);
  await page.screenshot({ path: join(artifacts, "update.png") });
  assert.deepEqual(said, []);
  await close();
});
