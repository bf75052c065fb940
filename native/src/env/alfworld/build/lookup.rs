//! How the ways that can be gone are found.

use super::super::bits::{Test, put};
use super::super::game::{Check, CommandWay, Way};
use super::super::ground::{Condition, FactId, Ground};
use super::bits::{ALWAYS, Bits};
use super::commands::Commands;

/// The ways of a game, sorted for finding those that can be gone.
pub(super) struct Lookup {
    pub(super) all: Vec<Way>,
    pub(super) keys: Box<[u64]>,
    pub(super) key_starts: Vec<u32>,
    pub(super) by_command: Vec<CommandWay>,
    pub(super) command_starts: Vec<u32>,
}

impl Lookup {
    /// Every way is found by the rarest bit that it needs to be set.
    pub(super) fn new(ground: &Ground, commands: &Commands, bits: &Bits, initial: &[u64]) -> Self {
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
        let keyed = |way: u32| {
            let Way { key, operator, .. } = built.all[way as usize];
            CommandWay { key, way, operator }
        };
        built.by_command = by_command.into_iter().map(keyed).collect();
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
