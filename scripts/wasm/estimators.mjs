// The names of all estimators, from the registry in the library's source.
import { readFileSync } from "node:fs";

const registry = readFileSync(new URL("../../core/src/estimator/mod.rs", import.meta.url), "utf8");

export const estimators = [...registry.matchAll(/^ {4}"([a-z0-9-]+)" => /gm)].map(([, name]) => name).sort();
