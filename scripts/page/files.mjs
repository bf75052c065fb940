// A server of a folder's files on the loopback interface.
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize, sep } from "node:path";

const types = {
  ".css": "text/css", ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".json": "application/json",
  ".svg": "image/svg+xml", ".wasm": "application/wasm",
};

const notFound = (path, response) => response.writeHead(404).end();

/** The file that a request names, if it lies in the folder. */
async function found(folder, path) {
  const file = join(folder, path.endsWith("/") ? `${path}index.html` : path);
  const isFile = file.startsWith(folder + sep) && await stat(file).then((entry) => entry.isFile(), () => false);
  return isFile ? file : undefined;
}

/** Serves a folder on a port, 0 being any that is free; `missing` answers for files that are not there. */
export async function serveFolder(folder, port = 0, missing = notFound) {
  const server = createServer(async (request, response) => {
    let path;
    try {
      path = normalize(decodeURIComponent(new URL(request.url, "http://localhost").pathname));
    } catch {
      return response.writeHead(400).end();
    }
    const file = await found(folder, path);
    if (!file) return missing(path, response);
    const type = types[extname(file)] ?? "application/octet-stream";
    createReadStream(file)
      .on("open", () => response.writeHead(200, { "content-type": type, "cache-control": "no-cache" }))
      .on("error", () => response.writeHead(404).end()) // replaced by a newer build in this moment
      .pipe(response);
  });
  await new Promise((listening, failed) => server.once("error", failed).listen(port, "127.0.0.1", listening));
  return { address: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}
