// Brings a live page up to date: fetches it again every two seconds while it is seen, and replaces what has
// changed of its parts (data-live). Ticked boxes, the focus and open details stay.
const EVERY = 2000;
const lost = document.querySelector(".lost");
const parts = (page) => page.querySelectorAll("[data-live]");
const boxes = (part) => [...part.querySelectorAll("input[type=checkbox]")];

function replace(part, fresh) {
  const ticked = new Set(boxes(part).filter((box) => box.checked).map((box) => box.value));
  const focused = part.contains(document.activeElement) ? document.activeElement : null;
  const key = (element) => element.getAttribute("href") ?? element.value;
  // What is being typed is not taken away.
  if (focused?.matches("input:not([type=checkbox])")) return;
  part.replaceChildren(...fresh.childNodes);
  for (const box of boxes(part)) box.checked = ticked.has(box.value);
  if (focused) [...part.querySelectorAll("a, input")].find((it) => key(it) === key(focused))?.focus({ preventScroll: true });
}

async function refresh() {
  const answer = await fetch(location.href, { cache: "no-store" });
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const now = [...parts(document)];
  const fresh = [...parts(page)];
  const names = (all) => all.map((part) => part.dataset.live + part.localName).join();
  if (names(now) !== names(fresh)) return location.reload();
  now.forEach((part, at) => shown[at] !== (shown[at] = fresh[at].innerHTML) && replace(part, fresh[at]));
}

/** What was shown last, as it came: ticks and focus are no part of it. */
const shown = [...parts(document)].map((part) => part.innerHTML);

async function follow() {
  if (!document.hidden) {
    await refresh().then(() => (lost.hidden = true), () => (lost.hidden = false));
  }
  setTimeout(follow, EVERY);
}
setTimeout(follow, EVERY);
document.addEventListener("visibilitychange", () => document.hidden || refresh().catch(() => {}));
