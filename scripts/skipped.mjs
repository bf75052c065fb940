// What tests leave out is said in one way: by node's own word for it, and in the file that HGPO_SKIPPED names.
import { appendFileSync } from "node:fs";
import { basename } from "node:path";

/** Says that a test leaves out `what`, and `how` to get it; the reason that node is told. */
export function skipped(what, how) {
  const { HGPO_SKIPPED: file } = process.env;
  if (file) appendFileSync(file, `${what}\t${how}\t${basename(process.argv[1] ?? "")}\n`);
  return `${what}: ${how}`;
}
