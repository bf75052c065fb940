// The page without a network: a service worker that keeps the files of the page, whose names the build puts
// in below. What a name with a digest stands for never changes, so it is taken from what is kept; everything
// else comes from the server, and from what is kept only where the server cannot be reached.
const files = [];
const release = "hgpo-";
const here = new URL("./", self.location);
/** The language of the reader: the page is built in others too. */
const language = new URL(self.location).searchParams.get("lang");
const isOwn = (file) => (/hgpo-web-([a-z]{2})[-_]/.exec(file)?.[1] ?? language) === language;
const named = /-[0-9a-f]{16}\.\w+$/;

/** A request that no cache between here and the server answers with a file of another release. */
const asked = (file) => new Request(file, { cache: named.test(file) ? "default" : "no-cache" });

self.addEventListener("install", (event) => {
  self.skipWaiting();
  event.waitUntil(caches.open(release).then((kept) => kept.addAll(files.filter(isOwn).map(asked))));
});

self.addEventListener("activate", (event) => {
  const forget = (names) => names.filter((name) => name.startsWith("hgpo-") && name !== release).map((name) => caches.delete(name));
  event.waitUntil(caches.keys().then((names) => Promise.all(forget(names))));
});

/** What is kept under an address, whatever its query: the page reads that by itself. */
const keptUnder = (request) => caches.match(request.mode === "navigate" ? here : request, { ignoreSearch: true });

async function fresh(request) {
  try {
    const response = await fetch(request);
    // A lesson of one's own is there the next time as well.
    if (response.ok && new URL(request.url).pathname.endsWith(".json")) {
      await (await caches.open(release)).put(request, response.clone());
    }
    return response;
  } catch (failure) {
    const kept = await keptUnder(request);
    if (!kept) throw failure;
    return kept;
  }
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || !request.url.startsWith(here.href)) return;
  const isNamed = named.test(request.url);
  event.respondWith(isNamed ? keptUnder(request).then((kept) => kept ?? fetch(request)) : fresh(request));
});
