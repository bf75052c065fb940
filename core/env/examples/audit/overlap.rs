//! Which tasks of a panel training also has, by content: the panels of every environment whose data is there.

use std::collections::HashSet;
use std::error::Error;
use std::sync::Arc;

use hgpo_env::files::{Files, Folder};
use hgpo_env::panel::{Panel, config};
use hgpo_env::registry::entries;
use hgpo_env::{Split, Suite, suite};

use crate::{head, row};

/// Training tasks that are looked at where there is no end to them.
const DRAWN: usize = 20_000;

pub(crate) fn print() -> Result<(), Box<dyn Error>> {
    head(&[
        "panel",
        "tasks",
        "training tasks",
        "different ones",
        "in common",
        "asked alike",
        "digest",
    ]);
    for environment in entries() {
        let folder = environment.data.map(|data| (data.variable, std::env::var_os(data.variable)));
        let files = match folder {
            Some((variable, None)) => {
                eprintln!("{}: {variable} is not set", environment.name);
                continue;
            }
            Some((_, Some(folder))) => Some(Arc::new(Folder::new(folder)) as Arc<dyn Files>),
            None => None,
        };
        for panel in environment.panels {
            let suite = match suite(&config(environment, panel)?, files.clone()) {
                Ok(suite) => suite,
                Err(error) => {
                    eprintln!("{}: {error}", panel.name);
                    continue;
                }
            };
            let opened = Panel::open(panel, suite.as_ref())?;
            let (count, trained) = training(suite.as_ref())?;
            let content = |seed| suite.task_content(panel.split, seed);
            let mut common = 0;
            for task in opened.tasks() {
                common += usize::from(trained.contains(&content(task.seed)?));
            }
            let numbers = [opened.tasks().len(), count, trained.len(), common];
            let cells = numbers.iter().map(ToString::to_string);
            let cells = [format!("`{}`", panel.name)].into_iter().chain(cells);
            let alike = suite.repeated(panel.split);
            let alike = alike.map_or("none".to_owned(), |(count, _)| count.to_string());
            row(&cells.chain([alike, format!("`{}`", opened.digest())]).collect::<Vec<_>>());
        }
    }
    Ok(())
}

/// The contents of training tasks, all of them or those that come first, and how many were drawn.
fn training(suite: &dyn Suite) -> Result<(usize, HashSet<String>), Box<dyn Error>> {
    let numbered = suite.task_count(Split::Train);
    let count = numbered.unwrap_or(DRAWN);
    let seed = |place: usize| {
        if numbered.is_some() { place as u64 } else { suite.training_task(0, 1, place) }
    };
    let content = |place| suite.task_content(Split::Train, seed(place));
    Ok((count, (0..count).map(content).collect::<Result<_, _>>()?))
}
