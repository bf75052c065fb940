// Story of a first visit: three attempts at a door, judged by whole attempts, by states and by histories, one after
// the other. Its numbers are those of the example's file.
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { inBoth, korean } from "./korean.mjs";
import { sharesPast } from "./pasts.mjs";

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** The steps of the attempts with what each of the three ways says of them: a value less the mean of its group, none
 * for a step alone in its group. The last asks for the same state before, too. */
export function verdicts(attempts, discount) {
  const steps = attempts.flatMap(({ steps: all, trajectory }, row) => all.map(({ state, action }, at) => ({
    row, at, trajectory, state, action,
    score: all.reduce((sum, { reward }) => sum + reward, 0),
    gain: all.slice(at).reduce((sum, { reward }, later) => sum + reward * discount ** later, 0),
  })));
  const against = (step, of, alike) => {
    const group = steps.filter((other) => alike(step, other)).map(of);
    return group.length > 1 ? of(step) - mean(group) : undefined;
  };
  const alike = (depth) => (one, other) => sharesPast([attempts[one.row], one.at], [attempts[other.row], other.at], depth);
  return steps.map((step) => ({
    ...step,
    episodes: step.score - mean(attempts.map(({ steps: all }) => all.reduce((sum, { reward }) => sum + reward, 0))),
    states: against(step, ({ gain }) => gain, alike(0)),
    histories: against(step, ({ gain }) => gain, alike(1)),
  }));
}

/** The attempts and the story of a first visit. */
export const readStory = (root) => {
  const read = (name) => readFileSync(join(root, "assets", "presets", name), "utf8");
  const story = JSON.parse(read("story.json"));
  return { ...story, attempts: read(`${story.name}.rollouts.jsonl`).trim().split("\n").map((line) => JSON.parse(line)) };
};

const signed = (value) => `${value < 0 ? "−" : value > 0 ? "+" : ""}${Math.abs(value).toFixed(1)}`;

/** The story as it stands in the page, in both languages. */
export function withStory(page, root) {
  const { attempts, discount, texts, name, step: hero } = readStory(root);
  const say = (key) => inBoth(texts[key]);
  const inKorean = korean(root);
  const word = (own) => inBoth([own, inKorean(own)]);
  const all = verdicts(attempts, discount);
  const place = attempts.flatMap(({ steps }) => steps.map(({ state }) => state));
  const states = [...new Set(place)];
  const acts = ["episodes", "states", "histories"];
  // The states of which the story speaks, once it does.
  const told = (act, step) => act === "episodes" || step.state === "door";
  const verdict = (step) => acts.map((act) => {
    if (!told(act, step)) return "";
    const value = step[act];
    const kind = !value ? "none" : value > 0 ? "credit" : "blame";
    return `<b class="verdict ${act} ${kind}">${value === undefined ? "–" : signed(value)}</b>`;
  }).join("");
  const cell = (step) => `<td style="--at:${step.at}"${`${step.trajectory}/${step.at}` === hero ? ' class="hero"' : ""}>`
    + `<div><span class="chip hue${states.indexOf(step.state) % 8}">${word(step.state)}</span><span class="done">${word(step.action)}</span>${verdict(step)}</div></td>`;
  const row = ({ trajectory, success }, at) => `<tr style="--row:${at}"><th><span class="name">${trajectory}</span>`
    + `<span class="outcome ${success ? "success" : "failure"}">${success ? "✓" : "✗"} ${say(success ? "success" : "failure")}</span></th>`
    + `${all.filter((step) => step.row === at).map(cell).join("")}</tr>`;
  const captions = ["attempts", ...acts].map((act) => `<li class="${act}">${say(act)}</li>`).join("");
  const look = `?preset=${name}&amp;scale=mean&amp;discount=${discount}`;
  const html = `<section id="story"><h2>${say("title")}</h2>`
    + `<table aria-hidden="true">${attempts.map(row).join("")}</table><ol>${captions}</ol>`
    + `<div class="row"><a class="button" href="?lesson=credit">${say("lesson")}</a><button type="button" class="button" data-does="file">${say("file")}</button>`
    + `<a class="button" href="?view=train">${say("train")}</a><a class="button" href="${look}">${say("closer")}</a>`
    + `<button type="button" class="button" data-does="skip">${say("skip")}</button>`
    + `<label class="pause"><input type="checkbox">${say("pause")}</label></div></section>`;
  if (page.split("{{first_visit}}").length !== 2) throw new Error("index.html has no one place for the story");
  return page.replace("{{first_visit}}", html);
}
