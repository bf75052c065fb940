// A training by `hgpo train` with settings as lanes take them.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Settings as flags of the program: those of tables are joined by dots. */
const flags = (settings, prefix = "") => Object.entries(settings).flatMap(([name, value]) =>
  value !== null && typeof value === "object" && !Array.isArray(value)
    ? flags(value, `${prefix}${name}.`)
    : ["--set", `${prefix}${name}=${typeof value === "string" ? value : JSON.stringify(value)}`]);

/** The lines of metrics.jsonl of a run of one thread. */
export function natively(program, settings) {
  const folder = mkdtempSync(join(tmpdir(), "hgpo-"));
  try {
    const options = ["--device", "cpu", "--threads", "1", "--name", "lane", ...flags(settings)];
    execFileSync(program, ["train", ...options], { cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
    return readFileSync(join(folder, "runs/lane/metrics.jsonl"), "utf8").trimEnd().split("\n");
  } finally {
    rmSync(folder, { recursive: true });
  }
}
