// The three readers of rollouts files: the program, the Python package, and the page's module as wasm. Each takes a file, and
// names of columns if there are, and answers `{ advantages, remarks }`, the advantages by trajectory, or `{ refused }`, the reason without the file's name.
import { execFile, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** The advantages of lines as `hgpo advantages` writes them. */
const byTrajectory = (lines) => Object.fromEntries(lines.split("\n").filter((line) => line !== "").map((line) => {
  const { task, trajectory, advantages } = JSON.parse(line);
  return [JSON.stringify([task, trajectory]), advantages];
}));

/** `hgpo advantages`, in a process of its own each time. */
export function program(path, ...options) {
  const run = (file, columns, done) =>
    execFile(path, ["advantages", file, ...options, ...(columns ? ["--columns", columns] : [])], { maxBuffer: 2 ** 28 }, done);
  return (file, columns) => new Promise((resolve, reject) => run(file, columns, (failure, out, said) => {
    const told = said.split("\n").filter((line) => line !== "");
    const rest = (line, kind) => line.startsWith(`${kind}: ${file}: `) ? line.slice(`${kind}: ${file}: `.length) : line;
    if (failure === null) resolve({ advantages: byTrajectory(out), remarks: told.map((line) => rest(line, "warning")) });
    else if (failure.code === 1) resolve({ refused: rest(told.join("\n"), "error") });
    else reject(new Error(`${file}: ${failure.message} ${said}`));
  }));
}

/** The Python package, in one process; also takes columns. */
export function python(path) {
  const process = spawn(path, [fileURLToPath(new URL("python_reader.py", import.meta.url))], { stdio: ["pipe", "pipe", "inherit"] });
  const waiting = [];
  createInterface({ input: process.stdout }).on("line", (line) => waiting.shift()?.(JSON.parse(line)));
  process.on("exit", (code) => waiting.forEach((resolve) => resolve({ refused: `Python ended with ${code}` })));
  const ask = (asked) => new Promise((resolve) => {
    waiting.push(resolve);
    process.stdin.write(`${JSON.stringify(asked)}\n`);
  });
  return { read: (file, named) => ask({ file, named }), columns: (columns) => ask({ columns }), end: () => process.stdin.end() };
}

/** The page's module, as wasm in this process. */
export function page(script) {
  const wasm = createRequire(import.meta.url)(script);
  return async (file, columns) => {
    const { refused, advantages, remarks } = JSON.parse(wasm.page(readFileSync(file), columns ?? ""));
    return refused === undefined ? { advantages: byTrajectory(advantages), remarks } : { refused };
  };
}

/** An answer by the places of trajectories, whatever their names are. */
export const byPlace = (answer) => answer.advantages === undefined ? answer : { advantages: { ...Object.values(answer.advantages) } };

/** What tells one answer from another: null where both are the same, bit for bit. */
export function difference(one, other) {
  if (one.refused !== undefined || other.refused !== undefined) {
    return one.refused === other.refused ? null : `${one.refused ?? "accepted"}\n  ${other.refused ?? "accepted"}`;
  }
  const names = [...new Set([...Object.keys(one.advantages), ...Object.keys(other.advantages)])];
  for (const name of names) {
    const [left, right] = [one, other].map((answer) => answer.advantages[name] ?? []);
    const at = left.length === right.length ? left.findIndex((number, step) => !Object.is(number, right[step])) : 0;
    if (at >= 0) return `${name}, step ${at}: ${left[at]} and ${right[at]} (${left.length} and ${right.length} steps)`;
  }
  const [left, right] = [one, other].map((answer) => (answer.remarks ?? []).join("; "));
  return left === right ? null : `remarks: ${left}\n  ${right}`;
}
