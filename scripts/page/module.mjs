// The page's programs: compiled by cargo, bound to JavaScript by wasm-bindgen, made small or fast by wasm-opt.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";

// What rustc emits may be used, and nothing more: with --all-features, browsers refuse the module.
const features = [
  "--strip-producers", "--strip-target-features", "--enable-bulk-memory", "--enable-nontrapping-float-to-int",
  "--enable-sign-ext", "--enable-mutable-globals", "--enable-reference-types", "--enable-multivalue",
];

const small = [
  "-O2", "--low-memory-unused", "--flatten", "--rereloop", "-O2", "--gufa-optimizing", "-O2",
  "--one-caller-inline-max-function-size=50", "--always-inline-max-function-size=4", "--reorder-locals",
  "--reorder-functions-by-name", ...features,
];

const web = { package: "hgpo-web", compiled: "hgpo-web.wasm", profile: "page", optimization: small };

/** The page itself in each language and what it fetches later, as small as it gets. */
export const pages = [
  { name: "hgpo-web-en", ...web },
  { name: "hgpo-web-ko", options: ["--features=korean"], ...web },
  { name: "hgpo-overview", package: "hgpo-overview", compiled: "hgpo_overview.wasm", profile: "page", optimization: small },
  { name: "hgpo-training", package: "hgpo-training", compiled: "hgpo_training.wasm", profile: "page", optimization: small },
];

/** Its workers, as fast as they get: the one that knows the truth of processes, and the one that trains. */
export const workers = Object.entries({ "hgpo-worker": "process", "hgpo-lane": "training" }).map(([name, job]) => ({
  name, job, package: "hgpo-worker", compiled: "hgpo_worker.wasm", profile: "worker", options: ["--no-default-features", `--features=${job}`],
  optimization: ["-O4", "--low-memory-unused", "--gufa-optimizing", "-O3", ...features],
}));

function run(root, command, ...values) {
  const { status, error } = spawnSync(command, values, { cwd: root, stdio: ["ignore", "inherit", "inherit"] });
  if (error) throw new Error(`${command}: ${error.message}`);
  if (status !== 0) throw new Error(`${command} failed`);
}

/** The folder of the bound and optimized module, made unless it is there from an earlier build. */
function optimized(root, target, compiled, { name, optimization }) {
  const key = createHash("sha256").update(readFileSync(compiled)).update(optimization.join(" "))
    .update(readFileSync(join(root, "scripts", "package-lock.json"))).digest("hex").slice(0, 16);
  const folder = join(target, `module-${name}-${key}`);
  if (existsSync(folder)) return folder;
  const draft = mkdtempSync(join(target, "draft-"));
  run(root, "wasm-bindgen", "--target=web", "--no-typescript", `--out-dir=${draft}`, `--out-name=${name}`, compiled);
  const module = join(draft, `${name}_bg.wasm`);
  run(root, "wasm-opt", ...optimization, module, `--output=${module}`);
  if (existsSync(folder)) rmSync(draft, { recursive: true }); // another build was faster
  else renameSync(draft, folder);
  return folder;
}

/** The script and the module of a program, of the sources as they are. */
export function builtModule(root, target, program, cargoOptions) {
  const { name, compiled, profile, options = [] } = program;
  run(root, "cargo", "build", "--quiet", `--profile=${profile}`, "--target=wasm32-unknown-unknown",
    `--package=${program.package}`, ...options, ...cargoOptions);
  mkdirSync(target, { recursive: true });
  const folder = optimized(root, target, join(target, "wasm32-unknown-unknown", profile, compiled), program);
  const script = readFileSync(join(folder, `${name}.js`), "utf8");
  const module = readFileSync(join(folder, `${name}_bg.wasm`));
  for (const entry of readdirSync(target)) {
    const path = join(target, entry);
    if (entry.startsWith(`module-${name}-`) && path !== folder) rmSync(path, { recursive: true, force: true });
  }
  return { ...program, script, module };
}
