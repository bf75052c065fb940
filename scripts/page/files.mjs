// A server of a folder's files on the loopback interface, compressed for browsers that take them so.
import { readFile, stat } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize, sep } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

const types = {
  ".css": "text/css", ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".json": "application/json",
  ".svg": "image/svg+xml", ".wasm": "application/wasm",
};

const notFound = (path, response) => response.writeHead(404).end();

/** When a file was last changed; nothing if it is none. */
const changed = (file) => stat(file).then((entry) => (entry.isFile() ? entry.mtimeMs : undefined), () => undefined);

/** The file that a request names, if it lies in the folder, and when it was last changed. */
async function found(folder, path) {
  const file = join(folder, path.endsWith("/") ? `${path}index.html` : path);
  return { file, time: file.startsWith(folder + sep) ? await changed(file) : undefined };
}

/** Whether a browser takes an encoding. */
const takes = (request, encoding) => (request.headers["accept-encoding"] ?? "").split(",")
  .some((one) => { const [name, weight] = one.split(";"); return name.trim() === encoding && !/=\s*0(\.0*)?\s*$/.test(weight); });

/** What is sent of a file: the brotli that the build laid beside it, unless the file is newer; gzip, which is made once;
 * or the file itself. */
async function encoded({ file, time }, request, zipped) {
  if (takes(request, "br") && await changed(`${file}.br`) >= time) return { encoding: "br", body: await readFile(`${file}.br`) };
  if (!takes(request, "gzip") || !(extname(file) in types)) return { body: await readFile(file) };
  if (zipped.get(file)?.time !== time) zipped.set(file, { time, body: readFile(file).then(promisify(gzip)) });
  return { encoding: "gzip", body: await zipped.get(file).body };
}

/** Serves a folder on a port, 0 being any that is free; `missing` answers for files that are not there. */
export async function serveFolder(folder, port = 0, missing = notFound) {
  const zipped = new Map();
  const server = createServer(async (request, response) => {
    let path;
    try {
      path = normalize(decodeURIComponent(new URL(request.url, "http://localhost").pathname));
    } catch {
      return response.writeHead(400).end();
    }
    const { file, time } = await found(folder, path);
    if (time === undefined) return missing(path, response);
    try {
      const { encoding, body } = await encoded({ file, time }, request, zipped);
      const type = types[extname(file)] ?? "application/octet-stream";
      if (encoding) response.setHeader("content-encoding", encoding);
      const headers = { "content-type": type, "content-length": body.length, "cache-control": "no-cache", vary: "accept-encoding" };
      return response.writeHead(200, headers).end(body);
    } catch {
      return response.writeHead(404).end(); // replaced by a newer build in this moment
    }
  });
  await new Promise((listening, failed) => server.once("error", failed).listen(port, "127.0.0.1", listening));
  return { address: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}
