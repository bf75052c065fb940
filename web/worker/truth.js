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

/** What the worker answers to a request, whose process is text; nothing where there is no worker. Answers keep the
 * order of requests. */
function ask(kind, process, request) {
  return new Promise((done) => {
    waiting.push(done);
    try {
      if (!worker) {
        worker = new Worker(document.querySelector("meta[name=hgpo-worker]").content, { type: "module" });
        worker.onmessage = ({ data }) => waiting.shift()?.(JSON.parse(data));
        worker.onerror = giveUp;
      }
      worker.postMessage(`{"${kind}":{"process":${process},${JSON.stringify(request).slice(1)}}`);
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
    processes.set(name, await response.text());
  }
  return processes.get(name);
}

/** The process of a task of the training, with the situations in which the steps of its attempts were taken, as they
 * are written; a `problem` where it is not known. */
const processInTraining = (task) => new Promise((done) => {
  globalThis.hgpoProcess(task, (process, known, rollouts) => {
    if (!process) return done({ problem: known });
    const own = rollouts.split("\n").filter((line) => line.startsWith(`{"task":${JSON.stringify(task)},`));
    const situations = JSON.parse(known);
    return done({ process, seen: new Map(own.map((line, place) => [line, situations[place]])) });
  });
});

/** What is known of the attempts that are to be shown. */
async function knownOf({ name, language, own }) {
  if (!name) return processInTraining(own[0].task);
  return { process: await processOf(name), problem: words[language][0] };
}

let samples = 0; // of the last press, for every step that is chosen afterwards
let seed = 0;
let drawn = 0;
let isSet = false; // an option, by a button of what is shown
let latest; // what is to be shown

/** Shows a step in the page's place for it; `change` takes attempts that a reader had drawn anew, or the name of an
 * option with its value. The name is that of an example, or empty for the training. */
export function show(given, change) {
  const [name, language, options, attempts, row, step] = given;
  const lines = attempts.trim().split("\n");
  const own = lines.map((line) => JSON.parse(line));
  latest = { name, language, options: JSON.parse(options), own, line: lines[row], step: [row, step], change };
  return draw(document.getElementById("truth"), latest);
}

async function draw(place, wanted) {
  const { language, options, own, line, step } = wanted;
  const tell = (html) => { if (place?.isConnected && wanted === latest) place.innerHTML = html; };
  const refuse = (text) => tell(`<p class="problem" role="alert">${text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</p>`);
  const { process, seen, problem } = await knownOf(wanted);
  if (!process) return refuse(problem || words[language][1]);
  const situation = seen?.get(line)?.[step[1]] ?? null;
  const answer = await ask("view", process, { options, attempts: own, step, situation, samples, seed, language });
  if (!answer?.view) return refuse(answer?.error ?? words[language][1]);
  tell(answer.view);
  if (place) place.onclick = ({ target }) => press(place, target.closest("[data-draw], [data-set]")?.dataset ?? {});
  if (isSet) place?.querySelector("[data-draw]")?.focus({ preventScroll: true });
  isSet = false;
  return undefined;
}

/** Draws the attempts anew, or many groups of them, or sets an option. */
async function press(place, { draw: wanted, set }) {
  if (set) {
    isSet = true; // the button that has the focus will be gone
    latest.change(...set.split("="));
  } else if (wanted === "attempts") {
    const { own, change } = latest;
    const { process } = await knownOf(latest);
    const answer = process && await ask("draw", process, { task: own[0].task, attempts: own.length, seed: drawn += 1 });
    if (answer?.draw) change("", answer.draw.map((attempt) => `${JSON.stringify(attempt)}\n`).join(""));
  } else if (wanted) {
    [samples, seed] = [Number(wanted), seed + 1];
    latest = { ...latest };
    await draw(place, latest);
    place.querySelector(`[data-draw="${wanted}"]`)?.focus({ preventScroll: true });
  }
}
