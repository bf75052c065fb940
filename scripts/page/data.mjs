// The files that the page fetches as a reader comes to them, under names that stay: lessons, the processes of
// the examples in each language, and the example that was recorded token by token.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

import { koreanProcess } from "./korean.mjs";

/** The files by name, in the order of their names. */
export function dataFiles(root) {
  const files = new Map();
  const put = (name, ...path) => files.set(name, readFileSync(join(root, "assets", ...path)));
  for (const file of readdirSync(join(root, "assets", "lessons")).sort()) put(`lessons/${file}`, "lessons", file);
  for (const file of readdirSync(join(root, "assets", "presets")).sort()) {
    const [, name] = /^([^.]+)\.process\.json$/.exec(file) ?? [];
    if (!name) continue;
    put(`processes/${name}.json`, "presets", file);
    files.set(`processes/${name}.ko.json`, Buffer.from(koreanProcess(root, files.get(`processes/${name}.json`))));
  }
  put("rollouts/updates.rollouts.jsonl", "recorded", "updates.rollouts.jsonl");
  return files;
}
