//! Questions of two hops: from a name to another, and from there to the answer.

use super::relation::Relation;

/// A way to ask: which relations, and the words around the name that the question begins from.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Pattern {
    /// Its name, for reporting success by kind.
    pub(super) name: &'static str,
    /// From the name to the bridge, and from the bridge to the answer.
    pub(super) hops: [Relation; 2],
    before: &'static str,
    after: &'static str,
}

impl Pattern {
    const fn new(
        name: &'static str,
        hops: [Relation; 2],
        [before, after]: [&'static str; 2],
    ) -> Self {
        Self { name, hops, before, after }
    }

    /// The question about a name.
    pub(super) fn ask(&self, name: &str) -> String {
        format!("{}{name}{}", self.before, self.after)
    }

    /// The pattern of a question, and the name that it is about.
    pub(super) fn read(question: &str) -> Option<(&'static Self, &str)> {
        PATTERNS.iter().find_map(|pattern| {
            let name = question.strip_prefix(pattern.before)?.strip_suffix(pattern.after)?;
            Some((pattern, name))
        })
    }

    /// The words around names.
    pub(super) fn texts(&self) -> [&'static str; 2] {
        [self.before, self.after]
    }
}

use Relation::{Home, Keeper, Owner, Place, Site, Teacher, Warden, Workplace, Writer};

/// Every pattern.
pub(super) const PATTERNS: &[Pattern] = &[
    Pattern::new("owner-home", [Owner, Home], ["Name the town where the owner of the ", " lives."]),
    Pattern::new(
        "owner-workplace",
        [Owner, Workplace],
        ["Name the building where the owner of the ", " works."],
    ),
    Pattern::new(
        "owner-teacher",
        [Owner, Teacher],
        ["Name the person who taught the owner of the ", "."],
    ),
    Pattern::new(
        "writer-home",
        [Writer, Home],
        ["Name the town where the writer of the ", " lives."],
    ),
    Pattern::new(
        "writer-workplace",
        [Writer, Workplace],
        ["Name the building where the writer of the ", " works."],
    ),
    Pattern::new(
        "writer-teacher",
        [Writer, Teacher],
        ["Name the person who taught the writer of the ", "."],
    ),
    Pattern::new(
        "keeper-home",
        [Keeper, Home],
        ["Name the town where the keeper of the ", " lives."],
    ),
    Pattern::new(
        "keeper-workplace",
        [Keeper, Workplace],
        ["Name the building where the keeper of the ", " works."],
    ),
    Pattern::new(
        "keeper-teacher",
        [Keeper, Teacher],
        ["Name the person who taught the keeper of the ", "."],
    ),
    Pattern::new(
        "teacher-home",
        [Teacher, Home],
        ["Name the town where the teacher of ", " lives."],
    ),
    Pattern::new(
        "place-site",
        [Place, Site],
        ["Name the town where the building with the ", " stands."],
    ),
    Pattern::new(
        "place-warden",
        [Place, Warden],
        ["Name the person who runs the building with the ", "."],
    ),
    Pattern::new(
        "workplace-site",
        [Workplace, Site],
        ["Name the town where the workplace of ", " stands."],
    ),
    Pattern::new(
        "workplace-warden",
        [Workplace, Warden],
        ["Name the person who runs the workplace of ", "."],
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_are_read_as_they_were_written() {
        for pattern in PATTERNS {
            let question = pattern.ask("blue lamp");
            assert_eq!(Pattern::read(&question), Some((pattern, "blue lamp")), "{question}");
        }
        assert_eq!(Pattern::read("Name the moon."), None);
    }
}
