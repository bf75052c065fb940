// One set of trajectories in each of the formats. A document is what a damage can reach into: objects with fields that
// are text of JSON already, or cells of CSV.
import { canonical } from "./trajectories.mjs";

const OF_TRAJECTORY = ["success", "seed", "environment"];
const NAMES = { rows: { task: "uid", trajectory: "traj_uid", state: "anchor_obs", reward: "rewards", valid: "is_action_valid" } };

const entries = (it) => Object.entries(it).filter(([, value]) => value !== undefined);
const asJson = (it) => entries(it).map(([key, value]) => [key, JSON.stringify(value)]);

/** A trajectory a line; states are texts. */
function lines(set) {
  const records = set.map(({ steps, ...own }) => ({
    fields: asJson(own),
    steps: steps.map((step) => ({ fields: asJson({ ...step, state: canonical(step.state) }) })),
  }));
  return { format: "lines", records };
}

/** The rows of all steps in order; where they are numbered, trajectories may take turns. */
function rows(set, random) {
  const isNumbered = random.chance(0.4);
  const all = set.map(({ steps, task, trajectory, ...own }) => steps.map((step, at) =>
    ({ task, trajectory, ...own, ...(isNumbered ? { step: at } : {}), ...step })));
  if (!isNumbered || random.chance(0.7)) return all.flat();
  // Trajectories keep their order, in which sums are taken.
  const turns = all.map((own) => own.shift());
  while (all.some((own) => own.length > 0)) turns.push(random.pick(all.filter((own) => own.length > 0)).shift());
  return turns;
}

/** Rows of verl-agent, some of them padding. */
function agentRows(set, random) {
  const isPadded = random.chance(0.2);
  const records = rows(set, random).flatMap((row) => {
    const named = entries(row).map(([key, value]) => [NAMES.rows[key] ?? key, value]);
    const fields = asJson(Object.fromEntries(named));
    const flagged = (active) => ({ fields: [...fields, ["active_masks", active]] });
    return isPadded ? [flagged("true"), ...(random.chance(0.3) ? [flagged("false")] : [])] : [{ fields }];
  });
  return { format: "rows", records };
}

/** A conversation a line: each state is a user's message, each action the assistant's answer to it. */
function conversations(set) {
  const records = set.map(({ steps, ...own }) => ({
    fields: asJson(own),
    list: "messages",
    steps: steps.flatMap(({ state, action, reward, valid }) => [
      { fields: asJson({ role: "user", content: canonical(state) }) },
      { fields: asJson({ role: "assistant", content: action ?? "wait", reward, valid }) },
    ]),
  }));
  return { format: "conversations", records };
}

/** CSV with its columns in any order. */
function csv(set, random) {
  const all = rows(set, random);
  const names = [...new Set(all.flatMap((row) => entries(row).map(([key]) => key)))];
  const header = random.shuffle(names);
  const cell = (value, name) => value === undefined ? "" : name === "state" ? canonical(value)
    : typeof value === "string" ? value : JSON.stringify(value);
  return { format: "csv", header, records: all.map((row) => header.map((name) => cell(row[name], name))) };
}

export const FORMATS = { lines, rows: agentRows, conversations, csv };

const object = ({ fields, steps, list = "steps" }) => {
  const all = steps === undefined ? fields : [...fields, [list, `[${steps.map(object).join(",")}]`]];
  return `{${all.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(",")}}`;
};
const quoted = (cell) => /[",\r\n]/.test(cell) ? `"${cell.replaceAll("\"", "\"\"")}"` : cell;

/** The lines of a document, each without its line break. */
export function written(document) {
  if (document.format !== "csv") return document.records.map(object);
  return [document.header, ...document.records].map((cells) => cells.map(quoted).join(","));
}

/** The text of a file; an array of lines may stand for a document. */
export const text = (document) => (Array.isArray(document) ? document : written(document)).map((line) => `${line}\n`).join("");

/** The set as columns, for Python. */
export function columns(set) {
  const all = set.flatMap(({ steps, task, trajectory, success }) => steps.map((step) => ({ task, trajectory, success, ...step })));
  const column = (name, of) => all.some((row) => row[name] !== undefined) ? { [name]: all.map(of) } : {};
  return {
    task: all.map((row) => row.task), trajectory: all.map((row) => row.trajectory),
    state: all.map((row) => canonical(row.state)), rewards: all.map((row) => row.reward),
    ...column("valid", (row) => row.valid ?? true), ...column("success", (row) => row.success),
  };
}
