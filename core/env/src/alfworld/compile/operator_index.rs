//! Operator index, by which the applicable operators of a state are found.

use std::cmp::Ordering;

use super::super::bit_set::{Test, put};
use super::super::game::{Check, CommandWay, GroundOperator};
use super::super::grounding::{Condition, FactId, GroundOperator as GroundWay, GroundProblem};
use super::commands::Commands;
use super::state_bits::{ALWAYS, StateBits};

/// The ways of a game, sorted for finding those that can be gone.
pub(super) struct OperatorIndex {
    pub(super) all: Vec<GroundOperator>,
    pub(super) keys: Box<[u64]>,
    pub(super) key_starts: Vec<u32>,
    pub(super) by_command: Vec<CommandWay>,
    pub(super) command_starts: Vec<u32>,
}

impl OperatorIndex {
    /// Every way is found by the rarest bit that it needs to be set.
    pub(super) fn new(
        ground: &GroundProblem,
        commands: &Commands,
        bits: &StateBits,
        initial: &[u64],
    ) -> Self {
        let rarity = Rarity::new(ground);
        let key = |way: usize| match ground
            .built
            .literals(way)
            .iter()
            .min_by(|a, b| rarity.compare(**a, **b))
        {
            Some(&(fact, false)) => bits.fact[fact as usize],
            _ => ALWAYS,
        };
        let ways = 0..ground.built.ways.len();
        let mut order: Vec<(u32, usize)> = ways.map(|way| (key(way), way)).collect();
        order.sort_unstable();
        let mut built = Self {
            all: Vec::with_capacity(order.len()),
            keys: vec![0; initial.len()].into_boxed_slice(),
            key_starts: vec![0; initial.len() * 64 + 1],
            by_command: Vec::new(),
            command_starts: vec![0; commands.starts.len()],
        };
        let mut literals = Vec::new();
        for &(key, number) in &order {
            literals.clear();
            literals.extend_from_slice(ground.built.literals(number));
            literals.sort_by(|a, b| rarity.compare(*a, *b));
            let ground_way = &ground.built.ways[number];
            let command = commands.of[ground_way.operator as usize];
            built.push(way(ground_way, key, command, &literals, bits));
        }
        add_up(&mut built.key_starts);
        add_up(&mut built.command_starts);
        built.sort_by_command();
        built
    }

    fn push(&mut self, way: GroundOperator) {
        put(&mut self.keys, way.key, true);
        self.key_starts[way.key as usize + 1] += 1;
        self.command_starts[way.check.command as usize + 1] += 1;
        self.all.push(way);
    }

    fn sort_by_command(&mut self) {
        let mut order: Vec<u32> = (0..self.all.len() as u32).collect();
        order.sort_by_key(|&way| {
            let way = &self.all[way as usize];
            (way.check.command, way.operator)
        });
        let keyed = |way: u32| {
            let GroundOperator { key, operator, .. } = self.all[way as usize];
            CommandWay { key, way, operator }
        };
        self.by_command = order.into_iter().map(keyed).collect();
    }
}

/// A way as it is checked when its key is set: the first literals in place, the others behind them.
fn way(
    ground: &GroundWay,
    key: u32,
    command: u32,
    literals: &[(FactId, bool)],
    bits: &StateBits,
) -> GroundOperator {
    let others = literals.iter().filter(|(fact, _)| bits.fact[*fact as usize] != key);
    let mut codes =
        others.map(|&(fact, negated)| bits.fact[fact as usize] * 2 + u32::from(negated));
    let needs = [(); 3].map(|()| codes.next().unwrap_or(ALWAYS * 2));
    let more: Vec<u32> = codes.collect();
    let rest = (ground.rest != Condition::TRUE)
        .then(|| Test::new(&ground.rest, &|fact| bits.fact[fact as usize]));
    let more = (!more.is_empty() || rest.is_some()).then(|| {
        let bits = more.iter().map(|code| Test::Bit(code / 2, code % 2 == 1));
        Box::new(Test::All(bits.chain(rest).collect()))
    });
    GroundOperator { check: Check { needs, command }, key, operator: ground.operator, more }
}

fn add_up(counts: &mut [u32]) {
    let mut total = 0;
    for count in counts {
        total += *count;
        *count = total;
    }
}

/// For every predicate: the share of its facts that are true at the start, and a little more.
struct Rarity<'a> {
    ground: &'a GroundProblem,
    shares: Vec<f64>,
}

impl<'a> Rarity<'a> {
    fn new(ground: &'a GroundProblem) -> Self {
        let mut facts = vec![[0_u32; 2]; ground.changing.len()];
        for fact in 0..ground.facts.len() {
            let predicate = usize::from(ground.facts.predicate(fact as FactId));
            facts[predicate][usize::from(fact < ground.initial)] += 1;
        }
        let share = |[later, first]: [u32; 2]| f64::from(first + 1) / f64::from(later + first + 1);
        Self { ground, shares: facts.into_iter().map(share).collect() }
    }

    /// The rarer literal first; those that must be false last.
    fn compare(&self, left: (FactId, bool), right: (FactId, bool)) -> Ordering {
        let share = |fact| self.shares[usize::from(self.ground.facts.predicate(fact))];
        left.1.cmp(&right.1).then_with(|| share(left.0).total_cmp(&share(right.0)))
    }
}
