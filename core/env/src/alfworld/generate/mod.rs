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
//! The walkthrough is the shortest plan (module `plan`); the tests compare it with a search on the game.

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
mod task_draw;
mod task_kind;
mod vocabulary;

pub(crate) use self::entry::ENTRY;
pub use self::game_files::GeneratedGame;
pub use self::scripted_player::ScriptedExplorer;
pub use self::settings::{GeneratedHouseSettings, SettingsError};
pub use self::suite::GeneratedAlfworld;

use std::sync::{Arc, OnceLock};

use self::house::House;
use self::task::Task;
use self::task_kind::Kind;
use super::super::Split;

/// The planning domain of every generated game.
const DOMAIN: &str = include_str!("domain.pddl");
/// The grammar of every generated game; `TASK` stands for the instruction.
const GRAMMAR: &str = include_str!("grammar.txt");

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
/// # Ok::<(), hgpo_env::alfworld::generate::SettingsError>(())
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
    pub fn new(settings: GeneratedHouseSettings) -> Result<Self, SettingsError> {
        settings.validate()?;
        for kind in Kind::ALL.into_iter().filter(|&it| settings.task_types.contains(&(it as u8))) {
            let alone = GeneratedHouseSettings { task_types: vec![kind as u8], ..settings.clone() };
            let fits =
                |seed| Task::draw(&alone, &[], Split::Unseen, seed).1.len() <= alone.longest_plan;
            if !(0..3).all(fits) {
                let reason = format!(
                    "{} leaves hardly any tasks of type {}; raise it, or make houses smaller",
                    settings.longest_plan, kind as u8
                );
                return Err(SettingsError { field: "longest_plan", reason });
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
        let (task, plan) = Task::draw(&self.settings, first_numbers, split, seed);
        GeneratedGame::new(&task, &plan, split, seed)
    }

    /// Every word that tasks, observations and commands of generated games can contain, sorted
    /// (words are separated by white space; `.`, `,` and `:` are words).
    #[must_use]
    pub fn vocabulary(&self) -> Vec<String> {
        vocabulary::vocabulary()
    }
}
