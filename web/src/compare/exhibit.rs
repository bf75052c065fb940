//! Exhibits of the comparison: heat maps, the steps on which estimators differ, and sizes of groups.

use super::model::{Bar as SizeBar, Column, Comparison, bars, differences as largest};
use crate::explore::view::controls::is_shown_first;
use crate::export::{Axis, Bar, Chart, Exhibit, Map, Panel, Table};
use crate::model::{Cell, Controls, Shared, Task, Visible, number};
use crate::text::{self, called, compare as words, export};
use hgpo_core::GroupDiagnostics;

/// What exhibits are made of.
#[derive(Clone)]
pub(super) struct Compared {
    pub(super) task: Shared<Task>,
    pub(super) controls: Controls,
    pub(super) of: Shared<Comparison>,
}

impl Compared {
    fn exhibit(&self, name: &str, title: &str) -> Exhibit {
        let task = &*self.task.name;
        Exhibit {
            name: [task, "-", name].concat(),
            title: [task, ": ", title].concat(),
            settings: text::settings(&self.controls, &is_shown_first),
            ..Exhibit::default()
        }
    }

    fn columns(&self) -> &[Column] {
        &self.of.columns
    }

    /// The advantages of some steps, a line each, after the names of the columns.
    fn advantages(&self, cells: impl Iterator<Item = Cell>) -> Vec<Vec<String>> {
        let head = ["trajectory", "step", "state", "action"].into_iter();
        let head = head.chain(self.columns().iter().map(|column| column.name));
        let head = head.map(str::to_owned).collect();
        let line = |cell: Cell| {
            let step = self.task.step(cell);
            let place = [
                self.task.rows()[cell.row].trajectory.clone(),
                cell.step.to_string(),
                step.state.clone(),
                step.action.clone().unwrap_or_default(),
            ];
            let values = self.columns().iter().map(|column| column.at(cell).to_string());
            place.into_iter().chain(values).collect()
        };
        std::iter::once(head).chain(cells.map(line)).collect()
    }

    /// The heat maps of what is shown of the task, on one scale or each on its own.
    pub(super) fn maps(&self, visible: &Visible, one_scale: bool) -> Exhibit {
        let rows = visible.rows();
        let map = |column: &Column| {
            let names = rows.iter().map(|row| self.task.rows()[*row].trajectory.clone());
            let values = visible.values(&column.advantages).into_iter().map(<[f64]>::to_vec);
            Panel::Map(Map {
                title: called(column.name).to_owned(),
                rows: names.zip(values).collect(),
                first: visible.steps.start,
                peak: if one_scale { self.of.peak() } else { column.peak },
            })
        };
        let lengths = visible.lengths(&self.task).into_iter().enumerate();
        let cells = lengths.flat_map(|(row, length)| {
            (0..length).map(move |step| visible.cell(Cell { row, step }))
        });
        let notes = visible.extent_in(&self.task);
        Exhibit {
            panels: self.columns().iter().map(map).collect(),
            numbers: self.advantages(cells),
            notes: notes
                .map(|(attempts, steps)| export::of_all(attempts, steps))
                .into_iter()
                .collect(),
            ..self.exhibit("advantages", words::maps())
        }
    }

    /// The steps on which estimators differ most, as many as are shown; the file has all of them, in that order.
    pub(super) fn differences(&self, rows: usize) -> Exhibit {
        let cells = largest(&self.of, self.task.batch.step_count());
        let names = self.columns().iter().map(|column| called(column.name).to_owned());
        let row = |cell: &Cell| {
            let chosen = self.of.of_chosen().at(*cell);
            let value = |(place, column): (usize, &Column)| {
                let value = column.at(*cell);
                let own = number::signed(value, 2);
                if place == self.of.chosen {
                    return own;
                }
                format!("{own} ({})", number::signed(value - chosen, 2))
            };
            let name = text::step_name(&self.task.rows()[cell.row].trajectory, cell.step);
            let values = self.columns().iter().enumerate().map(value);
            std::iter::once(name).chain(values).collect()
        };
        let table = Table {
            title: String::new(),
            head: std::iter::once(text::step().to_owned()).chain(names).collect(),
            rows: cells.iter().take(rows).map(row).collect(),
        };
        let note = words::in_brackets(called(self.of.of_chosen().name));
        Exhibit {
            panels: vec![Panel::Table(table)],
            notes: vec![note],
            numbers: self.advantages(cells.into_iter()),
            ..self.exhibit("differences", words::disagreement())
        }
    }

    /// How many steps are in groups of each size, under every estimator.
    pub(super) fn sizes(&self) -> Exhibit {
        let mut panels = Vec::new();
        let head = ["estimator", "group", "size", "steps"].map(str::to_owned).to_vec();
        let mut numbers = vec![head];
        for column in self.columns() {
            let groups = column.diagnostics.episode.iter().chain(&column.diagnostics.levels);
            for own in groups.filter(|own| own.steps > 0) {
                let kind = kind(own);
                panels.push(Panel::Chart(chart(&[called(column.name), ": ", &kind].concat(), own)));
                numbers.extend(own.sizes.iter().map(|size| {
                    let counts = [size.size, size.steps].map(|own| own.to_string());
                    let names = [column.name.to_owned(), kind.clone()];
                    names.into_iter().chain(counts).collect()
                }));
            }
        }
        Exhibit { panels, numbers, ..self.exhibit("group-sizes", words::sizes_hint()) }
    }
}

/// A level, or whole attempts.
fn kind(groups: &GroupDiagnostics) -> String {
    groups.level.map_or_else(|| words::attempts().to_owned(), |level| format!("G{}", level.0))
}

/// The steps of each size of group, a bar each.
fn chart(title: &str, groups: &GroupDiagnostics) -> Chart {
    let all = bars(&groups.sizes);
    let most = all.iter().map(|bar| bar.steps).max().unwrap_or(1) as f64;
    let bar = |(place, bar): (usize, &SizeBar)| Bar {
        ends: [place as f64 + 0.15, place as f64 + 0.85],
        height: bar.steps as f64,
        // Who is alone in a group learns nothing from it.
        sign: if bar.to == 1 { 0.0 } else { 1.0 },
    };
    let ticks = all.iter().enumerate().map(|(place, bar)| (place as f64 + 0.5, words::sizes(*bar)));
    Chart {
        title: title.to_owned(),
        across: Axis {
            name: words::size_of_group().to_owned(),
            ends: [0.0, all.len() as f64],
            ticks: ticks.collect(),
        },
        up: Axis {
            name: text::step_count().to_owned(),
            ends: [0.0, most],
            ticks: [0.0, most].map(|value| (value, number::count(value as usize))).to_vec(),
        },
        bars: all.iter().enumerate().map(bar).collect(),
        ..Chart::default()
    }
}

#[cfg(test)]
mod tests {
    use super::Compared;
    use crate::compare::model::Comparison;
    use crate::export::Panel;
    use crate::model::{Controls, Extent, PRESETS, Shared, Visible};
    use hgpo_core::{Estimator, Options};

    fn compared() -> Compared {
        let task = PRESETS[0].load().0.tasks[0].clone();
        let grpo = Estimator::default_named("grpo").expect("known");
        let methods = [Options { estimator: grpo, ..Options::default() }, Options::default()];
        let compared = Comparison::new(&task.batch, &methods, "hgpo", &["grpo"]).expect("taken");
        Compared { task, controls: Controls::default(), of: Shared::new(compared) }
    }

    #[test]
    fn heat_maps_show_the_attempts_and_steps_that_are_chosen() {
        let own = compared();
        let extent = Extent::default().with(0, "2-3".to_owned()).with(1, "1-2".to_owned());
        let visible = extent.of(&own.task).expect("understood");
        let maps = own.maps(&visible, false);
        let [Panel::Map(map), Panel::Map(_)] = &maps.panels[..] else { panic!("two maps") };
        let names: Vec<&str> = map.rows.iter().map(|(name, _)| &**name).collect();
        assert_eq!((names, map.first), (vec!["t2", "t3"], 1));
        assert_eq!(map.rows[0].1, own.columns()[0].advantages[1][1..3]);
        assert_eq!((map.peak, maps.notes.len()), (own.columns()[0].peak, 1), "colours stay");
        let places: Vec<_> = maps.numbers[1..].iter().map(|line| [&*line[0], &*line[1]]).collect();
        assert_eq!(places, [["t2", "1"], ["t2", "2"], ["t3", "1"], ["t3", "2"]]);
        assert!(own.maps(&Visible::all(&own.task), false).notes.is_empty());
    }

    #[test]
    fn files_have_every_step_under_every_estimator() {
        let own = compared();
        let steps = own.task.batch.step_count();
        let maps = own.maps(&Visible::all(&own.task), true);
        assert_eq!(maps.numbers[0], ["trajectory", "step", "state", "action", "grpo", "hgpo"]);
        assert_eq!((maps.numbers.len(), maps.panels.len()), (steps + 1, 2));
        let differences = own.differences(3);
        assert_eq!(differences.numbers.len(), steps + 1);
        let apart = |line: &[String]| {
            let [one, other] =
                [&line[4], &line[5]].map(|text| text.parse::<f64>().expect("number"));
            (one - other).abs()
        };
        let apart: Vec<f64> = differences.numbers[1..].iter().map(|line| apart(line)).collect();
        assert!(apart.is_sorted_by(|one, next| one >= next), "the largest first");
        let sizes = own.sizes();
        let of = |name: &str| {
            let own = sizes.numbers[1..].iter().filter(|line| line[0] == "hgpo" && line[1] == name);
            own.map(|line| line[3].parse::<usize>().expect("steps")).sum::<usize>()
        };
        assert_eq!(of("G0"), steps);
    }
}
