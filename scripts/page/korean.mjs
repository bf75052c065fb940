// Korean states and actions of the worked examples, as assets/presets/korean.json has them.
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** What says a state or an action of an example in Korean: as it is, where it has no Korean word. */
export function korean(root) {
  const words = JSON.parse(readFileSync(join(root, "assets", "presets", "korean.json"), "utf8"));
  return (word) => (Object.hasOwn(words, word) ? words[word] : word);
}

const NAMES = ["state", "action", "situation", "next", "name"];

/** The text of a process with its states, actions and situations in Korean. */
export function koreanProcess(root, text) {
  const say = korean(root);
  return JSON.stringify(JSON.parse(text, (key, value) => (NAMES.includes(key) && typeof value === "string" ? say(value) : value)));
}

/** A word in both languages as it stands in index.html; once, where it is the same in both. */
export const inBoth = ([english, own]) => (english === own ? english : `<span lang="en">${english}</span><span lang="ko">${own}</span>`);
