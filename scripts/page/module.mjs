// The page's program: compiled by cargo, bound to JavaScript by wasm-bindgen, made small by wasm-opt.
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
function optimized(root, target, compiled) {
  const key = createHash("sha256").update(readFileSync(compiled)).update(optimization.join(" "))
    .update(readFileSync(join(root, "scripts", "package-lock.json"))).digest("hex").slice(0, 16);
  const folder = join(target, `module-${key}`);
  if (existsSync(folder)) return folder;
  const draft = mkdtempSync(join(target, "draft-"));
  run(root, "wasm-bindgen", "--target=web", "--no-typescript", `--out-dir=${draft}`, "--out-name=hgpo-web", compiled);
  const module = join(draft, "hgpo-web_bg.wasm");
  run(root, "wasm-opt", ...optimization, module, `--output=${module}`);
  if (existsSync(folder)) rmSync(draft, { recursive: true }); // another build was faster
  else renameSync(draft, folder);
  return folder;
}

/** The languages of the page with the feature that each is built with. */
export const languages = new Map([["en", []], ["ko", ["--features=korean"]]]);

/** The scripts and the modules that the page starts, by language, of the sources as they are. */
export function builtModules(root, target, cargoOptions) {
  const folders = new Map();
  for (const [language, features] of languages) {
    run(root, "cargo", "build", "--quiet", "--profile=page", "--target=wasm32-unknown-unknown", "--package=hgpo-web",
      ...features, ...cargoOptions);
    mkdirSync(target, { recursive: true });
    folders.set(language, optimized(root, target, join(target, "wasm32-unknown-unknown", "page", "hgpo-web.wasm")));
  }
  for (const name of readdirSync(target)) {
    const path = join(target, name);
    if (name.startsWith("module-") && ![...folders.values()].includes(path)) rmSync(path, { recursive: true, force: true });
  }
  return new Map([...folders].map(([language, folder]) => [language, {
    script: readFileSync(join(folder, "hgpo-web.js"), "utf8"),
    module: readFileSync(join(folder, "hgpo-web_bg.wasm")),
  }]));
}
