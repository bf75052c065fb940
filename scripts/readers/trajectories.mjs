// Random sets of trajectories, with everything that every format can hold, and what is awkward in one of them.
import { numbers } from "../wasm/rollouts.mjs";

/** Draws from a seed, the same on every machine. */
export class Random {
  constructor(seed) { this.next = numbers(seed); }
  below(limit) { return Math.floor(this.next() * limit); }
  pick(list) { return list[this.below(list.length)]; }
  chance(share) { return this.next() < share; }
  shuffle(list) {
    const left = [...list];
    return list.map(() => left.splice(this.below(left.length), 1)[0]);
  }
}

/** What agents see: commas, quotes, line breaks, letters of several bytes, nothing, numbers as text. */
const TEXTS = ["hall", "a dark, narrow hall", "say \"open\"", "\"quoted\"", "two\nlines", "", " hall", "어두운 방", "책상, 문", "naïve 🚪",
  "7", "7.0", "true", "null", "a\\b", "tab\there", "[1, 2]", "{\"x\": 1}", "on\r\nwindows", "'", "한\n글\"", "nan"];

/** States that are no texts, which rows of verl-agent may have. */
const VALUES = [[1, 2], [1, 2.5, [3]], { x: 1, y: [0, 1] }, 7, [], {}, { "k": "방, \"x\"" }, [[0, 1], [1, 0]]];

/** The text of a value by which it is compared: keys in order, no spaces. */
export function canonical(value) {
  if (typeof value === "string") return value;
  const inOrder = (it) => Array.isArray(it) ? it.map(inOrder)
    : it !== null && typeof it === "object" ? Object.fromEntries(Object.keys(it).sort().map((key) => [key, inOrder(it[key])])) : it;
  return JSON.stringify(inOrder(value));
}

/** The fields of an object that it has, and these with JSON texts as values. */
export const entries = (it) => Object.entries(it).filter(([, value]) => value !== undefined);
export const asJson = (it) => entries(it).map(([key, value]) => [key, JSON.stringify(value)]);

function step(random, states, has) {
  const it = { state: random.pick(states), reward: reward(random) };
  if (has.action) it.action = random.pick(["look", "go, on", "열어", "say \"hi\""]);
  if (has.valid) it.valid = random.chance(0.8);
  if (has.context && random.chance(0.8)) it.context = random.pick(["", "came by\nhere", "하나"]) || undefined;
  if (has.agent) it.agent = random.pick(["planner", "coder"]);
  if (has.state_value) it.state_value = reward(random);
  if (has.embedding) it.embedding = [random.below(4), reward(random), 0.25];
  if (has.response) it.response = random.pick(["<a>, \"b\"", "네\n"]);
  return it;
}

const reward = (random) => random.pick([0, 0, 1, -1, 10, 0.5, 123.25, 1e-7, 12345, -0.1, random.next()]);

/** One to three tasks with one to four attempts; which optional fields there are is drawn once a set. */
export function trajectories(random) {
  const optional = ["action", "valid", "context", "agent", "state_value", "embedding", "response", "success", "seed", "environment"];
  const has = Object.fromEntries(optional.map((field) => [field, random.chance(0.35)]));
  const pool = random.chance(0.3) ? [...TEXTS, ...VALUES] : TEXTS;
  const states = Array.from({ length: 1 + random.below(5) }, () => random.pick(pool));
  const tasks = random.shuffle(["g", "문 1", "a,b", "12"]).slice(0, 1 + random.below(3));
  return tasks.flatMap((task) => random.shuffle(["t0", "t1", "7", "\"q\",  시도"]).slice(0, 1 + random.below(4)).map((trajectory) => {
    const own = { task, trajectory };
    if (has.success) own.success = random.chance(0.5);
    if (has.seed) own.seed = random.below(1000);
    if (has.environment) own.environment = "chores";
    return { ...own, steps: Array.from({ length: 1 + random.below(6) }, () => step(random, states, has)) };
  }));
}
