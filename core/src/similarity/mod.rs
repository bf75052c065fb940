//! Similarity clusters: states that are alike count as one.
//!
//! Contexts of clusters are nested as contexts of states are, G_0 ⊇ … ⊇ G_K: two histories agree at
//! level k if each of their last k + 1 states is in the same cluster.

mod edit;
mod embedding;

pub use edit::edit_similarity;

use crate::batch::Batch;
use crate::batch::cohort::Cohort;
use crate::error::Error;
use crate::option::choice::choice;
use crate::option::declaration::{Declaration, Declared, Kind, OptionValue};
use crate::option::fields::{check_ranges, options};

choice! {
    /// How alike two states are.
    #[non_exhaustive]
    pub enum Metric {
        /// [`edit_similarity`] of their texts, as the reference code of `GiGPO` has it.
        #[default]
        Edit => "edit",
        /// Cosine similarity of the `embedding` of their steps (of the first, if several steps
        /// have the same text).
        Embedding => "embedding",
    }
}

choice! {
    /// Which states form a cluster.
    #[non_exhaustive]
    pub enum Linkage {
        /// First fit, in order of appearance: a state joins the first cluster whose first state it
        /// is similar to, as in the reference code of `GiGPO`.
        #[default]
        Greedy => "greedy",
        /// Complete linkage: the two most similar clusters are merged as long as all their states
        /// are similar to each other.
        Complete => "complete",
    }
}

options! {
    /// Grouping by similarity of states instead of equality: clusters stand for states.
    ///
    /// Contexts of clusters are nested as contexts of states are, G_0 ⊇ … ⊇ G_K: two histories agree
    /// at level k if each of their last k + 1 states is in the same cluster.
    pub struct Similarity {
        /// How alike two states are.
        metric: Metric = Metric::Edit,
            Declared::new(Kind::Choice(Metric::NAMES), "Similarity measure of states", GIGPO_CODE);
        /// Which states form a cluster.
        linkage: Linkage = Linkage::Greedy,
            Declared::new(
                Kind::Choice(Linkage::NAMES),
                "Linkage of clusters of similar states (with similarity)",
                GIGPO_CODE,
            );
        /// Least similarity of states that count as one; 0.95 in the reference code.
        threshold: f64 = 0.95,
            Declared::fraction(
                "Minimum similarity within a cluster (with similarity)",
                GIGPO_CODE,
            );
    }
}

/// Where the options come from.
const GIGPO_CODE: &str = "verl-agent";

impl OptionValue for Similarity {
    fn check(&self, _declaration: &Declaration) -> Result<(), Error> {
        check_ranges(self)
    }
}

/// How alike states are, by their number.
///
/// For a metric of your own: number the states, cluster them by [`clusters`], and write a cluster's
/// name into [`Step::state`](crate::Step::state).
pub trait StateMetric {
    /// From 0 (or below) to 1, equal states 1. `left` appeared after `right`.
    fn similarity(&self, left: usize, right: usize) -> f64;

    /// The similarity if it reaches a threshold, for metrics that can tell without all the work
    /// when it does not.
    fn at_least(&self, left: usize, right: usize, threshold: f64) -> Option<f64> {
        Some(self.similarity(left, right)).filter(|&similarity| similarity >= threshold)
    }
}

/// The cluster of each of `count` states, numbered from 0 in order of first appearance.
///
/// ```
/// use hgpo_core::{clusters, Linkage, StateMetric};
/// struct Line([f64; 3]);
/// impl StateMetric for Line {
///     fn similarity(&self, left: usize, right: usize) -> f64 {
///         1.0 - (self.0[left] - self.0[right]).abs()
///     }
/// }
/// // 0.1 and 0.3 are near 0.2, but not near each other.
/// let line = Line([0.2, 0.1, 0.3]);
/// assert_eq!(clusters(&line, 3, 0.85, Linkage::Greedy), [0, 0, 0]);
/// assert_eq!(clusters(&line, 3, 0.85, Linkage::Complete), [0, 0, 1]);
/// ```
#[must_use]
pub fn clusters(
    metric: &dyn StateMetric,
    count: usize,
    threshold: f64,
    linkage: Linkage,
) -> Vec<usize> {
    match linkage {
        Linkage::Greedy => greedy(metric, count, threshold),
        Linkage::Complete => complete(metric, count, threshold),
    }
}

fn greedy(metric: &dyn StateMetric, count: usize, threshold: f64) -> Vec<usize> {
    let mut firsts: Vec<usize> = Vec::new();
    let place = |state| {
        let fits = |&first: &usize| metric.at_least(state, first, threshold).is_some();
        firsts.iter().position(fits).unwrap_or_else(|| {
            firsts.push(state);
            firsts.len() - 1
        })
    };
    (0..count).map(place).collect()
}

/// Merges the most similar pair until none is similar enough; of equal ones, the earliest.
///
/// The similarity of two clusters is the least of their states'. So pairs below the threshold never
/// become similar enough, and what a cluster is most similar to changes only with those two.
fn complete(metric: &dyn StateMetric, count: usize, threshold: f64) -> Vec<usize> {
    let mut cluster_of: Vec<usize> = (0..count).collect();
    let similar = |left, right| metric.at_least(left, right, threshold).unwrap_or(APART);
    let mut rows: Vec<Vec<f64>> =
        (0..count).map(|left| (0..left).map(|right| similar(left, right)).collect()).collect();
    let (mut nearest, mut most): (Vec<usize>, Vec<f64>) =
        rows.iter().map(|row| largest(row)).unzip();
    loop {
        let (merged, similarity) = largest(&most);
        if similarity == APART {
            return numbered(&cluster_of);
        }
        let kept = nearest[merged];
        cluster_of.iter_mut().filter(|of| **of == merged).for_each(|of| *of = kept);
        for other in (0..count).filter(|other| ![kept, merged].contains(other)) {
            let pair = |one: usize| (one.max(other), one.min(other));
            let ((a, b), (c, d)) = (pair(kept), pair(merged));
            rows[a][b] = rows[a][b].min(rows[c][d]);
            rows[c][d] = APART;
        }
        rows[merged][kept] = APART;
        for left in 0..count {
            if left == kept || [kept, merged].contains(&nearest[left]) {
                (nearest[left], most[left]) = largest(&rows[left]);
            }
        }
    }
}

/// Similarity of clusters that are never merged.
const APART: f64 = f64::NEG_INFINITY;

/// The first place of the largest number, and that number; [`APART`] if there is none.
fn largest(numbers: &[f64]) -> (usize, f64) {
    let mut best = (0, APART);
    for (place, &number) in numbers.iter().enumerate() {
        if number > best.1 {
            best = (place, number);
        }
    }
    best
}

/// Clusters named by their first state, numbered from 0.
fn numbered(cluster_of: &[usize]) -> Vec<usize> {
    let mut number_of = vec![0; cluster_of.len()];
    let mut count = 0;
    for (state, &cluster) in cluster_of.iter().enumerate() {
        if state == cluster {
            number_of[state] = count;
            count += 1;
        }
    }
    cluster_of.iter().map(|&cluster| number_of[cluster]).collect()
}

impl Similarity {
    /// Checks that the batch has what the metric needs.
    pub(crate) fn check(&self, batch: &Batch) -> Result<(), Error> {
        match self.metric {
            Metric::Edit => Ok(()),
            Metric::Embedding => embedding::check(batch),
        }
    }

    /// The cohort with clusters for states.
    pub(crate) fn cluster(&self, batch: &Batch, cohort: &Cohort) -> Cohort {
        let (firsts, state_of) = cohort.distinct_states();
        let steps = firsts.iter().map(|&row| batch.step(cohort.rows[row]));
        let metric: Box<dyn StateMetric> = match self.metric {
            Metric::Edit => {
                let texts = steps.map(|step| edit::Text::new(&step.state));
                Box::new(edit::EditMetric(texts.collect()))
            }
            Metric::Embedding => {
                // Every step has one: that is checked before.
                let embeddings = steps.map(|step| step.embedding.as_deref().unwrap_or_default());
                Box::new(embedding::EmbeddingMetric(embeddings.map(embedding::unit).collect()))
            }
        };
        let clusters = clusters(metric.as_ref(), firsts.len(), self.threshold, self.linkage);
        let states = state_of.into_iter().map(|state| clusters[state] as u32).collect();
        cohort.with_states(states, clusters.iter().max().map_or(0, |most| most + 1))
    }
}
