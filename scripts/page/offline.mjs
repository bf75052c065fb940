// The service worker that keeps the page for when there is no network.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { dataFiles } from "./data.mjs";

/** Files that are large and of one use: kept once a reader has asked for them. */
const isLater = (name) => /^((hgpo-)?lane[-_]|rollouts\/)/.test(name);

/** The worker with the names of the files of the page, and a name for them together. */
export function offline(root, files) {
  const all = new Map([...files, ...dataFiles(root)]);
  all.delete("lessons/lessons.json"); // the page has it built in
  const digest = createHash("sha256");
  for (const [name, content] of all) digest.update(name).update(content);
  const names = [...all.keys()];
  const paths = (names) => JSON.stringify(names.map((name) => (name === "index.html" ? "./" : `./${name}`)));
  let worker = readFileSync(join(root, "assets", "offline.js"), "utf8");
  for (const [before, after] of [
    ["const files = [];", `const files = ${paths(names.filter((name) => !isLater(name)))};`],
    ["const later = [];", `const later = ${paths(names.filter(isLater))};`],
    ['const release = "hgpo-";', `const release = "hgpo-${digest.digest("hex").slice(0, 16)}";`],
  ]) {
    if (worker.split(before).length !== 2) throw new Error("offline.js is not as expected");
    worker = worker.replace(before, after);
  }
  return worker;
}
