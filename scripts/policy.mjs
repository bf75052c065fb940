// Writes the page's content security policy once Trunk has built it: only then is its start script
// known, whose digest the policy names. Trunk calls this with the folder of the built page.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const file = join(process.env.TRUNK_STAGING_DIR, "index.html");
const page = readFileSync(file, "utf8");

const inline = [...page.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g)];
const digests = inline.map(([, script]) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`);

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
if (digests.length === 0 || page.split(anchor).length !== 2) throw new Error("index.html is not as expected");
writeFileSync(file, page.replace(anchor, `${anchor}\n    <meta http-equiv="Content-Security-Policy" content="${policy}">`));
