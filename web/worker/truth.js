// The estimates beside the truth: what the page fetches when a reader first asks for them. The worker writes
// what is shown; this asks it, and hears the buttons in it. What cannot be loaded is an error, which the page tells.
const noWorkers = {
  en: "This needs a browser with module workers.",
  ko: "모듈 워커를 지원하는 브라우저가 필요합니다.",
};

let worker;
const waiting = [];

function begin() {
  const begun = globalThis.hgpoWorker("hgpo-worker");
  begun.onmessage = ({ data }) => waiting.shift()?.done(JSON.parse(data));
  begun.onerror = (error) => {
    begun.terminate();
    worker = undefined;
    for (const { fail } of waiting.splice(0)) fail(error);
  };
  return begun;
}

/** What the worker answers to a request, whose process is text. Answers keep the order of requests. */
function ask(kind, process, request) {
  return new Promise((done, fail) => {
    try {
      worker ??= begin();
    } catch {
      return done({ error: noWorkers[latest.language] });
    }
    waiting.push({ done, fail });
    return worker.postMessage(`{"${kind}":{"process":${process},${JSON.stringify(request).slice(1)}}`);
  });
}

const processes = new Map();

/** The process of an example. */
async function processOf(name) {
  if (!processes.has(name)) processes.set(name, await globalThis.hgpoText(`processes/${name}.json`));
  return processes.get(name);
}

/** The process of a task of the training, with the situations in which the steps of its attempts were taken, as they
 * are written; a `problem` where it is not known. */
const processInTraining = (task) => new Promise((done, fail) => {
  globalThis.hgpoProcess(task, (process, known, rollouts) => {
    if (!process) return known ? done({ problem: known }) : fail(new Error("no training"));
    const own = rollouts.split("\n").filter((line) => line.startsWith(`{"task":${JSON.stringify(task)},`));
    const situations = JSON.parse(known);
    return done({ process, seen: new Map(own.map((line, place) => [line, situations[place]])) });
  });
});

/** What is known of the attempts that are to be shown. */
const knownOf = async ({ name, own }) => (name ? { process: await processOf(name) } : processInTraining(own[0].task));

let samples = 0; // of the last press, for every step that is chosen afterwards
let seed = 0;
let drawn = 0;
let isSet = false; // an option, by a button of what is shown
let latest; // what is to be shown

/** Shows a step in the page's place for it; `change` takes attempts that a reader had drawn anew, the name of an
 * option with its value, or false where something could not be loaded. The name is that of an example, or empty for
 * the training. */
export function show(given, change) {
  const [name, language, options, attempts, row, step] = given;
  const lines = attempts.trim().split("\n");
  const own = lines.map((line) => JSON.parse(line));
  const wanted = { name, language, options: JSON.parse(options), own, line: lines[row], step: [row, step], change };
  latest = wanted;
  return draw(document.getElementById("truth"), wanted).catch((error) => { if (wanted === latest) throw error; });
}

async function draw(place, wanted) {
  const { language, options, own, line, step } = wanted;
  const tell = (html) => { if (place?.isConnected && wanted === latest) place.innerHTML = html; };
  const refuse = (text) => tell(`<p class="problem" role="alert">${text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</p>`);
  const { process, seen, problem } = await knownOf(wanted);
  if (!process) return refuse(problem);
  const situation = seen?.get(line)?.[step[1]] ?? null;
  const answer = await ask("view", process, { options, attempts: own, step, situation, samples, seed, language });
  if (!answer.view) return refuse(answer.error);
  tell(answer.view);
  if (place) {
    place.onclick = ({ target }) => press(place, target.closest("[data-draw], [data-set]")?.dataset ?? {})
      .catch(() => latest.change(false));
  }
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
