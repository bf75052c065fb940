// The page's programs: compiled by cargo, bound to JavaScript by wasm-bindgen, made small by wasm-opt.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";

/** The packages that the page consists of: the first is what it starts, the others are fetched when they are
 * first needed. */
export const packages = ["hgpo-web", "hgpo-overview"];

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

/** What cargo calls the module of a package: a program by its name, a library by that of its crate. */
function compiledModule(target, name) {
  const folder = join(target, "wasm32-unknown-unknown", "page");
  const [program, library] = [name, name.replaceAll("-", "_")].map((file) => join(folder, `${file}.wasm`));
  return existsSync(program) ? program : library;
}

/** The folder of a bound and optimized module, made unless it is there from an earlier build. */
function optimized(root, target, name) {
  const compiled = compiledModule(target, name);
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

/** The script and the module of every package, of the sources as they are. */
export function builtModules(root, target, cargoOptions) {
  run(root, "cargo", "build", "--quiet", "--profile=page", "--target=wasm32-unknown-unknown",
    ...packages.map((name) => `--package=${name}`), ...cargoOptions);
  mkdirSync(target, { recursive: true });
  const folders = packages.map((name) => optimized(root, target, name));
  for (const entry of readdirSync(target)) {
    const path = join(target, entry);
    if (entry.startsWith("module-") && !folders.includes(path)) rmSync(path, { recursive: true, force: true });
  }
  return packages.map((name, place) => ({
    name,
    script: readFileSync(join(folders[place], `${name}.js`), "utf8"),
    module: readFileSync(join(folders[place], `${name}_bg.wasm`)),
  }));
}
