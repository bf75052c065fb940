// The built page from a server that fails: the connection is cut, files are gone, or end half-way.
import { createServer } from "node:http";
import { serve } from "./page.mjs";

/** Ways in which a file does not come. What is gone may be kept by the browser for a while, as hosts of static files say. */
const faults = {
  "no connection": (response) => response.destroy(),
  404: (response) => response.writeHead(404, { "cache-control": "max-age=600" }).end("gone"),
  503: (response) => response.writeHead(503).end("busy"),
  "half a file": (response, type, body) => {
    response.writeHead(200, { "content-type": type, "content-length": body.length });
    response.write(body.subarray(0, body.length / 2), () => response.destroy());
  },
};

export const kinds = Object.keys(faults);

/** Serves dist/ and `others`, texts by their paths. After `fail(pattern, kind)` the paths that match fail, and
 * `failed` counts them; after `heal()` none does. */
export async function serveWithFaults(others = {}) {
  const own = await serve();
  const state = { failed: 0, fail: (pattern, kind) => { fault = { pattern, kind }; }, heal: () => { fault = undefined; } };
  let fault;
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, own.address);
    const other = others[pathname];
    const answer = other === undefined && await fetch(new URL(request.url, own.address));
    const type = answer ? answer.headers.get("content-type") : "application/json";
    const body = Buffer.from(answer ? await answer.arrayBuffer() : other);
    if (fault?.pattern.test(pathname)) {
      state.failed += 1;
      return faults[fault.kind](response, type, body);
    }
    return response.writeHead(answer ? answer.status : 200, { "content-type": type ?? "text/plain" }).end(body);
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  const address = `http://127.0.0.1:${server.address().port}/`;
  return Object.assign(state, { address, close: () => { server.close(); own.close(); } });
}
