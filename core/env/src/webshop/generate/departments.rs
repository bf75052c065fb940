//! Departments with their kinds of product, attributes and options.

/// A department.
#[derive(Debug)]
pub(super) struct Department {
    pub(super) name: &'static str,
    /// Kinds of product.
    pub(super) kinds: [&'static str; 3],
    /// What its products can be like.
    pub(super) attributes: [&'static str; 6],
    /// Options by name, with all their values. No value contains the name of a colour that it is not,
    /// which the reward would take it for.
    pub(super) options: [(&'static str, [&'static str; 4]); 2],
}

const COLOURS: [&str; 4] = ["red", "blue", "green", "white"];
const SIZES: [&str; 4] = ["small", "medium", "large", "huge"];
const PACKS: [&str; 4] = ["single", "double", "triple", "dozen"];
const PATTERNS: [&str; 4] = ["plain", "striped", "dotted", "zigzag"];

/// All departments.
pub(super) const DEPARTMENTS: [Department; 4] = [
    Department {
        name: "lighting",
        kinds: ["lamp", "lantern", "torch"],
        attributes: ["dimmable", "cordless", "foldable", "shatterproof", "tiltable", "magnetic"],
        options: [("colour", COLOURS), ("size", SIZES)],
    },
    Department {
        name: "travel",
        kinds: ["rucksack", "suitcase", "pouch"],
        attributes: ["padded", "lockable", "waterproof", "expandable", "wheeled", "featherlight"],
        options: [("colour", COLOURS), ("pattern", PATTERNS)],
    },
    Department {
        name: "kitchen",
        kinds: ["kettle", "teapot", "beaker"],
        attributes: ["stackable", "insulated", "unbreakable", "engraved", "whistling", "spoutless"],
        options: [("pack", PACKS), ("size", SIZES)],
    },
    Department {
        name: "clothing",
        kinds: ["scarf", "jumper", "mittens"],
        attributes: ["washable", "quilted", "fleecy", "stretchy", "breathable", "reversible"],
        options: [("pack", PACKS), ("pattern", PATTERNS)],
    },
];

/// Kinds of product in all departments.
pub(super) const KINDS: usize = DEPARTMENTS.len() * 3;

/// Whose products they are.
pub(super) const BRANDS: [&str; 8] =
    ["Quillfen", "Tarnook", "Brevane", "Osmerly", "Dunvara", "Pellisk", "Wrenhollow", "Kestivar"];

/// Where they are used.
pub(super) const PLACES: [&str; 6] = ["attic", "garden", "harbour", "island", "office", "village"];

/// What they cost, in whole dollars: the least and the most.
pub(super) const PRICES: (usize, usize) = (5, 95);
