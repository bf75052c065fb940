//! From a file to a game.

use std::collections::HashMap;

use rapidhash::fast::RandomState;

use super::bits::{Test, put, words};
use super::error::{GameError, Part};
use super::game::{Change, Check, Game, GameFile, Operator, Way};
use super::grammar::{Grammar, Placeholder};
use super::ground::{Condition, FactId, Ground, Kinds, ObjectId, ground};
use super::names::names;
use super::pddl::{Domain, PredicateId, Problem};
use super::text::{Compiler, MOST_STEPS, Piece, Read, Rules, Table, Writer};

/// The bit of what cannot change and is true.
const ALWAYS: u32 = 0;

/// More bytes of commands are refused.
const MOST_BYTES: usize = 16_000_000;

/// A fact without a bit: nothing asks for it.
const NONE: u32 = u32::MAX;

/// Builds a game.
pub(super) fn build(file: GameFile) -> Result<Game, GameError> {
    let mut domain = Domain::parse(&file.pddl_domain)?;
    let problem = Problem::parse(&file.pddl_problem, &mut domain)?;
    let grammar = Grammar::parse(&file.grammar)?;
    let kinds = Kinds::new(&problem, &domain.types);
    let ground = ground(&domain, &problem, &kinds)?;
    let names = names(&kinds, &problem.mentioned);
    let texts = Texts::compile(&grammar, &domain, &ground)?;
    let bits = Bits::new(&domain, &ground, &texts.rules.reads);
    let table = |read: &Read| Table::new(read, bits.rows(read, &ground), &kinds, &domain.types);
    let tables: Vec<Table> = texts.rules.reads.iter().map(table).collect();
    let initial = bits.initial(&ground);
    let writer = Writer {
        rules: &texts.rules,
        tables: &tables,
        names: &names,
        kinds: &kinds,
        types: &domain.types,
        state: &initial,
    };
    let commands = Commands::new(&ground, &texts, writer)?;
    let lookup = Lookup::new(&ground, &commands, &bits, &initial);
    let (operators, arguments, changes) = operators(&ground, &bits);
    Ok(Game {
        solvable: file.solvable,
        walkthrough: file.walkthrough,
        intro: texts.intro,
        feedback: texts.feedback,
        goal: Test::new(&ground.goal, &|fact| bits.fact[fact as usize]),
        command_starts: commands.starts,
        commands: commands.text,
        checks: lookup.all.iter().map(|way| way.check).collect(),
        more: lookup.all.iter().any(|way| way.more.is_some()),
        ways: lookup.all,
        keys: lookup.keys,
        key_starts: lookup.key_starts,
        command_ways: lookup.by_command,
        command_way_starts: lookup.command_starts,
        types: domain.types,
        rules: texts.rules,
        kinds,
        names,
        tables,
        initial,
        operators,
        arguments,
        changes,
    })
}

/// The compiled texts of a game.
struct Texts {
    rules: Rules,
    intro: Vec<Piece>,
    templates: Vec<Vec<Piece>>,
    feedback: Vec<Vec<Piece>>,
}

impl Texts {
    fn compile(grammar: &Grammar, domain: &Domain, ground: &Ground) -> Result<Self, GameError> {
        let mut used = vec![false; domain.actions.len()];
        for way in &ground.built.ways {
            used[ground.built.operators[way.operator as usize].action] = true;
        }
        let mut compiler = Compiler::new(grammar, domain);
        let mut templates = vec![Vec::new(); domain.actions.len()];
        let mut feedback = templates.clone();
        let actions = || domain.actions.iter().enumerate().filter(|(number, _)| used[*number]);
        let context = |number: usize| -> Vec<Placeholder> {
            let action = &domain.actions[number];
            let place = |variable: &super::pddl::Variable| Placeholder {
                name: variable.name.clone(),
                kind: domain.types.name(variable.kind).to_owned(),
            };
            action.variables[..action.parameters].iter().map(place).collect()
        };
        let texts = |name: &str| {
            let missing = || GameError::new(Part::Grammar, format!("there is no action '{name}'"));
            grammar.actions.get(name).ok_or_else(missing)
        };
        for (number, action) in actions() {
            templates[number] = compiler.text(&texts(&action.name)?.template, &context(number))?;
        }
        let changes = |read: &Read| {
            read.predicate.is_some_and(|(number, _)| ground.changing[usize::from(number)])
        };
        if compiler.reads().iter().any(changes) {
            let problem = "a command's text depends on facts that change, which is not supported";
            return Err(GameError::new(Part::Grammar, problem));
        }
        for (number, action) in actions() {
            feedback[number] = compiler.text(&texts(&action.name)?.feedback, &context(number))?;
        }
        let intro = compiler.text("#intro#", &Vec::new())?;
        Ok(Self { rules: compiler.finish(), intro, templates, feedback })
    }
}

/// Which bit says what.
struct Bits {
    /// Of every fact.
    fact: Vec<u32>,
    /// Of every fact's having become false, where texts ask for that.
    gone: HashMap<FactId, u32>,
    count: usize,
}

impl Bits {
    /// Bits for what conditions, goal and texts ask for.
    fn new(domain: &Domain, ground: &Ground, reads: &[Read]) -> Self {
        let asked = asked(domain, ground, reads);
        let mut count = ALWAYS + 1;
        let mut next = || {
            count += 1;
            count - 1
        };
        let facts = 0..ground.facts.len() as FactId;
        let fact = facts
            .clone()
            .map(|fact| {
                let predicate = usize::from(ground.facts.predicate(fact));
                match (ground.changing[predicate], asked[predicate]) {
                    (false, _) => ALWAYS,
                    (true, true) => next(),
                    (true, false) => NONE,
                }
            })
            .collect();
        let negative = |fact: FactId| {
            let predicate = ground.facts.predicate(fact);
            reads.iter().any(|read| read.predicate == Some((predicate, true)))
        };
        let gone = facts
            .filter(|&fact| ground.changing[usize::from(ground.facts.predicate(fact))])
            .filter(|&fact| negative(fact))
            .map(|fact| (fact, next()))
            .collect();
        Self { fact, gone, count: count as usize }
    }

    /// The state at the start.
    fn initial(&self, ground: &Ground) -> Box<[u64]> {
        let mut state = vec![0; words(self.count)].into_boxed_slice();
        put(&mut state, ALWAYS, true);
        for &bit in self.fact[..ground.initial].iter().filter(|&&bit| bit != NONE) {
            put(&mut state, bit, true);
        }
        state
    }

    /// What a text reads: bits with arguments.
    fn rows<'a>(
        &'a self,
        read: &Read,
        ground: &'a Ground,
    ) -> impl Iterator<Item = (u32, Vec<ObjectId>)> + use<'a> {
        let wanted = read.predicate;
        let facts = 0..ground.facts.len() as FactId;
        let is = move |fact: &FactId| Some(ground.facts.predicate(*fact)) == wanted.map(|it| it.0);
        let row = move |fact: FactId| {
            let gone = wanted.is_some_and(|(_, gone)| gone);
            let bit =
                if gone { self.gone.get(&fact).copied() } else { Some(self.fact[fact as usize]) };
            bit.map(|bit| (bit, ground.facts.arguments(fact).to_vec()))
        };
        facts.filter(is).filter_map(row)
    }
}

/// Which predicates something asks for: ways, the goal, texts, and conditions of changes to those.
fn asked(domain: &Domain, ground: &Ground, reads: &[Read]) -> Vec<bool> {
    let mut asked = vec![false; ground.changing.len()];
    let mut ask = |predicate: PredicateId| asked[usize::from(predicate)] = true;
    reads.iter().filter_map(|read| read.predicate).for_each(|(predicate, gone)| {
        if !gone {
            ask(predicate);
        }
    });
    for action in &domain.actions {
        action.precondition.literals(&mut |literal| ask(literal.predicate));
    }
    facts_of(&ground.goal, &mut |fact| ask(ground.facts.predicate(fact)));
    loop {
        let before = asked.clone();
        let effects = domain.actions.iter().flat_map(|action| &action.effects);
        for effect in effects.filter(|effect| before[usize::from(effect.literal.predicate)]) {
            effect.condition.literals(&mut |literal| asked[usize::from(literal.predicate)] = true);
        }
        if asked == before {
            return asked;
        }
    }
}

fn facts_of(condition: &Condition, visit: &mut impl FnMut(FactId)) {
    match condition {
        Condition::Fact(fact, _) => visit(*fact),
        Condition::All(parts) | Condition::Any(parts) => {
            for part in parts {
                facts_of(part, visit);
            }
        }
    }
}

/// The commands, sorted.
struct Commands {
    text: String,
    starts: Vec<u32>,
    /// The command of every operator.
    of: Vec<u32>,
}

impl Commands {
    fn new(ground: &Ground, texts: &Texts, writer: Writer<'_>) -> Result<Self, GameError> {
        let mut known: HashMap<Vec<u32>, u32, RandomState> = HashMap::default();
        let used: Vec<Vec<usize>> =
            texts.templates.iter().map(|pieces| texts.rules.slots(pieces)).collect();
        let mut written: Vec<String> = Vec::new();
        let mut of = Vec::with_capacity(ground.built.operators.len());
        let mut key = Vec::new();
        let (mut steps, mut bytes) = (MOST_STEPS, 0);
        for (number, operator) in ground.built.operators.iter().enumerate() {
            let arguments = ground.built.arguments(number);
            let used = used[operator.action].iter().filter_map(|&slot| arguments.get(slot));
            key.clear();
            key.push(operator.action as u32);
            key.extend(used);
            if let Some(&text) = known.get(&key) {
                of.push(text);
                continue;
            }
            let mut text = String::new();
            let template = &texts.templates[operator.action];
            steps = writer.write_within(steps, template, arguments, &mut text);
            bytes += text.len();
            if steps == 0 || bytes > MOST_BYTES {
                return Err(GameError::new(Part::Grammar, "the commands' texts are too long"));
            }
            known.insert(key.clone(), written.len() as u32);
            of.push(written.len() as u32);
            written.push(text);
        }
        let mut order: Vec<u32> = (0..written.len() as u32).collect();
        order.sort_unstable_by_key(|&text| &written[text as usize]);
        let mut numbers = vec![0; written.len()];
        let (mut text, mut starts) = (String::new(), Vec::new());
        let mut last: Option<&str> = None;
        for at in order {
            let next = written[at as usize].as_str();
            if last != Some(next) {
                starts.push(text.len() as u32);
                text.push_str(next);
                last = Some(next);
            }
            numbers[at as usize] = starts.len() as u32 - 1;
        }
        starts.push(text.len() as u32);
        for command in &mut of {
            *command = numbers[*command as usize];
        }
        Ok(Self { text, starts, of })
    }
}

/// The ways of a game, sorted for finding those that can be gone.
struct Lookup {
    all: Vec<Way>,
    keys: Box<[u64]>,
    key_starts: Vec<u32>,
    by_command: Vec<u32>,
    command_starts: Vec<u32>,
}

impl Lookup {
    /// Every way is found by the rarest bit that it needs to be set.
    fn new(ground: &Ground, commands: &Commands, bits: &Bits, initial: &[u64]) -> Self {
        let rarity = rarity(ground);
        let rare = |&(fact, negated): &(FactId, bool)| {
            (negated, rarity[usize::from(ground.facts.predicate(fact))])
        };
        let rarer = |left: &(FactId, bool), right: &(FactId, bool)| {
            let [left, right] = [left, right].map(rare);
            left.0.cmp(&right.0).then(left.1.total_cmp(&right.1))
        };
        let key = |way: usize| match ground.built.literals(way).iter().min_by(|a, b| rarer(a, b)) {
            Some(&(fact, false)) => bits.fact[fact as usize],
            _ => ALWAYS,
        };
        let mut order: Vec<(u32, usize)> =
            (0..ground.built.ways.len()).map(|way| (key(way), way)).collect();
        order.sort_unstable();
        let mut sorted = Vec::new();
        let mut built = Self {
            all: Vec::with_capacity(order.len()),
            keys: vec![0; initial.len()].into_boxed_slice(),
            key_starts: vec![0; initial.len() * 64 + 1],
            by_command: Vec::new(),
            command_starts: vec![0; commands.starts.len()],
        };
        for &(key, way) in &order {
            let ground_way = &ground.built.ways[way];
            sorted.clear();
            sorted.extend_from_slice(ground.built.literals(way));
            sorted.sort_by(rarer);
            // The key is set where the way is looked at.
            let others = sorted.iter().filter(|(fact, _)| bits.fact[*fact as usize] != key);
            let code = |&(fact, negated): &(FactId, bool)| {
                bits.fact[fact as usize] * 2 + u32::from(negated)
            };
            let mut codes = others.map(code);
            let needs = [(); 3].map(|()| codes.next().unwrap_or(ALWAYS * 2));
            let more: Vec<u32> = codes.collect();
            let command = commands.of[ground_way.operator as usize];
            let rest = (ground_way.rest != Condition::TRUE)
                .then(|| Test::new(&ground_way.rest, &|fact| bits.fact[fact as usize]));
            let more = (!more.is_empty() || rest.is_some()).then(|| {
                let bits = more.iter().map(|code| Test::Bit(code / 2, code % 2 == 1));
                Box::new(Test::All(bits.chain(rest).collect()))
            });
            let operator = ground_way.operator;
            built.all.push(Way { check: Check { needs, command }, key, operator, more });
            put(&mut built.keys, key, true);
            built.key_starts[key as usize + 1] += 1;
            built.command_starts[command as usize + 1] += 1;
        }
        add_up(&mut built.key_starts);
        add_up(&mut built.command_starts);
        let mut by_command: Vec<u32> = (0..built.all.len() as u32).collect();
        by_command.sort_by_key(|&way| {
            let way = &built.all[way as usize];
            (way.check.command, way.operator)
        });
        built.by_command = by_command;
        built
    }
}

fn add_up(counts: &mut [u32]) {
    let mut total = 0;
    for count in counts {
        total += *count;
        *count = total;
    }
}

/// For every predicate: the share of its facts that are true at the start, and a little more.
fn rarity(ground: &Ground) -> Vec<f64> {
    let mut facts = vec![[0_u32; 2]; ground.changing.len()];
    for fact in 0..ground.facts.len() {
        let predicate = usize::from(ground.facts.predicate(fact as FactId));
        facts[predicate][usize::from(fact < ground.initial)] += 1;
    }
    let share = |[later, first]: [u32; 2]| f64::from(first + 1) / f64::from(later + first + 1);
    facts.into_iter().map(share).collect()
}

/// Operators with their arguments, and what they change.
fn operators(ground: &Ground, bits: &Bits) -> (Vec<Operator>, Vec<ObjectId>, Vec<Change>) {
    let mut operators = Vec::with_capacity(ground.built.operators.len());
    let (mut arguments, mut changes) = (Vec::new(), Vec::new());
    for (number, operator) in ground.built.operators.iter().enumerate() {
        operators.push(Operator {
            action: operator.action as u32,
            arguments: arguments.len() as u32,
            changes: changes.len() as u32,
            conditional: false,
        });
        arguments.extend_from_slice(ground.built.arguments(number));
        let from = changes.len();
        for value in [false, true] {
            for effect in ground.built.effects(number) {
                let bit = if effect.adds == value {
                    bits.fact[effect.fact as usize]
                } else {
                    bits.gone.get(&effect.fact).copied().unwrap_or(NONE)
                };
                let when = Test::new(&effect.condition, &|fact| bits.fact[fact as usize]);
                let when = (effect.condition != Condition::TRUE).then(|| Box::new(when));
                if bit != NONE {
                    changes.push(Change { when, bit, value });
                }
            }
        }
        let conditional = changes[from..].iter().any(|change| change.when.is_some());
        operators[number].conditional = conditional;
    }
    (operators, arguments, changes)
}
