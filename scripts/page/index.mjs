// index.html as it is served: with the names of what was built, one style sheet in place of several and another one for
// what is fetched late, and a content security policy.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { transformSync } from "esbuild";

import { withFirstView } from "./first-view.mjs";
import { offline } from "./offline.mjs";

const digest = (text, encoding) => createHash("sha256").update(text).digest(encoding);
const expect = (is) => { if (!is) throw new Error("index.html is not as expected"); };

/** Adds a file under its name with the digest of what it holds, so that browsers may keep it forever; returns
 * that name. */
function put(name, content, files) {
  const dot = name.lastIndexOf(".");
  const own = `${name.slice(0, dot)}-${digest(content, "hex").slice(0, 16)}${name.slice(dot)}`;
  files.set(own, content);
  return own;
}

/** A script or a style sheet in as few letters as it takes; nothing is made older than it is. Scripts of modules are
 * UTF-8 everywhere. */
const minified = (text, loader) =>
  transformSync(text, { loader, minify: true, legalComments: "none", charset: loader === "js" ? "utf8" : "ascii" }).code;

/** Style sheets as one. */
const styles = (root, paths) => minified(paths.map((path) => readFileSync(join(root, path), "utf8")).join(""), "css");

/** The page with one link to a style sheet, which compresses better than its parts do; those of what is fetched late are
 * another one, after it, which is only named. */
function withStyleSheets(page, root, files) {
  const links = [...page.matchAll(/[ \t]*<link rel="stylesheet" href="([^"]+)"( data-late)?>\n/g)];
  const isLate = links.map(([, , late]) => Boolean(late));
  expect(isLate.length > 2 && isLate.indexOf(true) > 0 && isLate.lastIndexOf(false) < isLate.indexOf(true));
  const sheet = (name, late) => put(name, styles(root, links.filter((_, at) => isLate[at] === late).map(([, path]) => path)), files);
  const [name, late] = [sheet("style.css", false), sheet("late.css", true)];
  const [[first], ...others] = links;
  const shorter = others.reduce((left, [link]) => left.replace(link, ""), page);
  return withHead(shorter.replace(first, `    <link rel="stylesheet" href="./${name}">\n`), `<meta name="hgpo-late-style" content="./${late}">`);
}

/** The page with its icon under a name of its own. */
function withIcon(page, root, files) {
  const [, path] = page.match(/<link rel="icon" href="([^"]+)">/) ?? [];
  expect(path);
  return page.replace(path, `./${put("icon.svg", readFileSync(join(root, path)), files)}`);
}

/** Adds modules and the script that they are bound by; returns the names of the first and of the script. */
function add({ name, script, modules }, files) {
  const names = modules.map(([module, content]) => [module, put(module, content, files)]);
  const text = names.reduce((before, [from, to]) => before.replaceAll(from, to), script);
  return { moduleName: names[0][1], scriptName: put(`${name}.js`, minified(text, "js"), files) };
}

/** Something in the head, before all that names files. */
function withHead(page, line) {
  const anchor = '<meta charset="utf-8">';
  expect(page.split(anchor).length === 2);
  return page.replace(anchor, `${anchor}\n    ${line}`);
}

/** The page that starts one of the modules built. */
function withModule(page, built, files) {
  const { name } = built;
  const { moduleName, scriptName } = add(built, files);
  expect(page.includes(`./${name}_bg.wasm`) && page.includes(`./${name}.js`));
  return page.replaceAll(`./${name}_bg.wasm`, `./${moduleName}`).replaceAll(`./${name}.js`, `./${scriptName}`);
}

/** The page that says where a worker begins, which nothing asks for before it is used. All begin alike. */
function withWorker(page, root, built, files) {
  const folder = built.name.replace("hgpo-", "");
  const start = readFileSync(join(root, "web", "worker", "start.js"), "utf8");
  expect(["`./hgpo-worker.js$", "`./hgpo-worker_bg.wasm$", "job: answer"].every((part) => start.includes(part)));
  const { moduleName, scriptName } = add(built, files);
  const text = start.replace("./hgpo-worker.js", `./${scriptName}`).replace("./hgpo-worker_bg.wasm", `./${moduleName}`)
    .replace("job: answer", `${built.job}: answer`);
  return withHead(page, `<meta name="${built.name}" content="./${put(`${folder}.js`, text, files)}">`);
}

/** The page with its start script in few letters. */
const withShortScript = (page) =>
  page.replace(/(<script>)([\s\S]*?)(<\/script>)/, (_, from, script, to) => from + minified(script, "js").trim() + to);

/** The page with its content security policy, which names the digest of the start script. */
function withPolicy(page) {
  const inline = [...page.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g)];
  const digests = inline.map(([, script]) => `'sha256-${digest(script, "base64")}'`);
  const policy = [
    "default-src 'none'",
    `script-src 'self' 'wasm-unsafe-eval' ${digests.join(" ")}`,
    "style-src 'self'",
    "style-src-attr 'unsafe-inline'", // widths of bars, shades of levels
    "img-src 'self' blob:", // the figure, on its way to PNG
    "connect-src 'self'", // the module and the lessons
    "worker-src 'self'", // samples, and the page without a network
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  expect(digests.length > 0);
  return withHead(page, `<meta http-equiv="Content-Security-Policy" content="${policy}">`);
}

/** The files of the page by name, of which index.html names the others. */
export function pageFiles(root, built, builtWorkers) {
  const files = new Map();
  let page = readFileSync(join(root, "index.html"), "utf8");
  page = withIcon(withStyleSheets(page, root, files), root, files);
  for (const one of built) page = withModule(page, one, files);
  for (const one of builtWorkers) page = withWorker(page, root, one, files);
  files.set("index.html", withPolicy(withShortScript(withFirstView(page, root))));
  return files.set("offline.js", offline(root, files));
}
