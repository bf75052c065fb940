// A reader's own rollouts: picked, dropped, refused; and the same numbers as the command line.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { after, before, test } from "node:test";
import { advantage, launch, open, root, serve, step } from "./page.mjs";
import { skipped } from "../skipped.mjs";

const twoTasks = join(root, "scripts/browser/fixtures/two-tasks.rollouts.jsonl");

let server, browser;
before(async () => { server = await serve(); browser = await launch(); });
after(async () => { await browser.close(); server.close(); });

const pick = (page, path) => page.locator("#file").setInputFiles(path);

async function drop(page, name, text) {
  const dataTransfer = await page.evaluateHandle(([name, text]) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([text], name));
    return transfer;
  }, [name, text]);
  await page.dispatchEvent(".page", "dragover", { dataTransfer });
  assert.ok(await page.locator(".drop-here").isVisible());
  await page.dispatchEvent(".page", "drop", { dataTransfer });
}

test("a picked file is shown, task by task", async () => {
  const { page, said, close } = await open(browser, server.address);
  await pick(page, twoTasks);
  await page.getByText("two-tasks.rollouts.jsonl").waitFor();
  await page.locator("tbody tr:first-child th .name", { hasText: /^x$/ }).waitFor();
  // Level 0 at the gate compares the returns 6, 0 and 3: mean 3. Level 1 (from the start) compares 6
  // and 0: mean 3. Centred only: 3 and 3, weights 1/3 and 2/3, sum 3.
  await page.getByLabel("Scale").selectOption("mean only");
  assert.ok(Math.abs(await advantage(page, 0, 1) - 3) < 1e-12);
  // z at the gate is at the mean of level 0 and alone deeper down: 0.
  assert.equal(await advantage(page, 2, 2), 0);
  await page.getByLabel("Task").selectOption("lonely");
  assert.equal(await page.locator(".step").count(), 1);
  assert.equal(await advantage(page, 0, 0), 0);
  assert.deepEqual(said, []);
  await close();
});

test("rows that pad a file are left out, which is said", async () => {
  const { page, close } = await open(browser, server.address);
  const row = (state, rewards, more) => `${JSON.stringify({ uid: "g", traj_uid: "x", anchor_obs: state, rewards, ...more })}\n`;
  await drop(page, "padded.jsonl", row("a", 0, { active_masks: true }) + row("b", 1, { active_masks: true })
    + row("b", 0, { active_masks: false }).repeat(3));
  await page.getByText("padded.jsonl").waitFor();
  const noticed = page.locator(".holdings + p");
  assert.equal(await noticed.textContent(), "Left out: 3 padded rows (active_masks is false).");
  await page.getByText("2 of 2 steps have no advantage under HGPO: every task has a single attempt.").waitFor();
  assert.equal(await page.locator(".step").count(), 2);
  await pick(page, twoTasks);
  await page.getByText("two-tasks.rollouts.jsonl").waitFor();
  assert.equal(await noticed.textContent(), "");
  await close();
});

test("a file with columns of other names is read once they are named", async () => {
  const { page, said, close } = await open(browser, server.address);
  const reading = page.locator(".reading");
  assert.equal(await reading.count(), 0);
  await drop(page, "table.csv", "group,id,obs,score\ng,x,hall,1\ng,y,hall,0\n");
  await page.locator("#file-problem", { hasText: "table.csv" }).waitFor();
  const columns = page.getByLabel("Columns", { exact: true });
  await columns.fill("task=group,trajectory=id,state=obs,reward=points");
  await columns.press("Enter");
  await page.locator("#file-problem", { hasText: "the column `points`, named for `reward`, is missing" }).waitFor();
  await columns.fill("task=group,trajectory=id,state=obs,reward=score");
  await columns.press("Enter");
  await page.locator(".holdings", { hasText: "table.csv" }).waitFor();
  assert.equal(await page.locator("#file-problem").textContent(), "");
  assert.equal(await page.locator(".step").count(), 2);
  assert.ok(await advantage(page, 0, 0) > 0.99);
  // It stays as it was read, and can be read otherwise.
  assert.equal(await reading.getAttribute("open"), null);
  await reading.locator("summary").click();
  assert.equal(await columns.inputValue(), "task=group,trajectory=id,state=obs,reward=score");
  assert.deepEqual(said, []);
  await close();
});

test("conversations are read by the state that is chosen, and a lack of signal is said", async () => {
  const { page, close } = await open(browser, server.address);
  const line = (answers, reward) => JSON.stringify({ reward, messages: [{ role: "user", content: "Which road?" },
    ...answers.flatMap((answer, at) => [{ role: "assistant", content: answer }, { role: "tool", content: `10:0${at}` }])] });
  await drop(page, "talk.jsonl", [line(["left", "left"], 1), line(["right", "left"], 0)].join("\n"));
  await page.locator(".holdings", { hasText: "talk.jsonl" }).waitFor();
  const states = () => page.locator(".step .chip").evaluateAll((chips) => new Set(chips.map((chip) => chip.textContent)).size);
  assert.equal(await states(), 2);
  await page.locator(".reading summary").click();
  await page.getByLabel("State of a conversation").selectOption("transcript");
  await page.locator(".holdings", { hasText: "talk.jsonl" }).waitFor();
  assert.equal(await states(), 3);
  assert.equal(await page.getByLabel("State of a conversation").inputValue(), "transcript");
  const clock = (at) => `g,${at % 2 ? "x" : "y"},10:0${at},${at}\n`;
  await drop(page, "clock.csv", `task,trajectory,state,reward\n${[0, 1, 2, 3].map(clock).join("")}`.replace("g,y,10:02", "g,x,10:02"));
  await page.locator(".holdings", { hasText: "clock.csv" }).waitFor();
  await page.getByText(/4 of 4 steps have no advantage under HGPO: their states occur once/).waitFor();
  await close();
});

test("a dropped file is shown", async () => {
  const { page, close } = await open(browser, server.address);
  await drop(page, "dropped.rollouts.jsonl", readFileSync(twoTasks, "utf8"));
  await page.getByText("dropped.rollouts.jsonl").waitFor();
  assert.equal(await page.locator(".step").count(), 7);
  assert.ok(await page.locator(".drop-here").isHidden());
  await close();
});

test("a malformed file is refused beside the control and nothing else changes", async () => {
  const { page, close } = await open(browser, server.address);
  const shown = () => page.locator("main").innerHTML();
  await step(page, 1, 1).click();
  await page.mouse.move(1, 1); // nothing is pointed at
  const before = await shown();
  const lines = readFileSync(twoTasks, "utf8").split("\n");
  await drop(page, "broken.rollouts.jsonl", [lines[0], "{\"task\":", lines[1]].join("\n"));
  await page.locator("#file-problem:not(:empty)").waitFor();
  assert.match(await page.locator("#file-problem").textContent(), /broken\.rollouts\.jsonl.*line 2/);
  await drop(page, "empty.rollouts.jsonl", "");
  await page.getByText(/Could not open empty\.rollouts\.jsonl/).waitFor();
  assert.equal((await shown()).replaceAll(/ tabindex="-?\d"/g, ""), before.replaceAll(/ tabindex="-?\d"/g, ""));
  await pick(page, twoTasks);
  await page.getByText("two-tasks.rollouts.jsonl").waitFor();
  assert.equal(await page.locator("#file-problem").textContent(), "");
  await close();
});

/** The advantages of the command line, by task and trajectory. */
function computed(file, ...options) {
  const output = execFileSync(process.env.HGPO_BIN, ["advantages", file, ...options], { encoding: "utf8", maxBuffer: 1 << 28 });
  return output.trim().split("\n").map((line) => JSON.parse(line));
}

const traces = process.env.HGPO_TRACES ?? join(root, "assets/presets/errand.rollouts.jsonl");
const skip = process.env.HGPO_BIN ? false : skipped("the page against the command line", "HGPO_BIN names the program hgpo");

for (const [label, ...options] of [["HGPO"], ["GiGPO", "--estimator", "gigpo"], ["GRPO", "--estimator", "grpo"]]) {
  test(`${label}: the page and the command line agree to 6 digits`, { skip }, async () => {
    const all = computed(traces, ...options);
    const rows = all.filter((row) => row.task === all[0].task);
    const { page, close } = await open(browser, server.address);
    await pick(page, traces);
    await page.getByText(basename(traces)).waitFor();
    if (process.env.HGPO_TRACES) await page.getByRole("button", { name: "Settings from before" }).click();
    await page.getByLabel("Method").selectOption(label);
    const last = rows.length - 1;
    const ends = (row) => rows[row].advantages.length - 1;
    for (const [row, at] of [[0, 0], [last >> 1, ends(last >> 1) >> 1], [last, ends(last)]]) {
      const [shown, expected] = [await advantage(page, row, at), rows[row].advantages[at]];
      assert.ok(Math.abs(shown - expected) < 5e-7, `step ${row}/${at}: ${shown} is not ${expected}`);
    }
    await close();
  });
}

/** A file of two attempts, as other programs encode it. */
const korean = Buffer.from([0xb9, 0xe6]); // a syllable in CP949
const around = (middle) => Buffer.concat([Buffer.from('{"task":"g","trajectory":"x","steps":[{"state":"'), middle,
  Buffer.from('","reward":1}]}\n{"task":"g","trajectory":"y","steps":[{"state":"hall","reward":0}]}\n')]);
const table = (middle) => Buffer.concat([Buffer.from("task,trajectory,state,reward\ng,x,"), middle, Buffer.from(",1\ng,y,hall,0\n")]);
const wide = (text) => Buffer.from(text, "utf16le");
const plain = "task,trajectory,state,reward\ng,x,방,1\ng,y,방,0\n";
const encodings = {
  "cp949.jsonl": [around(korean), "line 1: byte 49 of the line is not UTF-8: write it as UTF-8"],
  "cp949.csv": [table(korean), "line 2: byte 5 of the line is not UTF-8: write it as UTF-8"],
  "cp1252.jsonl": [around(Buffer.from([0xe9])), "line 1: byte 49 of the line is not UTF-8: write it as UTF-8"],
  "cp1252.csv": [table(Buffer.from([0x63, 0xe9])), "line 2: byte 6 of the line is not UTF-8: write it as UTF-8"],
  "utf16.csv": [Buffer.concat([Buffer.from([0xff, 0xfe]), wide(plain)]), "text in UTF-16, not rollouts in JSON Lines or CSV: save it as UTF-8 first"],
  "utf16be.csv": [Buffer.concat([Buffer.from([0xfe, 0xff]), wide(plain).swap16()]), "text in UTF-16, not rollouts in JSON Lines or CSV: save it as UTF-8 first"],
  "unmarked.csv": [wide(plain), "line 1: byte 2 of the line is zero, as in UTF-16 or after an interrupted write: write it as UTF-8, or delete the line"],
  "marked.csv": [Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(plain)]), null],
};

test("files in other encodings are refused as the command line refuses them, picked, dropped or pasted", async () => {
  const folder = mkdtempSync(join(tmpdir(), "hgpo-encodings-"));
  const { page, said, close } = await open(browser, server.address);
  const problem = page.locator("#file-problem");
  const give = (event, name, bytes) => page.evaluate(([event, name, bytes]) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([new Uint8Array(bytes)], name));
    const made = event === "drop" ? new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true })
      : new ClipboardEvent("paste", { clipboardData: transfer, bubbles: true, cancelable: true });
    document.querySelector(".page").dispatchEvent(made);
  }, [event, name, [...bytes]]);
  const ways = { picked: (name, buffer) => page.locator("#file").setInputFiles({ name, mimeType: "text/plain", buffer }),
    dropped: (name, buffer) => give("drop", name, buffer), pasted: (name, buffer) => give("paste", name, buffer) };
  for (const [name, [bytes, refusal]] of Object.entries(encodings)) {
    if (process.env.HGPO_BIN) {
      writeFileSync(join(folder, name), bytes);
      const { stderr, status } = spawnSync(process.env.HGPO_BIN, ["advantages", name], { cwd: folder, encoding: "utf8" });
      if (refusal) assert.equal(stderr.trim(), `error: ${name}: ${refusal}`);
      else assert.equal(status, 0, stderr);
    }
    for (const [way, act] of Object.entries(ways)) {
      await act(`${way}-${name}`, bytes);
      if (refusal) {
        await problem.filter({ hasText: `${way}-${name}` }).waitFor();
        assert.equal(await problem.textContent(), `Could not open ${way}-${name}: ${refusal}`);
      } else {
        await page.locator(".holdings b", { hasText: `${way}-${name}` }).waitFor();
        assert.equal(await page.locator(".chip", { hasText: "방" }).first().textContent(), "방", "not one state more, nor another");
      }
    }
  }
  assert.deepEqual(said, []);
  await close();
  rmSync(folder, { recursive: true });
});
