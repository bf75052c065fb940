// The estimates beside the truth: what the page fetches when a reader first asks for them. The worker writes
// what is shown; this asks it, and hears the buttons in it.
const words = {
  en: ["Could not load the process of this example. Check the connection, and try again.", "This needs a browser with module workers."],
  ko: ["이 예제의 과정을 불러오지 못했습니다. 연결을 확인하고 다시 시도하세요.", "모듈 워커를 지원하는 브라우저가 필요합니다."],
};

let worker;
const waiting = [];

function giveUp() {
  worker?.terminate();
  worker = undefined;
  for (const done of waiting.splice(0)) done(undefined);
}

/** What the worker answers to a request; nothing where there is no worker. Answers keep the order of requests. */
function ask(request) {
  return new Promise((done) => {
    waiting.push(done);
    try {
      if (!worker) {
        worker = new Worker(document.querySelector("meta[name=hgpo-worker]").content, { type: "module" });
        worker.onmessage = ({ data }) => waiting.shift()?.(JSON.parse(data));
        worker.onerror = giveUp;
      }
      worker.postMessage(JSON.stringify(request));
    } catch {
      giveUp();
    }
  });
}

const processes = new Map();

/** The process of an example; nothing where it cannot be had. */
async function processOf(name) {
  if (!processes.has(name)) {
    const response = await fetch(`processes/${name}.json`).catch(() => undefined);
    if (!response?.ok) return undefined;
    processes.set(name, await response.json());
  }
  return processes.get(name);
}

let samples = 0; // of the last press, for every step that is chosen afterwards
let seed = 0;
let drawn = 0;
let latest; // what is to be shown

/** Shows a step in the page's place for it; `redraw` takes attempts that a reader had drawn anew. */
export function show(given, redraw) {
  const [name, language, options, attempts, row, step] = given;
  const own = attempts.trim().split("\n").map((line) => JSON.parse(line));
  latest = { name, language, options: JSON.parse(options), own, step: [row, step], redraw };
  return draw(document.getElementById("truth"), latest);
}

async function draw(place, wanted) {
  const { name, language, options, own, step } = wanted;
  const tell = (html) => { if (place?.isConnected && wanted === latest) place.innerHTML = html; };
  const refuse = (text) => tell(`<p class="problem" role="alert">${text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</p>`);
  const process = await processOf(name);
  if (!process) return refuse(words[language][0]);
  const answer = await ask({ view: { process, options, attempts: own, step, samples, seed, language } });
  if (!answer?.view) return refuse(answer?.error ?? words[language][1]);
  tell(answer.view);
  if (place) place.onclick = ({ target }) => press(place, target.closest("[data-draw]")?.dataset.draw);
  return undefined;
}

/** Draws the attempts anew, or many groups of them. */
async function press(place, wanted) {
  if (wanted === "attempts") {
    const { name, own } = latest;
    const process = await processOf(name);
    const answer = await ask({ draw: { process, task: own[0].task, attempts: own.length, seed: drawn += 1 } });
    if (answer?.draw) latest.redraw(answer.draw.map((attempt) => `${JSON.stringify(attempt)}\n`).join(""));
  } else if (wanted) {
    [samples, seed] = [Number(wanted), seed + 1];
    latest = { ...latest };
    await draw(place, latest);
    place.querySelector(`[data-draw="${wanted}"]`)?.focus({ preventScroll: true });
  }
}
