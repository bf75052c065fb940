//! PDDL type hierarchy.

use std::collections::HashMap;

/// A type by its number.
pub(crate) type TypeId = u16;

/// The type that everything is of.
pub(crate) const OBJECT: &str = "object";

/// Types by name, each with those above it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Types {
    types: Vec<Type>,
    numbers: HashMap<String, TypeId>,
}

#[derive(Clone, Debug)]
struct Type {
    name: String,
    declared: bool,
    parents: Vec<TypeId>,
    /// The type itself and every type above it.
    above: Vec<TypeId>,
}

impl Types {
    /// Only `object`.
    pub(super) fn new() -> Self {
        let mut types = Self::default();
        types.declare(OBJECT, OBJECT);
        types
    }

    /// The number of a name; a name that is new becomes a type of which nothing is.
    pub(super) fn number(&mut self, name: &str) -> TypeId {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let number = self.types.len() as TypeId;
        let (parents, above) = (Vec::new(), vec![number]);
        self.types.push(Type { name: name.to_owned(), declared: false, parents, above });
        self.numbers.insert(name.to_owned(), number);
        number
    }

    /// Declares a type below another.
    pub(super) fn declare(&mut self, name: &str, parent: &str) {
        let [number, parent] = [name, parent].map(|name| self.number(name));
        let declared = &mut self.types[usize::from(number)];
        declared.declared = true;
        // The released domain lists `object` itself, which then is below `object`.
        if number != parent && !declared.parents.contains(&parent) {
            declared.parents.push(parent);
        }
    }

    /// Works out which types are above which; a type above itself is returned as the error.
    pub(super) fn settle(&mut self) -> Result<(), String> {
        for start in 0..self.types.len() {
            let mut above = vec![start as TypeId];
            let mut next = 0;
            while let Some(&at) = above.get(next) {
                for &parent in &self.types[usize::from(at)].parents {
                    if usize::from(parent) == start {
                        return Err(self.types[start].name.clone());
                    }
                    if !above.contains(&parent) {
                        above.push(parent);
                    }
                }
                next += 1;
            }
            self.types[start].above = above;
        }
        Ok(())
    }

    /// A declared type's number.
    pub(crate) fn declared(&self, name: &str) -> Option<TypeId> {
        self.numbers.get(name).copied().filter(|&number| self.types[usize::from(number)].declared)
    }

    /// A type's name.
    pub(crate) fn name(&self, number: TypeId) -> &str {
        &self.types[usize::from(number)].name
    }

    /// How many types there are.
    pub(crate) fn len(&self) -> usize {
        self.types.len()
    }

    /// Whether something of type `below` is of type `above` too.
    pub(crate) fn is_a(&self, below: TypeId, above: TypeId) -> bool {
        self.types[usize::from(below)].above.contains(&above)
    }

    /// The types right below one, in the order in which they were declared.
    pub(crate) fn children(&self, parent: TypeId) -> impl Iterator<Item = TypeId> {
        let below = move |&at: &usize| self.types[at].parents.contains(&parent);
        (0..self.types.len()).filter(below).map(|at| at as TypeId)
    }
}
