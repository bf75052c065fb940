//! Relevance: the operators that can matter on the way to the goal.

use super::super::bit_set::{Condition, code, is_set};
use super::super::game::Game;
use super::relaxed_plan::Relaxed;

/// Ways that make something so that the goal, or a way that matters, needs.
///
/// What must be false and is false now is left at that, and of other things that must be false only
/// the easiest ways count: an empty hand is needed often, and every thing that can be put down would
/// give one.
pub(super) fn ways(game: &Game, state: &[u64]) -> Vec<u32> {
    let all: Vec<u32> = (0..game.index.ways.len() as u32).collect();
    let mut relaxed = Relaxed::new(game, &all);
    relaxed.explore(state);
    let mut makers: Vec<Vec<u32>> = vec![Vec::new(); game.initial.len() * 128];
    let changes = |way: u32| game.changes.get(game.index.ways[way as usize].operator as usize);
    for &way in &all {
        for change in changes(way) {
            makers[code(change.bit, !change.value) as usize].push(way);
        }
    }
    let mut wanted = Vec::new();
    let want = |condition: &Condition, wanted: &mut Vec<u32>| {
        condition.visit(&mut |bit, negated| wanted.push(code(bit, negated)));
    };
    want(&game.goal, &mut wanted);
    let mut seen = vec![false; makers.len()];
    let mut chosen = vec![false; all.len()];
    while let Some(code) = wanted.pop() {
        let is_clear = code % 2 == 1 && !is_set(state, code / 2);
        if std::mem::replace(&mut seen[code as usize], true) || is_clear {
            continue;
        }
        let makers = &makers[code as usize];
        let easiest = makers.iter().filter_map(|&way| relaxed.level(way)).min();
        for &way in makers {
            let level = relaxed.level(way);
            let wanted_way = level.is_some() && (code % 2 == 0 || level == easiest);
            if wanted_way && !std::mem::replace(&mut chosen[way as usize], true) {
                let indexed = &game.index.ways[way as usize];
                wanted.extend(indexed.needs());
                let whens = changes(way).iter().filter_map(|change| change.when.as_ref());
                indexed.more.iter().chain(whens).for_each(|it| want(it, &mut wanted));
            }
        }
    }
    all.into_iter().filter(|&way| chosen[way as usize]).collect()
}
