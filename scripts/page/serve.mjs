// Serves the page at once, that of an earlier build if there is one, and builds it now and whenever one of its
// files changes:  serve.mjs PORT
import { spawn } from "node:child_process";
import { existsSync, watch } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { dist, root } from "./build.mjs";
import { serveFolder } from "./files.mjs";

const builder = fileURLToPath(new URL("build.mjs", import.meta.url));
const watched = ["assets", "web", "core"];
const watchedAtRoot = new Set(["index.html", "Cargo.toml", "Cargo.lock"]);

/** In place of the page before the first build is done. */
function wait(path, response) {
  if (path !== "/") return response.writeHead(404).end();
  response.writeHead(503, { "content-type": "text/html; charset=utf-8", refresh: "2" });
  response.end("<!doctype html><title>HGPO</title><p>The page is being built and will open here. "
    + "The terminal says how it goes.");
}

/** Builds in a process of its own, so that the server goes on answering. */
const build = () => new Promise((done) => {
  const from = Date.now();
  spawn(process.execPath, [builder], { cwd: root, stdio: ["ignore", "inherit", "inherit"] }).on("exit", (status) => {
    if (status === 0) console.log(`built in ${((Date.now() - from) / 1000).toFixed(1)} s`);
    done();
  });
});

let isBuilding = false;
let isOutdated = false;

/** Builds once more if something changed meanwhile. */
async function rebuild() {
  isOutdated = true;
  if (isBuilding) return;
  isBuilding = true;
  while (isOutdated) {
    isOutdated = false;
    await build();
  }
  isBuilding = false;
}

let timer;

/** Editors write a file in several steps: builds when they have been quiet for a moment. */
function changed() {
  clearTimeout(timer);
  timer = setTimeout(rebuild, 300);
}

const port = Number(process.argv[2]);
try {
  const isThere = existsSync(join(dist, "index.html"));
  const { address } = await serveFolder(dist, port, wait);
  console.log(`page: ${address} (${isThere ? "the last build, until the new one is done" : "opens once it is built"}; Ctrl-C stops)`);
  for (const folder of watched) watch(join(root, folder), { recursive: true }, changed);
  watch(root, (_, name) => { if (watchedAtRoot.has(name)) changed(); });
  await rebuild();
} catch (error) {
  const isTaken = error.code === "EADDRINUSE";
  console.error(`error: ${isTaken ? `port ${port} is taken: choose another with --port` : error.message}`);
  process.exit(1);
}
