//! Flat options of an estimator, side by side, whatever objects they are in as JSON.
//!
//! `similarity` is the choice of a metric (or `none`) beside `threshold` and `linkage`; `inside` is the
//! name of the estimator inside another one, beside that one's options.

use serde_json::{Map, Value};

use super::super::registry::NAME;
use super::super::{ABOUT, DECLARATIONS, Estimator};
use super::Options;
use crate::error::Error;
use crate::option::declaration::{About, Declaration, Kind, OptionValue as _, describe_value};
use crate::option::fields::{DeclaredOptions as _, fields, get, set};
use crate::similarity::{Metric, Similarity};

/// The name of the estimator inside another one.
const INSIDE: &str = "inside";
/// The name of the metric of similarity.
const SIMILARITY: &str = "similarity";
/// The choice of no similarity.
const NONE: &str = "none";
/// The metric's name if similarity is an object.
const METRIC: &str = "metric";

/// Every metric, and none.
const SIMILARITIES: &[&str] = &[NONE, Metric::Edit.as_str(), Metric::Embedding.as_str()];

/// Similarity beside its other options.
const SIMILAR: Declaration = Declaration { name: SIMILARITY, kind: Kind::Choice(SIMILARITIES) };
/// The estimator inside beside its options.
const WITHIN: Declaration = Declaration { name: INSIDE, kind: Kind::Estimator };

impl Estimator {
    /// The options that this estimator has of its own, side by side.
    fn own_declarations(&self) -> Vec<Declaration> {
        let mut all = Vec::new();
        for own in self.method().declarations() {
            match own.kind {
                Kind::Similarity => {
                    all.push(SIMILAR);
                    let parts = Similarity::DECLARATIONS.iter();
                    all.extend(parts.filter(|part| part.name != METRIC));
                }
                Kind::Estimator => all.push(WITHIN),
                _ => all.push(*own),
            }
        }
        all
    }

    /// Every option that this estimator has, side by side; those of an estimator inside at the end.
    #[must_use]
    pub fn declarations(&self) -> Vec<Declaration> {
        let mut all = self.own_declarations();
        all.extend(self.method().inside().into_iter().flat_map(Self::declarations));
        all
    }

    /// The value of one of [`Estimator::declarations`]; none for other names, and for options of
    /// similarity if there is none.
    ///
    /// ```
    /// use hgpo_core::{DrMas, Estimator};
    /// let team = Estimator::DrMas(DrMas::default());
    /// assert_eq!(team.get("inside"), Some("grpo".into()));
    /// assert_eq!(team.get("scale"), Some("mean-std".into()), "of the estimator inside");
    /// assert_eq!((team.get("alpha"), team.get("similarity")), (None, None));
    /// ```
    #[must_use]
    pub fn get(&self, name: &str) -> Option<Value> {
        let options = self.method();
        if let Some(inside) = options.inside().filter(|_| !self.has_itself(name)) {
            return if name == INSIDE { Some(inside.name().into()) } else { inside.get(name) };
        }
        let value = match name {
            SIMILARITY if self.has_similarity() => {
                get(options, name).get(METRIC).cloned().unwrap_or_else(|| NONE.into())
            }
            _ if self.has_similarity() && is_of_similarity(name) && name != METRIC => {
                get(options, SIMILARITY).get(name).cloned().unwrap_or_default()
            }
            _ => get(options, name),
        };
        Some(value).filter(|value| !value.is_null())
    }

    /// Sets one of [`Estimator::declarations`]. Another `inside` has its default options.
    ///
    /// ```
    /// use hgpo_core::Estimator;
    /// let mut hgpo = Estimator::default();
    /// hgpo.set("alpha", 2.into())?;
    /// hgpo.set("similarity", "edit".into())?;
    /// assert_eq!(hgpo.get("threshold"), Some(0.95.into()));
    /// let refused = hgpo.set("alpha", 200.into()).unwrap_err().to_string();
    /// assert_eq!(refused, "option alpha: 200 is not a number from 0 to 100: correct it");
    /// # Ok::<(), hgpo_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// An option that the estimator does not have; a value that it cannot have; an option of
    /// similarity if there is none.
    pub fn set(&mut self, name: &str, value: Value) -> Result<(), Error> {
        let own = self.name();
        let declaration = Declaration::named(name)
            .filter(|_| self.has(name))
            .ok_or_else(|| Error::option("estimator", [own, " has no option ", name].concat()))?;
        declaration.check(&value)?;
        self.put(declaration, value)
    }

    fn has(&self, name: &str) -> bool {
        match self.method().inside() {
            Some(inside) => name == INSIDE || self.has_itself(name) || inside.has(name),
            None if self.has_similarity() && is_of_similarity(name) => name != METRIC,
            None => self.has_itself(name),
        }
    }

    /// Whether an option is one of its own, as it is in files, and not what works inside.
    fn has_itself(&self, name: &str) -> bool {
        let own = self.method().declarations().iter();
        own.filter(|own| own.kind != Kind::Estimator).any(|own| own.name == name)
    }

    fn put(&mut self, declaration: Declaration, mut value: Value) -> Result<(), Error> {
        let mut name = declaration.name;
        let is_own = self.has_itself(name);
        if let Some(inside) = self.method_mut().inside_mut().filter(|_| !is_own) {
            if name != INSIDE {
                return inside.put(declaration, value);
            }
            let unknown = |error| match error {
                Error::Option { problem, .. } => Error::option(INSIDE, problem),
                other => other,
            };
            *inside = Self::default_named(&describe_value(&value)).map_err(unknown)?;
            return Ok(());
        }
        if self.has_similarity() && is_of_similarity(name) {
            value = similar(get(self.method(), SIMILARITY), declaration, value)?;
            name = SIMILARITY;
        }
        set(self.method_mut(), name, value).map_err(|_| declaration.refuse("this"))
    }

    /// The estimator of a name with the values that `choose` gives its options, in the order of
    /// [`Estimator::declarations`]; what an option cannot be beside those before it is left at its default.
    ///
    /// Tests of all estimators choose at random by what is declared, and so know new ones.
    ///
    /// ```
    /// use hgpo_core::{Estimator, Kind};
    /// let last = |of: &hgpo_core::Declaration| match of.kind {
    ///     Kind::Choice(names) => names.last().map(|&name| name.into()),
    ///     _ => None,
    /// };
    /// let hgpo = Estimator::with_choices("hgpo", last)?;
    /// assert_eq!((hgpo.get("weights"), hgpo.get("history")), (Some("adaptive".into()), Some("summary".into())));
    /// # Ok::<(), hgpo_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// An unknown name.
    pub fn with_choices(
        name: &str,
        mut choose: impl FnMut(&Declaration) -> Option<Value>,
    ) -> Result<Self, Error> {
        let mut chosen = Self::default_named(name)?;
        let mut lay = |chosen: &mut Self, option: &Declaration| {
            let Some(value) = choose(option) else { return };
            let mut changed = chosen.clone();
            if changed.set(option.name, value).is_ok() && changed.check(&WITHIN).is_ok() {
                *chosen = changed;
            }
        };
        // What works inside an estimator says which options there are.
        if chosen.method().inside().is_some() {
            lay(&mut chosen, &WITHIN);
        }
        for option in chosen.declarations().iter().filter(|option| option.name != INSIDE) {
            lay(&mut chosen, option);
        }
        Ok(chosen)
    }

    /// Every option with its value, by name, the name of the estimator first; read back by
    /// [`Estimator::from_flat`].
    ///
    /// ```
    /// use hgpo_core::{DrMas, Estimator};
    /// let team = Estimator::DrMas(DrMas::default());
    /// let flat = serde_json::to_string(&team.flat()).unwrap();
    /// assert!(flat.starts_with(r#"{"name":"dr-mas","inside":"grpo","mean":"agent""#));
    /// assert_eq!(Estimator::from_flat(&team.flat())?, team);
    /// # Ok::<(), hgpo_core::Error>(())
    /// ```
    #[must_use]
    pub fn flat(&self) -> Map<String, Value> {
        let name = (NAME.to_owned(), self.name().into());
        let declared = self.declarations().into_iter();
        let options = declared.filter_map(|of| Some((of.name.to_owned(), self.get(of.name)?)));
        std::iter::once(name).chain(options).collect()
    }

    /// The options that are not as they are by default, but for the name of what is inside.
    ///
    /// ```
    /// use hgpo_core::{Estimator, Hgpo};
    /// let hgpo = Estimator::Hgpo(Hgpo { alpha: 2.0, ..Hgpo::default() });
    /// assert_eq!(serde_json::to_string(&hgpo.changed()).unwrap(), r#"{"alpha":2.0}"#);
    /// ```
    #[must_use]
    pub fn changed(&self) -> Map<String, Value> {
        let default_of = |own: &Self| Self::default_named(own.name()).unwrap_or_default();
        let mut plain = default_of(self);
        if let (Some(plain), Some(inside)) =
            (plain.method_mut().inside_mut(), self.method().inside())
        {
            *plain = default_of(inside);
        }
        let mut similar = plain.clone();
        if let Some(similarity) = self.get(SIMILARITY) {
            // An option that it has.
            drop(similar.set(SIMILARITY, similarity));
        }
        let default = |name: &str| plain.get(name).or_else(|| similar.get(name));
        let mut changed = self.flat();
        changed.retain(|name, value| {
            ![NAME, INSIDE].contains(&name.as_str()) && default(name).as_ref() != Some(value)
        });
        changed
    }

    /// The estimator of `name` with the other options by theirs, in any order; what is left out has
    /// its default.
    ///
    /// # Errors
    /// No name, an unknown one; otherwise [`Estimator::set`]'s.
    pub fn from_flat(options: &Map<String, Value>) -> Result<Self, Error> {
        let name = options.get(NAME).and_then(Value::as_str).unwrap_or_default();
        let mut estimator = Self::default_named(name)?;
        if let Some(inside) = options.get(INSIDE) {
            estimator.set(INSIDE, inside.clone())?;
        }
        // In the order of declaration: a metric of similarity comes before its threshold.
        let declared = estimator.declarations();
        let place = |name: &str| declared.iter().position(|known| known.name == name);
        let mut options: Vec<_> =
            options.iter().filter(|(name, _)| ![NAME, INSIDE].contains(&name.as_str())).collect();
        options.sort_by_key(|(name, _)| place(name));
        for (name, value) in options {
            estimator.set(name, value.clone())?;
        }
        Ok(estimator)
    }

    fn has_similarity(&self) -> bool {
        self.method().declarations().iter().any(|of| of.kind == Kind::Similarity)
    }
}

impl Declaration {
    /// The option of a name, of an estimator or of the returns; `estimator` is their choice.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        match name {
            SIMILARITY => return Some(SIMILAR),
            INSIDE => return Some(WITHIN),
            _ => {}
        }
        let lists = [Options::DECLARATIONS, Similarity::DECLARATIONS];
        let mut all = lists.iter().chain(DECLARATIONS).copied().flatten();
        all.find(|known| known.name == name && name != METRIC).copied()
    }

    /// Every option that some estimator has, side by side, each once.
    #[must_use]
    pub fn all() -> Vec<Self> {
        let mut all: Vec<Self> = Vec::new();
        for declaration in Estimator::all().iter().flat_map(Estimator::own_declarations) {
            if !all.iter().any(|known| known.name == declaration.name) {
                all.push(declaration);
            }
        }
        all
    }

    /// The names of the estimators that have the option, those without it inside another one.
    #[must_use]
    pub fn owners(&self) -> Vec<&'static str> {
        let has = |it: &Estimator| it.own_declarations().iter().any(|own| own.name == self.name);
        Estimator::all().iter().filter(|it| has(it)).map(Estimator::name).collect()
    }

    /// The default that each of its owners has, with similarity chosen if the option belongs to it.
    #[must_use]
    pub fn defaults(&self) -> Vec<(&'static str, Value)> {
        let default_of = |name| {
            let mut estimator = Estimator::default_named(name).ok()?;
            let plain = estimator.get(self.name);
            let similar = || {
                estimator.set(SIMILARITY, Metric::default().as_str().into()).ok()?;
                estimator.get(self.name)
            };
            Some((name, plain.or_else(similar)?))
        };
        self.owners().into_iter().filter_map(default_of).collect()
    }

    /// What the option does, and where it comes from.
    #[must_use]
    pub fn about(&self) -> About {
        // Inside another one, an estimator goes by its name in files.
        let name = if self.name == INSIDE { "estimator" } else { self.name };
        let lists = ABOUT.iter().chain([&Similarity::ABOUT, &Options::ABOUT]);
        let found = lists.copied().flatten().find(|(known, _)| *known == name);
        found.map_or(About { meaning: "", source: "" }, |(_, about)| *about)
    }
}

fn is_of_similarity(name: &str) -> bool {
    name == SIMILARITY || Similarity::DECLARATIONS.iter().any(|of| of.name == name)
}

/// The object of similarity with one of its options set; null for none.
fn similar(object: Value, declaration: Declaration, value: Value) -> Result<Value, Error> {
    let Declaration { name, .. } = declaration;
    let mut object = match object {
        Value::Object(object) => object,
        _ if name == SIMILARITY => fields(&Similarity::default()),
        _ => {
            let problem = "states are compared by equality: choose a `similarity`, or leave it out";
            return Err(Error::option(name, problem));
        }
    };
    if value == NONE {
        return Ok(Value::Null);
    }
    object.insert(if name == SIMILARITY { METRIC } else { name }.to_owned(), value);
    Ok(object.into())
}
