//! Every estimator with every option.

use arbitrary::{Result, Unstructured};
use hgpo_core::{
    AdaStep, Among, Baseline, Composed, Crbc, Credit, Depth, Discount, DrMas, Ecpo,
    EpisodeStatistics, Estimator, G2po, Gagpo, Gigpo, GraphGpo, Grpo, Hgpo, History, Linkage,
    Metric, Pgpo, ReinforcePlusPlus, Rloo, Scale, Similarity, SingletonRule, StdRule, Trust,
    Weights, Worth,
};

use crate::number;

pub(crate) fn any(bytes: &mut Unstructured<'_>) -> Result<Estimator> {
    let chosen = bytes.choose_index(Estimator::all().len())?;
    named(Estimator::all()[chosen].name(), bytes)
}

/// By name, so that an estimator that is missing here is found by the fuzzer.
fn named(name: &str, bytes: &mut Unstructured<'_>) -> Result<Estimator> {
    Ok(match name {
        "hgpo" => Estimator::Hgpo(hgpo(bytes)?),
        "gigpo" => Estimator::Gigpo(gigpo(bytes)?),
        "grpo" => Estimator::Grpo(Grpo {
            scale: of(bytes, Scale::ALL)?,
            episode_statistics: of(bytes, EpisodeStatistics::ALL)?,
            std: of(bytes, StdRule::ALL)?,
            singleton: of(bytes, SingletonRule::ALL)?,
        }),
        "rloo" => Estimator::Rloo(Rloo {
            episode_statistics: of(bytes, EpisodeStatistics::ALL)?,
            singleton: of(bytes, SingletonRule::ALL)?,
        }),
        "reinforce-plus-plus" => Estimator::ReinforcePlusPlus(ReinforcePlusPlus {
            task_baseline: bytes.arbitrary()?,
            episode_statistics: of(bytes, EpisodeStatistics::ALL)?,
        }),
        "graph-gpo" => Estimator::GraphGpo(GraphGpo {
            graph_discount: discount(bytes)?,
            scale: of(bytes, Scale::ALL)?,
            episode_statistics: of(bytes, EpisodeStatistics::ALL)?,
            std: of(bytes, StdRule::ALL)?,
            step_singleton: of(bytes, SingletonRule::ALL)?,
            episode_singleton: of(bytes, SingletonRule::ALL)?,
        }),
        "g2po" => Estimator::G2po(G2po {
            step_weight: number(bytes)?,
            value_discount: discount(bytes)?,
            scale: of(bytes, Scale::ALL)?,
            episode_statistics: of(bytes, EpisodeStatistics::ALL)?,
            std: of(bytes, StdRule::ALL)?,
            step_singleton: of(bytes, SingletonRule::ALL)?,
            episode_singleton: of(bytes, SingletonRule::ALL)?,
        }),
        "crbc" => Estimator::Crbc(Crbc {
            depth: of(bytes, Depth::ALL)?,
            value_discount: discount(bytes)?,
            episode_weight: number(bytes)?,
            step_weight: number(bytes)?,
            floor: number(bytes)?,
            context_length: bytes.int_in_range(0..=4)?,
            alpha: number(bytes)?,
            scale: of(bytes, Scale::ALL)?,
            episode_statistics: of(bytes, EpisodeStatistics::ALL)?,
            episode_std: of(bytes, StdRule::ALL)?,
        }),
        "pgpo" => Estimator::Pgpo(Pgpo {
            value_discount: discount(bytes)?,
            failure_exponent: number(bytes)?,
            step_weight: number(bytes)?,
            context_length: bytes.int_in_range(0..=4)?,
            scale: of(bytes, Scale::ALL)?,
            step_std: of(bytes, StdRule::ALL)?,
        }),
        "adastep" => Estimator::AdaStep(AdaStep {
            step_weight: number(bytes)?,
            context_length: bytes.int_in_range(0..=4)?,
            alpha: number(bytes)?,
            scale: of(bytes, Scale::ALL)?,
            episode_statistics: of(bytes, EpisodeStatistics::ALL)?,
            step_std: of(bytes, StdRule::ALL)?,
            episode_std: of(bytes, StdRule::ALL)?,
        }),
        "ecpo" => Estimator::Ecpo(Ecpo {
            shrinkage: number(bytes)?,
            saturation: number(bytes)?,
            variance_epsilon: number(bytes)?,
            step_weight: number(bytes)?,
            context_length: bytes.int_in_range(0..=4)?,
            alpha: number(bytes)?,
            scale: of(bytes, Scale::ALL)?,
            episode_statistics: of(bytes, EpisodeStatistics::ALL)?,
            step_std: of(bytes, StdRule::ALL)?,
            episode_std: of(bytes, StdRule::ALL)?,
        }),
        "gagpo" => Estimator::Gagpo(Gagpo {
            lambda: discount(bytes)?.get(),
            context_length: bytes.int_in_range(0..=4)?,
            scale: of(bytes, Scale::ALL)?,
            step_std: of(bytes, StdRule::ALL)?,
        }),
        "composed" => Estimator::Composed(composed(bytes)?),
        "dr-mas" => Estimator::DrMas(DrMas { estimator: Box::new(any(bytes)?) }),
        other => panic!("{other} is an estimator that is not fuzzed"),
    })
}

fn hgpo(bytes: &mut Unstructured<'_>) -> Result<Hgpo> {
    Ok(Hgpo {
        context_length: bytes.int_in_range(0..=4)?,
        alpha: number(bytes)?,
        scale: of(bytes, Scale::ALL)?,
        weights: of(bytes, Weights::ALL)?,
        base_group: bytes.arbitrary()?,
        std: of(bytes, StdRule::ALL)?,
        singleton: of(bytes, SingletonRule::ALL)?,
        history: of(bytes, History::ALL)?,
        similarity: similarity(bytes)?,
        baseline: of(bytes, Baseline::ALL)?,
        only_level: bytes.ratio(1, 4)?.then(|| bytes.int_in_range(0..=4)).transpose()?,
        base_std: of(bytes, StdRule::ALL)?,
        base_singleton: of(bytes, SingletonRule::ALL)?,
    })
}

fn gigpo(bytes: &mut Unstructured<'_>) -> Result<Gigpo> {
    Ok(Gigpo {
        step_weight: number(bytes)?,
        scale: of(bytes, Scale::ALL)?,
        episode_statistics: of(bytes, EpisodeStatistics::ALL)?,
        similarity: similarity(bytes)?,
        step_std: of(bytes, StdRule::ALL)?,
        episode_std: of(bytes, StdRule::ALL)?,
        step_singleton: of(bytes, SingletonRule::ALL)?,
        episode_singleton: of(bytes, SingletonRule::ALL)?,
    })
}

fn composed(bytes: &mut Unstructured<'_>) -> Result<Composed> {
    Ok(Composed {
        state_value: of(bytes, Worth::ALL)?,
        depth: of(bytes, Depth::ALL)?,
        value_discount: discount(bytes)?,
        credit: of(bytes, Credit::ALL)?,
        lambda: discount(bytes)?.get(),
        shrinkage: number(bytes)?,
        among: of(bytes, Among::ALL)?,
        trust: of(bytes, Trust::ALL)?,
        saturation: number(bytes)?,
        variance_epsilon: number(bytes)?,
        failure_exponent: number(bytes)?,
        episode_weight: number(bytes)?,
        return_weight: number(bytes)?,
        step_weight: number(bytes)?,
        context_length: bytes.int_in_range(0..=4)?,
        alpha: number(bytes)?,
        scale: of(bytes, Scale::ALL)?,
        floor: number(bytes)?,
        episode_statistics: of(bytes, EpisodeStatistics::ALL)?,
        step_std: of(bytes, StdRule::ALL)?,
        episode_std: of(bytes, StdRule::ALL)?,
    })
}

fn similarity(bytes: &mut Unstructured<'_>) -> Result<Option<Similarity>> {
    if bytes.ratio(1, 2)? {
        return Ok(None);
    }
    Ok(Some(Similarity {
        metric: of(bytes, Metric::ALL)?,
        linkage: of(bytes, Linkage::ALL)?,
        threshold: f64::from(bytes.arbitrary::<u8>()?) / 255.0,
    }))
}

fn discount(bytes: &mut Unstructured<'_>) -> Result<Discount> {
    let value = f64::from(bytes.arbitrary::<u8>()?) / 255.0;
    Ok(Discount::new(value).expect("between 0 and 1"))
}

fn of<T: Copy>(bytes: &mut Unstructured<'_>, all: &[T]) -> Result<T> {
    bytes.choose(all).copied()
}
