// First view: the worked example as it is seen until the program draws it, in the same places and in both languages.
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { inBoth, korean } from "./korean.mjs";
import { sharesPast } from "./pasts.mjs";
import { withStory } from "./story.mjs";

/** What the page says, by name: [English, Korean]. */
function texts(root) {
  const table = readFileSync(join(root, "web", "src", "text", "mod.rs"), "utf8");
  return new Map([...table.matchAll(/^ {4}(\w+): "([^"\\]*)" \/ "([^"\\]*)";$/gm)].map(([, name, ...both]) => [name, both]));
}

/** The page with the parts of the first worked example and texts of the page in the places of their names. */
export function withFirstView(page, root) {
  const known = texts(root);
  const say = (name) => {
    if (!known.has(name)) throw new Error(`index.html shows the text ${name}, which is not in web/src/text/mod.rs`);
    return inBoth(known.get(name));
  };
  const read = (name) => readFileSync(join(root, "assets", "presets", name), "utf8");
  const inKorean = korean(root);
  const word = (own) => inBoth([own, inKorean(own)]);
  const [{ name, note, select }] = JSON.parse(read("presets.json"));
  const rows = read(`${name}.rollouts.jsonl`).trim().split("\n").map((line) => JSON.parse(line));
  const width = Math.max(...rows.map(({ steps }) => steps.length));
  const times = Array.from({ length: width }, (_, at) => at);
  // Numbered as the page numbers states: those of a time after those before it.
  const states = [...new Set(times.flatMap((at) => rows.flatMap(({ steps }) => steps[at]?.state ?? [])))];
  const [chosen, time] = select.split("/");
  const own = rows.find(({ trajectory }) => trajectory === chosen);
  /** The deepest of the levels 0, 1, 2 at which a step has the chosen step's past; -1 for none. */
  const level = (row, at) => [2, 1, 0].find((depth) => sharesPast([row, at], [own, Number(time)], depth)) ?? -1;
  const shade = (of) => (of < 0 ? "" : ` style="--depth:${((of + 1) / 3).toFixed(2)}"`);
  const mark = (of) => (of < 0 ? "" : `<span class="mark-of-level"${shade(of)}>G<sub>${of}</sub></span>`);
  const cell = (row) => ({ state, action, reward }, at) => {
    const of = level(row, at);
    const look = `${of < 0 ? "" : " member"}${row === own && at === Number(time) ? " selected" : ""}`;
    return `<td><div class="step${look}"${shade(of)}><span class="state"><span class="chip hue${states.indexOf(state) % 8}">${word(state)}</span>`
      + `${mark(of)}</span><span class="done"><span class="action">${word(action)}</span>`
      + `${reward ? `<span class="reward"><i>r</i> ${reward}</span>` : ""}</span></div></td>`;
  };
  const head = times.map((at) => `<th scope="col"><i>t</i> = ${at}</th>`).join("");
  const body = rows.map((row) => `<tr><th scope="row"><span class="name">${row.trajectory}</span><span class="outcome ${row.success ? "success" : "failure"}">`
    + `<span aria-hidden="true">${row.success ? "✓" : "✗"}</span>${say(row.success ? "success" : "failure")}</span></th>${row.steps.map(cell(row)).join("")}</tr>`).join("");
  const all = rows.flatMap((row) => row.steps.map((_, at) => level(row, at)));
  const marks = [0, 1, 2].map((of) => `${mark(of)}<b>${all.filter((one) => one >= of).length}</b>`).join("");
  const example = {
    note: `<p class="note">${inBoth([note.en, note.ko])}</p>`,
    legend: `<div class="legend">${marks}</div>`,
    table: `<div class="scroll" tabindex="0"><table class="brief" style="--columns:${width}"><thead><tr><th scope="col">${say("trajectory")}</th>${head}</tr></thead>`
      + `<tbody>${body}</tbody></table></div>`,
  };
  return withStory(page, root).replace(/\{\{(\w+)\}\}/g, (_, name) => example[name] ?? say(name));
}
