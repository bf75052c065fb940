import { launch, open, serve } from "./page.mjs";
const server = await serve(), browser = await launch();
const step = (state, reward, more = {}) => ({ state, reward, ...more });
const line = (task, trajectory, steps, more = {}) => JSON.stringify({ task, trajectory, steps, ...more });
const lines = [
  line("h", "p", [step("s", 2), step("t", -3)]), line("h", "q", [step("s", 0)]), line("h", "r", [step("u", 3)]),
  line("quiet", "x", [step("hall", 1)]), line("odd", "z", [step("kitchen", 0, { valid: false, agent: "cook" }), step("kitchen", 1)]),
].join("\n");
const file = { name: "three.rollouts.jsonl", mimeType: "application/jsonl", buffer: Buffer.from(lines) };
const { page, close } = await open(browser, server.address, { viewport: { width: 320, height: 780 } });
await page.locator("#file").setInputFiles([file]);
await page.locator(".overview-button").click();
await page.locator("table.disagreements").waitFor();
console.log(await page.evaluate(() => [document.documentElement.scrollWidth, [...document.querySelectorAll("*")].filter((e) => e.getBoundingClientRect().right > 321).map((e) => e.tagName + "." + e.className + " " + e.getBoundingClientRect().right).slice(0, 30)]));
await page.locator(".tasks thead button").filter({ hasText: "Invalid" }).click();
await page.getByLabel("Text of the state").fill("KITCH");
await page.getByLabel("an invalid action").check();
console.log(await page.locator("#overview-status").textContent());
await page.locator(".overview-button").click();
await page.locator("table[role=grid]").waitFor();
await page.locator(".overview-button").click();
await page.locator("table.disagreements").waitFor();
console.log(await page.locator("#overview-status").textContent(), await page.getByLabel("Text of the state").inputValue(), await page.locator("th[aria-sort]").count());
await close(); await browser.close(); server.close();
