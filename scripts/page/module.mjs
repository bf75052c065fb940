// The page's programs: compiled by cargo, bound to JavaScript by wasm-bindgen, made small or fast by wasm-opt.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";

import { buildSync } from "esbuild";

// What rustc emits may be used, and nothing more: with --all-features, browsers refuse the module.
const features = [
  "--strip-producers", "--strip-target-features", "--enable-bulk-memory", "--enable-nontrapping-float-to-int",
  "--enable-sign-ext", "--enable-mutable-globals", "--enable-reference-types", "--enable-multivalue",
];

const small = [
  "-O2", "--low-memory-unused", "--flatten", "--rereloop", "-O2",
  "--one-caller-inline-max-function-size=50", "--always-inline-max-function-size=4", "--reorder-locals",
  "--reorder-functions-by-name", ...features,
];

// Of a program in two modules, each is optimized without the other: no pass may know all that is called.
const web = { package: "hgpo-web", compiled: "hgpo-web.wasm", profile: "page", optimization: small, late: "late" };

/** The page in each language, as small as it gets. */
export const pages = [
  { name: "hgpo-web-en", ...web },
  { name: "hgpo-web-ko", options: ["--features=korean"], ...web },
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

/** Binds a program to JavaScript, in a folder; what it fetches late is split off. */
function bind(root, folder, compiled, { name, late }) {
  const bound = (module) =>
    run(root, "wasm-bindgen", "--target=web", "--no-typescript", "--keep-lld-exports", `--out-dir=${folder}`, `--out-name=${name}`, module);
  if (!late) return bound(compiled);
  run(root, "wasm-split-cli", compiled, folder, `--out-name=${name}`);
  bound(join(folder, `${name}.wasm`));
  rmSync(join(folder, `${name}.wasm`));
  renameSync(join(folder, `split_${late}.wasm`), join(folder, `${name}_${late}_bg.wasm`));
  const linking = join(folder, "__wasm_split.js");
  // Browsers keep failures under the address that failed.
  const [before, after] = [`"./split_${late}.wasm"`, `\`./${name}_${late}_bg.wasm\${tries++ ? \`?retry=\${tries}\` : ""}\``];
  const text = readFileSync(linking, "utf8");
  if (text.split(before).length !== 2) throw new Error("what is fetched late is not as expected");
  writeFileSync(linking, `let tries = 0;\n${text.replace(before, after)}`);
  const script = join(folder, `${name}.js`);
  const { outputFiles: [whole] } = buildSync({ entryPoints: [script], bundle: true, format: "esm", write: false });
  rmSync(linking);
  return writeFileSync(script, whole.contents);
}

/** The folder of the bound and optimized modules, made unless it is there from an earlier build. */
function optimized(root, target, compiled, program) {
  const { name, optimization } = program;
  const key = createHash("sha256").update(readFileSync(compiled)).update(optimization.join(" "))
    .update(readFileSync(join(root, "scripts", "package-lock.json"))).digest("hex").slice(0, 16);
  const folder = join(target, `module-${name}-${key}`);
  if (existsSync(folder)) return folder;
  const draft = mkdtempSync(join(target, "draft-"));
  bind(root, draft, compiled, program);
  for (const module of modulesOf(draft)) run(root, "wasm-opt", ...optimization, module, `--output=${module}`);
  if (existsSync(folder)) rmSync(draft, { recursive: true }); // another build was faster
  else renameSync(draft, folder);
  return folder;
}

/** The modules in a folder, the one that is loaded first first. */
const modulesOf = (folder) => readdirSync(folder).filter((file) => file.endsWith("_bg.wasm"))
  .sort((one, other) => one.length - other.length).map((file) => join(folder, file));

/** The script and the modules of a program by their names, of the sources as they are. */
export function builtModule(root, target, program, cargoOptions) {
  const { name, compiled, profile, options = [] } = program;
  run(root, "cargo", "build", "--quiet", `--profile=${profile}`, "--target=wasm32-unknown-unknown",
    `--package=${program.package}`, ...options, ...cargoOptions);
  mkdirSync(target, { recursive: true });
  const folder = optimized(root, target, join(target, "wasm32-unknown-unknown", profile, compiled), program);
  const script = readFileSync(join(folder, `${name}.js`), "utf8");
  const modules = modulesOf(folder).map((path) => [basename(path), readFileSync(path)]);
  for (const entry of readdirSync(target)) {
    const path = join(target, entry);
    if (entry.startsWith(`module-${name}-`) && path !== folder) rmSync(path, { recursive: true, force: true });
  }
  return { ...program, script, modules };
}
