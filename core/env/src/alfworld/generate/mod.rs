//! Game generator: houses, things and tasks of our own, in the files of the official data.
//!
//! A house has 2 to 10 rooms joined by doorways, furniture in each, and a sink, a stove, a fridge and
//! a lamp. Things lie on furniture or in it, out of sight until it is opened. The tasks are the six
//! kinds of ALFWorld; its files are read by this crate's engine and by TextWorld's alike.
//!
//! | number | kind | task |
//! |---|---|---|
//! | 1 | place | bring a key to the shelf |
//! | 2 | examine in light | hold a book by the lit lamp |
//! | 3 | clean and place | bring a clean shirt to the bed |
//! | 4 | heat and place | bring a hot bun to the table |
//! | 5 | cool and place | bring a cold pear to the crate |
//! | 6 | place two | bring two mugs to the desk |
//!
//! # What is told
//! An observation says where the agent is, what is in sight there, which furniture of the room nobody has
//! searched yet and which rooms next door are still dark because nobody entered them; as in ALFWorld
//! not what is held, nor in which state (`inventory` and `examine` tell).
//!
//! # Splits
//! Trained and seen tasks share their houses (256 unless set); a quarter of the pairs of thing and
//! target of each is kept for seen tasks, the same ones of equal houses. Unseen tasks are in 128 other
//! houses, and no combination of rooms occurs in both.
//!
//! # Solvable
//! By construction: all that a task takes is in the house, every room is reached, nothing is used up.
//! The walkthrough is the shortest plan (module `shortest_plan`); the tests compare it with a search on the game.

mod catalogue;
mod entry;
mod game_files;
mod house;
mod observation_parser;
mod problem;
mod scripted_player;
mod settings;
mod shortest_plan;
mod suite;
mod task;
mod vocabulary;

pub(crate) use self::entry::ENTRY;
pub use self::game_files::GeneratedGame;
pub use self::scripted_player::ScriptedExplorer;
pub use self::settings::GeneratedHouseSettings;
pub use self::suite::GeneratedAlfworld;

use std::sync::{Arc, OnceLock};

use self::catalogue::Kind;
use self::house::House;
use self::shortest_plan::{Action, shortest};
use self::task::Task;
use crate::random::{Purpose, Stream};
use crate::registry::table::Table as _;
use crate::{SettingError, Split};

/// The planning domain of every generated game.
const DOMAIN: &str = include_str!("domain.pddl");
/// The grammar of every generated game; `TASK` stands for the instruction.
const GRAMMAR: &str = include_str!("grammar.txt");

/// Draws after which the task with the shortest plan so far is taken: settings that leave this few
/// tasks are refused before.
const PATIENCE: usize = 4000;

/// Makes games.
///
/// ```
/// use hgpo_env::Split;
/// use hgpo_env::alfworld::generate::{Generator, GeneratedHouseSettings};
///
/// let generator = Generator::new(GeneratedHouseSettings::default())?;
/// let game = generator.game(Split::Train, 7);
/// assert_eq!(generator.game(Split::Train, 7), game);
/// assert!((4..=14).contains(&game.walkthrough.len()));
/// # Ok::<(), hgpo_env::SettingError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Generator {
    settings: GeneratedHouseSettings,
    /// Found out when the first task of training or a seen one is drawn.
    first_numbers: Arc<OnceLock<Vec<usize>>>,
}

impl Generator {
    /// A generator with these settings.
    ///
    /// # Errors
    /// Names a setting that is out of range, or `longest_plan` if it leaves too few games.
    pub fn new(settings: GeneratedHouseSettings) -> Result<Self, SettingError> {
        settings.check()?;
        for kind in Kind::ALL.into_iter().filter(|&it| settings.task_types.contains(&(it as u8))) {
            let alone = GeneratedHouseSettings { task_types: vec![kind as u8], ..settings.clone() };
            let fits = |seed| draw(&alone, &[], Split::Unseen, seed).1.len() <= alone.longest_plan;
            if !(0..3).all(fits) {
                let reason = format!(
                    "{} leaves hardly any tasks of type {}; raise it, or make houses smaller",
                    settings.longest_plan, kind as u8
                );
                return Err(SettingError::new("longest_plan", &reason));
            }
        }
        Ok(Self { settings, first_numbers: Arc::default() })
    }

    /// The game that `seed` names in `split`.
    #[must_use]
    pub fn game(&self, split: Split, seed: u64) -> GeneratedGame {
        let first_numbers = match split {
            Split::Train | Split::Seen => {
                &**self.first_numbers.get_or_init(|| House::first_numbers(&self.settings))
            }
            Split::Unseen => &[],
        };
        let (task, plan) = draw(&self.settings, first_numbers, split, seed);
        GeneratedGame::new(&task, &plan, split, seed)
    }
}

/// The task that `seed` names in `split`, with the shortest way to do it; each split has a
/// random stream of its own.
///
/// `first_numbers` are those of [`House::first_numbers`]; unseen tasks need none.
fn draw(
    settings: &GeneratedHouseSettings,
    first_numbers: &[usize],
    split: Split,
    seed: u64,
) -> (Task, Vec<Action>) {
    let mut stream = Stream::new(seed, Purpose::GeneratedTasks, [split as u64, 0]);
    let types = &settings.task_types;
    let kind = Kind::numbered(types[stream.below(types.len())]).unwrap_or(Kind::Place);
    let draw = |stream: &mut Stream| {
        let task = Task::candidate(settings, first_numbers, (split, kind), stream);
        let plan = shortest(&task);
        (task, plan)
    };
    let mut best = draw(&mut stream);
    for _ in 0..PATIENCE {
        if best.1.len() <= settings.longest_plan {
            break;
        }
        let next = draw(&mut stream);
        if next.1.len() < best.1.len() {
            best = next;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn train_and_seen_tasks_never_ask_the_same_of_equal_houses() {
        let settings = GeneratedHouseSettings {
            houses: 1024,
            rooms: 2,
            receptacles_per_room: 1,
            task_types: vec![1],
            ..GeneratedHouseSettings::default()
        };
        let first_numbers = House::first_numbers(&settings);
        let distinct = first_numbers.iter().collect::<HashSet<_>>().len();
        assert!(distinct < 900, "houses are equal here: {distinct}");
        let asked = |split| -> HashSet<(House, usize, &'static str)> {
            let task = |seed| draw(&settings, &first_numbers, split, seed).0;
            (0..6000).map(task).map(|it| (it.house, it.thing, it.target)).collect()
        };
        assert!(asked(Split::Train).is_disjoint(&asked(Split::Seen)));
    }
}
