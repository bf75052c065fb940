// Files of the overview's tests, and the overview opened with one of them.
import { open } from "./page.mjs";

export const step = (state, reward, more = {}) => ({ state, reward, ...more });
export const line = (task, trajectory, steps, more = {}) => JSON.stringify({ task, trajectory, steps, ...more });

/** Three tasks. In "h", q is in state s with return 0 where p has 2 − 0.95 · 3 = −0.85, so that HGPO raises it;
 * its score 0 is below the mean (−1 − 1 + 0 + 3) / 4 of the rows, so that GRPO lowers it; t and u are alone. */
export const lines = [
  line("h", "p", [step("s", 2), step("t", -3)], { instruction: "find the <b>mug</b>" }),
  line("h", "q", [step("s", 0)]),
  line("h", "r", [step("u", 3)]),
  line("quiet", "x", [step("hall", 1)], { success: true }),
  line("quiet", "y", [step("hall", 1)], { success: false }),
  line("odd", "z", [step("kitchen", 0, { valid: false, agent: "cook" }), step("kitchen", 1)]),
].join("\n");

export const file = (name, text) => ({ name, mimeType: "application/jsonl", buffer: Buffer.from(text) });
export const metrics = (name, values) => file(name, values.map((value, place) =>
  `${JSON.stringify({ iteration: place + 1, success_rate: value, "reward/mean": 10 * value, kl: value / 2 })}\n`).join(""));
export const trace = (iteration) => file(`iteration_00000${iteration}.rollouts.jsonl`,
  `${JSON.stringify({ environment: "chores", seed: 1, iteration })}\n${line(`task of ${iteration}`, "x", [step("a", iteration)])}`);

export const give = (page, ...files) => page.locator("#file").setInputFiles(files);
export const button = (page) => page.locator(".overview-button");

/** The page at an address, with the three tasks in its overview. */
export async function openOverview(browser, address, options) {
  const session = await open(browser, address, options);
  await give(session.page, file("three.rollouts.jsonl", lines));
  await button(session.page).click();
  await session.page.locator("table.disagreements").waitFor();
  return session;
}

/** The tasks in the order of the table. */
export const names = (page) => page.locator(".tasks tbody th .leads").allTextContents();
