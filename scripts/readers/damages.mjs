// Every damage that a tool can do to a file: each a function of a document and a source of chance, which gives the bytes,
// or nothing where it has nothing to damage. OF_OBJECTS reach into fields, OF_LINES move lines, OF_BYTES know no format.
import { FORMATS, text, written } from "./formats.mjs";

const bytes = (it) => Buffer.from(typeof it === "string" ? it : text(it));

/** A document with one object's field, or one cell, changed: `change(value, name)` gives another one, an array several
 * fields, undefined none. */
function field(change, fits = () => true) {
  return (document, random) => {
    const copy = structuredClone(document);
    if (copy.format === "csv") {
      const places = copy.records.flatMap((cells, row) => cells.map((cell, column) => ({ row, column, cell }))).filter(({ cell }) => fits(cell));
      if (places.length === 0) return undefined;
      const { row, column, cell } = random.pick(places);
      copy.records[row].splice(column, 1, ...[change(cell, copy.header[column], true) ?? []].flat());
      return bytes(copy);
    }
    const objects = copy.records.flatMap((record) => [record, ...(record.steps ?? [])]);
    const places = objects.flatMap((it) => it.fields.map(([, value], at) => ({ it, at, value }))).filter(({ value }) => fits(value));
    if (places.length === 0) return undefined;
    const { it, at, value } = random.pick(places);
    const [name] = it.fields[at];
    it.fields.splice(at, 1, ...[change(value, name, false) ?? []].flat().map((value) => [name, value]));
    return bytes(copy);
  };
}

/** A document with a field of all objects, or a column, changed. */
function column(change) {
  return (document, random) => {
    const copy = structuredClone(document);
    if (copy.format === "csv") {
      const at = random.below(copy.header.length);
      copy.records = [copy.header, ...copy.records].map((cells) => cells.flatMap((cell, place) => place === at ? change(cell, cells === copy.header) : [cell]));
      copy.header = copy.records.shift();
      return bytes(copy);
    }
    const objects = copy.records.flatMap((record) => [record, ...(record.steps ?? [])]);
    const name = random.pick(random.pick(objects).fields)[0];
    for (const it of objects) it.fields = it.fields.flatMap(([key, value]) => key === name ? change(key, true).map((key) => [key, value]) : [[key, value]]);
    return bytes(copy);
  };
}

const isNumber = (value) => /^-?\d/.test(value);
const isFlag = (value) => value === "true" || value === "false";
const capital = (name) => name[0].toUpperCase() + name.slice(1);

const OF_OBJECTS = {
  "value missing": field((_value, _name, isCell) => isCell ? "" : undefined),
  "value and its comma missing": field(() => undefined),
  "value null": field(() => "null"),
  "value NaN": field(() => "NaN"),
  "value infinite": field((value) => value.startsWith("-") ? "-inf" : "Infinity", isNumber),
  "value None": field((_value, _name, isCell) => isCell ? "None" : "\"None\""),
  "number as text": field((value) => JSON.stringify(value), isNumber),
  "number with a comma": field((value) => value.includes(".") ? value.replace(".", ",") : `${value},5`, isNumber),
  "number in pieces": field((value) => `${value.slice(0, 1)} ${value.slice(1)}`, isNumber),
  "text as number": field(() => "12"),
  "flag as number": field((value) => value === "true" ? "1.0" : "0", isFlag),
  "flag as word": field((value, _name, isCell) => isCell ? capital(value) : `"${capital(value)}"`, isFlag),
  "flag as yes": field((value, _name, isCell) => (value === "true" ? ["yes"] : ["no"]).map((it) => isCell ? it : `"${it}"`), isFlag),
  "value in spaces": field((value) => ` ${value} `),
  "value twice": field((value) => [value, value]),
  "column twice": column((it) => [it, it]),
  "column missing": column(() => []),
  "column renamed": column((name, isName) => [isName ? capital(name) : name]),
  "column renamed in one file": column((name, isName) => [isName ? `${name} ` : name]),
};

/** A document with its records in another order. The header of CSV stays. */
const records = (change) => (document, random) => bytes({ ...document, records: change(document.records, random, document) });
const at = (change) => records((all, random) => change([...all], random.below(all.length), random));

const OF_LINES = {
  "records shuffled": records((all, random) => random.shuffle(all)),
  "records swapped": at((all, place) => (all.splice(place, 2, ...all.slice(place, place + 2).reverse()), all)),
  "record twice": at((all, place) => (all.splice(place, 0, all[place]), all)),
  "record twice, apart": at((all, place, random) => (all.splice(random.below(all.length + 1), 0, all[place]), all)),
  "record lost": at((all, place) => (all.splice(place, 1), all)),
  "records twice": records((all) => [...all, ...all]),
  "file twice": (document) => bytes(text(document) + text(document)),
  "half of the file again": (document, random) => bytes(text(document) + text(document).slice(-random.below(200))),
  "blank lines": (document, random) => bytes(written(document).flatMap((line) => random.chance(0.4) ? [random.pick(["", "  ", "\t", "\r"]), line] : [line])),
  "a comment": (document, random) => bytes([`# ${random.below(10)} lines`, ...written(document)]),
  "another format": (document, random, set) => {
    const others = Object.values(FORMATS).map((it) => it.document(set, random)).filter((it) => it.format !== document.format);
    return bytes(text(document) + text(random.pick(others)));
  },
  "one array": (document) => document.format === "csv" ? undefined : bytes(`[${written(document).join(",\n")}]\n`),
  "over several lines": (document) => document.format === "csv" ? undefined
    : bytes(written(document).map((line) => `${JSON.stringify(JSON.parse(line), null, 1)}\n`).join("")),
  "spaces after commas": (document) => document.format === "csv" ? bytes(text(document).replaceAll(",", ", ")) : undefined,
  "tabs": (document) => document.format === "csv" ? bytes(text(document).replaceAll(",", "\t")) : undefined,
  "round quotes": (document) => bytes(text(document).replace(/"([^"]*)"/g, "\u201c$1\u201d")),
  "single quotes": (document) => bytes(text(document).replaceAll("\"", "'")),
  "semicolons": (document) => document.format === "csv" ? bytes(text(document).replaceAll(",", ";")) : undefined,
};

/** The bytes with some of them replaced: from a place, so many, by others. */
const replaced = (all, from, count, by) => Buffer.concat([all.subarray(0, from), Buffer.from(by), all.subarray(from + count)]);
const spliced = (change) => (document, random) => {
  const all = bytes(document);
  const [from, count, by] = change(all, random) ?? [];
  return from === undefined ? undefined : replaced(all, from, count, by);
};
const places = (all, fits) => [...all.keys()].filter((place) => fits(all[place]));
const somewhere = (fits, change) => spliced((all, random) => {
  const fitting = places(all, fits);
  return fitting.length === 0 ? undefined : change(random.pick(fitting), random);
});
const encoded = (change) => (document) => change(text(document));

const OF_BYTES = {
  "cut": spliced((all, random) => { const end = random.below(all.length); return [end, all.length - end, ""]; }),
  "cut in the last line": spliced((all, random) => { const end = all.length - 1 - random.below(Math.min(30, all.length)); return [end, all.length - end, ""]; }),
  "cut in a character": (document, random) => {
    const all = bytes(document), fitting = places(all, (byte) => byte >= 0xc0);
    return fitting.length === 0 ? undefined : all.subarray(0, random.pick(fitting) + 1);
  },
  "no line break at the end": (document) => bytes(document).subarray(0, -1),
  "beginning lost": spliced((all, random) => [0, random.below(all.length), ""]),
  "middle lost": spliced((all, random) => { const from = random.below(all.length); return [from, random.below(Math.min(200, all.length - from)), ""]; }),
  "quote added": spliced((all, random) => [random.below(all.length), 0, "\""]),
  "quote lost": somewhere((byte) => byte === 0x22, (place) => [place, 1, ""]),
  "byte lost": somewhere(() => true, (place) => [place, 1, ""]),
  "line break lost": somewhere((byte) => byte === 0x0a, (place) => [place, 1, ""]),
  "line break added": somewhere(() => true, (place) => [place, 0, "\n"]),
  "bit flipped": (document, random) => { const all = bytes(document); all[random.below(all.length)] ^= 1 << random.below(8); return all; },
  "zeros at the end": (document, random) => { const all = bytes(document); all.fill(0, random.below(all.length)); return all; },
  "zero byte": spliced((all, random) => [random.below(all.length), 0, "\0"]),
  "Latin-1": encoded((it) => Buffer.from(it.replace(/[^\0-\xff]/g, "?"), "latin1")),
  "UTF-8 read as Latin-1": encoded((it) => Buffer.from(Buffer.from(it).toString("latin1"))),
  "read as ASCII": encoded((it) => Buffer.from(it.replace(/[^\0-\x7f]/g, "\ufffd"))),
  "UTF-16": encoded((it) => Buffer.from(`\ufeff${it}`, "utf16le")),
  "UTF-16, no mark": encoded((it) => Buffer.from(it, "utf16le")),
  "UTF-16, big": encoded((it) => Buffer.from(`\ufeff${it}`, "utf16le").swap16()),
  "mark": encoded((it) => Buffer.from(`\ufeff${it}`)),
  "mark twice": encoded((it) => Buffer.from(`\ufeff\ufeff${it}`)),
  "mark after a blank line": encoded((it) => Buffer.from(`\n\ufeff${it}`)),
  "mark in the middle": encoded((it) => Buffer.from(`${it}\ufeff${it}`)),
  "CRLF": encoded((it) => Buffer.from(it.replaceAll("\n", "\r\n"))),
  "CR": encoded((it) => Buffer.from(it.replaceAll("\n", "\r"))),
  "line separator": somewhere((byte) => byte === 0x0a || byte === 0x2c, (place) => [place, 1, "\u2028"]),
};

export const DAMAGES = { ...OF_OBJECTS, ...OF_LINES, ...OF_BYTES };
