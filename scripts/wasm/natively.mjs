// A training by `hgpo train` with settings as lanes take them.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Settings as TOML, a dotted key a line. */
const toml = (settings, prefix = "") => Object.entries(settings).map(([name, value]) =>
  value !== null && typeof value === "object" && !Array.isArray(value)
    ? toml(value, `${prefix}${name}.`)
    : `${prefix}${name} = ${JSON.stringify(value)}\n`).join("");

/** The lines of metrics.jsonl of a run of one thread. The settings must be complete: what is left out of an
 * estimator would be as in the program's default run, and not as is usual for that estimator. */
export function natively(program, settings) {
  const folder = mkdtempSync(join(tmpdir(), "hgpo-"));
  try {
    writeFileSync(join(folder, "config.toml"), toml(settings));
    const options = ["--config", "config.toml", "--device", "cpu", "--threads", "1", "--name", "lane"];
    execFileSync(program, ["train", ...options], { cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
    return readFileSync(join(folder, "runs/lane/metrics.jsonl"), "utf8").trimEnd().split("\n");
  } finally {
    rmSync(folder, { recursive: true });
  }
}
