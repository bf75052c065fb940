// What means no good: files and links of every wrong kind, names that are markup, scripts of others.
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { deflateRawSync } from "node:zlib";
import { edit, launch, open, root, serve, step } from "./page.mjs";

let server, browser;
before(async () => { server = await serve(); browser = await launch(); });
after(async () => { await browser.close(); server.close(); });

const good = readFileSync(join(root, "scripts/browser/fixtures/two-tasks.rollouts.jsonl"));
const bytes = 10_000_000;

/** What is on the page, apart from where the keyboard stands. */
const picture = (page) => page.evaluate(() => [document.querySelector("main").innerText,
  ...[...document.querySelectorAll(".controls input, .controls select, #example, #task")].map((field) => field.value)].join("\n"));

const choose = (page, name, buffer) => page.locator("#file").setInputFiles({ name, mimeType: "text/plain", buffer: Buffer.from(buffer) });

const files = {
  "empty.jsonl": "",
  "truncated.jsonl": good.subarray(0, good.length - 40),
  "other.json": '{"a": [1, 2, 3]}',
  "number.jsonl": "42",
  "infinite.jsonl": '{"task":"g","trajectory":"t","steps":[{"state":"a","reward":1e999}]}',
  "nan.jsonl": '{"task":"g","trajectory":"t","steps":[{"state":"a","reward":NaN}]}',
  "twice.jsonl": '{"task":"g","trajectory":"t","steps":[{"state":"a","reward":1}]}\n'.repeat(2),
  "no-steps.jsonl": '{"task":"g","trajectory":"t","steps":[]}',
  "no-utf8.jsonl": Buffer.concat([good, Buffer.from([0xff, 0xfe, 0x00])]),
  "latin.csv": Buffer.concat([Buffer.from("task,trajectory,state,reward\ng,t,"), Buffer.from([0xe9]), Buffer.from(",1\n")]),
  "header-only.csv": "task,trajectory,state,reward\n",
  "short.csv": "task,trajectory,state,reward\ng,t,a\n",
  "random.bin": randomBytes(bytes),
  "letters.txt": "a".repeat(bytes),
  "deep.jsonl": "[".repeat(bytes),
  "deeper.jsonl": '{"a":'.repeat(bytes / 5),
  "quotes.csv": `task,trajectory,state,reward\n${'"'.repeat(bytes)}`,
  "zeros.bin": Buffer.alloc(bytes),
  "lines.txt": "\n".repeat(bytes),
};

test("files of every wrong kind are refused, each with its name, and the work stays", async (context) => {
  const { page, said, close } = await open(browser, server.address);
  await edit(page, 1, 1);
  await page.locator("#edit-state").fill("my work");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
  await step(page, 1, 1).locator(".chip", { hasText: "my" }).or(step(page, 1, 1).getByText("my work")).first().waitFor();
  await page.mouse.move(1, 1);
  const before = await picture(page);
  let slowest = ["", 0];
  for (const [name, content] of Object.entries(files)) {
    const start = performance.now();
    await choose(page, name, content);
    await page.locator("#file-problem", { hasText: name }).waitFor();
    const time = performance.now() - start;
    if (time > slowest[1]) slowest = [name, time];
    const words = await page.locator("#file-problem").textContent();
    assert.ok(words.length < 1000, `${name}: ${words.length} letters`);
    assert.equal(await picture(page), before, name);
  }
  context.diagnostic(`the slowest to be refused: ${slowest[0]}, ${Math.round(slowest[1])} ms`);
  await choose(page, "good.rollouts.jsonl", good);
  await page.getByText("good.rollouts.jsonl").waitFor();
  assert.equal(await page.locator("#file-problem").textContent(), "");
  assert.deepEqual(said, []);
  await close();
});

test("links of every wrong kind are refused, and the work stays", async () => {
  const { page, said, close } = await open(browser, server.address);
  await page.locator("#file").setInputFiles({ name: "own.rollouts.jsonl", mimeType: "text/plain", buffer: good });
  await page.getByText("own.rollouts.jsonl").waitFor();
  await page.getByRole("button", { name: "Share", exact: true }).click();
  const link = await page.locator(".sharing input[readonly]").first().inputValue();
  await page.keyboard.press("Escape");
  const own = link.slice(link.indexOf("#"));
  assert.match(own, /^#1\.[\w-]+$/);
  await page.mouse.move(1, 1);
  const before = await picture(page);
  const packed = (text) => `#1.${deflateRawSync(Buffer.from(text)).toString("base64url")}`;
  const wrong = [
    "#", "#1", "#1.", "#2.abc", "#999999999999999999999.abc", "#-1.abc", "#1.%", "#1.é", `#1.${"A".repeat(1_000_000)}`,
    packed(""), packed("{}"), packed("\0".repeat(70_000_000)), packed("9".repeat(1000)),
    ...[10, 40, own.length >> 1, own.length - 8].map((length) => own.slice(0, length)),
  ].filter((hash) => hash.length > 1);
  for (const hash of wrong) {
    await page.evaluate((hash) => { location.hash = hash; }, hash);
    await page.locator(".broken-link:not(:empty)").waitFor();
    assert.equal(await picture(page), before, hash.slice(0, 60));
    await step(page, 0, 0).focus();
    await page.evaluate(() => { history.replaceState(null, "", location.pathname); });
    await page.getByLabel("Exponent").press("Enter");
  }
  assert.deepEqual(said, []);
  await close();
});

const markup = '<img src=x onerror="window.executed=1"><script>window.executed=1</script>';

test("names that are markup stay text, everywhere", async () => {
  const { page, said, close } = await open(browser, server.address);
  const line = (trajectory, reward) => JSON.stringify({
    task: markup, trajectory, steps: [0, 1].map((at) => ({ state: `${markup}${at}`, action: `"'><svg onload=window.executed=1>`, reward, context: markup, agent: markup })),
  });
  await choose(page, `${markup.replaceAll("/", "")}.jsonl`, [line(markup, 1), line("javascript:window.executed=1", 0)].join("\n"));
  await page.locator("[role=grid][aria-rowcount='3']").waitFor();
  await step(page, 0, 1).click();
  await page.getByRole("button", { name: "Compare estimators" }).click();
  await page.getByRole("button", { name: "Share", exact: true }).click();
  await page.keyboard.press("Escape");
  await edit(page, 0, 1);
  assert.equal(await page.locator("#edit-state").inputValue(), `${markup}1`);
  assert.equal(await page.evaluate(() => document.querySelectorAll("img, main script, svg[onload]").length), 0);
  assert.equal(await page.evaluate(() => globalThis.executed), undefined);
  assert.deepEqual(said, []);
  await close();
});

test("the policy of the page lets in no script but its own, and asks no other server", async () => {
  const { page, close } = await open(browser, server.address);
  const policy = await page.locator("meta[http-equiv=Content-Security-Policy]").getAttribute("content");
  assert.match(policy, /script-src 'self' 'wasm-unsafe-eval' 'sha256-/);
  assert.doesNotMatch(policy, /script-src[^;]*'unsafe-(inline|eval)'/);
  const broken = await page.evaluate(async () => {
    const broken = [];
    addEventListener("securitypolicyviolation", (event) => broken.push(event.effectiveDirective));
    const script = document.createElement("script");
    script.textContent = "window.executed = 1";
    document.body.append(script);
    const image = document.createElement("img");
    image.setAttribute("onerror", "window.executed = 1");
    image.src = "https://elsewhere.example/x.png";
    document.body.append(image);
    const style = document.createElement("style");
    style.textContent = "body { display: none }";
    document.body.append(style);
    await fetch("https://elsewhere.example/").catch(() => {});
    await new Promise((done) => setTimeout(done, 300));
    return broken.sort();
  });
  assert.equal(await page.evaluate(() => globalThis.executed), undefined);
  assert.deepEqual(broken, ["connect-src", "img-src", "script-src-attr", "script-src-elem", "style-src-elem"]);
  assert.ok(await step(page, 0, 0).isVisible());
  await close();
});
