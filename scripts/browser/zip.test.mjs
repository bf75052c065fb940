// The page for places without a network: packed, unpacked and served by what is packed with it.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { launch, open } from "./page.mjs";

const packer = fileURLToPath(new URL("../page/zip.py", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "hgpo-zip-"));
let browser;
before(async () => { browser = await launch(); });
after(async () => { await browser.close(); rmSync(folder, { recursive: true }); });

test("the packed page opens by its own server, and the same page is packed alike", async () => {
  const archives = ["one.zip", "two.zip"].map((name) => join(folder, name));
  for (const archive of archives) execFileSync("python3", [packer, archive]);
  assert.deepEqual(readFileSync(archives[0]), readFileSync(archives[1]));
  execFileSync("python3", ["-m", "zipfile", "-e", archives[0], folder]);
  const server = spawn("python3", [join(folder, "hgpo-page", "serve.py")], { env: { ...process.env, BROWSER: "true" } });
  try {
    const [line] = await new Promise((done) => createInterface(server.stdout).once("line", (...said) => done(said)));
    const [address] = line.match(/http:\S+/);
    const { page, said, close } = await open(browser, `${address}?lesson=credit`);
    await page.locator(".lesson").waitFor();
    assert.deepEqual(said, []);
    await close();
    for (const name of ["index.html", ...readdirSync(join(folder, "hgpo-page")).filter((name) => /^style-|_bg-/.test(name))]) {
      const whole = readFileSync(join(folder, "hgpo-page", name));
      for (const [taken, encoding] of [["gzip, br", "gzip"], ["identity", null]]) {
        const answer = await fetch(address + name, { headers: { "accept-encoding": taken } });
        assert.equal(answer.headers.get("content-encoding"), encoding);
        assert.equal(answer.headers.get("vary"), "Accept-Encoding");
        assert.ok(whole.equals(Buffer.from(await answer.arrayBuffer())), name);
        if (encoding) assert.ok(Number(answer.headers.get("content-length")) < whole.length, name);
      }
    }
    assert.equal((await fetch(`${address}none.js`)).status, 404);
  } finally {
    server.kill("SIGINT");
  }
  const missing = join(folder, "none", "page.zip");
  assert.throws(() => execFileSync("python3", [packer, missing], { stdio: "pipe" }), /page\.zip could not be written: No such file/);
});
