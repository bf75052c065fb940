// Controls of the training view, as tests use them: its smallest setup, and the way along its iterations.
import * as anywhere from "./page.mjs";

/** Few and small attempts, so that iterations are short. */
export const SMALL = "world.signpost_group.4_tasks.2_seeds.3";

export const address = (page) => new URL(page.url());
export const iteration = (page) => page.locator("#training-way").inputValue().then(Number);
export const reached = (page, wanted) =>
  page.waitForFunction((wanted) => Number(document.querySelector("#training-way").value) >= wanted, wanted);
export const isPaused = (page) => page.locator("#training-play", { hasText: "Play" }).waitFor();

/** Presses Tab until an element has the focus: with its lanes and dials the page is long. */
export const tabTo = (page, selector) => anywhere.tabTo(page, selector, 200);

/** One iteration after the other. */
export async function iterate(page, count) {
  const from = await iteration(page);
  for (let done = 1; done <= count; done += 1) {
    await page.locator("#training-once").click();
    await reached(page, from + done);
  }
}
