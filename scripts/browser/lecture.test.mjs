// Lectures: every stop of the lessons in windows of many sizes, read alone and shown to a room. Nothing is cut, nothing lies
// over another thing, and a room sees all of a stop at once. HGPO_ALL_STOPS=1 measures all stops in all windows, else a selection.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { launch, open, root, serve } from "./page.mjs";

const lessons = JSON.parse(readFileSync(join(root, "assets/lessons/lessons.json"), "utf8"))
  .map(({ name }) => [name, JSON.parse(readFileSync(join(root, `assets/lessons/${name}.json`), "utf8")).steps]);
const sizes = [[1024, 768], [1280, 720], [1440, 900], [1920, 1080], [390, 844], [844, 390], [720, 450]];
/** A screen of 1440 × 900 at 200 %. */
const scaleOf = (width) => width === 720 ? 2 : 1;
const everything = process.env.HGPO_ALL_STOPS === "1";

/** One stop of every kind: steps, groups, arithmetic, controls, truth, agents, training; and the longest text. */
const selection = { credit: [1, 5, 11], anchors: [10], context: [4, 10, 15], memory: [2], race: [3], limits: [7], agents: [3, 5] };

let server, browser;
before(async () => { server = await serve(); browser = await launch(); });
after(async () => { await browser.close(); server.close(); });

/** What is wrong with the places of things, in words. */
const faults = (page, presents) => page.evaluate((presents) => {
  const found = [];
  const label = (one) => `${one.tagName.toLowerCase()}.${one.className.baseVal ?? one.className} “${one.textContent.trim().slice(0, 24)}”`;
  const scrolls = (one) => /auto|scroll|hidden|clip/.test(getComputedStyle(one).overflow);
  /** What of an element is in sight where it stands, cut by all that scrolls around it. */
  const sight = (one) => {
    let { left, top, right, bottom } = one.getBoundingClientRect();
    for (let around = one.parentElement; around && around !== document.documentElement; around = around.parentElement) {
      if (!scrolls(around)) continue;
      const box = around.getBoundingClientRect();
      [left, top, right, bottom] = [Math.max(left, box.left), Math.max(top, box.top), Math.min(right, box.right), Math.min(bottom, box.bottom)];
    }
    return { left, top, right, bottom };
  };
  const seen = (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !one.closest(".unseen, dialog:not([open])");
  if (document.documentElement.scrollWidth > innerWidth + 1) found.push(`the page is ${document.documentElement.scrollWidth} wide`);
  // In low windows what turns the pages stays, too.
  const turns = document.querySelector(".lesson-turns");
  const stays = `.training-bar, .bar-main${getComputedStyle(turns).position === "sticky" ? ", .lesson-turns" : ""}`;
  // No control lies over another.
  const controls = [...document.querySelectorAll(":is(header, .lesson, .train) :is(button, input, select, summary, a, label.button)")]
    .filter((one) => seen(one) && !one.matches(".step, .unseen"));
  const boxes = controls.map((one) => [one, sight(one)]).filter(([, box]) => box.right - box.left > 3 && box.bottom - box.top > 3);
  for (let a = 0; a < boxes.length; a += 1) {
    for (let b = a + 1; b < boxes.length; b += 1) {
      const [[first, one], [second, other]] = [boxes[a], boxes[b]];
      if (first.contains(second) || second.contains(first)) continue;
      const [across, down] = [Math.min(one.right, other.right) - Math.max(one.left, other.left), Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top)];
      // What scrolls passes behind what stays.
      if ([first, second].filter((control) => control.closest(stays)).length === 1) continue;
      if (across > 2 && down > 2) found.push(`${label(first)} lies over ${label(second)}`);
    }
  }
  // No words are cut, but those that say so by dots and tell all in a tip.
  for (const one of document.querySelectorAll(":is(.lesson, .train) *")) {
    if (!seen(one) || one.matches("input, select, option, .chip, .name *, .step .words") || one.clientWidth < 2) continue;
    const style = getComputedStyle(one);
    const cuts = /hidden|clip/.test(style.overflowX) && one.scrollWidth > one.clientWidth + 1 || /hidden|clip/.test(style.overflowY) && one.scrollHeight > one.clientHeight + 1;
    const hasText = [...one.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim() !== "");
    if (cuts && hasText && style.textOverflow !== "ellipsis") found.push(`${label(one)} is cut`);
  }
  // Names and outcomes of attempts are not covered.
  for (const one of document.querySelectorAll(".lesson-figure tbody th :is(.name, .outcome)")) {
    if (!seen(one)) continue;
    const head = one.closest("th").getBoundingClientRect();
    const box = one.getBoundingClientRect();
    if (box.right > head.right + 1 || box.bottom > head.bottom + 1) found.push(`${label(one)} sticks out`);
    const place = sight(one);
    const whole = (place.right - place.left) * (place.bottom - place.top) > 0.97 * box.width * box.height;
    const [x, y] = [(place.left + place.right) / 2, (place.top + place.bottom) / 2];
    const top = document.elementFromPoint(x, y);
    if (whole && top && x < innerWidth && y < innerHeight && !one.closest("th").contains(top) && !top.closest("thead") && !top.closest(stays)) found.push(`${label(one)} is under ${label(top)}`);
    // A table of long texts scrolls for a room, too.
    if (presents && !whole && document.querySelector(".lesson-figure .brief")) found.push(`${label(one)} is out of sight`);
  }
  // Everything of a stop is there, and can be reached.
  for (const part of [".telling", ".asked", ".onward", "[data-outlined]"]) {
    const one = document.querySelector(part);
    if (!one) { if (part !== ".asked") found.push(`there is no ${part}`); continue; }
    // What takes turns with another part is looked at when its turn comes.
    if (presents && /turn/.test(document.documentElement.dataset.room) && !seen(one)) continue;
    const box = one.getBoundingClientRect();
    if (box.width < 40 || box.height < 20) found.push(`${part} is ${Math.round(box.width)} × ${Math.round(box.height)}`);
    if (presents) {
      const place = sight(one);
      const share = Math.max(0, Math.min(place.bottom, innerHeight) - Math.max(place.top, 0)) * Math.max(0, Math.min(place.right, innerWidth) - Math.max(place.left, 0)) / (box.width * box.height);
      if (share < 0.98) found.push(`${part}: ${Math.round(100 * share)} % is in sight`);
    } else {
      one.scrollIntoView({ block: "nearest" });
      const place = sight(one);
      const tall = Math.min(place.bottom, innerHeight) - Math.max(place.top, 0);
      // A part that scrolls by itself may be less tall than what it holds.
      if (tall < Math.min(100, box.height) - 2) found.push(`${part}: ${Math.round(tall)} of ${Math.round(box.height)} pixels can be reached`);
    }
  }
  if (presents) {
    for (const part of [".lesson-text", ".lesson-figure", ".lesson-aside", ".train", ".lesson-figure .scroll"]) {
      const one = document.querySelector(part);
      if (!one || !seen(one) || /figure/.test(part) && !document.querySelector(".lesson-figure .brief")) continue;
      if (one.scrollHeight > one.clientHeight + 2 || one.scrollWidth > one.clientWidth + 2) {
        found.push(`${part} holds ${one.scrollWidth} × ${one.scrollHeight} in ${one.clientWidth} × ${one.clientHeight}`);
      }
    }
  }
  return found;
}, presents);

/** Ends when all is there, and the parts have their scales. */
const settled = async (page) => {
  await page.waitForFunction(() => !document.querySelector(".lesson-aside .truth") || document.querySelector(".lesson-aside .truth .because"));
  if (page.url().includes("present=1")) await page.waitForFunction(() => innerWidth < 1024 || document.querySelector(".lesson-text").style.getPropertyValue("--zoom") !== "");
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 20)))));
};

for (const [width, height] of sizes) {
  for (const presents of [false, true]) {
    // The smallest and the largest screen of a room, a phone either way, and 200 %.
    if (!everything && !(presents ? [1024, 1920] : [390, 720, 844]).includes(width)) continue;
    test(`${width} × ${height}${presents ? ", shown to a room" : ""}: every stop is whole, and nothing lies over another thing`, async (context) => {
      const { page, said, close } = await open(browser, `${server.address}?lesson=credit`, { viewport: { width, height }, deviceScaleFactor: scaleOf(width) });
      const all = [];
      const scales = [[], []];
      const turned = [];
      for (const [name, steps] of lessons) {
        await page.goto(`${server.address}?lesson=${name}&lang=en${presents ? "&present=1" : ""}`);
        for (const [at, stop] of steps.entries()) {
          await page.getByRole("heading", { name: stop.heading.en, exact: true }).waitFor();
          if (everything || selection[name].includes(at + 1)) {
            if (stop.train) await page.locator("#train .training-columns").waitFor({ state: "attached" });
            // Once with the question open, and once answered: then all is there.
            for (const answered of [false, true]) {
              if (answered && (!presents || !stop.question || width < 1024)) continue;
              if (answered) await page.keyboard.press("a");
              await settled(page);
              // Whole where there is room for all: on a phone a room's page is a reader's.
              const isRoom = presents && width >= 1024;
              const note = async (turn) => {
                for (const fault of await faults(page, isRoom)) all.push(`${name}, ${at + 1}${answered ? ", answered" : ""}${turn}: ${fault}`);
              };
              await note("");
              if (!isRoom) continue;
              scales[Number(answered)].push([await page.locator(".lesson-text").evaluate((part) => Number(part.style.getPropertyValue("--zoom"))), `${name}, ${at + 1}`]);
              // What is shown in turn: a button says so, and a key turns.
              if (!/turn/.test(await page.evaluate(() => document.documentElement.dataset.room))) continue;
              turned.push(`${name}, ${at + 1}`);
              if (!await page.locator(".steps-too kbd").isVisible()) all.push(`${name}, ${at + 1}: nothing says that S turns`);
              const [other, shown] = stop.train ? [".train", ".lesson-text"] : [".lesson-figure", ".lesson-aside"];
              await page.keyboard.press("s");
              await settled(page);
              if (!await page.locator(other).isVisible() || await page.locator(shown).isVisible()) all.push(`${name}, ${at + 1}: S does not turn`);
              await note(", turned");
              await page.keyboard.press("s");
            }
          }
          if (at + 1 < steps.length) await page.locator(".onward").click();
        }
      }
      if (turned.length > 0) context.diagnostic(`in turn: ${[...new Set(turned)].join("; ")}`);
      assert.deepEqual(all, []);
      for (const [answered, list] of scales.filter((list) => list.length > 0).entries()) {
        list.sort(([one], [other]) => one - other);
        const [[least, stop], [median]] = [list[0], list[list.length >> 1]];
        context.diagnostic(`scales of the text${answered ? ", answered" : ""}: ${least} (${stop}), median ${median}, most ${list.at(-1)[0]}`);
        // An answer brings its explanation.
        const [bound, usual] = answered ? [1.35, 1.6] : [1.5, 1.8];
        assert.ok(least >= bound, `the text of ${stop} has ${least} of its size`);
        assert.ok(median >= usual, `the text has ${median} of its size in half of the stops`);
      }
      assert.deepEqual(said, []);
      await close();
    });
  }
}
