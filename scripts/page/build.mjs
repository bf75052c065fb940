// Builds the page into dist/, each file as brotli beside it:  build.mjs [OPTION OF CARGO]...
// scripts/web calls it with the variables under which cargo compiles for wasm32.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync } from "node:zlib";

import { dataFiles } from "./data.mjs";
import { pageFiles } from "./index.mjs";
import { builtModule, pages, workers } from "./module.mjs";

export const root = fileURLToPath(new URL("../../", import.meta.url));
export const dist = join(root, "dist");

/** A file as brotli, which takes seconds: what a name with a digest stands for is taken from the build before. */
function compressed(name, content) {
  const before = join(dist, `${name}.br`);
  return /-[0-9a-f]{16}\.\w+$/.test(name) && existsSync(before) ? readFileSync(before) : brotliCompressSync(content);
}

/** Builds the page. What dist/ holds is replaced at the end, and stays if the build fails. */
export function build(...cargoOptions) {
  const built = (programs) => programs.map((program) =>
    builtModule(root, process.env.CARGO_TARGET_DIR, program, cargoOptions));
  const files = pageFiles(root, built(pages), built(workers));
  const [draft, former] = [`${dist}-draft`, `${dist}-former`];
  for (const folder of [draft, former]) rmSync(folder, { recursive: true, force: true });
  files.set("hgpo-lab.js", readFileSync(join(root, "assets", "hgpo-lab.js")));
  for (const [name, content] of [...files, ...dataFiles(root)]) {
    mkdirSync(dirname(join(draft, name)), { recursive: true });
    writeFileSync(join(draft, name), content);
    writeFileSync(join(draft, `${name}.br`), compressed(name, content));
  }
  try { renameSync(dist, former); } catch (error) { if (error.code !== "ENOENT") throw error; }
  renameSync(draft, dist);
  rmSync(former, { recursive: true, force: true });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    build(...process.argv.slice(2));
  } catch (error) {
    console.error(`error: the page could not be built: ${error.message}`);
    process.exitCode = 1;
  }
}
