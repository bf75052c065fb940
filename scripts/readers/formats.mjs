// One set of trajectories in each of the formats. A document is what a damage can reach into: objects with fields that
// are text of JSON already, or cells of CSV.
import { CONVERSATIONS, DUMPS } from "./conversations.mjs";
import { asJson, canonical, entries } from "./trajectories.mjs";

const OF_TRAJECTORY = ["success", "seed", "environment"];
const NAMES = { rows: { task: "uid", trajectory: "traj_uid", state: "anchor_obs", reward: "rewards", valid: "is_action_valid" } };

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

/** CSV with its columns in any order. */
function csv(set, random, names = {}) {
  const all = rows(set, random);
  const fields = random.shuffle([...new Set(all.flatMap((row) => entries(row).map(([key]) => key)))]);
  const cell = (value, name) => value === undefined ? "" : name === "state" ? canonical(value)
    : typeof value === "string" ? value : JSON.stringify(value);
  return {
    format: "csv", header: fields.map((name) => names[name] ?? name),
    records: all.map((row) => fields.map((name) => cell(row[name], name))),
  };
}

/** Names of somebody else's, and how those that a set has are named to readers. */
const OTHER = { task: "group", trajectory: "id", state: "obs", action: "did", reward: "score", valid: "kept" };
const renamed = (it) => Object.fromEntries(entries(it).map(([key, value]) => [OTHER[key] ?? key, value]));
const has = (set, name) => set.some((own) => own[name] !== undefined || own.steps.some((step) => step[name] !== undefined));
const named = (set) => entries(OTHER).filter(([name]) => has(set, name)).map((pair) => pair.join("=")).join(",");

/** Rows by other names. */
function namedRows(set, random) {
  return { format: "rows", records: rows(set, random).map((row) => ({ fields: asJson(renamed(row)) })) };
}

/** A trajectory a line, by other names; states are any values. */
function nested(set) {
  const records = set.map(({ steps, ...own }) => ({
    fields: asJson(renamed(own)),
    list: "turns",
    steps: steps.map((step) => ({ fields: asJson(renamed(step)) })),
  }));
  return { format: "lines", records };
}

/** What is read of a set in each of the formats: a document, the trajectories that it says if they are not those of the set,
 * and the names of columns that readers have to be told. */
export const FORMATS = {
  lines: { document: lines },
  "named lines": { document: nested, columns: (set) => `${named(set)},steps=turns` },
  rows: { document: agentRows },
  "named rows": { document: namedRows, columns: named },
  csv: { document: csv },
  "named csv": { document: (set, random) => csv(set, random, OTHER), columns: named },
  ...CONVERSATIONS, ...DUMPS,
};

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
