// The files that the page fetches as a reader comes to them, under names that stay: lessons, the slides of the lecture,
// the processes of the examples in each language, and the example that was recorded token by token.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

import { koreanProcess } from "./korean.mjs";

/** The slides of the lecture: a lesson, most of whose steps are taken from others (`{"stop": "credit/2", "minutes": 8}`). */
export function lecture(root) {
  const read = (name) => JSON.parse(readFileSync(join(root, "assets", "lessons", `${name}.json`), "utf8"));
  const { steps, ...about } = read("lecture");
  return { ...about, steps: steps.map(({ stop, ...own }) => (stop ? { ...taken(stop, read), ...own } : own)) };
}

/** A step of another lesson. It must say all that it shows, as here another step stands before it. */
function taken(stop, read) {
  const [name, number] = stop.split("/");
  const step = read(name).steps[number - 1];
  if (!step) throw new Error(`lecture.json: there is no ${stop}`);
  if (!step.train && !(step.preset && step.estimator && "discount" in step)) throw new Error(`lecture.json: ${stop} does not say all that it shows`);
  return step;
}

/** The files by name, in the order of their names. */
export function dataFiles(root) {
  const files = new Map();
  const put = (name, ...path) => files.set(name, readFileSync(join(root, "assets", ...path)));
  for (const file of readdirSync(join(root, "assets", "lessons")).sort()) put(`lessons/${file}`, "lessons", file);
  files.set("lessons/lecture.json", Buffer.from(JSON.stringify(lecture(root))));
  for (const file of readdirSync(join(root, "assets", "presets")).sort()) {
    const [, name] = /^([^.]+)\.process\.json$/.exec(file) ?? [];
    if (!name) continue;
    put(`processes/${name}.json`, "presets", file);
    files.set(`processes/${name}.ko.json`, Buffer.from(koreanProcess(root, files.get(`processes/${name}.json`))));
  }
  put("rollouts/updates.rollouts.jsonl", "recorded", "updates.rollouts.jsonl");
  return files;
}
