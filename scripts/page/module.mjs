// The page's programs: compiled by cargo, bound to JavaScript by wasm-bindgen, made small by wasm-opt.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";

// What rustc emits may be used, and nothing more: with --all-features, browsers refuse the module.
const optimization = [
  "-O2", "--low-memory-unused", "--flatten", "--rereloop", "-O2", "--gufa-optimizing", "-O2",
  "--one-caller-inline-max-function-size=50", "--always-inline-max-function-size=4", "--reorder-locals",
  "--reorder-functions-by-name", "--strip-producers", "--strip-target-features", "--enable-bulk-memory",
  "--enable-nontrapping-float-to-int", "--enable-sign-ext", "--enable-mutable-globals",
  "--enable-reference-types", "--enable-multivalue",
];

function run(root, command, ...values) {
  const { status, error } = spawnSync(command, values, { cwd: root, stdio: ["ignore", "inherit", "inherit"] });
  if (error) throw new Error(`${command}: ${error.message}`);
  if (status !== 0) throw new Error(`${command} failed`);
}

/** The folder of the bound and optimized module, made unless it is there from an earlier build. */
function optimized(root, target, name, compiled) {
  const key = createHash("sha256").update(readFileSync(compiled)).update(optimization.join(" "))
    .update(readFileSync(join(root, "scripts", "package-lock.json"))).digest("hex").slice(0, 16);
  const folder = join(target, `module-${key}`);
  if (existsSync(folder)) return folder;
  const draft = mkdtempSync(join(target, "draft-"));
  run(root, "wasm-bindgen", "--target=web", "--no-typescript", `--out-dir=${draft}`, `--out-name=${name}`, compiled);
  const module = join(draft, `${name}_bg.wasm`);
  run(root, "wasm-opt", ...optimization, module, `--output=${module}`);
  if (existsSync(folder)) rmSync(draft, { recursive: true }); // another build was faster
  else renameSync(draft, folder);
  return folder;
}

const page = { name: "hgpo-web", compiled: "hgpo-web.wasm", options: [] };

/** The languages of the page. */
export const languages = ["en", "ko"];

/** What the page consists of: itself in every language, each built with a feature, and what is fetched later. */
const programs = new Map([
  ["en", page],
  ["ko", { ...page, options: ["--features=korean"] }],
  ["overview", { name: "hgpo-overview", compiled: "hgpo_overview.wasm", options: [] }],
]);

/** The scripts and the modules of all programs, of the sources as they are. */
export function builtModules(root, target, cargoOptions) {
  const folders = new Map();
  for (const [program, { name, compiled, options }] of programs) {
    run(root, "cargo", "build", "--quiet", "--profile=page", "--target=wasm32-unknown-unknown", `--package=${name}`,
      ...options, ...cargoOptions);
    mkdirSync(target, { recursive: true });
    folders.set(program, optimized(root, target, name, join(target, "wasm32-unknown-unknown", "page", compiled)));
  }
  for (const entry of readdirSync(target)) {
    const path = join(target, entry);
    if (entry.startsWith("module-") && ![...folders.values()].includes(path)) rmSync(path, { recursive: true, force: true });
  }
  return new Map([...folders].map(([program, folder]) => {
    const { name } = programs.get(program);
    const script = readFileSync(join(folder, `${name}.js`), "utf8");
    return [program, { script, module: readFileSync(join(folder, `${name}_bg.wasm`)) }];
  }));
}
