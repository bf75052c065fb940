//! PDDL type hierarchy.

use std::collections::HashMap;

/// A type by its number.
pub(crate) type TypeId = u16;

/// The type that everything is of.
pub(crate) const OBJECT: &str = "object";

/// Types by name, each with those above it.
#[derive(Clone, Debug)]
pub(crate) struct Types {
    names: Vec<String>,
    numbers: HashMap<String, TypeId>,
    declared: Vec<bool>,
    parents: Vec<Vec<TypeId>>,
    /// `above[t]` holds t and every type above it.
    above: Vec<Vec<TypeId>>,
}

impl Types {
    /// Only `object`.
    pub(super) fn new() -> Self {
        let mut types = Self {
            names: Vec::new(),
            numbers: HashMap::new(),
            declared: Vec::new(),
            parents: Vec::new(),
            above: Vec::new(),
        };
        let object = types.number(OBJECT);
        types.declared[usize::from(object)] = true;
        types
    }

    /// The number of a name; a name that is new becomes a type of which nothing is.
    pub(super) fn number(&mut self, name: &str) -> TypeId {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let number = self.names.len() as TypeId;
        self.names.push(name.to_owned());
        self.numbers.insert(name.to_owned(), number);
        self.declared.push(false);
        self.parents.push(Vec::new());
        self.above.push(vec![number]);
        number
    }

    /// Declares a type below another.
    pub(super) fn declare(&mut self, name: &str, parent: &str) {
        let [number, parent] = [name, parent].map(|name| self.number(name));
        self.declared[usize::from(number)] = true;
        // The released domain lists `object` itself, which then is below `object`.
        if number != parent && !self.parents[usize::from(number)].contains(&parent) {
            self.parents[usize::from(number)].push(parent);
        }
    }

    /// Works out which types are above which; a type above itself is returned as the error.
    pub(super) fn settle(&mut self) -> Result<(), String> {
        for start in 0..self.names.len() {
            let mut above = vec![start as TypeId];
            let mut next = 0;
            while let Some(&at) = above.get(next) {
                for &parent in &self.parents[usize::from(at)] {
                    if usize::from(parent) == start {
                        return Err(self.names[start].clone());
                    }
                    if !above.contains(&parent) {
                        above.push(parent);
                    }
                }
                next += 1;
            }
            self.above[start] = above;
        }
        Ok(())
    }

    /// A declared type's number.
    pub(crate) fn declared(&self, name: &str) -> Option<TypeId> {
        self.numbers.get(name).copied().filter(|&number| self.declared[usize::from(number)])
    }

    /// A type's name.
    pub(crate) fn name(&self, number: TypeId) -> &str {
        &self.names[usize::from(number)]
    }

    /// How many types there are.
    pub(crate) fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether something of type `below` is of type `above` too.
    pub(crate) fn is_a(&self, below: TypeId, above: TypeId) -> bool {
        self.above[usize::from(below)].contains(&above)
    }

    /// The types right below one, in the order in which they were declared.
    pub(crate) fn children(&self, parent: TypeId) -> impl Iterator<Item = TypeId> {
        let below = move |&at: &usize| self.parents[at].contains(&parent);
        (0..self.names.len()).filter(below).map(|at| at as TypeId)
    }
}
