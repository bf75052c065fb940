// Rollouts for the comparison of host and wasm: recorded ones, and walks of a seed.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** The folders of recorded batches: the repository's, and where they are present those that it has cuts of. */
const folders = [
  join(root, "core/tests/recordings/advantages"),
  resolve(root, process.env.HGPO_ORACLE ?? "../shared/oracle", "advantages"),
].filter((folder) => existsSync(folder));

function read(file) {
  const bytes = readFileSync(file);
  return JSON.parse(file.endsWith(".gz") ? gunzipSync(bytes) : bytes);
}

const lines = (trajectories) => trajectories.map((trajectory) => `${JSON.stringify(trajectory)}\n`).join("");

/** The recorded batches, one an object `{ name, rollouts, discount, penalty }`. */
export function recorded() {
  const files = folders.flatMap((folder) => readdirSync(folder).sort().map((name) => join(folder, name)));
  return files.map((name) => {
    const recording = read(name);
    const trajectories = new Map();
    recording.uid.forEach((task, row) => {
      const trajectory = recording.traj[row];
      const key = JSON.stringify([task, trajectory]);
      if (!trajectories.has(key)) trajectories.set(key, { task, trajectory, steps: [] });
      const [state, reward, valid] = [recording.obs[row], recording.rewards[row], recording.valid[row]];
      trajectories.get(key).steps.push({ state, reward, valid });
    });
    const rollouts = lines([...trajectories.values()]);
    return { name, rollouts, discount: recording.gamma, penalty: recording.invalid_coef };
  });
}

/** Numbers in 0..1 from a seed (mulberry32): the same on every machine. */
export function numbers(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Walks among a few places, with everything that a step can hold; rewards have all their digits. */
export function walks(seed) {
  const next = numbers(seed);
  const below = (limit) => Math.floor(next() * limit);
  const step = (place) => ({
    state: `You are at place ${place}. You see ${"a shelf, ".repeat(place % 4)}a drawer.`,
    reward: below(3) === 0 ? (next() - 0.3) * 10 ** below(6) : 0,
    valid: below(8) > 0,
    context: `came by ${below(3)}`,
    embedding: [place - 3, (place * place) % 5, 1 / (place + 1)],
    agent: ["planner", "coder"][below(2)],
    action: ["look", "walk on", "walk far"][below(3)],
  });
  const trajectory = (task, member) => {
    let place = 0;
    const steps = Array.from({ length: 1 + below(24) }, () => step(place = (place + below(3)) % 8));
    return { task: `g${task}`, trajectory: `t${member}`, ...(member % 2 ? { success: below(2) === 1 } : {}), steps };
  };
  const trajectories = Array.from({ length: 24 }, (_, index) => trajectory(index % 3, Math.floor(index / 3)));
  return { name: `seed ${seed}`, rollouts: lines(trajectories), discount: 0.9 + next() / 10, penalty: next() };
}
