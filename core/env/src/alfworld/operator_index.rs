//! Operator index, by which the applicable operators of a state are found.

use super::bit_set::{ALWAYS, Condition, code, is_met, is_set, put};
use super::game::CommandId;
use super::grounding::{FactId, GroundOperator as GroundWay, GroundProblem};
use super::lists::Lists;

/// What is looked at first to tell whether a way can be gone: 16 bytes, so that the checks of a key
/// are read in one run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Check {
    /// Three codes: twice a bit, plus 1 if it must not be set.
    needs: [u32; 3],
    pub(super) command: u32,
}

impl Check {
    fn passes(&self, state: &[u64]) -> bool {
        let met = |need| is_met(state, need);
        met(self.needs[0]) && met(self.needs[1]) && met(self.needs[2])
    }
}

/// One way to carry out a command.
#[derive(Clone, Debug)]
pub(super) struct GroundOperator {
    pub(super) check: Check,
    /// A bit that must be set.
    key: u32,
    pub(super) operator: u32,
    /// What must hold beside the key and the check.
    pub(super) more: Option<Box<Condition>>,
}

impl GroundOperator {
    /// The codes of what it needs, beside `more`.
    pub(super) fn needs(&self) -> impl Iterator<Item = u32> {
        self.check.needs.into_iter().chain([code(self.key, false)])
    }
}

/// The ways of a game, sorted for finding those that can be gone.
#[derive(Debug)]
pub(super) struct OperatorIndex {
    /// Ways sorted by their keys, then as the original would try them.
    pub(super) ways: Vec<GroundOperator>,
    /// The bits that ways are sorted by, as a set.
    keys: Box<[u64]>,
    /// The checks of every key's ways again, close together.
    checks: Lists<Check>,
    /// Whether some way needs more than its key and its check.
    more: bool,
    /// The ways of every command.
    by_command: Lists<u32>,
}

impl OperatorIndex {
    /// Every way is found by the rarest bit that it needs to be set. `bits` are those of facts in
    /// states of `words`, and `of` is the command of every operator, below `commands`.
    pub(super) fn new(
        ground: &GroundProblem,
        bits: &[u32],
        words: usize,
        of: &[u32],
        commands: usize,
    ) -> Self {
        let shares = shares(ground);
        let share = |fact| shares[usize::from(ground.facts.predicate(fact))];
        // The rarer literal first; those that must be false last.
        let compare = |left: &(FactId, bool), right: &(FactId, bool)| {
            left.1.cmp(&right.1).then_with(|| share(left.0).total_cmp(&share(right.0)))
        };
        let key = |number: usize| {
            let literals = ground.built.literals.get(number).iter();
            match literals.min_by(|left, right| compare(left, right)) {
                Some(&(fact, false)) => bits[fact as usize],
                _ => ALWAYS,
            }
        };
        let numbers = 0..ground.built.ways.len();
        let mut order: Vec<(u32, usize)> = numbers.map(|number| (key(number), number)).collect();
        order.sort_unstable();
        let mut literals = Vec::new();
        let indexed = |(key, number): (u32, usize)| {
            literals.clear();
            literals.extend_from_slice(ground.built.literals.get(number));
            literals.sort_by(compare);
            let ground_way = &ground.built.ways[number];
            way(ground_way, key, of[ground_way.operator as usize], &literals, bits)
        };
        let ways: Vec<GroundOperator> = order.into_iter().map(indexed).collect();
        let mut keys = vec![0; words].into_boxed_slice();
        for way in &ways {
            put(&mut keys, way.key, true);
        }
        let command = |way: u32| ways[way as usize].check.command;
        let mut order: Vec<u32> = (0..ways.len() as u32).collect();
        order.sort_by_key(|&way| (command(way), ways[way as usize].operator));
        Self {
            keys,
            checks: Lists::grouped(words * 64, ways.iter().map(|way| (way.key, way.check))),
            more: ways.iter().any(|way| way.more.is_some()),
            by_command: Lists::grouped(commands, order.iter().map(|&way| (command(way), way))),
            ways,
        }
    }

    /// Whether a way can be gone in a state.
    pub(super) fn open(&self, way: usize, state: &[u64]) -> bool {
        let GroundOperator { check, key, .. } = &self.ways[way];
        is_set(state, *key) && check.passes(state) && self.rest_holds(way, state)
    }

    /// Whether what a way needs beside its key and its check holds.
    fn rest_holds(&self, way: usize, state: &[u64]) -> bool {
        let holds = |more: &Condition| more.holds(state);
        !self.more || self.ways[way].more.as_deref().is_none_or(holds)
    }

    /// The commands that can be carried out in a state, as a set.
    pub(super) fn admissible(&self, state: &[u64], commands: &mut [u64]) {
        commands.fill(0);
        for (at, (keys, set)) in self.keys.iter().zip(state).enumerate() {
            let mut found = keys & set;
            while found != 0 {
                let key = at * 64 + found.trailing_zeros() as usize;
                for (way, check) in self.checks.range(key).zip(self.checks.get(key)) {
                    if check.passes(state) && self.rest_holds(way, state) {
                        put(commands, check.command, true);
                    }
                }
                found &= found - 1;
            }
        }
    }

    /// The operator that carries out a command: that of the first way that can be gone.
    pub(super) fn operator(&self, command: CommandId, state: &[u64]) -> Option<u32> {
        let mut ways = self.by_command.get(command.0 as usize).iter().map(|&way| way as usize);
        ways.find(|&way| self.open(way, state)).map(|way| self.ways[way].operator)
    }
}

/// A way as it is checked when its key is set: the first literals in place, the others behind them.
fn way(
    ground: &GroundWay,
    key: u32,
    command: u32,
    literals: &[(FactId, bool)],
    bits: &[u32],
) -> GroundOperator {
    let others = literals.iter().map(|&(fact, negated)| (bits[fact as usize], negated));
    let mut others = others.filter(|&(bit, _)| bit != key);
    let mut need = || others.next().map_or(code(ALWAYS, false), |it| code(it.0, it.1));
    let needs = [need(), need(), need()];
    let rest = (ground.rest != Condition::TRUE).then(|| ground.rest.with_bits(bits));
    let more: Vec<_> =
        others.map(|(bit, negated)| Condition::Has(bit, negated)).chain(rest).collect();
    let more = (!more.is_empty()).then(|| Box::new(Condition::All(more)));
    GroundOperator { check: Check { needs, command }, key, operator: ground.operator, more }
}

/// For every predicate: the share of its facts that are true at the start, and a little more.
fn shares(ground: &GroundProblem) -> Vec<f64> {
    let mut facts = vec![[0_u32; 2]; ground.changing.len()];
    for fact in 0..ground.facts.len() {
        let predicate = usize::from(ground.facts.predicate(fact as FactId));
        facts[predicate][usize::from(fact < ground.initial)] += 1;
    }
    let share = |[later, first]: [u32; 2]| f64::from(first + 1) / f64::from(later + first + 1);
    facts.into_iter().map(share).collect()
}
