// Work that is not kept is said, not lost: a full storage, another tab, older work that gives way, and a file that is too large.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { artifacts, edit, launch, open, serve, step, withoutViolations } from "./page.mjs";

let server, browser;
before(async () => { server = await serve(); browser = await launch(); });
after(async () => { await browser.close(); server.close(); });

const notice = (page) => page.locator(".notice");

/** Changes the state of the first step. */
async function change(page, state) {
  await edit(page, 0, 0);
  await page.locator("#edit-state").fill(state);
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
}

async function saved(page, name) {
  const [download] = await Promise.all([page.waitForEvent("download"), notice(page).getByRole("button", { name }).click()]);
  return readFileSync(await download.path(), "utf8");
}

const looks = [["wide", {}, "en"], ["narrow-ko", { viewport: { width: 320, height: 780 }, colorScheme: "dark" }, "ko"]];
for (const [name, options, language] of looks) {
  test(`a full storage is said, the work can be saved, and what is kept again is said no more: ${name}`, async () => {
    const { page, said, close } = await open(browser, `${server.address}?lang=${language}`, options);
    await step(page, 0, 0).waitFor();
    await page.evaluate(() => {
      let text = "x".repeat(1 << 20);
      for (let place = 0; text; place += 1) {
        try { localStorage.setItem(`other-${place}`, text); } catch { text = text.slice(text.length / 2 + 0.5); }
      }
    });
    await change(page, "mine");
    await notice(page).waitFor();
    assert.match(await notice(page).textContent(), language === "en" ? /no room left to keep this work/ : /보관할 공간이 없/);
    await page.screenshot({ path: join(artifacts, `unkept-${name}.png`) });
    await withoutViolations(page, ".notice");
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    assert.match(await saved(page, language === "en" ? "Save the rollouts" : "롤아웃을 파일로"), /"state":"mine"/);
    await notice(page).getByRole("button").last().click();
    await notice(page).waitFor({ state: "detached" });
    await change(page, "mine still");
    await page.waitForTimeout(1_500);
    assert.equal(await notice(page).count(), 0, "once is enough");
    await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("other-")).forEach((key) => localStorage.removeItem(key)));
    await change(page, "mine at last");
    await page.waitForFunction(() => localStorage.getItem("hgpo-work"));
    assert.equal(await notice(page).count(), 0);
    assert.deepEqual(said, []);
    await close();
  });
}

test("work that another tab has changed too is kept beside it, which is said", async () => {
  const { page, close } = await open(browser, server.address);
  await change(page, "mine");
  await page.waitForFunction(() => localStorage.getItem("hgpo-work"));
  const tab = async () => {
    const other = await page.context().newPage();
    await other.goto(server.address);
    await step(other, 0, 0).waitFor();
    return other;
  };
  const [left, right] = [await tab(), await tab()];
  const kept = () => page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("hgpo-work")).length);
  assert.equal(await kept(), 1);
  await change(left, "left");
  await left.waitForTimeout(1_200);
  assert.equal(await notice(left).count(), 0);
  await change(right, "right");
  await notice(right).filter({ hasText: "Another tab has changed this work too" }).waitFor();
  assert.equal(await kept(), 2);
  await right.getByLabel("Example").locator("option", { hasText: "Overview" }).nth(1).waitFor({ state: "attached" });
  await close();
});

test("older work that gives way is named, and can be saved", async () => {
  const { page, close } = await open(browser, server.address);
  const file = (name) => ({ name: `${name}.csv`, mimeType: "text/csv", buffer: Buffer.from(`task,trajectory,state,reward\ng,a,${name},1\ng,b,${name},0\n`) });
  for (const name of ["one", "two", "three", "four", "five", "six"]) {
    await page.locator("#file").setInputFiles(file(name));
    await page.locator(".holdings b", { hasText: `${name}.csv` }).waitFor();
    await page.waitForTimeout(1_000);
    assert.equal(await notice(page).count(), name === "six" ? 1 : 0, name);
  }
  assert.match(await notice(page).textContent(), /not kept any more: one\.csv\./);
  assert.match(await saved(page, "Save one.csv as a file"), /"state":"one"/);
  await close();
});
