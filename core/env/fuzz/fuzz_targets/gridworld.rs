//! Maps: a byte that says what is seen and how often moves slip, then the text. It is refused in a line,
//! or read, and then every task on it can be done.
#![no_main]

use hgpo_env::gridworld::{Gridworld, GridworldSettings, Map, ObservationMode};
use hgpo_env::random::{Purpose, Stream};
use hgpo_env::{Environment, EpisodeSettings, Split, Suite};
use libfuzzer_sys::fuzz_target;

/// As many cells as a map can have, each with the key and without.
const EPISODE: EpisodeSettings = EpisodeSettings { max_steps: 1152, success_reward: 10.0 };

fuzz_target!(|bytes: &[u8]| {
    let Some((&how, text)) = bytes.split_first() else { return };
    let text = String::from_utf8_lossy(text);
    let map = match Map::parse(&text) {
        Ok(map) => map,
        Err(error) => return assert!(!error.to_string().contains('\n')),
    };
    assert_eq!(Map::parse(&map.to_string()).as_ref(), Ok(&map));
    let sight = ObservationMode::ALL[usize::from(how) % 3];
    let settings = GridworldSettings {
        map: text.into_owned(),
        sight,
        maps: 1,
        ..GridworldSettings::default()
    };
    let certain = Gridworld::new(settings.clone(), EPISODE).expect("the map was read");
    let slip = f64::from(how) / 300.0;
    let slippery =
        Gridworld::new(GridworldSettings { slip, ..settings }, EPISODE).expect("nor this");
    for split in Split::ALL {
        for seed in 0..4 {
            let Ok(mut episode) = certain.start(split, seed) else {
                assert_eq!(split, Split::Seen);
                continue;
            };
            solve(&mut *episode);
            wander(&mut *slippery.start(split, seed).expect("as before"), seed);
        }
    }
});

/// Carries out the plan, and wins with its last step.
fn solve(episode: &mut dyn Environment) {
    let mut chance = Stream::new(0, Purpose::Sampling, [0, 0]).chance();
    let plan = episode.plan().expect("mazes have plans");
    assert!(!plan.is_empty());
    for (step, action) in plan.iter().enumerate() {
        assert_eq!(episode.step(action, &mut chance).won, step + 1 == plan.len());
    }
}

/// Some steps at random, each among what is possible.
fn wander(episode: &mut dyn Environment, seed: u64) {
    let mut chance = Stream::new(seed, Purpose::Sampling, [0, 0]).chance();
    for _ in 0..16 {
        let actions = episode.observe().actions.complete();
        if actions.is_empty() {
            return;
        }
        let action = &actions[chance.below(actions.len())];
        let ahead = episode.possibilities(action).expect("it is listed");
        assert!((ahead.iter().map(|it| it.probability).sum::<f64>() - 1.0).abs() < 1e-12);
        let outcome = episode.step(action, &mut chance);
        let now = (!outcome.won).then(|| episode.situation());
        let next = |it: &hgpo_env::Possibility| it.next.as_ref().map(|next| next.situation());
        assert!(ahead.iter().any(|it| it.reward == outcome.reward && next(it) == now));
    }
}
