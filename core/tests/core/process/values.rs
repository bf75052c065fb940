//! True values, by hand.

use hgpo_core::Discount;
use hgpo_core::process::{Decision, Process};

use super::door;

const LOCKED: usize = 0;
const OPEN: usize = 1;
const PUSH: usize = 0;
const RING: usize = 1;

#[test]
fn the_hidden_part_and_the_steps_left_count() {
    let values = door().values(Discount::new(0.5).unwrap());
    let q = |situation, steps_left, action| {
        let decision = Decision { situation, steps_left, action };
        (values.action_value(decision), values.advantage(decision))
    };
    // One step left. Locked: 0 or −1, V = −1/4. Open: 8 or −1, V = 6 − 1/4.
    assert_eq!([values.value(LOCKED, 1), values.value(OPEN, 1)], [-0.25, 5.75]);
    assert_eq!([q(LOCKED, 1, PUSH), q(LOCKED, 1, RING)], [(0.0, 0.25), (-1.0, -0.75)]);
    assert_eq!([q(OPEN, 1, PUSH), q(OPEN, 1, RING)], [(8.0, 2.25), (-1.0, -6.75)]);
    // Two, γ = 1/2. Locked: push −1/8, ring −1 + 5.75/2 = 1.875; V = −3/32 + 15/32 = 3/8. The same
    // ring that is the worst with one step left is the best with two.
    assert_eq!([q(LOCKED, 2, PUSH), q(LOCKED, 2, RING)], [(-0.125, -0.5), (1.875, 1.5)]);
    // Open: push 8, ring 1.875; V = 6 + 15/32.
    assert_eq!([q(OPEN, 2, PUSH), q(OPEN, 2, RING)], [(8.0, 1.531_25), (1.875, -4.593_75)]);
    assert_eq!([values.value(LOCKED, 2), values.value(OPEN, 2)], [0.375, 6.468_75]);
    assert_eq!(values.value(OPEN, 0), 0.0);
}

#[test]
fn the_policy_s_mean_of_advantages_is_0() {
    let process = door();
    for discount in [0.0, 0.5, 0.95, 1.0] {
        let values = process.values(Discount::new(discount).unwrap());
        for (number, situation) in process.situations().iter().enumerate() {
            for steps_left in 1..=process.step_limit() {
                let weighted = situation.actions.iter().enumerate().map(|(action, of)| {
                    let decision = Decision { situation: number, steps_left, action };
                    of.probability * values.advantage(decision)
                });
                assert!(weighted.sum::<f64>().abs() < 1e-12);
            }
        }
    }
}

#[test]
fn what_is_all_the_same_is_exactly_0() {
    // 0.1 · 4.9 three times in seven parts of the same worth, which f64 adds up to something else.
    let actions = (0..7).map(|action| {
        format!(
            r#"{{"action": "{action}", "probability": {}, "outcomes": [{{"reward": 4.9}}]}}"#,
            1.0 / 7.0
        )
    });
    let text = format!(
        r#"{{"step_limit": 1, "start": [{{"situation": "s"}}], "situations": [{{"state": "s", "actions": [{}]}}]}}"#,
        actions.collect::<Vec<_>>().join(", ")
    );
    let values = Process::read(&text).unwrap().values(Discount::default());
    for action in 0..7 {
        let truth = values.advantage(Decision { situation: 0, steps_left: 1, action });
        assert_eq!(truth.to_bits(), 0.0_f64.to_bits());
    }
}
