//! Which rows and columns of a long table are drawn, given how far it is scrolled.

use std::ops::Range;

/// What is in sight of the table's cells, in pixels from the first cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct View {
    /// Where the view begins, from the left.
    pub(crate) left: f64,
    /// Where the view begins, from the top.
    pub(crate) top: f64,
    /// How wide it is.
    pub(crate) width: f64,
    /// How high it is.
    pub(crate) height: f64,
    /// How wide a column is.
    pub(crate) across: f64,
    /// How high a row is.
    pub(crate) down: f64,
}

impl Default for View {
    /// A guess before the page was measured; rather too much than too little.
    fn default() -> Self {
        Self { left: 0.0, top: 0.0, width: 1200.0, height: 800.0, across: 126.0, down: 98.0 }
    }
}

/// Rows and columns that are drawn: those in sight and a few around them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Window {
    /// The rows.
    pub(crate) rows: Range<usize>,
    /// The columns.
    pub(crate) columns: Range<usize>,
}

/// Rows or columns drawn beyond each edge of the view, at least.
const AROUND: usize = 3;

/// Windows begin and end at multiples of this, so that most small scrolls change nothing.
const STRIDE: usize = 4;

/// A table of at most this many cells is drawn whole: it prints, and the browser's search finds all.
const WHOLE: usize = 160;

impl Window {
    /// The window of a table of so many rows and columns around what is in sight.
    pub(crate) fn new(view: &View, rows: usize, columns: usize) -> Self {
        if rows * columns <= WHOLE {
            return Self { rows: 0..rows, columns: 0..columns };
        }
        Self {
            rows: span(view.top, view.height, view.down, rows),
            columns: span(view.left, view.width, view.across, columns),
        }
    }
}

/// The cells of one direction that a view from `start` on touches, and those around them.
fn span(start: f64, length: f64, pitch: f64, total: usize) -> Range<usize> {
    let pitch = pitch.max(1.0);
    let first = (start.max(0.0) / pitch) as usize;
    let end = ((start + length).max(0.0) / pitch).ceil() as usize;
    // A table that became shorter is drawn from its end until the browser has scrolled there.
    let first = first.min(total.saturating_sub(end.saturating_sub(first)));
    let first = first.saturating_sub(AROUND) / STRIDE * STRIDE;
    first..(end + AROUND).next_multiple_of(STRIDE).min(total)
}

/// Neighbouring rows or columns: drawn, or left out with a gap of their size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    /// Which.
    pub(crate) range: Range<usize>,
    /// Whether they are drawn.
    pub(crate) drawn: bool,
}

/// All rows or columns in order: those of the window and the one that has the focus are drawn, so
/// that the focus is never lost by scrolling.
pub(crate) fn pieces(window: &Range<usize>, focus: usize, total: usize) -> Vec<Piece> {
    let window = window.start.min(total)..window.end.min(total);
    let alone = focus..focus + 1;
    let drawn = match focus {
        _ if focus >= total || window.contains(&focus) => vec![window],
        _ if focus < window.start => vec![alone, window],
        _ => vec![window, alone],
    };
    let mut pieces: Vec<Piece> = Vec::new();
    let mut end = 0;
    for range in drawn {
        pieces.push(Piece { range: end..range.start, drawn: false });
        end = range.end;
        pieces.push(Piece { range, drawn: true });
    }
    pieces.push(Piece { range: end..total, drawn: false });
    pieces.retain(|piece| !piece.range.is_empty());
    pieces
}

#[cfg(test)]
mod tests {
    use super::{View, Window, pieces, span};

    #[test]
    fn a_window_holds_what_is_in_sight_and_some_around_it() {
        // 300 pixels from 1,000 on are cells 10, 11 and 12; with three around, 7 to 15; in fours.
        assert_eq!(span(1000.0, 300.0, 100.0, 50), 4..16);
        // 1 pixel more touches cell 13, and 16 is drawn as well.
        assert_eq!(span(1001.0, 300.0, 100.0, 50), 4..20);
        assert_eq!(span(0.0, 300.0, 100.0, 50), 0..8);
        assert_eq!(span(-40.0, 300.0, 100.0, 50), 0..8, "drawn beyond the edge by touch");
    }

    #[test]
    fn a_window_ends_with_the_table() {
        assert_eq!(span(4700.0, 300.0, 100.0, 50), 44..50);
        // As scrolled before the table became shorter: three cells fit, three more are around.
        assert_eq!(span(9000.0, 300.0, 100.0, 10), 4..10);
        assert_eq!(span(9000.0, 300.0, 100.0, 2), 0..2);
    }

    #[test]
    fn small_tables_are_drawn_whole() {
        let view = View { width: 0.0, height: 0.0, ..View::default() };
        assert_eq!(Window::new(&view, 8, 20), Window { rows: 0..8, columns: 0..20 });
        assert_eq!(Window::new(&view, 9, 20), Window { rows: 0..4, columns: 0..4 });
    }

    #[test]
    fn the_focus_is_drawn_wherever_it_is() {
        let shape = |focus| {
            let pieces = pieces(&(4..8), focus, 12);
            let each = |piece: super::Piece| (piece.range.start, piece.range.end, piece.drawn);
            pieces.into_iter().map(each).collect::<Vec<_>>()
        };
        assert_eq!(shape(5), [(0, 4, false), (4, 8, true), (8, 12, false)]);
        let before = [(0, 1, false), (1, 2, true), (2, 4, false), (4, 8, true), (8, 12, false)];
        assert_eq!(shape(1), before);
        assert_eq!(shape(3), [(0, 3, false), (3, 4, true), (4, 8, true), (8, 12, false)]);
        assert_eq!(shape(8), [(0, 4, false), (4, 8, true), (8, 9, true), (9, 12, false)]);
        assert_eq!(shape(99), [(0, 4, false), (4, 8, true), (8, 12, false)]);
    }
}
