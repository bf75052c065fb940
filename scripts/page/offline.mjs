// The service worker that keeps the page for when there is no network.
import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** The worker with the names of the files of the page, and a name for them together. */
export function offline(root, files) {
  const lessons = readdirSync(join(root, "assets", "lessons")).filter((name) => name !== "lessons.json");
  const all = new Map([...files, ...lessons.map((name) => [`lessons/${name}`, readFileSync(join(root, "assets", "lessons", name))])]);
  const digest = createHash("sha256");
  for (const [name, content] of all) digest.update(name).update(content);
  const names = [...all.keys()].map((name) => (name === "index.html" ? "./" : `./${name}`));
  let worker = readFileSync(join(root, "assets", "offline.js"), "utf8");
  for (const [before, after] of [
    ["const files = [];", `const files = ${JSON.stringify(names)};`],
    ['const release = "hgpo-";', `const release = "hgpo-${digest.digest("hex").slice(0, 16)}";`],
  ]) {
    if (worker.split(before).length !== 2) throw new Error("offline.js is not as expected");
    worker = worker.replace(before, after);
  }
  return worker;
}
