//! Collections of facts, and the questions that they answer.

use std::io;

use super::ROUNDS;
use super::names::{Sort, is_held_out};
use super::question::{PATTERNS, Pattern};
use super::relation::Relation;
use super::settings::LibrarySettings;
use crate::random::{Purpose, Stream};
use crate::search::Index;

/// Facts that a search finds.
pub(super) const FOUND: usize = 2;

/// The first index of the streams that collections are drawn from; before it are those of the splits' tasks.
const STREAMS: u64 = 3;

/// Something that a collection says.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fact {
    pub(super) relation: Relation,
    /// The number of the name that the relation is from.
    pub(super) from: usize,
    /// The number of the one that it leads to.
    pub(super) to: usize,
}

/// A question that can be answered.
#[derive(Clone, Copy, Debug)]
pub(super) struct Question {
    pub(super) pattern: &'static Pattern,
    /// The number of the name that it begins from.
    pub(super) source: usize,
    /// The numbers of the facts that lead to the answer.
    pub(super) chain: [usize; 2],
}

/// Facts about some names, and an index of them.
#[derive(Debug)]
pub(super) struct Collection {
    /// Names, sort by sort.
    pub(super) names: Vec<String>,
    pub(super) facts: Vec<Fact>,
    /// The facts as sentences.
    pub(super) texts: Vec<String>,
    index: Index,
    /// The questions that are held out from training, and the others.
    pub(super) held_out: Vec<Question>,
    pub(super) others: Vec<Question>,
}

impl Collection {
    /// The collection of a number among those of training, or among unseen ones.
    ///
    /// # Errors
    /// Never for so few facts: the index could hold millions.
    pub(super) fn draw(
        settings: &LibrarySettings,
        number: usize,
        is_unseen: bool,
    ) -> io::Result<Self> {
        let index = [STREAMS + u64::from(is_unseen), number as u64];
        let mut stream = Stream::new(settings.seed, Purpose::Environment, index);
        let (names, facts) = draw_facts(settings.people, is_unseen, &mut stream);
        let write = |fact: &Fact| fact.relation.write(&names[fact.from], &names[fact.to]);
        let texts: Vec<String> = facts.iter().map(write).collect();
        // Of facts that match equally well, the first is found.
        let keys: Vec<String> = (0..texts.len()).map(|place| format!("{place:04}")).collect();
        let index = Index::build(keys.iter().map(String::as_str).zip(&texts))?;
        let (held_out, others) = (Vec::new(), Vec::new());
        let mut collection = Self { names, facts, texts, index, held_out, others };
        let questions = collection.questions();
        let is_held_out = |it: &Question| is_held_out(&collection.ask(it));
        let (held_out, others) = questions.into_iter().partition(is_held_out);
        (collection.held_out, collection.others) = (held_out, others);
        Ok(collection)
    }

    /// A question in words.
    pub(super) fn ask(&self, question: &Question) -> String {
        question.pattern.ask(&self.names[question.source])
    }

    /// The name that a question asks for.
    pub(super) fn answer(&self, question: &Question) -> &str {
        &self.names[self.facts[question.chain[1]].to]
    }

    /// The facts that match a query best among those that are not known yet.
    pub(super) fn search(&self, query: &str, known: &[usize]) -> Vec<usize> {
        let hits = self.index.search(query, known.len() + FOUND).into_iter();
        let facts = hits.map(|hit| hit.document as usize).filter(|fact| !known.contains(fact));
        facts.take(FOUND).collect()
    }

    /// The number of a name's fact of a relation, if it has one.
    fn fact(&self, relation: Relation, from: usize) -> Option<usize> {
        self.facts.iter().position(|it| it.relation == relation && it.from == from)
    }

    /// Every question that is answered within the rounds by who searches for the name in it until the bridge is found,
    /// and then for the bridge.
    fn questions(&self) -> Vec<Question> {
        let asked = PATTERNS
            .iter()
            .flat_map(|pattern| (0..self.names.len()).map(move |source| (pattern, source)));
        let questions = asked.filter_map(|(pattern, source)| {
            let first = self.fact(pattern.hops[0], source)?;
            let second = self.fact(pattern.hops[1], self.facts[first].to)?;
            Some(Question { pattern, source, chain: [first, second] })
        });
        questions.filter(|it| self.is_answered_in_time(it)).collect()
    }

    fn is_answered_in_time(&self, question: &Question) -> bool {
        let mut known = Vec::new();
        for _ in 1..ROUNDS {
            let missing = question.chain.iter().find(|fact| !known.contains(*fact));
            let Some(&missing) = missing else { break };
            known.extend(self.search(&self.names[self.facts[missing].from], &known));
        }
        question.chain.iter().all(|fact| known.contains(fact))
    }
}

/// Names, and facts about them in random order.
fn draw_facts(people: usize, is_unseen: bool, stream: &mut Stream) -> (Vec<String>, Vec<Fact>) {
    let mut names = Vec::new();
    let numbers = Sort::ALL.map(|sort| {
        let mut drawn = sort.names(is_unseen);
        stream.shuffle(&mut drawn);
        let first = names.len();
        names.extend(drawn.into_iter().take(sort.count(people)));
        first..names.len()
    });
    let of = |sort: Sort| numbers[sort as usize].clone();
    let mut facts = Vec::new();
    // In random order, so that what comes in turn is at random, and every name has about as much of it.
    let mut turns = |sort: Sort| {
        let mut order: Vec<usize> = of(sort).collect();
        stream.shuffle(&mut order);
        order.into_iter().cycle()
    };
    let mut add = |relation, from: std::ops::Range<usize>, to: &mut dyn Iterator<Item = usize>| {
        facts.extend(from.zip(to).map(|(from, to)| Fact { relation, from, to }));
    };
    for (relation, from, to) in [
        (Relation::Owner, Sort::Thing, Sort::Person),
        (Relation::Writer, Sort::Work, Sort::Person),
        (Relation::Keeper, Sort::Animal, Sort::Person),
        (Relation::Warden, Sort::Building, Sort::Person),
        (Relation::Place, Sort::Thing, Sort::Building),
        (Relation::Home, Sort::Person, Sort::Town),
        (Relation::Workplace, Sort::Person, Sort::Building),
        (Relation::Site, Sort::Building, Sort::Town),
    ] {
        add(relation, of(from), &mut turns(to));
    }
    // Half of the people taught the others.
    let order: Vec<usize> = turns(Sort::Person).take(people).collect();
    let (pupils, teachers) = order.split_at(people / 2);
    let lessons = pupils.iter().zip(teachers);
    facts.extend(lessons.map(|(&from, &to)| Fact { relation: Relation::Teacher, from, to }));
    stream.shuffle(&mut facts);
    (names, facts)
}
