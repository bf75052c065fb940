// Compares what the program, the Python package and the page make of the same files, whole and damaged (scripts/readers/run
// builds them):
//   node scripts/readers/compare.mjs [--cases 300] [--seed 1] [--case NUMBER] [--damage NAME] [--folder FOLDER] [--silent]
// HGPO_BIN is the program, HGPO_PYTHON an interpreter that has the package, HGPO_SAME_BYTES_WASM the script that
// wasm-bindgen wrote. A case is a seed and a number, which --case runs alone; the files of cases in which they differ are
// left in the folder. --silent lists the damages that all accept with other numbers.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { DAMAGES } from "./damages.mjs";
import { columns, FORMATS, text } from "./formats.mjs";
import { byPlace, difference, page, program, python } from "./readers.mjs";
import { Random, trajectories } from "./trajectories.mjs";

const string = (value) => ({ type: "string", ...(value === undefined ? {} : { default: value }) });
const { values: given } = parseArgs({ options: {
  cases: string("300"), seed: string("1"), case: string(), damage: string(), folder: string(), silent: { type: "boolean" },
} });
const { HGPO_BIN: binary, HGPO_PYTHON: interpreter, HGPO_SAME_BYTES_WASM: script } = process.env;
const folder = given.folder ?? mkdtempSync(join(tmpdir(), "hgpo-readers-"));
mkdirSync(folder, { recursive: true });
const package_ = python(interpreter);
const whole = program(binary, "--whole-file");
const inTurn = program(binary);
const ofPage = page(script);

/** Why the answers about a file differ, or null; and what they all are where they do not. */
async function read(file, named) {
  const all = [whole, inTurn, package_.read, ofPage].map((reader) => reader(file, named));
  const [ofProgram, byTask, ofPackage, onPage] = await Promise.all(all);
  const others = { Python: ofPackage, page: onPage };
  // Task by task, what comes again further down is refused, with the option that reads the whole file.
  if (!byTask.refused?.includes("--whole-file")) others["program by task"] = byTask;
  for (const [name, answer] of Object.entries(others)) {
    const why = difference(ofProgram, answer);
    if (why !== null) return { why: `program and ${name}: ${why}` };
  }
  return { why: null, answer: ofProgram };
}

/** The file with as few lines as still make a difference; not for long. */
async function shrunk(file, named) {
  let bytes = readFileSync(file);
  const small = `${file}.small`;
  for (let at = 0, tries = 0; tries < 100; tries++) {
    const parts = bytes.toString("latin1").split(/(?<=\n)/);
    if (at >= parts.length) break;
    const fewer = Buffer.from(parts.toSpliced(at, 1).join(""), "latin1");
    writeFileSync(small, fewer);
    if ((await read(small, named)).why === null) at++;
    else bytes = fewer;
  }
  writeFileSync(small, bytes);
  return small;
}

const counts = { cases: 0, files: 0, accepted: 0, refused: 0, different: 0 };
const silent = new Map();
const failures = [];

async function check(number, what, file, bytes, named) {
  writeFileSync(file, bytes);
  counts.files++;
  const { why, answer } = await read(file, named);
  if (why === null) {
    counts[answer.refused === undefined ? "accepted" : "refused"]++;
    rmSync(file);
    return answer;
  }
  counts.different++;
  failures.push(`case ${number} (${what}), ${await shrunk(file, named)}: ${why}`);
  console.log(failures.at(-1));
  return undefined;
}

/** What tells an answer from the advantages of the trajectories that a document says. */
async function deviation(set, said, answer) {
  const expected = await package_.columns(columns((said ?? ((it) => it))(set)));
  return difference(...[expected, answer].map(said === undefined ? (it) => ({ ...it, remarks: [] }) : byPlace));
}

/** A set in every format: the same advantages, whichever reads it. */
async function undamaged(number, set, random) {
  for (const [format, { document, said, columns: named }] of Object.entries(FORMATS)) {
    const file = join(folder, `${number}-${format}.txt`);
    const bytes = text(document(set, random));
    const answer = await check(number, `${format}, undamaged`, file, bytes, named?.(set));
    const why = answer === undefined ? null : await deviation(set, said, answer);
    if (why === null) continue;
    counts.different++;
    writeFileSync(file, bytes);
    failures.push(`case ${number}, ${file}: Python's columns and ${format}: ${why}`);
    console.log(failures.at(-1));
  }
}

async function damaged(number, set, random) {
  const format = random.pick(Object.keys(FORMATS));
  const { document, said, columns: named } = FORMATS[format];
  const names = Object.keys(DAMAGES).filter((name) => given.damage === undefined || name === given.damage);
  for (const name of random.shuffle(names)) {
    const bytes = DAMAGES[name](document(set, random), random, set);
    if (bytes === undefined) continue;
    const file = join(folder, `${number}-${format}.txt`);
    const answer = await check(number, `${format}, ${name}`, file, bytes, named?.(set));
    if (given.silent && answer !== undefined && answer.refused === undefined && await deviation(set, said, answer) !== null) {
      const key = `${format}: ${name}${answer.remarks.length > 0 ? ", with a remark" : ""}`;
      silent.set(key, [...(silent.get(key) ?? []), number]);
    }
    return;
  }
}

async function one(number) {
  const random = new Random((Number(given.seed) * 1_000_003 + number) | 0);
  const set = trajectories(random);
  counts.cases++;
  // Every tenth case is whole.
  await (number % 10 === 0 && given.damage === undefined ? undamaged : damaged)(number, set, random);
}

const all = given.case === undefined ? [...Array(Number(given.cases)).keys()] : [Number(given.case)];
const next = all[Symbol.iterator]();
const work = async () => { for (const number of next) await one(number); };
await Promise.all([work(), work()]);
package_.end();
if (given.silent) {
  const kinds = [...silent].sort();
  kinds.forEach(([key, numbers]) => console.log(`accepted with other numbers: ${key}: ${numbers.length}, such as case ${numbers.slice(0, 3).join(", ")}`));
}
const { cases, files, accepted, refused, different } = counts;
console.log(`readers: ${cases} cases of seed ${given.seed}, ${files} files: ${accepted} accepted alike, ${refused} refused alike, ${different} different`);
if (different === 0 && given.folder === undefined) rmSync(folder, { recursive: true });
process.exitCode = different === 0 ? 0 : 1;
