// How the page's files are sent: compressed for who takes them so, under the same addresses.
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { test } from "node:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { serveFolder } from "../page/files.mjs";
import { dist, launch, open, serve, step } from "./page.mjs";

/** A file as it is sent to who takes these encodings. */
const fetched = (address, encodings) => new Promise((done, failed) => {
  get(address, { headers: encodings === undefined ? {} : { "accept-encoding": encodings } }, (response) => {
    buffer(response).then((body) => done({ status: response.statusCode, headers: response.headers, body }), failed);
  }).on("error", failed);
});

const decoded = { br: brotliDecompressSync, gzip: gunzipSync, undefined: (body) => body };

test("every file is sent as brotli, as gzip or as it is, by what a browser takes", async () => {
  const server = await serve();
  const kinds = { html: "text/html; charset=utf-8", css: "text/css", js: "text/javascript", wasm: "application/wasm", json: "application/json", svg: "image/svg+xml" };
  const files = readdirSync(dist, { recursive: true }).filter((name) => name.split(".").pop() in kinds);
  for (const kind of Object.keys(kinds)) assert.ok(files.some((name) => name.endsWith(`.${kind}`)), kind);
  for (const name of files) {
    const whole = readFileSync(join(dist, name));
    for (const [taken, encoding] of [["gzip, deflate, br, zstd", "br"], ["gzip;q=1.0, br;q=0", "gzip"], ["gzip", "gzip"], ["br ; q=0.0, identity", undefined], [undefined, undefined]]) {
      const { status, headers, body } = await fetched(server.address + name, taken);
      const about = `${name} to ${taken}`;
      assert.equal(status, 200, about);
      assert.equal(headers["content-encoding"], encoding, about);
      assert.equal(headers["content-type"], kinds[name.split(".").pop()], about);
      assert.equal(headers.vary, "accept-encoding", about);
      assert.equal(headers["cache-control"], "no-cache", about);
      assert.equal(Number(headers["content-length"]), body.length, about);
      assert.ok(decoded[encoding](body).equals(whole), about);
      if (encoding && whole.length > 10_000) assert.ok(body.length < whole.length / 2, about);
    }
  }
  assert.equal((await fetched(`${server.address}none.js`, "br")).status, 404);
  server.close();
});

test("a file that is newer than what was made of it is sent itself", async () => {
  const folder = mkdtempSync(join(tmpdir(), "hgpo-"));
  cpSync(dist, folder, { recursive: true });
  const server = await serveFolder(folder);
  const read = async (taken) => {
    const { headers, body } = await fetched(server.address, taken);
    return String(decoded[headers["content-encoding"]](body));
  };
  assert.match(await read("gzip"), /^<!doctype html>/);
  writeFileSync(join(folder, "index.html"), "changed");
  assert.deepEqual([await read("br"), await read("gzip"), await read()], ["changed", "changed", "changed"]);
  server.close();
  rmSync(folder, { recursive: true });
});

test("the first view takes a third of its bytes over the wire", async (context) => {
  const [server, browser] = [await serve(), await launch()];
  const { page, close } = await open(browser, server.address);
  await step(page, 0, 2).waitFor();
  const sizes = await page.evaluate(() => ["navigation", "resource"].flatMap((type) => performance.getEntriesByType(type))
    .map(({ name, encodedBodySize, decodedBodySize }) => [new URL(name).pathname, encodedBodySize, decodedBodySize]));
  const [sent, whole] = [1, 2].map((at) => sizes.reduce((sum, one) => sum + one[at], 0));
  context.diagnostic(`${sent} of ${whole} bytes`);
  assert.ok(sizes.some(([name]) => name.endsWith(".wasm")) && sent < 0.4 * whole, JSON.stringify(sizes));
  await close();
  await browser.close();
  server.close();
});
