// index.html as it is served: with the names of what was built, one style sheet in place of several, and a
// content security policy.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { languages } from "./module.mjs";

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

/** The page with its icon under a name of its own. */
function withIcon(page, root, files) {
  const [, path] = page.match(/<link rel="icon" href="([^"]+)">/) ?? [];
  expect(path);
  const icon = readFileSync(join(root, path));
  const name = named("icon.svg", icon);
  files.set(name, icon);
  return page.replace(path, `./${name}`);
}

/** The page that starts the module of the reader's language. Scripts that are alike are one file. */
function withModules(page, built, files) {
  for (const language of languages) {
    const { script, module } = built.get(language);
    const moduleName = named(`hgpo-web-${language}_bg.wasm`, module);
    // The page says where the module is.
    const text = script.replaceAll("hgpo-web_bg.wasm", "");
    const scriptName = named("hgpo-web.js", text);
    files.set(moduleName, module).set(scriptName, text);
    for (const [before, after] of [[`./hgpo-web-${language}_bg.wasm`, moduleName], [`./hgpo-web-${language}.js`, scriptName]]) {
      expect(page.includes(before));
      page = page.replaceAll(before, `./${after}`);
    }
  }
  return page;
}

/** The page with its overview, which it fetches later, with a style sheet of its own. */
function withOverview(page, root, { script, module }, files) {
  const path = "assets/styles/overview.css";
  const style = readFileSync(join(root, path), "utf8").replaceAll(/\/\*.*?\*\/\s*/gs, "");
  const later = [[path, "overview.css", style], ["./hgpo-overview_bg.wasm", "hgpo-overview_bg.wasm", module],
    ["./hgpo-overview.js", "hgpo-overview.js", script.replaceAll("hgpo-overview_bg.wasm", "")]];
  for (const [before, short, content] of later) {
    const name = named(short, content);
    files.set(name, content);
    expect(page.includes(`"${before}"`));
    page = page.replace(`"${before}"`, `"./${name}"`);
  }
  return page;
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
  page = withModules(withIcon(withOneStyleSheet(page, root, files), root, files), built, files);
  page = withOverview(page, root, built.get("overview"), files);
  return files.set("index.html", withPolicy(page));
}
