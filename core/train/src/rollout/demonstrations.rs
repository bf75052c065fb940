//! Demonstrations: episodes that are part scripted, part random, to be imitated by a warm start.

use std::sync::atomic::{AtomicUsize, Ordering};

use hgpo_env::random::{Purpose, Stream};
use hgpo_env::{EnvError, Split, Suite};

use super::prompt_format::{Memories, PromptFormat, RememberedStep};
use crate::config::{Config, WarmStartConfig};
use crate::executor::map;
use crate::host::check_interrupted;
use crate::{Host, TrainerError};

/// One step to imitate: prompt and response.
pub type Demonstration = (Vec<u32>, Vec<u32>);

/// Plays the warm start's episodes, each with a stream of its own.
///
/// # Errors
/// When a task cannot be started or has no scripted player, a prompt cannot be made, or the user asks to stop.
pub fn demonstrations(
    suite: &dyn Suite,
    format: &dyn PromptFormat,
    config: &Config,
    host: &dyn Host,
) -> Result<Vec<Demonstration>, TrainerError> {
    let (total, played) = (config.warm_start.episodes, AtomicUsize::new(0));
    let episodes = map(host.executor(), total, |episode| {
        check_interrupted(host)?;
        host.progress("demonstrations", played.fetch_add(1, Ordering::Relaxed), total);
        let mut stream = Stream::new(config.seed, Purpose::WarmStartPlay, [episode as u64, 0]);
        let played = play(suite, format, &config.warm_start, &mut stream);
        if played.is_err() {
            check_interrupted(host)?;
        }
        played
    });
    let episodes: Vec<Vec<Demonstration>> = episodes.into_iter().collect::<Result<_, _>>()?;
    Ok(episodes.into_iter().flatten().collect())
}

/// One episode. Each step is the script's with probability `scripted_fraction`, and wherever an action
/// has to be written freely, otherwise a random admissible action; after one of those a new scripted
/// player takes over, since the old one relies on its actions being carried out.
pub(crate) fn play(
    suite: &dyn Suite,
    format: &dyn PromptFormat,
    config: &WarmStartConfig,
    stream: &mut Stream,
) -> Result<Vec<Demonstration>, TrainerError> {
    let mut environment = suite.start(Split::Train, stream.word())?;
    let mut scripted_player =
        suite.player(environment.as_ref(), stream.word()).ok_or_else(|| {
            let problem = "no scripted player to imitate: set warm_start.episodes to 0";
            EnvError::new(suite.name(), problem)
        })?;
    let mut chance = stream.chance();
    let mut memories = Memories::default();
    let mut steps: Vec<Demonstration> = Vec::new();
    loop {
        let now = environment.observe();
        let mut possible = now.actions.complete();
        // If everything has to be written, chance writes nothing.
        let scripted = stream.uniform() < config.scripted_fraction || possible.is_empty();
        let random = stream.below(possible.len());
        let random = (random < possible.len()).then(|| possible.swap_remove(random));
        let action = if scripted { scripted_player.act(&now) } else { random };
        let Some(action) = action else { return Ok(steps) };
        let prompt =
            format.prompt(environment.instruction(), memories.of(now.agent.as_deref()), &now)?;
        steps.push((prompt, format.response(&now, &action)?));
        let done = environment.step(&action, &mut chance).done;
        if let Some(reason) = environment.failure() {
            return Err(EnvError::new(suite.name(), reason).into());
        }
        let step = RememberedStep { observation: now.text, action };
        memories.push(now.agent.as_deref(), step);
        if done {
            return Ok(steps);
        }
        if !scripted {
            // Where the action led: a plan is made of what can be done there, if anything can.
            match suite.player(environment.as_ref(), stream.word()) {
                Some(player) => scripted_player = player,
                None => return Ok(steps),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use hgpo_env::{Environment, Observation, Outcome};

    use super::*;
    use crate::executor::Sequential;
    use crate::rollout::digest_format::DigestFormat;

    /// Cells in a row, each with a way to its neighbours; the last is the goal.
    #[derive(Clone)]
    struct Corridor {
        cell: usize,
        /// Whether a way is known from everywhere, or from the first cell alone.
        knows_all: bool,
    }

    const LAST: usize = 6;

    impl Environment for Corridor {
        fn instruction(&self) -> &'static str {
            "go to the last cell"
        }

        fn observe(&self) -> Observation {
            let neighbours = [self.cell.checked_sub(1), Some(self.cell + 1)];
            let ways = neighbours.into_iter().flatten().map(|cell| format!("go to {cell}"));
            Observation::listed(format!("in {}", self.cell), ways.collect())
        }

        fn step(&mut self, action: &str, _: &mut Stream) -> Outcome {
            let admissible = self.observe().actions.listed().iter().any(|it| it == action);
            if admissible {
                self.cell = action.trim_start_matches("go to ").parse().unwrap();
            }
            let won = self.cell == LAST;
            Outcome { reward: 0.0, done: won, won, admissible }
        }

        fn plan(&self) -> Option<Vec<String>> {
            (self.knows_all || self.cell == 0).then_some(())?;
            Some((self.cell + 1..=LAST).map(|cell| format!("go to {cell}")).collect())
        }

        fn snapshot(&self) -> Box<dyn Environment> {
            Box::new(self.clone())
        }
    }

    struct Corridors {
        knows_all: bool,
    }

    impl Suite for Corridors {
        fn name(&self) -> &'static str {
            "corridors"
        }

        fn start(&self, _: Split, _: u64) -> Result<Box<dyn Environment>, EnvError> {
            Ok(Box::new(Corridor { cell: 0, knows_all: self.knows_all }))
        }

        fn max_steps(&self) -> usize {
            LAST
        }
    }

    #[test]
    fn scripted_play_replans_after_a_random_action() {
        let mut config = Config::default();
        config.warm_start.episodes = 50;
        config.warm_start.scripted_fraction = 0.5;
        let format = DigestFormat::new(0);
        let steps = |knows_all| {
            demonstrations(&Corridors { knows_all }, &format, &config, &Sequential).unwrap().len()
        };
        // A table can only be shown what is listed; each episode goes on to the end.
        assert!(steps(true) > 50 * LAST, "{}", steps(true));
        // Where no way is known any more, it ends.
        assert!((50..50 * LAST).contains(&steps(false)), "{}", steps(false));
    }
}
