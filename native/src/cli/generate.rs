//! `hgpo generate`.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use clap::{Args, Subcommand, ValueEnum};
use hgpo_env::Split;
use hgpo_env::alfworld::generate::{Generator, Settings};
use hgpo_env::random::{Purpose, Stream};

use crate::run::files;

#[derive(Debug, Args)]
pub(super) struct Generate {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Games of ALFWorld's kind, in the files and folders of its data
    Alfworld(Alfworld),
}

#[derive(Debug, Args)]
struct Alfworld {
    /// Names the games: the same seed and settings give the same files
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Games of each split
    #[arg(long, value_name = "M", default_value_t = 100)]
    count: u64,
    /// Which split [default: all]
    #[arg(long, value_enum)]
    split: Option<SplitName>,
    /// Houses of training and of seen tasks, 1 to 100,000
    #[arg(long, value_name = "N", default_value_t = Settings::default().houses)]
    houses: usize,
    /// Rooms of a house, 2 to 10
    #[arg(long, value_name = "N", default_value_t = Settings::default().rooms)]
    rooms: usize,
    /// Share of doorways beyond those that are needed, 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = Settings::default().doorways)]
    doorways: f64,
    /// Most pieces of furniture in a room, beside appliances, 1 to 6
    #[arg(long, value_name = "N", default_value_t = Settings::default().receptacles_per_room)]
    receptacles: usize,
    /// Things in a house, for each of its rooms, 1 to 6
    #[arg(long, value_name = "N", default_value_t = Settings::default().things_per_room)]
    things: usize,
    /// Kinds of task: 1 place, 2 examine in light, 3 clean, 4 heat, 5 cool and place, 6 place two
    #[arg(long, value_name = "N,N", value_delimiter = ',', default_values_t = 1..=6)]
    task_types: Vec<u8>,
    /// Most actions of a shortest solution, at least 8
    #[arg(long, value_name = "N", default_value_t = 50)]
    longest_plan: usize,
    /// Where json_2.1.1/ is written: what ALFWORLD_DATA then names
    directory: PathBuf,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum SplitName {
    /// json_2.1.1/train
    Train,
    /// json_2.1.1/valid_seen
    Seen,
    /// json_2.1.1/valid_unseen
    Unseen,
}

/// Writes games.
pub(super) fn run(args: &Generate) -> anyhow::Result<ExitCode> {
    let What::Alfworld(args) = &args.what;
    let generator = Generator::new(Settings {
        houses: args.houses,
        rooms: args.rooms,
        doorways: args.doorways,
        receptacles_per_room: args.receptacles,
        things_per_room: args.things,
        task_types: args.task_types.clone(),
        longest_plan: args.longest_plan,
    })?;
    let splits = match args.split {
        None => vec![Split::Train, Split::Seen, Split::Unseen],
        Some(SplitName::Train) => vec![Split::Train],
        Some(SplitName::Seen) => vec![Split::Seen],
        Some(SplitName::Unseen) => vec![Split::Unseen],
    };
    for &split in &splits {
        for number in 0..args.count {
            write(&generator, split, args, number)?;
        }
    }
    let (games, place) = (args.count * splits.len() as u64, args.directory.display());
    writeln!(std::io::stdout().lock(), "{games} games in {place}")?;
    Ok(ExitCode::SUCCESS)
}

fn write(generator: &Generator, split: Split, args: &Alfworld, number: u64) -> anyhow::Result<()> {
    let index = [split as u64, number];
    let seed = Stream::new(args.seed, Purpose::GeneratedFiles, index).word();
    let game = generator.game(split, seed);
    let folder = args.directory.join(Path::new(&game.folder));
    let text = "texts are JSON";
    files::replace(&folder.join("game.tw-pddl"), &game.game_file().context(text)?)?;
    files::replace(&folder.join("traj_data.json"), &game.trajectory_file().context(text)?)?;
    Ok(())
}
