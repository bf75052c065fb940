//! Table for paper: words and numbers in columns as wide as what they hold, with lines broken where that is too wide.

use super::exhibit::{BOLD, INK, LINE, SMALL, SOFT, TEXT};
use super::svg::{Svg, letters_in, width_of, wrapped};

/// Words and numbers in columns.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Table {
    /// What it shows.
    pub(crate) title: String,
    /// The names of the columns.
    pub(crate) head: Vec<String>,
    /// The lines; the first column has names, the others numbers.
    pub(crate) rows: Vec<Vec<String>>,
}

const GAP: f64 = 7.0;
const PITCH: f64 = 10.5;

impl Table {
    fn all(&self) -> impl Iterator<Item = &Vec<String>> {
        std::iter::once(&self.head).chain(&self.rows)
    }

    /// The widths of the columns, together no wider than there is room: the widest give way first.
    fn widths(&self, room: f64) -> Vec<f64> {
        let columns = self.head.len().max(1);
        let natural = |column: usize| {
            let own = self.all().filter_map(|row| row.get(column));
            own.map(|text| width_of(text, SMALL)).fold(0.0, f64::max) + 1.0
        };
        let natural: Vec<f64> = (0..columns).map(natural).collect();
        let room = room - GAP * (columns - 1) as f64;
        let (mut low, mut high) = (0.0, room.max(1.0));
        // The width that no column exceeds, by halving.
        for _ in 0..30 {
            let most = f64::midpoint(low, high);
            let sum: f64 = natural.iter().map(|own| own.min(most)).sum();
            if sum > room { high = most } else { low = most }
        }
        natural.into_iter().map(|own| own.min(low.max(8.0))).collect()
    }

    /// Draws it below a place, so wide; how high it is.
    pub(super) fn draw(&self, svg: &mut Svg, (x, top): (f64, f64), width: f64) -> f64 {
        let mut y = svg.lines((x, top), (TEXT, INK, BOLD), &self.title, width * 0.93) + 3.0;
        let widths = self.widths(width);
        let whole = widths.iter().sum::<f64>() + GAP * (widths.len() - 1) as f64;
        for (place, row) in self.all().enumerate() {
            let is_head = place == 0;
            let cells: Vec<Vec<String>> = row
                .iter()
                .zip(&widths)
                .map(|(text, width)| wrapped(text, letters_in(*width, SMALL)))
                .collect();
            let mut left = x;
            for ((column, lines), width) in cells.iter().enumerate().zip(&widths) {
                let (at, anchor) =
                    if column == 0 { (left, "start") } else { (left + width, "end") };
                let rest = format!("text-anchor=\"{anchor}\"");
                let fill = if is_head { SOFT } else { INK };
                for (line, text) in lines.iter().enumerate() {
                    svg.text((at, y + SMALL + line as f64 * PITCH), (SMALL, fill, &rest), text);
                }
                left += width + GAP;
            }
            y += cells.iter().map(Vec::len).max().unwrap_or(1).max(1) as f64 * PITCH + 2.0;
            let line = if is_head { (SOFT, 0.8, "") } else { (LINE, 0.4, "") };
            svg.line(&[(x, y), (x + whole, y)], line);
            y += 1.0;
        }
        y - top
    }
}

#[cfg(test)]
mod tests {
    use super::Table;
    use crate::export::svg::Svg;

    fn table(name: &str) -> Table {
        let row = |cells: [&str; 3]| cells.map(str::to_owned).to_vec();
        Table {
            head: row(["compared with", "mean", "A"]),
            rows: vec![row([name, "4.975", "+0.50"]), row(["G1", "5", "0"])],
            ..Table::default()
        }
    }

    #[test]
    fn columns_are_as_wide_as_they_need_to_be_and_fit() {
        let short = table("G0").widths(300.0);
        assert!(short.iter().sum::<f64>() < 200.0, "{short:?}");
        let long = table(&"a name ".repeat(30)).widths(300.0);
        assert!((long.iter().sum::<f64>() - 286.0).abs() < 1e-3, "{long:?}");
        assert_eq!(long[1..], short[1..], "numbers keep their width");
    }

    #[test]
    fn long_names_are_broken_and_whole() {
        let name = "the state, and the same two states before it, however long that is to say";
        let mut svg = Svg::new();
        let [long, short] = [name, "G0"].map(|name| table(name).draw(&mut svg, (0.0, 0.0), 160.0));
        assert!(long > short);
        let svg = svg.finish((160.0, long), 50.0, "");
        for word in name.split(' ') {
            assert!(svg.contains(word), "{word}");
        }
    }
}
