// index.html as it is served: with the names of what was built, one style sheet in place of several, and a
// content security policy.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";

const digest = (text, encoding) => createHash("sha256").update(text).digest(encoding);
const expect = (is) => { if (!is) throw new Error("index.html is not as expected"); };

/** A file's name with the digest of what it holds, so that browsers may keep it forever. */
export function named(name, content) {
  const dot = name.lastIndexOf(".");
  return `${name.slice(0, dot)}-${digest(content, "hex").slice(0, 16)}${name.slice(dot)}`;
}

/** The page with one link to a style sheet, which compresses better than its parts do; comments stay in the
 * sources. */
function withOneStyleSheet(page, root, files) {
  const links = [...page.matchAll(/[ \t]*<link rel="stylesheet" href="([^"]+)">\n/g)];
  expect(links.length > 1);
  const parts = links.map(([, name]) => readFileSync(join(root, name), "utf8"));
  const style = parts.join("").replaceAll(/\/\*.*?\*\/\s*/gs, "");
  const name = named("style.css", style);
  files.set(name, style);
  const [[first], ...others] = links;
  const shorter = others.reduce((left, [link]) => left.replace(link, ""), page);
  return shorter.replace(first, `    <link rel="stylesheet" href="./${name}">\n`);
}

/** The page with a file that it links to, or fetches later, under a name of its own. */
function withFile(page, root, path, files) {
  expect(page.includes(`"${path}"`));
  const content = readFileSync(join(root, path));
  const name = named(basename(path), content);
  files.set(name, content);
  return page.replace(`"${path}"`, `"./${name}"`);
}

/** The page that starts a module built, or fetches it later. */
function withModule(page, { name, script, module }, files) {
  const [wasm, js] = [`${name}_bg.wasm`, `${name}.js`];
  const moduleName = named(wasm, module);
  const text = script.replaceAll(wasm, moduleName);
  const scriptName = named(js, text);
  files.set(moduleName, module).set(scriptName, text);
  expect(page.includes(`./${wasm}`) && page.includes(`./${js}`));
  return page.replaceAll(`./${wasm}`, `./${moduleName}`).replaceAll(`./${js}`, `./${scriptName}`);
}

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
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  const anchor = '<meta charset="utf-8">';
  expect(digests.length > 0 && page.split(anchor).length === 2);
  return page.replace(anchor, `${anchor}\n    <meta http-equiv="Content-Security-Policy" content="${policy}">`);
}

/** The files of the page by name, of which index.html names the others. */
export function pageFiles(root, built) {
  const files = new Map();
  let page = readFileSync(join(root, "index.html"), "utf8");
  page = withOneStyleSheet(page, root, files);
  for (const path of ["assets/icon.svg", "assets/styles/overview.css"]) page = withFile(page, root, path, files);
  for (const one of built) page = withModule(page, one, files);
  return files.set("index.html", withPolicy(page));
}
