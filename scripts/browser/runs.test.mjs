// The runs that files come from: curves of their metrics, and their rollouts, an iteration at a time.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { button, file, give, metrics, names, trace } from "./overview-files.mjs";
import { launch, open, serve } from "./page.mjs";

let server, browser;
before(async () => { server = await serve(); browser = await launch(); });
after(async () => { await browser.close(); server.close(); });

test("two runs stand side by side, and a slider goes through the rollouts of one", async () => {
  const { page, said, close } = await open(browser, server.address);
  await give(page, trace(3), metrics("metrics.jsonl", [0, 0.5, 1]), trace(1), trace(2), metrics("other.jsonl", [0.25, 0.25]));
  await page.locator(".curve").first().waitFor();
  const heading = page.locator("#overview-title");
  await heading.getByText("iteration_000003").waitFor();
  assert.deepEqual(await page.locator(".curve figcaption").allTextContents(), ["success_rate", "reward/mean"]);
  const first = page.locator(".curve").first();
  // The field is 420 by 150, from (58, 10): 0, a half and all of the height.
  assert.equal(await first.locator("path.run0").getAttribute("d"), "M58.0 160.0L268.0 85.0L478.0 10.0");
  assert.equal(await first.locator("path.run1").getAttribute("d"), "M58.0 122.5L268.0 122.5");
  assert.match(await first.locator(".readings").textContent(), /metrics\.jsonl: 1 at iteration 3.*other\.jsonl: 0\.25 at iteration 2/);
  await page.locator("#metric").selectOption("kl");
  assert.deepEqual(await page.locator(".curve figcaption").allTextContents(), ["success_rate", "kl"]);
  const slider = page.locator("#trace");
  assert.equal(await slider.getAttribute("aria-valuetext"), "3 of 3: 3");
  await slider.focus();
  await page.keyboard.press("ArrowLeft");
  await heading.getByText("iteration_000002").waitFor();
  assert.deepEqual(await names(page), ["task of 2"]);
  assert.equal(await page.evaluate(() => document.activeElement.id), "trace", "the slider keeps the focus");
  assert.match(await first.locator(".readings").textContent(), /metrics\.jsonl: 0\.5 at iteration 2/);
  await page.getByRole("button", { name: "Remove other.jsonl" }).click();
  assert.equal(await page.locator("path.run1").count(), 0);
  assert.equal(await page.evaluate(() => document.activeElement.id), "run-files", "the button is gone, the focus is not");
  assert.deepEqual(said, []);
  await close();
});

test("metrics alone are taken, and what is wrong with others is said", async () => {
  const { page, close } = await open(browser, server.address);
  await give(page, metrics("metrics.jsonl", [0, 1]));
  await page.locator(".curve").first().waitFor();
  assert.ok(await page.locator("#overview-title").textContent());
  await page.locator("#run-files").setInputFiles([file("broken.jsonl", "{\"iteration\":2,\"kl\":1}\n{\"iteration\":1,\"kl\":1}\n")]);
  await page.locator(".of-runs .problem:not(:empty)").waitFor();
  assert.match(await page.locator(".of-runs .problem").textContent(), /broken\.jsonl.*line 2/);
  assert.equal(await page.locator(".curve").count(), 2, "what is open stays");
  await button(page).click();
  await page.locator("table[role=grid]").waitFor();
  await button(page).click();
  await page.locator(".curve").first().waitFor();
  await close();
});
