// The slides of the lecture: what the course plans for 90 minutes, in its order, shown one after the other.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { lecture } from "../page/data.mjs";
import { launch, open, root, serve } from "./page.mjs";

let server, browser;
before(async () => { server = await serve(); browser = await launch(); });
after(async () => { await browser.close(); server.close(); });

test("the slides are the steps that the course plans, each within its minutes", () => {
  const course = readFileSync(join(root, "docs", "course.md"), "utf8");
  const planned = [...course.matchAll(/^\| (\d+) to (\d+) \| ([^|]+)\|/gm)].flatMap(([, from, to, shown]) =>
    [...shown.matchAll(/lesson=(\w+)&step=(\d+)/g)].map(([, lesson, step]) => ({ stop: `${lesson}/${step}`, from: Number(from), to: Number(to) })));
  assert.ok(planned.length > 20, `${planned.length} steps are planned`);
  const source = JSON.parse(readFileSync(join(root, "assets/lessons/lecture.json"), "utf8")).steps;
  const taken = source.filter(({ stop }) => stop);
  assert.deepEqual(taken.map(({ stop }) => stop), planned.map(({ stop }) => stop));
  for (const [at, { stop, from, to }] of planned.entries()) {
    assert.ok(taken[at].minutes >= from && taken[at].minutes < to, `${stop} is due at ${taken[at].minutes}, planned ${from} to ${to}`);
  }
  const minutes = source.map((one) => one.minutes);
  assert.deepEqual(minutes, minutes.toSorted((a, b) => a - b), "in the order of time");
  assert.deepEqual([minutes[0], minutes.at(-1) < 90], [0, true]);
});

test("every lesson of the list can be presented", async () => {
  const { page, close } = await open(browser, `${server.address}?view=learn`, { viewport: { width: 1280, height: 720 } });
  assert.equal(await page.locator(".lessons .present").count(), await page.locator(".lessons li").count());
  await page.locator(".lessons .present").nth(1).click();
  await page.waitForURL(/present=1/);
  await page.locator(".of-room").first().waitFor();
  await page.keyboard.press("PageDown");
  await page.waitForURL(/step=2/);
  await close();
});

for (const language of ["en", "ko"]) {
  test(`${language}: the list of lessons leads to the slides, and a clicker through all of them`, { timeout: 180_000 }, async () => {
    const { page, said, close } = await open(browser, `${server.address}?view=learn&lang=${language}`, { viewport: { width: 1280, height: 720 } });
    await page.locator(".lecture").click();
    const { steps } = lecture(root);
    for (const [at, { heading, minutes, question, train }] of steps.entries()) {
      await page.getByRole("heading", { name: heading[language], exact: true }).waitFor();
      assert.match(await page.locator(".course .minutes").textContent(), new RegExp(`\\b${minutes}\\b|^${minutes}분`));
      if (at > 0) await page.waitForURL(new RegExp(`step=${at + 1}\\b.*present=1`));
      assert.equal(await page.locator(".asked").count(), question ? 1 : 0, heading.en);
      if (train) await page.locator("#train .training-columns").waitFor();
      if (at + 1 < steps.length) await page.keyboard.press("PageDown");
    }
    assert.deepEqual(said, []);
    await close();
  });
}
