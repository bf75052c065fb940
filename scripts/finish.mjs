// What the page still needs once Trunk has built it: one style sheet, which compresses better than its
// parts do, and a content security policy, which names the digest of Trunk's start script. Trunk calls
// this with the folder of the built page.
import { createHash } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const folder = process.env.TRUNK_STAGING_DIR;
const digest = (text, encoding) => createHash("sha256").update(text).digest(encoding);
const expect = (is) => { if (!is) throw new Error("index.html is not as expected"); };

/** The page with one link to a style sheet in place of several; comments stay in the sources. */
function withOneStyleSheet(page) {
  const links = [...page.matchAll(/[ \t]*<link rel="stylesheet" href="\.\/([^"]+)"[^>]*>\n/g)];
  expect(links.length > 1);
  const parts = links.map(([, name]) => readFileSync(join(folder, name), "utf8"));
  const style = parts.join("").replaceAll(/\/\*.*?\*\/\s*/gs, "");
  const name = `style-${digest(style, "hex").slice(0, 16)}.css`;
  writeFileSync(join(folder, name), style);
  for (const [, part] of links) rmSync(join(folder, part));
  const [[first], ...others] = links;
  const shorter = others.reduce((left, [link]) => left.replace(link, ""), page);
  return shorter.replace(first, `    <link rel="stylesheet" href="./${name}">\n`);
}

/** The page with its content security policy. */
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

const file = join(folder, "index.html");
writeFileSync(file, withPolicy(withOneStyleSheet(readFileSync(file, "utf8"))));
