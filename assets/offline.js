// The page without a network: a service worker that keeps the files of the page, whose names the build puts
// in below. What a name with a digest stands for never changes, so it is taken from what is kept; everything
// else comes from the server, and from what is kept only where the server cannot be reached. Other pages
// below the same address are left alone.
const files = [];
/** Files that are kept once they have been asked for: they are as large as the rest. */
const later = [];
const release = "hgpo-";
const here = new URL("./", self.location);
/** Where a release keeps its files: all pages of a host see each other's caches, so it names the page. */
const own = ` ${here.pathname}`;
const shelf = release + own;
/** The language of the reader: the page is built in others too. */
const language = new URL(self.location).searchParams.get("lang");
const isOwn = (file) => (/hgpo-web-([a-z]{2})[-_]/.exec(file)?.[1] ?? language) === language;
const named = /-[0-9a-f]{16}\.\w+$/;
/** An address without its query, which says of a name with a digest only that it is asked for again. */
const bare = (address) => new URL(new URL(address).pathname, here).href;

/** A request that no cache between here and the server answers with a file of another release. */
const asked = (file) => new Request(file, { cache: named.test(file) ? "default" : "no-cache" });

/** The caches of former releases of this page. */
const former = async () =>
  (await caches.keys()).filter((name) => name.startsWith("hgpo-") && name.endsWith(own) && name !== shelf);

/** Whether a former release kept what is kept once it has been asked for. */
async function wasAsked() {
  for (const name of await former()) {
    const kept = await (await caches.open(name)).keys();
    if (kept.some(({ url }) => /\/(hgpo-)?lane[-_][^/]*$/.test(url))) return true;
  }
  return false;
}

const keepAll = async (wanted) => (await caches.open(shelf)).addAll(wanted.map(asked));

self.addEventListener("install", (event) => {
  self.skipWaiting();
  event.waitUntil(wasAsked().then((all) => keepAll([...files.filter(isOwn), ...all ? later : []])));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(former().then((names) => Promise.all(names.map((name) => caches.delete(name)))));
});

// The page says that training was opened, maybe before it had this worker. Without room or network, its files
// are kept another time.
self.addEventListener("message", (event) => event.waitUntil(keepAll(later).catch(() => {})));

/** Whether an address is the page's, whatever its query: the page reads that by itself. */
const isPage = (address) => {
  const { origin, pathname } = new URL(address);
  return origin === here.origin && [here.pathname, `${here.pathname}index.html`].includes(pathname);
};

/** What is kept under an address; nothing where the browser gives nothing out. */
async function keptUnder(address) {
  try {
    const kept = await caches.open(shelf);
    return await kept.match(address, { ignoreVary: true });
  } catch {
    return undefined;
  }
}

/** Keeps an answer that the page itself asked for. Whether that succeeds is no concern of who asked. */
async function keep({ request, clientId }, answer) {
  try {
    const client = await self.clients.get(clientId);
    if (client && isPage(client.url)) await (await caches.open(shelf)).put(request, answer);
  } catch {
    // No room, or an answer that may not be kept.
  }
}

/** A file whose name says what it holds. */
async function lasting(event) {
  const { request } = event;
  const address = bare(request.url);
  const kept = await keptUnder(address);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok && later.some((file) => new URL(file, here).href === address)) {
    const copy = answer.clone();
    event.waitUntil(caches.open(shelf).then((shelf) => shelf.put(address, copy)).catch(() => {}));
  }
  return answer;
}

async function fresh(event) {
  const { request } = event;
  try {
    const answer = await fetch(request);
    // A lesson of one's own is there the next time as well; rollouts say that they are not to be kept.
    if (answer.ok && request.cache !== "no-store" && new URL(request.url).pathname.endsWith(".json")) event.waitUntil(keep(event, answer.clone()));
    return answer;
  } catch (failure) {
    const kept = await keptUnder(request.mode === "navigate" ? here : request);
    if (!kept) throw failure;
    return kept;
  }
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || !request.url.startsWith(here.href)) return;
  if (request.mode === "navigate" && !isPage(request.url)) return;
  const isNamed = named.test(bare(request.url));
  event.respondWith(isNamed ? lasting(event) : fresh(event));
});
