//! An explanation is complete: from what it says alone, every number of it can be worked out again.

use hgpo_core::{
    Batch, Comparison, Difference, Estimator, ExplainedTerm, Explanation, Factor, Member, Options,
    Rule, Scale, SingletonRule, Source, StateSource, StateValue, Step, StepAddress, StepHistories,
    Trajectory, Value, Visit, Weighting, estimate, explain,
};

/// A walk of two agents with summaries; its third step is invalid, its second one is rewarded.
fn walk(task: &str, name: &str, states: &str, reward: f64) -> Trajectory {
    let step = |(index, state)| Step {
        agent: Some(if index % 3 == 1 { "x" } else { "y" }.to_owned()),
        context: (index > 0).then(|| format!("summary {}", index / 2)),
        action: (index != 2).then(|| format!("go {}", (index + states.len()) % 2)),
        ..Step::new(state, f64::from(u8::from(index == 1)) / 4.0).with_valid(index != 2)
    };
    let mut steps: Vec<Step> = states.chars().enumerate().map(step).collect();
    steps.last_mut().expect("states").reward = reward;
    Trajectory { success: Some(reward > 0.0), ..Trajectory::new(task, name, steps) }
}

fn batch() -> Batch {
    let walks = [
        walk("e", "a", "hrshrs", 10.0),
        walk("e", "b", "hrs", 0.0),
        walk("e", "c", "hprs", 10.0),
        walk("e", "d", "hls", 0.0),
        walk("f", "a", "hls", 3.0),
        walk("f", "b", "hlt", 0.0),
        walk("lonely", "a", "k", 1.0),
    ];
    Batch::new(walks.into()).expect("valid")
}

/// Every estimator as it is, and with options that change its arithmetic.
fn estimators() -> Vec<Estimator> {
    let others = [
        r#"{"name":"hgpo","weights":"adaptive"}"#,
        r#"{"name":"hgpo","weights":"verl","base_group":true,"singleton":"keep","alpha":0.5}"#,
        r#"{"name":"hgpo","baseline":"others"}"#,
        r#"{"name":"hgpo","history":"summary","scale":"mean"}"#,
        r#"{"name":"hgpo","only_level":1}"#,
        r#"{"name":"hgpo","only_level":2,"baseline":"others","singleton":"keep"}"#,
        r#"{"name":"dr-mas","estimator":{"name":"hgpo","baseline":"others"}}"#,
        r#"{"name":"dr-mas","estimator":{"name":"g2po","step_singleton":"keep"}}"#,
        r#"{"name":"dr-mas","estimator":{"name":"graph-gpo"}}"#,
        r#"{"name":"dr-mas","mean":"all"}"#,
        r#"{"name":"dr-mas","deviation":"all","estimator":{"name":"grpo","singleton":"zero"}}"#,
        r#"{"name":"dr-mas","deviation":"all","estimator":{"name":"grpo","episode_statistics":"trajectories"}}"#,
        r#"{"name":"dr-mas","mean":"all","estimator":{"name":"grpo","scale":"mean"}}"#,
        r#"{"name":"dr-mas","mean":"all","deviation":"all"}"#,
        r#"{"name":"dr-mas","turns":"apart"}"#,
        r#"{"name":"dr-mas","turns":"truncated","estimator":{"name":"rloo"}}"#,
        r#"{"name":"dr-mas","turns":"truncated"}"#,
        r#"{"name":"dr-mas","turns":"filled"}"#,
        r#"{"name":"dr-mas","turns":"filled","estimator":{"name":"rloo","singleton":"zero"}}"#,
        r#"{"name":"reinforce-plus-plus","task_baseline":true}"#,
        r#"{"name":"gigpo","step_weight":0.5,"scale":"mean"}"#,
        r#"{"name":"grpo","episode_statistics":"trajectories","singleton":"zero"}"#,
        r#"{"name":"crbc","depth":"0","context_length":1}"#,
        r#"{"name":"crbc","depth":"2","floor":0,"value_discount":1}"#,
        r#"{"name":"crbc","context_length":2,"alpha":2,"scale":"mean"}"#,
        r#"{"name":"pgpo","context_length":2,"value_discount":0.9,"failure_exponent":0.5}"#,
        r#"{"name":"adastep","context_length":2,"step_weight":3}"#,
        r#"{"name":"ecpo","context_length":1,"shrinkage":0.5,"saturation":2}"#,
        r#"{"name":"ecpo","variance_epsilon":0,"saturation":0}"#,
        r#"{"name":"gagpo","context_length":1,"lambda":0.3}"#,
        r#"{"name":"dr-mas","estimator":{"name":"gagpo","lambda":0.5}}"#,
        r#"{"name":"dr-mas","estimator":{"name":"crbc"}}"#,
        r#"{"name":"dr-mas","estimator":{"name":"pgpo"}}"#,
        r#"{"name":"composed","credit":"gae","state_value":"process","among":"nothing"}"#,
        r#"{"name":"composed","credit":"difference","among":"task","trust":"variance","return_weight":2}"#,
        r#"{"name":"composed","credit":"action","among":"task","trust":"actions","context_length":1}"#,
        r#"{"name":"composed","credit":"return","among":"nothing","episode_weight":0}"#,
    ];
    let read = |text: &str| serde_json::from_str(text).expect(text);
    Estimator::all().into_iter().chain(others.map(read)).collect()
}

fn close(found: f64, expected: f64) -> bool {
    (found - expected).abs() <= 1e-9 * (1.0 + expected.abs())
}

fn power(base: f64, exponent: usize) -> f64 {
    (0..exponent).fold(1.0, |product, _| product * base)
}

fn discounted(discount: f64, addends: impl Iterator<Item = f64>) -> f64 {
    addends.enumerate().map(|(place, addend)| power(discount, place) * addend).sum()
}

fn of_visits(discount: f64, visits: &[Visit]) -> f64 {
    visits.iter().map(|visit| power(discount, visit.left) * visit.end).sum()
}

fn of_state(state: &StateValue) -> f64 {
    let found = match &state.source {
        // What an end is worth is where the recursion ends, and what a step says.
        StateSource::End { .. } | StateSource::Recorded => state.number,
        StateSource::Over => 0.0,
        StateSource::Visits { discount, visits } => {
            of_visits(*discount, visits) / visits.len() as f64
        }
    };
    assert!(close(found, state.number), "{state:?}");
    found
}

fn of_difference(difference: &Difference) -> f64 {
    let Difference { reward, discount, next, own, .. } = difference;
    reward + discount * of_state(next) - of_state(own)
}

fn of_value(value: &Value) -> f64 {
    let source = match &value.source {
        Source::Return { discount, rewards } => discounted(*discount, rewards.iter().copied()),
        Source::Score { rewards } => rewards.iter().sum(),
        Source::Nearness { success, discount, distance, .. } => {
            success * power(*discount, *distance)
        }
        Source::NextState(next) => of_state(next),
        Source::Difference(difference) => of_difference(difference),
        Source::Differences { decay, differences } => {
            differences.iter().rev().fold(0.0, |later, difference| {
                of_difference(difference) + decay * difference.discount * later
            })
        }
        Source::Action { discount, visits, prior } => {
            let (more, mean) = prior.map_or((0.0, 0.0), |prior| (prior.visits, prior.mean));
            (of_visits(*discount, visits) + more * mean) / (visits.len() as f64 + more)
        }
    };
    source - value.penalty.unwrap_or(0.0)
}

fn mean(members: &[Member]) -> f64 {
    members.iter().map(|member| member.value).sum::<f64>() / members.len() as f64
}

fn of_term(term: &ExplainedTerm, value: f64) -> f64 {
    let factors: f64 = term.factors.iter().map(Factor::number).product();
    let Rule::Deviation { scale, std_rule, epsilon, floor, singleton } = &term.rule else {
        return factors * value;
    };
    // Mean and deviation of different groups are there or not, each on its own.
    let is_mixed = !term.spread.is_empty();
    let has_spread = if is_mixed { term.spread.len() > 1 } else { !term.alone };
    match (term.alone || !has_spread, singleton) {
        (true, SingletonRule::Zero) => return 0.0,
        (true, SingletonRule::Keep) if !is_mixed => return factors * value,
        _ => {}
    }
    let whole = [&term.members[..], &term.left_out[..]].concat();
    let group = if is_mixed { &term.spread } else { &whole };
    let values: Vec<f64> = group.iter().map(|member| member.value).collect();
    let std = hgpo_core::Statistics::of(&values, *std_rule).std;
    assert!(close(std, term.std) && close(mean(&term.members), term.mean), "{term:?}");
    let deviation = if term.alone { value } else { value - mean(&term.members) };
    // Anything below rounding is 0: dividing by a vanishing deviation would tell noise apart.
    let deviation = if deviation.abs() < 1e-12 { 0.0 } else { deviation };
    match scale {
        Scale::Mean => factors * deviation,
        Scale::MeanStd if !has_spread => factors * deviation,
        Scale::MeanStd => factors * deviation / (std + epsilon).max(*floor),
    }
}

fn of_weight(why: &Explanation, term: &ExplainedTerm) -> f64 {
    let kept = || why.terms.iter().filter(|term| term.skipped.is_none());
    match &term.weighting {
        Weighting::One => 1.0,
        Weighting::LeftOut => 0.0,
        Weighting::Option { name } => {
            let options = serde_json::to_value(&why.options.estimator).expect("json");
            [&options, &options["estimator"]]
                .iter()
                .find_map(|options| options[name].as_f64())
                .expect("an option")
        }
        _ if term.skipped.is_some() => 0.0,
        Weighting::Share { epsilon, total, .. } => {
            let raw = |term: &ExplainedTerm| match term.weighting {
                Weighting::Share { base, exponent, .. } => (base as f64).powf(exponent),
                _ => 0.0,
            };
            total * raw(term) / (kept().map(raw).sum::<f64>() + epsilon)
        }
        Weighting::Trust { .. } => {
            let trust = |term: &ExplainedTerm| match term.weighting {
                Weighting::Trust { between: Some(between), within } => {
                    let sum = between + within / term.size as f64;
                    if sum > 0.0 { between / sum } else { 0.0 }
                }
                _ => 1.0,
            };
            let level = |term: &ExplainedTerm| term.comparison.level();
            let deeper = kept().filter(|other| level(other) > level(term));
            trust(term) * deeper.map(|other| 1.0 - trust(other)).product::<f64>()
        }
    }
}

fn check(why: &Explanation, what: &str) {
    for value in &why.values {
        assert!(close(of_value(value), value.number), "{what}: {value:?}");
    }
    let mut sum = 0.0;
    for term in &why.terms {
        let advantage = of_term(term, why.values[term.value].number);
        assert!(close(advantage, term.advantage), "{what}: {advantage} {term:?}");
        let weight = of_weight(why, term);
        assert!(close(weight, term.weight), "{what}: {weight} {term:?}");
        sum += weight * advantage;
    }
    assert!(close(sum, why.sum), "{what}");
    let end = why.whitening.map_or(sum, |white| (sum - white.mean) / white.std);
    assert!(close(end, why.advantage), "{what}");
}

#[test]
fn every_number_comes_of_what_the_explanation_says() {
    let batch = batch();
    for estimator in estimators() {
        let name = serde_json::to_string(&estimator).expect("json");
        let options = Options { estimator, ..Options::default() };
        let estimate = estimate(&batch, &options).expect("valid");
        for (index, trajectory) in batch.trajectories().iter().enumerate() {
            for step in 0..trajectory.steps.len() {
                let address = StepAddress::new(&trajectory.task, &trajectory.trajectory, step);
                let why = explain(&batch, &options, &address).expect("there");
                check(&why, &format!("{address} {name}"));
                let expected = estimate.advantages[index][step];
                assert_eq!(why.advantage.to_bits(), expected.to_bits(), "{address} {name}");
                let read: Explanation =
                    serde_json::from_str(&serde_json::to_string(&why).expect("json"))
                        .expect("read");
                assert_eq!(read, why);
            }
        }
    }
}

#[test]
fn pasts_are_the_states_of_the_contexts() {
    let batch = batch();
    for estimator in estimators().into_iter().filter(|each| !each.reads_summaries()) {
        let options = Options { estimator, ..Options::default() };
        let pasts = StepHistories::new(&batch, &options);
        for row in 0..batch.step_count() {
            let (index, step) = batch.position(row);
            let trajectory = &batch.trajectories()[index];
            let address = StepAddress::new(&trajectory.task, &trajectory.trajectory, step);
            let why = explain(&batch, &options, &address).expect("there");
            // A level may be compared by two values.
            let levels =
                why.levels().map(|term| (term.comparison.level().expect("a level").0, term));
            for (level, term) in levels {
                let mut past: Vec<&str> =
                    pasts.of(row).take(level).map(|row| batch.step(row).state.as_str()).collect();
                past.reverse();
                past.push(&batch.step(row).state);
                assert_eq!(past, term.context, "{address}");
            }
            let missing = why.missing.first().map(|level| level.0);
            assert!(missing.is_none_or(|level| pasts.of(row).count() + 1 == level), "{address}");
        }
    }
    let summary = r#"{"estimator":{"name":"hgpo","history":"summary"}}"#;
    let options: Options = serde_json::from_str(summary).expect("options");
    let pasts = StepHistories::new(&batch, &options);
    assert_eq!((pasts.of(2).count(), pasts.are_summaries()), (0, true));
}

/// Of the first step of a: a goes s x goal; b is in s, and gets no further.
fn first_step(estimator: &str) -> Explanation {
    let walk = |name, states: &str, reward| {
        let mut steps: Vec<Step> = states.chars().map(|state| Step::new(state, 0.0)).collect();
        steps.last_mut().expect("states").reward = reward;
        Trajectory::new("g", name, steps)
    };
    let batch = Batch::new(vec![walk("a", "sx", 10.0), walk("b", "s", 0.0)]).expect("valid");
    let options = Options {
        estimator: serde_json::from_str(estimator).expect("an estimator"),
        ..Options::default()
    };
    explain(&batch, &options, &StepAddress::new("g", "a", 0)).expect("there")
}

#[test]
fn differences_say_what_both_values_are_made_of() {
    // γ 0.5: V(x) = 5, V(s) = (2.5 + 0)/2 = 1.25.
    let why = first_step(r#"{"name":"g2po","value_discount":0.5}"#);
    let Source::Difference(gain) = &why.values[2].source else { panic!("{:?}", why.values) };
    assert_eq!((gain.next.step, gain.own.step), (1, 0));
    let numbers = [gain.next.number, gain.own.number, gain.number].map(f64::to_bits);
    assert_eq!(numbers, [5.0, 1.25, 3.75].map(f64::to_bits));
    let StateSource::Visits { visits, .. } = &gain.own.source else { panic!("{gain:?}") };
    let visits: Vec<_> = visits.iter().map(|visit| (&*visit.trajectory, visit.left)).collect();
    assert_eq!(visits, [("a", 2), ("b", 1)]);
    assert_eq!(why.terms[2].label, "\u{394}");
    let steps: Vec<usize> = why.states().iter().map(|state| state.step).collect();
    assert_eq!(steps, [1, 0], "each once");
    let text = why.to_string();
    let line = "\ndifference 3.750000  reward 0.000000  discount 1.000000  states 1 and 0\n";
    assert!(text.contains(line), "{text}");
    let line = "\nstate 0 worth 1.250000  discount 0.500000  visits  a/0 10.000000 in 2, b/0 0.000000 in 1\n";
    assert!(text.contains(line), "{text}");
}

#[test]
fn nearness_says_how_far_the_goal_is() {
    // From x it is one step: 10 · 0.1.
    let why = first_step(r#"{"name":"graph-gpo"}"#);
    let expected = Source::Nearness { success: 10.0, discount: 0.1, distance: 1, reaches: true };
    assert_eq!(why.values[1].source, expected);
    let line = "\nnearness 1.000000  success 10.000000  discount 0.100000  distance 1\n";
    assert!(why.to_string().contains(line), "{why}");
}

#[test]
fn a_mean_of_the_others_is_a_factor() {
    // Three rows: the deviation from their mean, times 3/2, is that from the mean of the others.
    let why = first_step(r#"{"name":"rloo"}"#);
    assert_eq!(why.terms[0].factors, [Factor::Others { size: 3 }]);
    assert_eq!(why.terms[0].comparison, Comparison::Episode);
    let line = "\n  factor 1.500000  less the mean of the others: 3 / (3 - 1)\n";
    assert!(why.to_string().contains(line), "{why}");
}

#[test]
fn the_rule_and_what_is_not_default_are_named() {
    let mut options: Options = serde_json::from_str("{}").expect("defaults");
    let mut told = |estimator: &str, discount: f64| {
        options.estimator = serde_json::from_str(estimator).expect(estimator);
        options.set("discount", discount.into()).expect("a fraction");
        let why = explain(&batch(), &options, &StepAddress::new("e", "a", 2)).expect("there");
        why.to_string().lines().nth(1).expect("a second line").to_owned()
    };
    let std = |divisor: &str| format!("(value - mean) / (std + 1e-6), std over {divisor}");
    let sample = std("n - 1");
    for (estimator, discount, expected) in [
        (
            r#"{"name":"hgpo","weights":"verl","base_group":true,"alpha":0.5}"#,
            0.95,
            format!(
                "{sample} and {}  weight 1^0.5 / (sum + 1e-6) and (level + 2)^0.5 / (sum + 1e-6)  \
                 options  alpha 0.5, weights verl, base_group true",
                std("n")
            ),
        ),
        (
            r#"{"name":"hgpo","weights":"adaptive","scale":"mean"}"#,
            0.5,
            "value - mean  weight by trust, the longest context first  options  scale mean, \
             weights adaptive, discount 0.5"
                .to_owned(),
        ),
        (
            r#"{"name":"gigpo"}"#,
            0.95,
            format!("{sample}  weight 1 and step_weight  options  default"),
        ),
        (
            r#"{"name":"gigpo","similarity":{"metric":"edit","threshold":0.9}}"#,
            0.95,
            format!("{sample}  weight 1 and step_weight  options  similarity edit, threshold 0.9"),
        ),
        (r#"{"name":"reinforce-plus-plus"}"#, 0.95, "value  weight 1  options  default".to_owned()),
        (r#"{"name":"dr-mas"}"#, 0.95, format!("{sample}  weight 1  options  inside grpo")),
    ] {
        assert_eq!(told(estimator, discount), format!("rule  {expected}"), "{estimator}");
    }
}
